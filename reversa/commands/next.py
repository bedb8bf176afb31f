"""`reversa next`: the open bugs in the order of work, each with what decided its place and who holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reversa.commands import show
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, now, open_workspace
from reversa.core import alias, lease, order, query
from reversa.core.bug import Bug
from reversa.store import leases

OPEN = ("open", "active")


@dataclass(frozen=True, slots=True)
class NextRow:
    """A line of `next`; a restricted bug has no reason and no impact."""

    row: show.Row
    impact: int = 0
    reason: str = ""
    held: str = ""


@dataclass
class NextOutcome(Outcome):
    """The rows of `next`; `total` counts all bugs that match, shown or not."""

    rows: list[NextRow] = field(default_factory=list)
    total: int = 0


def next_bugs(
    option: str | None, filters: query.Filters, limit: int, *, free: bool = False, machine: bool = False
) -> NextOutcome:
    """Order open and active bugs: unblocked first, then priority, impact, severity, age; a limit of 0 is none.

    Restricted bugs come last, by ID alone, unless `include_restricted`. `free` leaves out what somebody holds.
    `machine` fills `data` with whole records, the reason and the lease of each. Raises UsageError for an unknown
    context or term.
    """
    ws = open_workspace(option)
    filters = open_only(ws, filters)
    moment = now()
    held = leases.load(ws.layout)
    live = lease.live(held.leases, ws.registry, str(ws.layout.root), moment)
    impact = show.impact_of(ws)
    arranged, veiled = arrange(ws, filters, impact)
    if free:
        arranged = [place for place in arranged if place.bug.key not in live]
    hidden = show.hidden_keys(ws, filters.include_restricted)
    shared = alias.shared_numbers(ws.registry)
    total = len(arranged) + len(veiled)
    found: list[tuple[Bug, int, str]] = [
        *((place.bug, place.impact, why) for place, why in zip(arranged, order.reasons(arranged), strict=True)),
        *((bug, 0, "") for bug in veiled),
    ]
    found = found[: limit or None]
    out = NextOutcome({"bugs": [], "hidden": total - len(found)}, total=total, notes=list(held.notes))
    for bug, score, why in found:
        holds = live.get(bug.key) if why else None
        told = f"held by {holds.by} until {holds.end(moment.tzinfo)}" if holds else ""
        row = show.cells(ws, bug, shared, filters.include_restricted, hidden)
        out.rows.append(NextRow(row, score, why, told))
        if machine:
            record = show.record_of(ws, bug, impact, filters.include_restricted, hidden)
            more = {"reason": why, "lease": holds.to_json() if holds else None} if why else {}
            out.data["bugs"].append({**record, **more})
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
