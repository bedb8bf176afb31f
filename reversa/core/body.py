"""The body of a record as sections and marked regions; code fences and HTML comments hold no headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reversa.core.fields import BODY_SECTIONS
from reversa.errors import Refused

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?: {1,4}(?=[^ ])|(?= |\Z))")
_OPENERS = frozenset(" `~<-*+0123456789")
"""What a line begins with that may open a fence, a comment or a list item; the others need no second look."""

_DEEPEST = 100
"""Deeper list items on one line are text: a line of twenty thousand `- ` must not take seconds."""

_LIST_LINE = re.compile(r"[ \t]*- ")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}")
_MARKER = re.compile(r" {0,3}<!--[ \t]*reversa:(begin|end)[ \t]+(\S+)[ \t]*-->[ \t]*")


class Line(NamedTuple):
    """A line of a body: `text` without its ending, `body[start:end]` with it, and what kind of block it is in."""

    text: str
    start: int
    end: int
    kind: Literal["prose", "code", "comment"]
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: `line` counts from 1 in the body, `body[start:end]` is its own line with the ending."""

    level: int
    title: str
    line: int
    start: int
    end: int


def lines(body: str) -> Iterator[Line]:
    """Yield the lines of a body with their kind, by CommonMark's rules for fences, list items and comments.

    `nested` lines stand inside a list item. A fence that is never closed runs to the end of its list item or the body.
    """
    items: list[int] = []  # the columns at which the open list items' contents start
    fence, home, comment, at = "", 0, False, 0
    for raw in body.split("\n"):
        text, start = raw.removesuffix("\r"), at
        at = end = min(at + len(raw) + 1, len(body))
        if start == len(body) and start > 0:
            return
        if not (fence or comment or items) and (not text or text[0] not in _OPENERS):
            yield Line(text, start, end, "prose")
            continue
        rest = text.lstrip(" ")
        indent = len(text) - len(rest)
        if fence and (not rest or indent >= home):
            closes = rest.startswith(fence) and not rest.rstrip(" \t").strip(fence[0]) and indent - home <= 3
            fence = "" if closes else fence
            yield Line(text, start, end, "code", home > 0)
            continue
        fence = ""
        if comment:
            comment = "-->" not in text
            yield Line(text, start, end, "comment")
            continue
        rest, indent, home = _enter(items, rest, indent)
        opening = _FENCE.fullmatch(rest) if indent - home <= 3 else None
        if opening:
            fence = opening[1] or opening[2]
        elif indent - home <= 3 and rest.startswith("<!--"):
            comment = "-->" not in rest
        yield Line(text, start, end, "code" if fence else "comment" if comment else "prose", home > 0)


def _enter(items: list[int], rest: str, indent: int) -> tuple[str, int, int]:
    """Close and open list items; gives the rest of the line, its column and where its item's content starts."""
    if rest:
        while items and indent < items[-1]:
            items.pop()
    while indent - (items[-1] if items else 0) <= 3 and (item := _ITEM.match(rest)) and not _RULE.fullmatch(rest):
        if len(items) >= _DEEPEST:
            break
        indent += item.end()
        rest = rest[item.end() :]
        items.append(indent if rest else indent + 1)
    return rest, indent, items[-1] if items else 0


def outline(body: str) -> list[Heading]:
    """Give the headings of a body, those in code fences, comments and list items left out."""
    out = []
    for number, line in enumerate(lines(body), 1):
        if "#" not in line.text or line.kind != "prose" or line.nested:
            continue
        match = _HEADING.match(line.text)
        if match:
            out.append(Heading(len(match[1]), bare_title(line.text[match.end() :]), number, line.start, line.end))
    return out


def bare_title(title: str) -> str:
    """Take blanks and a closing run of # from a heading's text, in linear time however long they are."""
    title = title.strip()
    before = title.rstrip("#")
    return before.rstrip() if not before or before[-1] in " \t" else title


def section(body: str, title: str) -> tuple[int, int] | None:
    """Give the span under the first `##` heading of that title, up to the next heading of level 1 or 2, or None."""
    return _sections(body).get(title)


