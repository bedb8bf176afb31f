"""The headings of a record's body, found once for all rules that ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reversa.core.body import bare_title, outline
from reversa.core.bug import Bug
from reversa.core.rules.engine import once

_LINE = re.compile(r"\n(?:(#{1,6})[ \t]+([^\n]*)|([ \t]*)(#|```|~~~|<!--)([^\n]*))")
_FENCE = re.compile(r"`{3,}|~{3,}")


class Top(NamedTuple):
    """A heading of level 1 or 2; `text[start:end]` is its line with the ending."""

    level: int
    title: str
    start: int
    end: int


@once
def headings(bug: Bug) -> list[Top]:
    """Give the headings of levels 1 and 2."""
    found = quick_outline(bug.body)
    if found is None:
        found = [Top(heading.level, heading.title, heading.start, heading.end) for heading in outline(bug.body)]
    return [heading for heading in found if heading.level <= 2]


def quick_outline(text: str) -> list[Top] | None:
    """Give what `outline` gives, in a tenth of its time, or None where it takes more than a look at line starts.

    Such are headings, fences and comments that are indented, fences with a backtick behind them, and comments that
    begin inside a line or go on over several: whether they count depends on the list item that they are in.
    """
    out: list[Top] = []
    fence, comments, length = "", text.count("<!--"), len(text)
    for match in _LINE.finditer(f"\n{text}"):
        marks, title, indent, mark, rest = match.groups()
        if comments:
            comments -= match[0].count("<!--")
        if marks:
            if not fence:
                out.append(Top(len(marks), bare_title(title), match.start(), min(match.end(), length)))
            continue
        line = (mark + rest).removesuffix("\r")
        if fence:
            if line.startswith(fence) and not line.strip().strip(fence[0]):
                if indent:
                    return None
                fence = ""
        elif indent or (mark == "<!--" and "-->" not in line):
            return None
        elif mark == "#":
            if not line.strip("#") and len(line) <= 6:
                out.append(Top(len(line), "", match.start(), min(match.end(), length)))
        elif mark != "<!--":
            run = _FENCE.match(line)
            fence = run[0] if run else ""
            if mark == "```" and "`" in line[len(fence) :]:
                return None
    return None if comments else out


def numbered(bug: Bug) -> Iterator[tuple[Top, int]]:
    """Yield the headings of levels 1 and 2 with their lines in the file, the body counted through once."""
    line, at = bug.body_line, 0
    for heading in headings(bug):
        line += bug.body.count("\n", at, heading.start)
        at = heading.start
        yield heading, line


def line_at(bug: Bug, offset: int) -> int:
    """Give the line in the file on which an offset of the body lies."""
    return bug.body_line + bug.body.count("\n", 0, offset)


def section_of(bug: Bug, title: str) -> tuple[int, str]:
    """Give the text of the first section of that title and where in the body it begins; "" where there is none."""
    found = headings(bug)
    for index, heading in enumerate(found):
        if heading.level == 2 and heading.title == title:
            end = found[index + 1].start if index + 1 < len(found) else len(bug.body)
            return heading.end, bug.body[heading.end : end]
    return 0, ""
