"""The headings of a record's body, found once for all rules that ask."""

from __future__ import annotations

from reversa.core.body import Heading, outline
from reversa.core.bug import Bug
from reversa.core.rules.engine import once


@once
def headings(bug: Bug) -> list[Heading]:
    """Give the headings of levels 1 and 2; `line` counts from 1 in the body."""
    return [heading for heading in outline(bug.body) if heading.level <= 2]


def section_of(bug: Bug, title: str) -> tuple[int, str]:
    """Give the text of the first section of that title and the file's line on which it begins; ("" where absent)."""
    found = headings(bug)
    for index, heading in enumerate(found):
        if heading.level == 2 and heading.title == title:
            end = found[index + 1].start if index + 1 < len(found) else len(bug.body)
            return bug.body_line + heading.line, bug.body[heading.end : end]
    return bug.body_line, ""
