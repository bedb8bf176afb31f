"""The highest display number that was given out in a clone, so that worktrees do not give one twice."""

from __future__ import annotations

from reversa.core.naming import MAX_NUMBER
from reversa.errors import Surroundings
from reversa.store import clone
from reversa.store.layout import Layout

NAME = "numbers.json"


def reserved(layout: Layout) -> int:
    """Give the highest number given out in any worktree of the clone, 0 where nothing is known.

    A file that is lost or broken costs this guarantee alone. Outside git there are no worktrees and nothing is kept.
    """
    table = _table(layout)
    return _highest(table) if table is not None else 0


def reserve(layout: Layout, number: int) -> list[str]:
    """Note that a number is given out; the caller holds the registry lock. Gives a sentence where that failed."""
    table = _table(layout)
    if table is None:
        return []
    fault = clone.try_put(table, max(number, _highest(table)))
    return [f"Another worktree may give number {number} too: {fault}"] if fault else []


def _highest(table: clone.Table) -> int:
    value = table.value
    known = isinstance(value, int) and not isinstance(value, bool) and 0 < value < MAX_NUMBER
    return int(value) if known else 0


def _table(layout: Layout) -> clone.Table | None:
    if layout.git_root is None:
        return None
    try:
        table = clone.read(layout, NAME)
    except Surroundings:
        return None
    return table if table.in_git else None
