"""Where a finding stands: line and column in the file as people count them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.document import Route, Span
from reversa.core.finding import Finding, Hit, Severity, place
from reversa.store.frontmatter import locate

TEXT = """---
id: BUG-20260715-A7K3
title: "é ü 🔥"
empty:
origin:
  type: x
  external_ref: {provider: git, id: ''}
list:
- a
-
- b: c
  d: |
    two
    lines
---

# T
"""


def at(route: Route, text: str = TEXT, key: bool = False) -> tuple[str, int]:
    """Give what stands at the place of a hit, and the line."""
    document, spans = locate(text.encode())
    line, column, width = place(document.text, spans, Hit(route, at="key" if key else "value"))
    whole = document.text.split("\n")[line - 1]
    assert 1 <= column <= len(whole) + 1
    return whole[column - 1 : column - 1 + width], line


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("route", "key", "shown", "line"),
    [
        (("id",), False, "BUG-20260715-A7K3", 2),
        (("id",), True, "id", 2),
        (("title",), False, '"é ü 🔥"', 3),
        (("empty",), False, "empty:", 4),
        (("origin", "type"), False, "x", 6),
        (("origin", "type"), True, "type", 6),
        (("origin", "external_ref", "id"), False, "''", 7),
        (("origin", "gone", "deeper"), False, "origin", 5),
        (("list", 0), False, "a", 9),
        (("list", 0), True, "a", 9),
        (("list", 2, "b"), False, "c", 11),
        (("list", 2, "d"), False, "|", 12),
        (("list", 9, "x"), False, "list", 8),
        (("gone",), False, "-", 1),
        ((), False, "-", 1),
    ],
)
def test_places(newline: str, mark: str, route: Route, key: bool, shown: str, line: int) -> None:
    assert at(route, mark + TEXT.replace("\n", newline), key) == (shown, line)


def test_an_empty_member_is_where_its_dash_ends() -> None:
    document, spans = locate(TEXT.encode())
    line, _, width = place(document.text, spans, Hit(("list", 1)))
    assert (line, width) == (10, 1)


def test_a_line_wins_over_the_route() -> None:
    assert place("", {}, Hit(("id",), line=7, column=3)) == (7, 3, 1)


@given(st.text(st.sampled_from("ab\n\r:é🔥"), max_size=30), st.data())
def test_any_span_has_a_place_in_the_text(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4)))
    line, column, width = place(
        text, {("x",): Span(*cuts)}, Hit(("x",), at=data.draw(st.sampled_from(["key", "value"])))
    )
    lines = text.split("\n")
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1
    assert 1 <= width <= max(1, len(lines[line - 1]) - column + 1)


def test_a_finding_as_json() -> None:
    found = Finding(
        "RV101", Severity.ERROR, "a/bug.md", 3, 4, "", "message", "hint", title="t", source="secret", fingerprint="f"
    )
    assert found.to_json() == {
        "code": "RV101",
        "severity": "error",
        "path": "a/bug.md",
        "line": 3,
        "column": 4,
        "bug": None,
        "message": "message",
        "hint": "hint",
    }
    assert list(found.to_json()) == ["code", "severity", "path", "line", "column", "bug", "message", "hint"]
