"""`reversa` alone: where a registry stands, and the next useful command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reversa.commands import next as worklist
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import now, open_workspace
from reversa.core import lease, query, record, shown
from reversa.core.bug import Bug
from reversa.core.rules.validity import errors, invalid
from reversa.store import leases

STATUSES = ("open", "active", "resolved")


@dataclass
class Summary(Outcome):
    """The figures of a registry; `first` is the bug that `next` puts first, None where nothing is to do."""

    first: Bug | None = None


def summary(option: str | None) -> Summary:
    """Count bugs by what they wait for, name the most urgent one and the next useful command.

    Data: `{registry, bugs, contexts, open, active, resolved, blocked, awaiting_human, held, unconfirmed, errors, first,
    next}`; of restricted bugs only their number shows. Raises Surroundings where there is no registry.
    """
    ws = open_workspace(option)
    bugs = ws.registry.bugs
    faults = errors(ws.registry)
    undone = [bug for bug in bugs if bug.status in worklist.OPEN and not bug.locked]
    moment = now()
    live = lease.live(leases.load(ws.layout).leases, ws.registry, str(ws.layout.root), moment)
    impact = shown.of(ws.registry, invalid(faults)).impact
    arranged, _ = worklist.arrange(ws, worklist.open_only(ws, query.Filters()), impact)
    first = arranged[0].bug if arranged else None
    data: dict[str, Any] = {
        "registry": ws.layout.from_git_root(ws.layout.root),
        "bugs": len(bugs),
        "contexts": len({bug.context for bug in bugs}),
        **{status: sum(bug.status == status for bug in bugs) for status in STATUSES},
        "blocked": sum(ws.registry.is_blocked(bug) for bug in undone),
        "awaiting_human": sum(bug.phase == "awaiting-human" for bug in undone),
        "held": len(live),
        "unconfirmed": sum(len(record.delegated(bug)) for bug in bugs),
        "errors": len(faults),
        "first": first.id if first else None,
    }
    data["next"] = _next(data)
    return Summary(data, first=first)


def _next(data: dict[str, Any]) -> str:
    if data["errors"]:
        return "reversa check"
    return "reversa next" if data["first"] else 'reversa new "TITLE" -c CONTEXT'
