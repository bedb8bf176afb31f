"""How much text fits into so many pixels. The widths are those of a wide sans-serif, so that any other fits too."""

from __future__ import annotations

import unicodedata

_GROUPS = (
    ("iIjJl.,:;'|!", 0.35),
    (" ftr()[]/-", 0.42),
    ('ckvxyzs"*', 0.6),
    ("w~+<>=#", 0.85),
    ("mMWQO@%&", 1.0),
)
_WIDTHS = {char: em for chars, em in _GROUPS for char in chars}
_LOWER = 0.64
_UPPER = 0.78
_WIDE = 1.05


def width(text: str, size: int) -> int:
    """Estimate the width of a text in pixels, at a font size in pixels; never too little for common fonts."""
    return -int(-sum(map(_em, text)) * size)


def _em(char: str) -> float:
    if char in _WIDTHS:
        return _WIDTHS[char]
    if char.isascii():
        return _UPPER if char.isupper() else _LOWER
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF" or ord(char) > 0xFFFF:
        return _WIDE
    base = unicodedata.normalize("NFD", char)[0]
    return _em(base) if base.isascii() else _WIDE


def wrap(text: str, pixels: int, size: int, lines: int) -> list[str]:
    """Break a text into at most so many lines, at spaces where there are any; an ellipsis stands for the rest."""
    out: list[str] = []
    rest = text.strip()
    while rest and len(out) < lines:
        fitting = _prefix(rest, pixels, size)
        if fitting == len(rest):
            out.append(rest)
            return out
        if len(out) == lines - 1:
            ellipsis = _prefix(rest, pixels - width("…", size), size)
            out.append(rest[:ellipsis].rstrip() + "…")
            return out
        space = rest.rfind(" ", 0, fitting + 1)
        end = space if space > fitting // 2 else fitting
        out.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return out


def _prefix(text: str, pixels: int, size: int) -> int:
    """Count the characters that fit, at least one."""
    used = 0.0
    for index, char in enumerate(text):
        used += _em(char) * size
        if used > pixels:
            return max(1, index)
    return len(text)
