"""A Code Quality report of GitLab: https://docs.gitlab.com/ci/testing/code_quality/"""

from __future__ import annotations

import json

from reversa.core.finding import Severity
from reversa.report.findings import Found

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor"}


def write(found: Found) -> str:
    """Write the report; fingerprints hold no line numbers, so that a finding is not new because it moved."""
    issues = [
        {
            "description": found.message(finding),
            "check_name": finding.code,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": found.path(finding), "lines": {"begin": found.line(finding)}},
        }
        for finding, fingerprint in found.with_fingerprints()
    ]
    return json.dumps(issues, ensure_ascii=False, indent=1) + "\n"
