"""`reversa migrate`: shapes of forks and old versions, brought into the contract's one class at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from reversa.commands import change, gate, resettle
from reversa.commands.change import Change
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core.bug import Bug
from reversa.core.edit import Edit
from reversa.core.foreign import ByHand
from reversa.core.migrations import MIGRATIONS, Migration
from reversa.core.suggest import hint
from reversa.errors import Refused, Surroundings, UsageError
from reversa.report.text import plural
from reversa.store.edit import lost_comments


@dataclass
class _Found:
    """The bugs that show a class: those it can turn with their edits, those left to a person, and the locked ones."""

    edits: list[tuple[Bug, list[Edit]]] = field(default_factory=list)
    held: list[tuple[Bug, str]] = field(default_factory=list)
    locked: list[Bug] = field(default_factory=list)


def classes(option: str | None) -> Outcome:
    """List the classes that some record shows, with how many bugs, why, and the command that shows each."""
    ws = open_workspace(option)
    rows: list[dict[str, object]] = []
    for migration in MIGRATIONS.values():
        found = _find(ws, migration)
        if found.edits or found.held or found.locked:
            rows.append(
                {
                    "class": migration.name,
                    "bugs": len(found.edits),
                    "held": len(found.held),
                    "locked": len(found.locked),
                    "does": migration.does,
                    "reason": migration.reason,
                    "command": f"reversa migrate --class {migration.name} --dry-run",
                }
            )
    flat = resettle.row(ws)
    return Outcome({"classes": [*rows, *([flat] if flat else [])]})


def migrate(
    option: str | None,
    name: str,
    *,
    context: str = "",
    include_restricted: bool = False,
    views: bool = True,
    dry_run: bool = False,
    seen: str | None = None,
) -> Outcome:
    """Carry out one class in all records that show it, all or nothing; what it cannot turn is listed and stays.

    Data: `{class, bugs: [{id, changed}], held: [{id, reason}], locked: [id]}`. `seen` is the diff that a person agreed
    to, `context` where the flat layout goes. Raises UsageError for an unknown class, Refused, and Surroundings where
    the diff is another one by now.
    """
    if name == resettle.NAME:
        return resettle.resettle(
            option, context, include_restricted=include_restricted, views=views, dry_run=dry_run, seen=seen
        )
    if context:
        raise UsageError(f"--context goes with --class {resettle.NAME} alone.")
    migration = _class_named(name)
    with writing(option) as ws:
        found = _find(ws, migration)
        changes = _changes(ws, found)

        def shown(bug: Bug) -> bool:
            return include_restricted or not bug.veiled

        held = [{"id": bug.id, "reason": text if shown(bug) else "restricted"} for bug, text in found.held]
        bugs = [{"id": done.old.id, "changed": list(done.routes) if shown(done.old) else []} for done in changes]
        out = Outcome({"class": name, "bugs": bugs, "held": held, "locked": [bug.id for bug in found.locked]})
        out.notes += _notes(found, [done.old for done in changes if not shown(done.old)])
        diff = change.diff(ws, [done for done in changes if shown(done.old)])
        if seen is not None and diff != seen:
            raise Surroundings(
                "The records were changed by someone else meanwhile.", "Nothing was written.", kind="changed-meanwhile"
            )
        done = change.carry_out(ws, changes, out, views=views, dry_run=dry_run)
        done.diff = diff if dry_run else None
        return done


def why(name: str) -> str:
    """Say what a class does and why, in one sentence; raises UsageError for an unknown one."""
    if name == resettle.NAME:
        return f"{name}: {resettle.DOES}; {resettle.REASON}."
    migration = _class_named(name)
    return f"{name}: {migration.does}; {migration.reason}."


def _class_named(name: str) -> Migration:
    if name not in MIGRATIONS:
        raise UsageError(f"{name!r} is no class of shapes.", hint(name, (*MIGRATIONS, resettle.NAME)))
    return MIGRATIONS[name]


def _find(ws: Workspace, migration: Migration) -> _Found:
    out = _Found()
    for bug in ws.registry.bugs:
        if not bug.readable:
            continue
        try:
            edits, by_hand = migration.plan(bug, ws.registry), ""
        except ByHand as reason:
            edits, by_hand = [], str(reason)
        if bug.locked and (edits or by_hand):
            out.locked.append(bug)
        elif by_hand:
            out.held.append((bug, by_hand))
        elif edits:
            out.edits.append((bug, edits))
    return out


def _changes(ws: Workspace, found: _Found) -> list[Change]:
    """Plan the edits; a record that cannot hold them, would lose a comment or gain an error goes to the held ones."""
    day, out = today(), []
    for bug, edits in found.edits:
        try:
            change.refuse_locked(ws, bug)
            done = change.plan(ws, bug, edits, day)
        except Refused as refused:
            found.held.append((bug, refused.message.rstrip(".")))
            continue
        lost = lost_comments(done.before, done.after)
        if lost or (bug.restricted and not done.new.restricted) or bug.verdict != done.new.verdict:
            found.held.append((bug, f"the comment {lost[0][:60]} would be lost" if lost else "a person decides"))
        else:
            out.append(done)
    while added := {violation.bug.path: violation for violation in gate.new_errors(ws, out) if violation.bug}:
        for done in [done for done in out if done.old.path in added]:
            found.held.append((done.old, f"it would add an error: {added[done.old.path].message()}"))
            out.remove(done)
    return out


def _notes(found: _Found, hidden: Iterable[Bug]) -> list[str]:
    """Say how many bugs are left alone, and why their diff is not all there."""
    out = []
    if found.locked:
        names = ", ".join(bug.id for bug in found.locked)
        out.append(f"{plural(len(found.locked), 'locked bug is', 'locked bugs are')} left alone: {names}.")
    hidden = list(hidden)
    if hidden:
        names = ", ".join(bug.id for bug in hidden)
        out.append(f"Restricted, so not shown: {names}; --include-restricted shows them.")
    return out
