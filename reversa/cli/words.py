"""Checks of words typed on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reversa.core.fields import PHASES, PRIORITIES, SEVERITIES, STATUSES
from reversa.core.query import Filters
from reversa.core.suggest import hint
from reversa.errors import UsageError


def one_of(option: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a value that is not one of the allowed words, naming the nearest (exit 2)."""
    if value in allowed:
        return
    raise UsageError(f"{option} does not take {value!r}.", hint(value, allowed))


_CLOSED = {"status": STATUSES, "phase": PHASES, "severity": SEVERITIES, "priority": PRIORITIES}


def filters(
    *,
    blocked: bool | None = None,
    locked: bool | None = None,
    everything: bool = False,
    include_restricted: bool = False,
    **given: list[str] | None,
) -> Filters:
    """Give the filters of a list; `given` are values by field. Raises UsageError for a word outside its vocabulary."""
    for name, values in given.items():
        for value in values or () if name in _CLOSED else ():
            one_of(f"--{name}", value, _CLOSED[name])
    fields: dict[str, Any] = {name: tuple(values or ()) for name, values in given.items()}
    return Filters(**fields, blocked=blocked, locked=locked, all=everything, include_restricted=include_restricted)
