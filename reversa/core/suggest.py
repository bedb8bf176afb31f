"""Did you mean: the nearest known words to a mistyped one, in one place for every message."""

from __future__ import annotations

from collections.abc import Iterable

CUTOFF = 60.0
"""Below this likeness (percent) a suggestion misleads more often than it helps."""


def nearest(word: str, choices: Iterable[str], *, limit: int = 1, cutoff: float = CUTOFF) -> list[str]:
    """Give the choices that a mistyped word most likely meant, the likeliest first; case does not count."""
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        word, list(choices), scorer=fuzz.ratio, processor=utils.default_process, limit=limit, score_cutoff=cutoff
    )
    return [name for name, _, _ in found]


def hint(word: str, choices: Iterable[str], otherwise: str = "") -> str:
    """Give `Did you mean X?`, or what else to say: by default all the choices."""
    words = [choice for choice in choices if choice]
    near = nearest(word, words)
    return f"Did you mean {near[0]}?" if near else otherwise or f"One of {', '.join(words)}."
