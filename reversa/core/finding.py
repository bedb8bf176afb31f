"""Findings: what a rule says about a record, and where it stands in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
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
    whole file and for a restricted bug; `fingerprint` stays when lines move.
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
    fingerprint: str = ""

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
    starts = _starts(text)
    line = bisect_right(starts, start)
    line_end = starts[line - 1] + len(line_of(text, line))
    return line, start - starts[line - 1] + 1, max(1, min(end, line_end) - start)


def line_of(text: str, line: int) -> str:
    """Give a line, counted from 1, without its ending; "" where there is none."""
    starts = _starts(text)
    if not 1 <= line <= len(starts):
        return ""
    end = starts[line] - 1 if line < len(starts) else len(text)
    return text[starts[line - 1] : end].removesuffix("\r")


@lru_cache(maxsize=2)
def _starts(text: str) -> list[int]:
    """Give the offset of every line; kept for the text at hand, or a file of many findings would take for ever."""
    return [0, *(match.end() for match in re.finditer("\n", text))]