def _sections(body: str) -> dict[str, tuple[int, int]]:
    tops = [heading for heading in outline(body) if heading.level <= 2]
    ends = [heading.start for heading in tops[1:]] + [len(body)]
    spans: dict[str, tuple[int, int]] = {}
    for heading, end in zip(tops, ends, strict=False):
        if heading.level == 2:
            spans.setdefault(heading.title, (heading.end, end))
    return spans


def region(body: str, name: str) -> tuple[int, int] | None:
    """Give the span between the marker lines `<!-- reversa:begin NAME -->` and `<!-- reversa:end NAME -->`.

    None unless there is exactly one of each, in that order, outside code fences.
    """
    found = []
    for line in lines(body):
        match = _MARKER.fullmatch(line.text) if line.kind == "prose" else None
        if match and match[2] == name:
            found.append((match[1], line))
    if [sort for sort, _ in found] != ["begin", "end"]:
        return None
    return found[0][1].end, found[1][1].start


def replace_region(body: str, name: str, text: str) -> str:
    """Put text between the markers of a region, with the line endings of the body; every other byte stays.

    Raises Refused when the body has no such region.
    """
    span = region(body, name)
    if span is None:
        raise Refused(f"The body has no single region {name} between reversa:begin and reversa:end.")
    newline = _newline(body)
    inner = _with(newline, text.rstrip("\r\n")) + newline if text.strip() else ""
    return body[: span[0]] + inner + body[span[1] :]


def append_to_section(body: str, title: str, text: str) -> str:
    """Add a paragraph, or an item to the list that ends it, at the end of a `##` section; every other byte stays.

    A missing section is made where the contract's order puts it, an unknown one at the end.
    """
    newline = _newline(body)
    text = _with(newline, text.strip("\r\n"))
    span = section(body, title)
    if span is None:
        return _insert_block(body, _place(body, title), f"## {title}{newline}{newline}{text}")
    content = body[span[0] : span[1]].rstrip()
    if not content:
        return _insert_block(body, span[0], text)
    last_line = content.rpartition("\n")[2]
    at = _line_end(body, span[0] + len(content))
    if _LIST_LINE.match(text) and _LIST_LINE.match(last_line):
        return _insert(body, at, text, tight=True)
    return _insert_block(body, at, text)


def _place(body: str, title: str) -> int:
    """Give the offset at which a missing section belongs."""
    spans = _sections(body)
    if title not in BODY_SECTIONS:
        return len(body)
    index = BODY_SECTIONS.index(title)
    for name in reversed(BODY_SECTIONS[:index]):
        if name in spans:
            return spans[name][1]
    later = [spans[name][0] for name in BODY_SECTIONS[index + 1 :] if name in spans]
    if not later:
        return len(body)
    return max(heading.start for heading in outline(body) if heading.start < min(later))


def _insert_block(body: str, at: int, text: str) -> str:
    return _insert(body, at, text, tight=False)


def _insert(body: str, at: int, text: str, *, tight: bool) -> str:
    """Insert whole lines, set off by blank lines where there are none yet; no final line ending is added to a body."""
    newline = _newline(body)
    before, after = body[:at], body[at:]
    if before and not before.endswith("\n"):
        lead, trail = newline, ""
    else:
        lead, trail = "", newline
    if before and not tight and (lead or not _ends_blank(before)):
        lead += newline
    if after and not after.lstrip(" \t").startswith(("\n", "\r\n")):
        trail += newline
    return f"{before}{lead}{text}{trail}{after}"


def _ends_blank(text: str) -> bool:
    """Whether the last line of a text that ends with a line break is blank."""
    return not text[:-1].rpartition("\n")[2].strip()


def _line_end(body: str, at: int) -> int:
    end = body.find("\n", at)
    return len(body) if end < 0 else end + 1


def _newline(body: str) -> str:
    first = body.find("\n")
    return "\r\n" if first > 0 and body[first - 1] == "\r" else "\n"


def _with(newline: str, text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)
