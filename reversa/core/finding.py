"""Findings: what a rule says about a record, and where it stands in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from reversa.core.document import Route, Span


class Severity(StrEnum):
    """An error makes a bug invalid and the exit code 1; a warning does so with `--strict` alone."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule yields: a key route or a line, and the values for its message.

    `route` is resolved to line and column only when the finding is shown; `at` chooses the key or the value. `line`
    counts from 1 in the file and wins over the route. `path` overrides the record's own path.
    """

    route: Route = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    at: Literal["value", "key"] = "value"
    line: int = 0
    column: int = 1
    path: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding as reported (cli.md); line and column count from 1, columns in code points.

    `source` is the offending line and `width` the length of the offending part, both empty for a finding about a
    whole file and for a restricted bug.
    """

    code: str
    severity: Severity
    path: str
    line: int
    column: int
    bug: str
    message: str
    hint: str
    title: str = ""
    source: str = ""
    width: int = 1
    locked: bool = False
    restricted: bool = False
    value: str = ""

    def to_json(self) -> dict[str, Any]:
        """Give the mapping that every machine format starts from."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "bug": self.bug or None,
            "message": self.message,
            "hint": self.hint,
        }


def place(text: str, spans: Mapping[Route, Span], hit: Hit) -> tuple[int, int, int]:
    """Resolve a hit to line, column and width in the text; an absent route falls back to its nearest ancestor."""
    if hit.line:
        return hit.line, hit.column, 1
    route, at = hit.route, hit.at
    while route and route not in spans:
        route, at = route[:-1], "key"
    if not route:
        return 1, 1, 1
    span = spans[route]
    start, end = (
        (span.key_start, span.key_end) if at == "key" and span.key_end > span.key_start else (span.start, span.end)
    )
    if start == end:  # an empty value has no text of its own: its key is shown
        start, end = span.key_start, max(span.key_end, span.start)
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end - (text[line_end - 1 : line_end] == "\r")
    return text.count("\n", 0, start) + 1, start - line_start + 1, max(1, min(end, line_end) - start)
