"""SARIF 2.1.0, which code scanning reads: https://docs.oasis-open.org/sarif/sarif/v2.1.0/"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from reversa.core.finding import Finding
from reversa.core.rules.engine import Rule
from reversa.report.findings import Found
from reversa.report.manual import explanation, rule_markdown, rule_page

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def write(found: Found) -> str:
    """Write a log of one run, with the manual page of each rule that found something."""
    codes = sorted({finding.code for finding in found.findings})
    places = {code: index for index, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "reversa",
                "semanticVersion": found.version,
                "version": found.version,
                "rules": [_rule(found.rules[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the repository."}}},
        "results": [
            _result(found, finding, fingerprint, places[finding.code])
            for finding, fingerprint in found.with_fingerprints()
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.check.__name__.split("_")),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": explanation(rule)},
        "help": {"text": rule_page(rule), "markdown": rule_markdown(rule)},
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _result(found: Found, finding: Finding, fingerprint: str, index: int) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": found.line(finding)}
    if not finding.restricted:
        region |= {"startColumn": finding.column, "endColumn": finding.column + finding.width}
    location = {"uri": quote(found.path(finding)), "uriBaseId": "SRCROOT"}
    text = f"{found.message(finding)}\n{finding.hint}" if finding.hint else found.message(finding)
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": text},
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}],
        "partialFingerprints": {"reversaIdentity/v1": fingerprint},
    }
