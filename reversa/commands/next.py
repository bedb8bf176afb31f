"""`reversa next`: the open bugs in the order of work, each with what decided its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reversa.commands import show
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace
from reversa.core import alias, order, query
from reversa.core.bug import Bug

OPEN = ("open", "active")


@dataclass(frozen=True, slots=True)
class NextRow:
    """A line of `next`; a restricted bug has no reason and no impact."""

    row: show.Row
    impact: int = 0
    reason: str = ""


@dataclass
class NextOutcome(Outcome):
    """The rows of `next`; `total` counts all bugs that match, shown or not."""

    rows: list[NextRow] = field(default_factory=list)
    total: int = 0


def next_bugs(option: str | None, filters: query.Filters, limit: int, *, machine: bool = False) -> NextOutcome:
    """Order open and active bugs: unblocked first, then priority, impact, severity, age; 0 is no limit.

    Restricted bugs come last, by ID alone, unless `include_restricted`. `machine` fills `data` with whole records and
    the reason of each. Raises UsageError for an unknown context or term.
    """
    ws = open_workspace(option)
    filters = open_only(ws, filters)
    impact = show.impact_of(ws)
    arranged, veiled = arrange(ws, filters, impact)
    hidden = show.hidden_keys(ws, filters.include_restricted)
    shared = alias.shared_numbers(ws.registry)
    total = len(arranged) + len(veiled)
    found: list[tuple[Bug, int, str]] = [
        *((place.bug, place.impact, why) for place, why in zip(arranged, order.reasons(arranged), strict=True)),
        *((bug, 0, "") for bug in veiled),
    ]
    found = found[: limit or None]
    data: dict[str, Any] = {"bugs": [], "hidden": total - len(found)}
    if machine:
        for bug, _, why in found:
            record = show.record_of(ws, bug, impact, filters.include_restricted, hidden)
            data["bugs"].append({**record, "reason": why} if why else record)
    out = NextOutcome(data, total=total)
    out.rows = [
        NextRow(show.cells(ws, bug, shared, filters.include_restricted, hidden), score, why)
        for bug, score, why in found
    ]
    return out


def open_only(ws: Workspace, filters: query.Filters) -> query.Filters:
    """Ask for bugs that can be worked on: open or active and not locked; raises UsageError for unknown names."""
    return replace(show.checked(ws, filters), status=OPEN, locked=False)


def arrange(ws: Workspace, filters: query.Filters, impact: dict[str, int]) -> tuple[list[order.Place], Sequence[Bug]]:
    """Give the bugs that match in their order, and apart from them the restricted ones by ID.

    Where a restricted bug stands among the others would tell how urgent it is.
    """
    found = query.select(ws.registry, "", filters)
    veiled = [] if filters.include_restricted else [bug for bug in found if bug.restricted]
    apart = {bug.path for bug in veiled}
    places = order.places((bug for bug in found if bug.path not in apart), ws.registry.is_blocked, impact)
    return order.arrange(places), sorted(veiled, key=lambda bug: (bug.key, bug.path))
