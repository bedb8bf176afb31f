"""`reversa decisions`: what somebody passed on for a person, until a person confirms it (registry.md 9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from reversa.commands import change
from reversa.commands.decisions import Person, recorded
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import alias
from reversa.core.bug import Bug, text_at
from reversa.core.document import get, items, simple
from reversa.errors import Refused, Surroundings


class Decided(NamedTuple):
    """An entry of `decisions`: what, the value, by whom, when, by which route, why; `pending` wants a person."""

    bug: Bug
    what: str
    value: Any
    by: str
    on: str
    via: str
    reason: str
    pending: bool


def decided_in(bug: Bug) -> list[Decided]:
    """Give the decisions of a record in their order; of one thing only the last can be pending."""
    entries = [entry for entry in items(get(bug.data, "decisions")) if isinstance(entry, dict)]
    last = {text_at(entry, "what"): index for index, entry in enumerate(entries)}
    out = []
    for index, entry in enumerate(entries):
        what, via = text_at(entry, "what"), text_at(entry, "via")
        pending = via == "delegated" and last[what] == index
        by, on, reason = (text_at(entry, key) for key in ("by", "on", "reason"))
        out.append(Decided(bug, what, simple(entry.get("value")), by, on, via, reason, pending))
    return out


def decisions(option: str | None, *, everything: bool = False, include_restricted: bool = False) -> Outcome:
    """List delegated decisions that no person has confirmed, or all decisions.

    Data: `{decisions: [{bug, locked, what, value, by, on, via, reason, pending}]}`; of a restricted bug the ID alone.
    """
    ws = open_workspace(option)
    rows: list[dict[str, Any]] = []
    for bug in ws.registry.bugs:
        found = [entry for entry in decided_in(bug) if everything or entry.pending]
        if found and bug.veiled and not include_restricted:
            rows.append({"bug": bug.id, "visibility": "restricted"})
            continue
        for entry in found:
            told = {key: value for key, value in entry._asdict().items() if key != "bug"}
            rows.append({"bug": bug.id, "locked": bug.locked, **told})
    return Outcome({"decisions": rows})


def confirm(
    option: str | None, names: Sequence[str], person: Person, reason: str, *, views: bool = True, dry_run: bool = False
) -> Outcome:
    """Have the pending decisions of bugs confirmed by a person at a terminal, all or nothing.

    Raises Refused (needs-human without a terminal; locked; nothing-pending) and Surroundings.
    """
    ws = open_workspace(option)
    decided, asked = {}, {}
    for bug in _bugs(ws, names):
        asked[bug.path] = [entry[1:] for entry in _pending(ws, bug)]
        told = "; ".join(f"{entry.what}: {entry.value}, decided by {entry.by}" for entry in _pending(ws, bug))
        decided[bug.path] = person.insist(bug, f"Confirming {told}")
    day = today()
    with writing(option) as ws:
        changes = []
        for bug in _bugs(ws, names):
            edits, rewrites = [], []
            pending = _pending(ws, bug)
            if [entry[1:] for entry in pending] != asked.get(bug.path):  # a person confirms what was read out, no more
                raise Surroundings(
                    f"The decisions of {bug.id} were changed by someone else meanwhile.",
                    "Nothing was confirmed; run the command again.",
                    kind="changed-meanwhile",
                )
            for entry in pending:
                why = reason or f"confirms what {entry.by} decided on {entry.on}"
                route = tuple(entry.what.split("."))
                edit, told_body = recorded(f"Confirmed, {entry.what}", route, entry.value, decided[bug.path], day, why)
                edits += edit
                rewrites.append(told_body)
            changes.append(change.plan(ws, bug, edits, day, body=change.in_turn(rewrites)))
        out = Outcome({"bugs": [{"id": done.old.id, "changed": list(done.routes)} for done in changes]})
        return change.carry_out(ws, changes, out, views=views, dry_run=dry_run)


def _bugs(ws: Workspace, names: Sequence[str]) -> list[Bug]:
    return list({bug.path: bug for bug in (alias.resolve(ws.registry, name) for name in names)}.values())


def _pending(ws: Workspace, bug: Bug) -> list[Decided]:
    change.refuse_locked(ws, bug)
    found = [entry for entry in decided_in(bug) if entry.pending]
    if not found:
        raise Refused(
            f"{bug.id} has no decision that waits for a person.",
            "reversa decisions lists them.",
            kind="nothing-pending",
        )
    return found
