"""Checks of words typed on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from reversa.core.suggest import hint
from reversa.errors import UsageError


def one_of(option: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a value that is not one of the allowed words, naming the nearest (exit 2)."""
    if value in allowed:
        return
    raise UsageError(f"{option} does not take {value!r}.", hint(value, allowed))
