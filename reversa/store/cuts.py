"""The finest cuts that make one step of an edit: each replaces only the text of the value it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from reversa.core.document import Route
from reversa.core.edit import Step, Value
from reversa.store import render_yaml as render
from reversa.store.marks import Marks

_REST_OF_LINE = re.compile(r"[ \t]*(,?)[ \t]*(?:#[^\r\n]*)?(?=\r?\n)")
"""What may follow a member of a flow collection that has its line to itself."""

_COMMA = re.compile(r"[ \t]*,")


@dataclass(frozen=True, slots=True)
class Cut:
    """Replace `text[start:end]`."""

    start: int
    end: int
    text: str


def carry_out(text: str, cuts: list[Cut]) -> str:
    """Make the cuts, which do not overlap."""
    out, at = [], 0
    for cut in sorted(cuts, key=lambda cut: cut.start):  # stable: insertions at one place keep their order
        out += [text[at : cut.start], cut.text]
        at = cut.end
    return "".join([*out, text[at:]])


def plan(marks: Marks, step: Step) -> list[Cut]:
    """Give the cuts that make a step; raises Unwritable for a text that no file can hold."""
    flow = marks.is_flow(step.route if step.kind == "append" else step.route[:-1])
    return _PLANS[step.kind, flow](marks, step.route, step.value)


def _block_lines(marks: Marks, route: Route, value: Value, column: int) -> str:
    """Render a value in block style, with the line ends of the file."""
    return render.value(value, render.describe(route), column).replace("\n", marks.document.newline)


def _put(marks: Marks, route: Route, text: str) -> list[Cut]:
    """Put one line of text in the place of a value, whatever that was; comments on its first line stay."""
    span = marks.spans[route]
    if marks.starts_line(span.start) and (marks.is_block(route) or _strays(marks, route)):
        after = marks.after_carrier(route)
        lines = Cut(marks.line_start(span.start), marks.next_line(marks.end(route)), "")
        return [Cut(after, after, f" {text}"), lines]
    if marks.is_block(route):
        return [Cut(span.start, marks.end(route), text)]
    header = marks.header(route)
    if header:
        first_line = marks.line_end(span.start)
        return [Cut(span.start, span.start + len(header), text), Cut(first_line, marks.end(route), "")]
    if span.start < span.end:
        return [Cut(span.start, span.end, text)]
    end = marks.end(route)
    return [Cut(end, end, f": {text}" if marks.lacks_colon(route) else f" {text}")]


def _strays(marks: Marks, route: Route) -> bool:
    """Whether a top-level value stands below its key, where other readers of the format do not see it."""
    end = marks.spans[route].end
    return len(route) == 1 and not marks.is_flow(()) and not marks.text[end : marks.line_end(end)].strip()


def _replace(marks: Marks, route: Route, value: Value) -> list[Cut]:
    filled = isinstance(value, dict | list) and bool(value)
    flow = filled and marks.is_flow(route) and bool(marks.value(route))
    if filled and not flow:
        return _put_block(marks, route, value)
    return _put(marks, route, render.value(value, render.describe(route), flow=flow))


def _put_block(marks: Marks, route: Route, value: Value) -> list[Cut]:
    """Put a block collection in the place of a value, below its key or beside its dash."""
    span, end, newline = marks.spans[route], marks.end(route), marks.document.newline
    empty = span.start == span.end
    column = marks.own_column(route) + 2
    if not empty and marks.starts_line(span.start):
        old_column = marks.column(span.start)
        if marks.is_block(route) and (old_column > column - 2 or isinstance(value, list)):
            column = old_column
        lines = _block_lines(marks, route, value, column)
        return [Cut(marks.line_start(span.start), marks.line_end(end), lines)]
    beside = isinstance(route[-1], int)
    if beside and not empty:
        column = marks.column(span.start)
    lines = _block_lines(marks, route, value, column)
    head, _, tail = lines[column:].partition(newline) if beside else ("", "", lines)
    tail = newline + tail if tail else ""
    if marks.is_block(route):
        return [Cut(span.start, marks.line_end(end), head + tail)]
    header = marks.header(route)
    stop = span.start + len(header) if header else span.end
    start = span.start if beside and not empty else marks.after_carrier(route)
    first_line = marks.line_end(stop)
    return [Cut(start, stop, f" {head}" if beside and empty else head), Cut(first_line, max(end, first_line), tail)]


def _replace_in_flow(marks: Marks, route: Route, value: Value) -> list[Cut]:
    return _put(marks, route, render.value(value, render.describe(route), flow=True))


def _insert(marks: Marks, route: Route, value: Value) -> list[Cut]:
    before = _predecessor(marks, route)
    first = marks.spans[marks.children(route[:-1])[0]].key_start
    column = marks.column(first)
    lines = render.entry(str(route[-1]), value, render.describe(route), column)
    lines = lines.replace("\n", marks.document.newline) + marks.document.newline
    if before is None:
        return [Cut(first, first, lines[column:] + " " * column)]
    at = marks.block_end(before)
    return [Cut(at, at, lines)]


def _insert_in_flow(marks: Marks, route: Route, value: Value) -> list[Cut]:
    field, pair = render.describe(route), marks.spans[route[:-1]]
    text = f"{render.scalar(str(route[-1]), flow=True)}: {render.value(value, field, flow=True)}"
    if marks.text[pair.start] != "{":  # the mapping without braces in `[a: b]` holds one pair only
        return [Cut(pair.start, pair.start, "{"), _after_in_flow(marks, route[:-1], f", {text}}}")]
    before = _predecessor(marks, route)
    if before is None:
        first = marks.spans[marks.children(route[:-1])[0]].key_start
        return [Cut(first, first, f"{text}, ")]
    return [_after_in_flow(marks, before, f", {text}")]


def _append(marks: Marks, route: Route, value: Value) -> list[Cut]:
    last = marks.children(route)[-1]
    dash, start = marks.dash(last), marks.spans[last].start
    gap = marks.text[dash + 1 : start]
    if not gap or gap.strip(" "):
        gap = " "
    column = marks.column(dash)
    lines = _block_lines(marks, (*route, 0), value, column + 1 + len(gap))
    beside = lines[column + 1 + len(gap) :] if isinstance(value, dict | list) and value else lines
    at = marks.block_end(route)
    return [Cut(at, at, f"{' ' * column}-{gap}{beside}{marks.document.newline}")]


def _append_in_flow(marks: Marks, route: Route, value: Value) -> list[Cut]:
    last = marks.children(route)[-1]
    start, end = marks.spans[last].start, marks.end(last)
    text = render.value(value, render.describe((*route, 0)), flow=True)
    rest = _line_to_itself(marks, start, end)
    if rest is None:
        return [_after_in_flow(marks, last, f", {text}")]
    indent = marks.text[marks.line_start(start) : start]
    line = Cut(rest.end(), rest.end(), f"{marks.document.newline}{indent}{text}{rest[1]}")
    return [line] if rest[1] else [_after_in_flow(marks, last, ","), line]


def _delete(marks: Marks, route: Route, _: Value) -> list[Cut]:
    start = marks.dash(route) if isinstance(route[-1], int) else marks.spans[route].key_start
    if marks.starts_line(start):
        return [Cut(marks.line_start(start), marks.block_end(route), "")]
    siblings = marks.children(route[:-1])  # the first of a collection that begins beside a dash
    following = siblings[siblings.index(route) + 1]
    stop = marks.dash(following) if isinstance(route[-1], int) else marks.spans[following].key_start
    if "#" not in marks.text[marks.next_line(marks.end(route)) : stop]:
        return [Cut(start, stop, "")]
    kept = len(marks.text[:start].rstrip(" "))
    return [Cut(kept, marks.line_end(marks.end(route)), "")]


def _delete_in_flow(marks: Marks, route: Route, _: Value) -> list[Cut]:
    parent = route[:-1]
    siblings = marks.children(parent)
    index = siblings.index(route)
    start, end = marks.spans[route].key_start, marks.end(route)
    before = marks.end(siblings[index - 1]) if index else start
    rest = _line_to_itself(marks, start, end)
    if rest is not None:
        line = Cut(marks.line_start(start), marks.next_line(end), "")
        comma = _COMMA.match(marks.text, before)
        return [line, Cut(before, comma.end(), "")] if index and comma and not rest[1] else [line]
    if index + 1 < len(siblings):
        following = marks.spans[siblings[index + 1]].key_start
        comma = _COMMA.match(marks.text, end)
        if comma and "#" in marks.text[end:following]:
            return [Cut(start, comma.end(), "")]
        return [Cut(start, following, "")]
    return [Cut(start if "#" in marks.text[before:start] else before, end, "")]


def _rename(marks: Marks, route: Route, name: Value) -> list[Cut]:
    span = marks.spans[route]
    return [Cut(span.key_start, span.key_end, render.scalar(str(name), flow=marks.is_flow(route[:-1])))]


def _line_to_itself(marks: Marks, start: int, end: int) -> re.Match[str] | None:
    """Match what follows a member of a flow collection when no other member shares its lines."""
    if not marks.starts_line(start):
        return None
    return _REST_OF_LINE.match(marks.text, end)


def _after_in_flow(marks: Marks, member: Route, text: str) -> Cut:
    """Put text after a member; a comma that touched the colon of an empty value would not be read as one."""
    at = marks.end(member)
    return Cut(at, at, f" {text}" if marks.text[at - 1] == ":" else text)


def _predecessor(marks: Marks, route: Route) -> Route | None:
    """Give the sibling after which a new key belongs; None puts it first."""
    parent, key = route[:-1], route[-1]
    siblings: Any = marks.value(parent)
    table = render.describe(parent).fields
    names = [field.name for field in table]
    if key not in names:
        return marks.children(parent)[-1]
    for field in reversed(table[: names.index(str(key))]):
        for name in (field.name, *field.renamed):
            if name in siblings:
                return (*parent, name)
    return None


_PLANS = {
    ("replace", False): _replace,
    ("replace", True): _replace_in_flow,
    ("insert", False): _insert,
    ("insert", True): _insert_in_flow,
    ("append", False): _append,
    ("append", True): _append_in_flow,
    ("delete", False): _delete,
    ("delete", True): _delete_in_flow,
    ("rename", False): _rename,
    ("rename", True): _rename,
}
