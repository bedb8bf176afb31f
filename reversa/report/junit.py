"""JUnit XML, which nearly every CI shows: a test case a bug, failed by its errors, with warnings as its output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from reversa.core.finding import Finding, Severity
from reversa.report.findings import Found

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def write(found: Found) -> str:
    """Write one suite; findings that belong to no bug make a case of their own file."""
    cases: dict[tuple[str, str], list[Finding]] = {bug: [] for bug in found.bugs}
    contexts = {name: context for context, name in found.bugs}
    for finding in found.findings:
        name = finding.bug or found.path(finding)
        cases.setdefault((contexts.get(name, "registry"), name), []).append(finding)
    failed = sum(any(map(_is_error, findings)) for findings in cases.values())
    suite = Element("testsuite", name="reversa", tests=str(len(cases)), failures=str(failed), errors="0", skipped="0")
    for (context, name), findings in sorted(cases.items()):
        case = SubElement(suite, "testcase", classname=_legal(context or "registry"), name=_legal(name))
        _fill(found, case, findings)
    suites = Element("testsuites", name="reversa", tests=str(len(cases)), failures=str(failed))
    suites.append(suite)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR


def _fill(found: Found, case: Element, findings: Sequence[Finding]) -> None:
    errors = [finding for finding in findings if _is_error(finding)]
    others = [finding for finding in findings if not _is_error(finding)]
    if errors:
        first = f"{errors[0].code} {found.message(errors[0])}"
        message = first if len(errors) == 1 else f"{first} (and {len(errors) - 1} more)"
        failure = SubElement(case, "failure", message=_legal(message), type=errors[0].code)
        failure.text = _text(found, errors)
    if others:
        SubElement(case, "system-out").text = _text(found, others)


def _text(found: Found, findings: Sequence[Finding]) -> str:
    lines = (
        f"{finding.code} {found.path(finding)}:{found.line(finding)}: {found.message(finding)}"
        + (f"\n  mend: {finding.hint}" if finding.hint else "")
        for finding in findings
    )
    return _legal("\n".join(lines))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
