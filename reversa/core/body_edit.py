"""Changes of a record's body: a section or a marked region gets another text, and every other byte stays."""

from __future__ import annotations

import re

from reversa.core.body import MARKER, headings, lines, outline, region, section, sections
from reversa.core.fields import BODY_SECTIONS
from reversa.errors import Refused, UsageError

UNWRITTEN = "_Not written yet._"
"""What `new` writes where nothing is known yet."""

PLACEHOLDERS = (UNWRITTEN, "None yet.", "None.")
"""Contents of a section that the first real text replaces."""

_LIST_LINE = re.compile(r"[ \t]*- ")


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

    A placeholder gives way to the text. A missing section is made where the contract's order puts it, an unknown one at
    the end.
    """
    newline = _newline(body)
    text = _with(newline, text.strip("\r\n"))
    span = section(body, title)
    if span is None:
        return _insert_block(body, _place(body, title), f"## {title}{newline}{newline}{text}")
    content = body[span[0] : span[1]].rstrip()
    if content.strip() in PLACEHOLDERS:
        return replace_section(body, title, text)
    if not content:
        return _insert_block(body, span[0], text)
    last_line = content.rpartition("\n")[2]
    at = _line_end(body, span[0] + len(content))
    if _LIST_LINE.match(text) and _LIST_LINE.match(last_line):
        return _insert(body, at, text, tight=True)
    return _insert_block(body, at, text)


def replace_section(body: str, title: str, text: str) -> str:
    """Give a `##` section another text; every byte outside the section stays.

    What stands between reversa's markers in it is kept, above the text. A missing section is made where the contract's
    order puts it.
    """
    span = section(body, title)
    if span is None:
        return append_to_section(body, title, text)
    newline = _newline(body)
    content = body[span[0] : span[1]]
    wanted = newline.join(part for part in (_marked(content, newline), _with(newline, text.strip("\r\n"))) if part)
    if content.strip() == wanted.strip():
        return body
    before, after = body[: span[0]], body[span[1] :]
    lead = newline if before.endswith("\n") else newline * 2
    tail = f"{newline}{newline if after else ''}"
    return f"{before}{lead}{wanted}{tail}{after}" if wanted else f"{before}{lead}{after}"


def _marked(content: str, newline: str) -> str:
    """Give the marked regions of a section's content, each with its markers and a blank line after it."""
    out, opened = [], 0
    for line in lines(content):
        match = MARKER.fullmatch(line.text) if line.kind == "prose" else None
        if match and match[1] == "begin":
            opened = line.start
        elif match and region(content, match[2]) is not None:
            out.append(content[opened : line.end].rstrip("\r\n") + newline)
    return newline.join(out)


def unmarked(content: str) -> str:
    """Give a section's content without its marked regions, which reversa draws itself."""
    opened = 0
    kept, at = [], 0
    for line in lines(content):
        match = MARKER.fullmatch(line.text) if line.kind == "prose" else None
        if match and match[1] == "begin":
            opened = line.start
        elif match and region(content, match[2]) is not None:
            kept.append(content[at:opened])
            at = line.end
    return "".join((*kept, content[at:]))


def retitle(body: str, title: str) -> str:
    """Give the first `#` heading another title; a body without one, and every other byte, stays."""
    first = next((heading for heading in outline(body) if heading.level == 1), None)
    if first is None:
        return body
    ending = body[first.start : first.end]
    ending = ending[len(ending.rstrip("\r\n")) :]
    return f"{body[: first.start]}# {title}{ending}{body[first.end :]}"


def section_name(name: str, body: str) -> str:
    """Give the title of the section that a typed name means: one of the contract's or one that the body has.

    Case does not count, and `-` and `_` stand for blanks. Raises UsageError with the nearest for any other name.
    """
    from reversa.core.suggest import hint

    known = {_folded(title): title for title in (*BODY_SECTIONS, *reversed(sections(body)))}
    if _folded(name) not in known:
        raise UsageError(f"{name!r} is no section of a record.", hint(name, dict.fromkeys(known.values())))
    return known[_folded(name)]


def _folded(name: str) -> str:
    return " ".join(name.replace("-", " ").replace("_", " ").split()).casefold()


def refuse_unfit(text: str, title: str) -> None:
    """Refuse a text that would not stay within its section (UsageError, with the line): a heading of level 1 or 2, a
    code fence or comment that is never closed, one of reversa's own markers, control characters.
    """
    where = f"of the text for {title}"
    for number, line in enumerate(lines(text), 1):
        control = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", line.text)
        if control:
            raise UsageError(f"Line {number} {where} holds the control character U+{ord(control[0]):04X}.")
        if MARKER.fullmatch(line.text):
            raise UsageError(f"Line {number} {where} is a marker that reversa writes itself.", "Leave it out.")
    heading = next((heading for heading in headings(text) if heading.level <= 2), None)
    if heading:
        raise UsageError(
            f"Line {heading.line} {where} is a heading of level {heading.level}, which would end the section.",
            "Use ### or deeper, or --section once for each section; text right above a line of --- or === is one too.",
        )
    if not _is_closed(text):
        raise UsageError(f"The text for {title} opens a code fence or a comment that it never closes.")


def refuse_open(
    body: str, title: str, hint: str = "Close it with reversa edit, or give the section another text with --section."
) -> None:
    """Refuse to write at the end of a section, or where it would be made, inside a code fence or comment (Refused)."""
    span = section(body, title)
    if not _is_closed(body[: span[1] if span else _place(body, title)]):
        raise Refused(
            f"{title} ends inside a code fence or a comment that is never closed, and so would the text.",
            hint,
            kind="open-fence",
        )


def _is_closed(text: str) -> bool:
    """Whether a heading after the text would be one."""
    probe = outline(f"{text}\n\n# x\n")
    return bool(probe) and probe[-1].start >= len(text)


def _place(body: str, title: str) -> int:
    """Give the offset at which a missing section belongs."""
    spans = sections(body)
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
