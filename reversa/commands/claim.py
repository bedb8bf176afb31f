"""`reversa next --claim` and `reversa release`: a lease on a bug, which all worktrees of a clone see."""

from __future__ import annotations

import datetime as dt
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from reversa.commands import next as worklist
from reversa.commands import show
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace, now, writing
from reversa.core import alias, lease, order, query
from reversa.core.bug import Bug
from reversa.core.lease import Lease
from reversa.errors import Refused
from reversa.store import leases

OutcomeT = TypeVar("OutcomeT", bound=Outcome)


@dataclass
class ClaimOutcome(Outcome):
    """A lease taken or renewed; `title` is "" for a restricted bug."""

    bug_id: str = ""
    title: str = ""
    end: str = ""
    renewed: bool = False


def claim(
    option: str | None,
    filters: query.Filters,
    by: str,
    term: dt.timedelta,
    *,
    name: str = "",
    dry_run: bool = False,
) -> ClaimOutcome:
    """Take a lease on the bug that is named, else on the first that can be worked on and that nobody else holds.

    A lease of the same holder is renewed. Blocked bugs are passed over unless the filters ask for them, restricted ones
    unless they are included. Raises UsageError, Refused (kinds held, nothing-free, illegal-transition), Surroundings.
    """
    moment = now()
    with writing(option) as ws:
        held = leases.load(ws.layout)
        tree = str(ws.layout.root)
        live = lease.live(held.leases, ws.registry, tree, moment)
        filters = worklist.open_only(ws, filters)
        impact = show.impact_of(ws)
        if name:
            bug = _named(ws, name)
            _refuse_held(bug, live, by, moment)
        else:
            bug = _first(ws, filters, impact, live, by)
        taken = lease.take(bug, by, term, tree, moment)
        after = {**live, bug.key: taken}
        hidden = show.hidden_keys(ws, filters.include_restricted)
        record = show.record_of(ws, bug, impact, filters.include_restricted, hidden)
        out = ClaimOutcome({"bugs": [{**record, "lease": taken.to_json()}], "hidden": 0}, bug_id=bug.id)
        out.title = "" if bug.key in hidden else bug.title
        out.end, out.renewed = taken.end(moment.tzinfo), bug.key in live
        out.notes += held.notes
        if name and bug.key not in hidden and ws.registry.is_blocked(bug):
            out.notes.append(f"{bug.id} is blocked; reversa show {bug.id[-4:]} says by what.")
        return _write(ws, held, after, out, dry_run=dry_run)


def release(option: str | None, name: str, by: str, *, force: bool = False, dry_run: bool = False) -> Outcome:
    """Give back the lease on a bug; a bug that nobody holds is left as it is.

    Raises UsageError for an unknown bug, Refused (kind held) for somebody else's lease without `force`, Surroundings.
    """
    moment = now()
    with writing(option) as ws:
        bug = alias.resolve(ws.registry, name)
        held = leases.load(ws.layout)
        live = lease.live(held.leases, ws.registry, str(ws.layout.root), moment)
        mine = live.pop(bug.key, None)
        out = Outcome({"bugs": [{"id": bug.id, "released": mine.to_json() if mine else None}]}, notes=list(held.notes))
        if mine is None:
            out.notes.append(f"Nobody holds {bug.id}; nothing was written.")
            return out
        if mine.by != by and not force:
            raise _held(bug, mine, moment, f"reversa release {bug.id[-4:]} --by {shlex.quote(mine.by)} gives it back")
        return _write(ws, held, live, out, dry_run=dry_run)


def _named(ws: Workspace, name: str) -> Bug:
    """Give the bug of an alias; refuses one that nobody can work on."""
    bug = alias.resolve(ws.registry, name)
    if bug.locked or bug.status not in worklist.OPEN:
        state = "locked" if bug.locked else f"not open ({bug.status or 'no status'})"
        raise Refused(
            f"{bug.id} is {'not open or locked' if bug.veiled else state}, so there is nothing to claim.",
            "reversa next lists what can be claimed.",
            kind="illegal-transition",
        )
    return bug


def _first(ws: Workspace, filters: query.Filters, impact: dict[str, int], live: Mapping[str, Lease], by: str) -> Bug:
    """Give the first bug in the order that can be worked on and that nobody else holds."""
    arranged, _ = worklist.arrange(ws, filters, impact)
    ready = [place for place in arranged if filters.blocked or not place.blocked]
    free = [place for place in ready if place.bug.key not in live or live[place.bug.key].by == by]
    if free:
        return free[0].bug
    raise Refused(_nothing(arranged, ready), "reversa next shows who holds what, and until when.", kind="nothing-free")


def _nothing(arranged: list[order.Place], ready: list[order.Place]) -> str:
    if ready:
        return "Nothing is free: others hold all that can be worked on."
    return "Nothing is free: all that is open is blocked." if arranged else "Nothing is open that could be claimed."


def _refuse_held(bug: Bug, live: Mapping[str, Lease], by: str, moment: dt.datetime) -> None:
    theirs = live.get(bug.key)
    if theirs is not None and theirs.by != by:
        raise _held(bug, theirs, moment, f"reversa next --claim {shlex.quote(by)} takes the first that is free")


def _held(bug: Bug, theirs: Lease, moment: dt.datetime, way: str) -> Refused:
    end = theirs.end(moment.tzinfo)
    return Refused(
        f"{bug.id} is held by {theirs.by} until {end}.",
        f"Ask {theirs.by}, or wait until then; {way}.",
        kind="held",
        lease=theirs.to_json(),
    )


def _write(ws: Workspace, held: leases.Held, after: dict[str, Lease], out: OutcomeT, *, dry_run: bool) -> OutcomeT:
    """Write the leases, or give the diff of their file."""
    table = held.table
    if table is not None and not table.in_git:
        out.notes.append(f"There is no git here: only commands of this user see the lease, in {table.path}.")
    if dry_run and table is not None:
        out.diff = file_diff(ws.layout.from_git_root(table.path), table.before, held.encoded(after))
        return out
    leases.save(ws.layout, held, after)
    return out
