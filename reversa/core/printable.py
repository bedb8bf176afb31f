"""What of somebody's text is safe to show: nothing acts on a terminal, and nothing reads as what it is not."""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
"""Invisible, but without them Persian and many Indic words are misspelt and emoji of families fall apart."""


def is_printable(sign: str) -> bool:
    """Whether a character may stand as it is: no control, no override of the writing direction, no separator."""
    return sign.isprintable() or sign in _JOINERS


def escaped(text: str) -> str:
    """Give text in which everything that is not printable is written as its code point."""
    if text.isprintable():  # nearly every text
        return text
    return "".join(sign if is_printable(sign) else f"\\u{ord(sign):04x}" for sign in text)
