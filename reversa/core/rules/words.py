"""How rules show values, read dates, and guess what a wrong word was meant to be."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

LONGEST = 80
"""How much of a value a message shows where more has to follow."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")


def brief(value: Any) -> str:
    """Name a raw value in a message: its text, or what kind of collection it is."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if not value:
        return '""'
    return str(value) if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"


def day(text: str) -> datetime.date | None:
    """Read `YYYY-MM-DD`; None for another form and for a day that no calendar has."""
    return _day(text) if _DATE.match(text) else None


@lru_cache(maxsize=4096)
def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def near(text: str, known: Iterable[str]) -> str:
    """Give the word that a text was probably meant to be, or "VALUE" where none is close."""
    folded = text.casefold()
    for word in known:
        if folded in (word, word.casefold(), word.casefold().replace("-", "_"), word.casefold().replace("-", " ")):
            return word
    return next((word for word in known if one_typo(folded, word.casefold())), "VALUE")


def one_typo(text: str, word: str) -> bool:
    """Whether one letter was added, left out, replaced or swapped with its neighbour.

    Of words of one or two letters a typo says nothing: `mr` is a word of its own, not a mistyped `pr`.
    """
    if len(word) < 3 or len(text) < 3 or text == word or abs(len(text) - len(word)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(text, word, strict=False)) if a != b), min(len(text), len(word)))
    if len(text) > len(word):
        return text[at + 1 :] == word[at:]
    if len(text) < len(word):
        return text[at:] == word[at + 1 :]
    swapped = text[at : at + 2] == word[at : at + 2][::-1] and text[at + 2 :] == word[at + 2 :]
    return text[at + 1 :] == word[at + 1 :] or swapped
