"""The body of a record as sections and marked regions; code fences and HTML comments hold no headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_FENCE = re.compile(r"(`{3,})[^`]*|(~{3,}).*")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?: {1,4}(?=[^ ])|(?= |\Z))")
_OPENERS = frozenset(" `~<-*+0123456789")
"""What a line begins with that may open a fence, a comment or a list item; the others need no second look."""

_DEEPEST = 100
"""Deeper list items on one line are text: a line of twenty thousand `- ` must not take seconds."""

_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:>|\[[^\]]{1,200}\]:|[*_](?:[ \t]*[*_]){2,}[ \t]*\Z)")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}")
MARKER = re.compile(r" {0,3}<!--[ \t]*reversa:(begin|end)[ \t]+(\S+)[ \t]*-->[ \t]*")
"""A line that begins or ends what the tool draws by itself."""


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


def headings(body: str) -> Iterator[Heading]:
    """Yield the headings of a body in both of Markdown's styles, `# Title` and underlined; an outline has the first.

    An underlined one has the lines of its paragraph as title, and begins where they do.
    """
    paragraph: list[tuple[int, Line]] = []
    for number, line in enumerate(lines(body), 1):
        match = _HEADING.match(line.text) if line.kind == "prose" and not line.nested else None
        under = _UNDERLINE.fullmatch(line.text) if paragraph and line.kind == "prose" else None
        if line.kind != "prose" or line.nested or match or under:
            if match:
                yield Heading(len(match[1]), bare_title(line.text[match.end() :]), number, line.start, line.end)
            elif under:  # a lone - below a paragraph opens no list
                first, begin = paragraph[0]
                title = "\n".join(each.text.strip() for _, each in paragraph)
                yield Heading(1 if under[1][0] == "=" else 2, title, first, begin.start, line.end)
            paragraph = []
        elif not line.text.strip() or _NO_PARAGRAPH.match(line.text):
            paragraph = []
        elif paragraph or not line.text.startswith(("    ", "\t")):
            paragraph.append((number, line))


def bare_title(title: str) -> str:
    """Take blanks and a closing run of # from a heading's text, in linear time however long they are."""
    title = title.strip()
    before = title.rstrip("#")
    return before.rstrip() if not before or before[-1] in " \t" else title


def section(body: str, title: str) -> tuple[int, int] | None:
    """Give the span under the first `##` heading of that title, up to the next heading of level 1 or 2, or None."""
    return sections(body).get(title)


def sections(body: str) -> dict[str, tuple[int, int]]:
    """Give the span under each `##` heading by its title; of a title that occurs twice, the first."""
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
        match = MARKER.fullmatch(line.text) if line.kind == "prose" else None
        if match and match[2] == name:
            found.append((match[1], line))
    if [sort for sort, _ in found] != ["begin", "end"]:
        return None
    return found[0][1].end, found[1][1].start
