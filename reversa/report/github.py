"""Annotations of GitHub Actions: at most ten a level are shown there, so the rest goes into the step summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reversa.core.finding import Finding
from reversa.report.findings import Found
from reversa.report.text import plural

ANNOTATIONS = 10
"""How many annotations of a level GitHub takes from one step."""

ROWS = 1000
"""How many findings a summary lists: GitHub refuses one of more than 1 MiB."""

_LEVELS = (("error", "errors"), ("warning", "warnings"))


def write(found: Found) -> str:
    """Write the annotations and, below them, what is only in the summary as lines of the log."""
    out: list[str] = []
    for level, name in _LEVELS:
        findings: Sequence[Finding] = getattr(found, name)
        out += [_annotation(found, level, finding) for finding in findings[:ANNOTATIONS]]
        out += [_line(found, finding) for finding in findings[ANNOTATIONS:]]
    return "".join(f"{line}\n" for line in (*out, found.tally))


def _annotation(found: Found, level: str, finding: Finding) -> str:
    place = {"file": found.path(finding), "line": found.line(finding), "title": f"{finding.code} {finding.title}"}
    if not finding.restricted:
        place |= {"col": finding.column, "endColumn": finding.column + finding.width}
    text = found.message(finding) + (f"\n{finding.hint}" if finding.hint else "")
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in place.items())
    return f"::{level} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _line(found: Found, finding: Finding) -> str:
    """Write a finding as a line of the log in which a runner finds no command of its own."""
    text = f"{finding.code} {found.path(finding)}:{found.line(finding)}: {found.message(finding)}"
    return text.replace("##[", "# #[").replace("\r", " ").replace("\n", " ")


def summary(found: Found) -> str:
    """Write the step summary, a table of all findings in Markdown."""
    out = [f"### reversa check\n\n{found.tally}\n"]
    for level, name in _LEVELS:
        findings: Sequence[Finding] = getattr(found, name)
        if findings:
            out += [f"\n#### {plural(len(findings), level)}\n\n", *_table(found, findings[:ROWS])]
            more = len(findings) - ROWS
            out += [f"\nAnd {more} more; `reversa check --all` shows them.\n"] if more > 0 else []
    return "".join(out)


def _table(found: Found, findings: Iterable[Finding]) -> Iterable[str]:
    yield "| rule | where | what |\n|---|---|---|\n"
    for finding in findings:
        where = f"{found.path(finding)}:{found.line(finding)}"
        yield f"| {finding.code} | {_cell(where)} | {_cell(found.message(finding))} |\n"


def _cell(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~@])", r"\\\1", " ".join(text.split()))
