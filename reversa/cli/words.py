"""Checks of words typed on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from reversa.errors import UsageError


def one_of(option: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a value that is not one of the allowed words, naming the nearest (exit 2)."""
    if value in allowed:
        return
    from rapidfuzz import process

    words = [word for word in allowed if word]
    folded = next((word for word in words if word.lower() == value.lower()), None)
    near = folded or next((name for name, _, _ in process.extract(value, words, limit=1, score_cutoff=60)), None)
    hint = f"Did you mean {near}?" if near else f"One of {', '.join(words)}."
    raise UsageError(f"{option} {value!r} is not one of its words.", hint)
