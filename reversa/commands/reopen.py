"""`reversa reopen` and `reversa unrestrict`: what a person alone decides, at a terminal (registry.md 9)."""

from __future__ import annotations

import os
from dataclasses import replace

from reversa.commands import change, gate, graph
from reversa.commands.decisions import Person, recorded
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import alias
from reversa.core.bug import LOCK_NAME, Bug
from reversa.core.edit import Edit
from reversa.errors import Refused, Surroundings, UsageError
from reversa.store import guard, write
from reversa.store.raw import read_bytes

VISIBLE = ("normal", "internal")
"""What a restricted bug may become."""


def reopen(
    option: str | None, name: str, person: Person, reason: str, *, views: bool = True, dry_run: bool = False
) -> Outcome:
    """Take the lock away and make the bug active again, both or neither; the history keeps what was locked.

    Raises UsageError without a reason, Refused (needs-human without a terminal; not-closed), Surroundings.
    """
    if not reason.strip():
        raise UsageError("reopen needs a reason.", "--reason TEXT says why; it is kept with the decision.")
    bug = _bug(open_workspace(option), name)
    _refuse_open(bug)
    decided = person.insist(bug, "Removing a lock")
    day = today()
    with writing(option) as ws:
        bug = _bug(ws, name)
        _refuse_open(bug)
        guard.refuse_link(ws.layout.root / bug.path)
        edits, told = recorded("The lock", ("lock",), "removed", decided, day, reason)
        edits += [
            Edit("set", ("status",), "active"),
            Edit("set", ("closure", "satisfied"), False),
            Edit("set", ("resolution_kind",), None),
        ]
        planned = change.plan(ws, bug, edits, day, body=told)
        planned = replace(planned, new=replace(planned.new, locked=False, lock=None, seal=""))
        gate.refuse_new_errors(ws, [planned])
        lock = ws.folder(bug) / LOCK_NAME
        kept = _lock_of(bug, lock)
        out = Outcome({"bugs": [{"id": bug.id, "changed": list(planned.routes)}]})
        out.notes += gate.new_warnings(ws, [planned])
        if dry_run:
            gone = file_diff(ws.git_path_of(bug).removesuffix("bug.md") + LOCK_NAME, kept, b"") if kept else ""
            out.diff = change.diff(ws, [planned]) + gone
            return out
        with write.undisturbed():
            _unlock(ws, planned, kept)
        out.notes.append("Commit bug.md and the deleted DONE.md together: alone, neither is a reopening.")
        if views:
            graph.redraw_into(out, ws.reread([bug.path.rpartition("/")[0]]))
    return out


def _bug(ws: Workspace, name: str) -> Bug:
    return alias.resolve(ws.registry, name)


def _refuse_open(bug: Bug) -> None:
    if not bug.readable:
        raise Refused(f"{bug.id} cannot be read as a record.", f"reversa check {bug.id} says why.", kind="unreadable")
    if not bug.locked and bug.status != "resolved":
        raise Refused(f"{bug.id} is neither locked nor resolved.", f"reversa show {bug.id[-4:]}", kind="not-closed")


def _lock_of(bug: Bug, lock: os.PathLike[str]) -> bytes:
    """Read the lock, so that it can be put back; empty where there is none."""
    if not bug.locked:
        return b""
    try:
        return read_bytes(os.fspath(lock))
    except OSError as error:
        raise Surroundings(f"{LOCK_NAME} of {bug.id}: {error.strerror}.", kind="disk") from None


def _unlock(ws: Workspace, planned: change.Change, kept: bytes) -> None:
    lock = ws.folder(planned.old) / LOCK_NAME
    try:
        if planned.old.locked:
            write.take_away(lock, kept)
        change.store(ws, [planned])
    except BaseException:  # an interrupt too: both or neither
        if planned.old.locked and not os.path.lexists(lock):
            write.put(lock, kept)
        raise


def unrestrict(
    option: str | None,
    name: str,
    person: Person,
    reason: str,
    visibility: str = "normal",
    *,
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Make a restricted bug visible in the views.

    Raises UsageError without a reason, Refused (needs-human without a terminal; locked; not-restricted), Surroundings.
    """
    if not reason.strip():
        raise UsageError("unrestrict needs a reason.", "--reason TEXT says why; it is kept with the decision.")
    bug = _refuse_visible(open_workspace(option), name)
    decided = person.insist(bug, "Making a restricted bug visible")
    day = today()
    with writing(option) as ws:
        bug = _refuse_visible(ws, name)
        edits, told = recorded("Visibility", ("visibility",), visibility, decided, day, reason)
        planned = change.plan(ws, bug, [Edit("set", ("visibility",), visibility), *edits], day, body=told)
        out = Outcome({"bugs": [{"id": bug.id, "changed": list(planned.routes)}]})
        return change.carry_out(ws, [planned], out, views=views, dry_run=dry_run)


def _refuse_visible(ws: Workspace, name: str) -> Bug:
    bug = _bug(ws, name)
    change.refuse_locked(ws, bug)
    if not bug.restricted:
        raise Refused(f"{bug.id} is not restricted.", f"reversa show {bug.id[-4:]}", kind="not-restricted")
    return bug
