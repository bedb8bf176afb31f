"""Edits a record's front matter without touching another byte: cut at the marks, read again, compare.

Dumping does not work: python-frontmatter brings no real record back byte for byte, and ruamel.yaml turns the commit
`7e12345` into infinity. So a value is cut out of the text, and the result counts only when it reads back as the edit
says and every line outside the edited top-level key is what it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reversa.core.document import Route, simple
from reversa.core.edit import Edit, Step, apply, refusal, settle
from reversa.errors import Refused
from reversa.store import marks as marking
from reversa.store import render_yaml as render
from reversa.store.cuts import Cut, carry_out, plan
from reversa.store.marks import Marks

_BOM = "\ufeff"


def splice(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Make the edits in the bytes of a record; every byte outside the edited keys stays.

    Raises Refused (kind edit-refused) when the record is unreadable, an edit has no meaning there, or the result would
    not read back as asked; nothing is half done.
    """
    marks = marking.read(data)
    if marks.document.data is None:
        problem = marks.document.problems[-1]
        raise Refused(
            f"The record cannot be read (line {problem.line}, {problem.code}), so it cannot be edited.",
            "reversa check shows what is wrong with it.",
            kind="edit-refused",
            code=problem.code,
            line=problem.line,
        )
    for edit in edits:
        marks = _edited(marks, edit)
    return _encoded(marks.document.bom, marks.text)


def lost_comments(before: bytes, after: bytes) -> list[str]:
    """Give the comments of a front matter that the edited record no longer has."""
    return list((Counter(marking.read(before).comments()) - Counter(marking.read(after).comments())).elements())


def _encoded(bom: bool, text: str) -> bytes:
    return ((_BOM if bom else "") + text).encode()


def _edited(marks: Marks, edit: Edit) -> Marks:
    """Make one edit: by the finest cut, else by writing its top-level key anew."""
    old = simple(marks.document.data)
    step = settle(old, edit)
    if step.kind == "nothing":
        return marks
    expected = apply(old, [edit])
    reason = ""
    try:
        for way in (_fine, _whole):
            cuts = way(marks, step, expected)
            if not cuts:
                continue
            result = marking.read(_encoded(marks.document.bom, carry_out(marks.text, cuts)))
            reason = _objection(marks, result, step.route, expected)
            if not reason:
                return result
    except render.Unwritable as error:
        reason = str(error)
    raise refusal(edit.route, reason)


def _fine(marks: Marks, step: Step, expected: dict[str, Any]) -> list[Cut]:
    try:
        return plan(marks, step)
    except (IndexError, ValueError):  # a shape that no fine cut knows: the whole key is written anew
        return []


def _whole(marks: Marks, step: Step, expected: dict[str, Any]) -> list[Cut]:
    """Write the whole value of the top-level key anew in block style; only the comments inside it are lost.

    No cuts where the key does not stand on lines of its own, before and after.
    """
    key = str(step.route[0])
    route: Route = (key,)
    if marks.is_flow(()) or route not in marks.spans or key not in expected:
        return []
    start = marks.spans[route].key_start
    lines = render.entry(key, expected[key], render.describe(route), marks.column(start))
    newline = marks.document.newline
    first, last = marks.line_start(start), marks.next_line(marks.end(route))
    return [Cut(first, last, lines.replace("\n", newline) + newline)]


def _objection(old: Marks, new: Marks, route: Route, expected: dict[str, Any]) -> str:
    """Say what is wrong with the result of a cut, or nothing."""
    if new.document.data is None:
        return f"the result would not be readable ({new.document.problems[-1].code})"
    if simple(new.document.data) != expected:  # no numbers on either side, so `==` tells the types apart
        return "the result would not read back as asked"
    if not _rest_stands(old, new, route[:1]):
        return "the result would change lines of other keys"
    return ""


def _rest_stands(old: Marks, new: Marks, key: Route) -> bool:
    """Whether every line outside the top-level key's own is the same; a new key's are its own."""
    if key not in old.spans and not old.is_flow(()):
        start, end = _own_lines(new, key)
        return new.text[:start] + new.text[end:] == old.text
    start, end = _own_lines(old, key)
    after = old.text[end:]
    if len(new.text) < start + len(after):
        return False
    return new.text.startswith(old.text[:start]) and new.text.endswith(after)


def _own_lines(marks: Marks, key: Route) -> tuple[int, int]:
    if marks.is_flow(()):  # the keys of a front matter in braces share lines
        return marks.spans[()].start, marks.spans[()].end
    return marks.line_start(marks.spans[key].key_start), marks.block_end(key)
