"""`reversa renumber`: another ID for one of several bugs that carry the same, by a person (registry.md 2)."""

from __future__ import annotations

from dataclasses import replace

from reversa.commands import change, gate, graph
from reversa.commands.decisions import Person, recorded
from reversa.commands.outcome import Outcome
from reversa.commands.register import chooser
from reversa.commands.resettle import More, following, moved_diff, write_moves
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import alias, naming
from reversa.core.bug import Bug, read_id
from reversa.core.edit import Edit
from reversa.errors import Refused, UsageError
from reversa.store import guard


def renumber(
    option: str | None, name: str, person: Person, reason: str, *, views: bool = True, dry_run: bool = False
) -> Outcome:
    """Give a bug whose ID another carries too a new ID, and its folder the new name; links into the folder follow.

    The old ID is kept in `decisions`. References in other records mean the bug that keeps the ID. Raises UsageError
    without a reason, Refused (needs-human without a terminal; locked; not-duplicated), Surroundings.
    """
    if not reason.strip():
        raise UsageError("renumber needs a reason.", "--reason TEXT says why; it is kept with the decision.")
    bug = _refuse_unfit(open_workspace(option), name)
    decided = person.insist(bug, "Giving a bug another ID")
    day = today()
    with writing(option) as ws:
        bug = _refuse_unfit(ws, name)
        new_id = naming.new_id(ws.registry, _day_of(bug), chooser())
        folder = bug.path.rpartition("/")[0]
        moves = {folder: f"{folder.rpartition('/')[0]}/{_folder_name(bug, new_id)}"}
        edits, told = recorded("The ID", ("id",), new_id, decided, day, f"was {bug.id}; {reason}")
        texts = following(ws, moves, More(bug.path, [Edit("set", ("id",), new_id), *edits], told))
        planned = change.plan_text(bug, *texts[bug.path], day)
        gate.refuse_new_errors(ws, [_at(planned, moves[folder])])
        out = Outcome({"bugs": [{"id": new_id, "was": bug.id, "changed": [*planned.routes, "path"]}]})
        out.notes += _references(ws, bug, new_id)
        if dry_run:
            out.diff = moved_diff(ws, moves, texts)
            return out
        write_moves(ws, moves, texts)
        if views:
            graph.redraw_into(out, open_workspace(option))
    return out


def _at(planned: change.Change, folder: str) -> change.Change:
    """Give a plan with the record where it will stand: its ID is held against the name of its folder."""
    new = replace(planned.new, path=f"{folder}/bug.md", folder=folder.rpartition("/")[2])
    return replace(planned, new=new)


def _day_of(bug: Bug) -> str:
    digits = bug.id.split("-")[1]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"


def _folder_name(bug: Bug, new_id: str) -> str:
    return new_id + bug.folder[len(bug.id) :] if read_id(bug.folder).upper() == bug.key else new_id


def _refuse_unfit(ws: Workspace, name: str) -> Bug:
    """Give the bug; refuses a unique ID, and a lock on the other bug or a referring record (registry.md 2)."""
    bug = alias.resolve(ws.registry, name)
    change.refuse_locked(ws, bug)
    guard.refuse_link(ws.folder(bug))
    twins = [other for other in ws.registry.bugs if other.key == bug.key and other.path != bug.path]
    if not twins:
        raise Refused(
            f"{bug.id} is the only bug with this ID, and an ID never changes.",
            f"reversa show {bug.id[-4:]}",
            kind="not-duplicated",
        )
    locked = next((other for other in (*twins, *_referring(ws, bug)) if other.locked), None)
    if locked is not None:
        does = "carries the same ID" if locked in twins else f"refers to {bug.id}"
        raise Refused(
            f"{locked.id if locked not in twins else 'The other bug'} {does} and is locked, so the ID has to stay.",
            "A person who reopens the locked one can renumber then.",
            kind="locked",
        )
    return bug


def _referring(ws: Workspace, bug: Bug) -> list[Bug]:
    return [
        other
        for other in ws.registry.bugs
        if other.key != bug.key
        and (
            any(relation.target == bug.key for relation in other.relations)
            or any(blocker.target.upper() == bug.key for blocker in other.blockers)
        )
    ]


def _references(ws: Workspace, bug: Bug, new_id: str) -> list[str]:
    shown = [other.id for other in _referring(ws, bug) if not other.veiled]
    if not shown:
        return []
    return [f"{', '.join(shown)} refer to {bug.id} and mean the bug that keeps it; link them to {new_id} if not."]
