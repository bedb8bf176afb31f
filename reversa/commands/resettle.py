"""`reversa migrate --class flat-layout`: bugs that stand directly under the registry are given a context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from reversa.commands import change, graph
from reversa.commands.outcome import Outcome, file_diff, rename_diff
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import naming
from reversa.core.bug import Bug
from reversa.core.edit import Edit
from reversa.core.relocate import Moves, refer, relink
from reversa.errors import Surroundings, UsageError
from reversa.store import guard, move, write

NAME = "flat-layout"
DOES = "bugs/ directly under the registry, with its intake, inspections and notes, becomes a context"
REASON = "the layout of versions before 1.3 has one unnamed context; relative links are made to lead where they led"
BUGS = "bugs"
_BESIDE = ("intake", "inspections", "notes.md", graph.GENERATED)
"""What the unnamed context has beside its bugs."""

_TEMPLATES = "templates"


@dataclass
class _Plan:
    """The moves as paths from the registry root, and the texts that follow: old path, bytes before and after."""

    moves: dict[str, str] = field(default_factory=dict)
    texts: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    stale: bool = False


def row(ws: Workspace) -> dict[str, object] | None:
    """Give the line of the list of classes, None where no bug stands so."""
    flat = [bug for bug in ws.registry.bugs if not bug.context]
    if not flat:
        return None
    locked = sum(bug.locked for bug in flat)
    return {
        "class": NAME,
        "bugs": len(flat) - locked,
        "held": 0,
        "locked": locked,
        "does": DOES,
        "reason": REASON,
        "command": f"reversa migrate --class {NAME} --context CONTEXT --dry-run",
    }


def resettle(
    option: str | None,
    context: str,
    *,
    include_restricted: bool = False,
    views: bool = True,
    dry_run: bool = False,
    seen: str | None = None,
) -> Outcome:
    """Move the flat layout into a context, all or nothing; locked bugs stay where they are, and what is beside them.

    Data: `{class, context, bugs: [{id, changed}], held, locked, moved: [{from, to}], relinked: [path]}`. Raises
    UsageError for a name that no context can have, Refused where something stands in the way.
    """
    if not context.strip():
        raise UsageError(
            "The bugs need a context to go to.", f"reversa migrate --class {NAME} --context NAME --dry-run shows it."
        )
    with writing(option) as ws:
        context = context if context in ws.registry.contexts else naming.context_name(context)
        flat = [bug for bug in ws.registry.bugs if not bug.context]
        plan = _plan(ws, context, flat) if flat else _Plan()
        hidden = [] if include_restricted else [bug.path.rpartition("/")[0] for bug in flat if bug.veiled]
        diff = _diff(ws, plan, hidden)
        if seen is not None and diff != seen:
            raise Surroundings(
                "The records were changed by someone else meanwhile.", "Nothing was written.", kind="changed-meanwhile"
            )
        out = _told(plan, context, flat, hidden)
        if dry_run:
            out.diff = diff
        elif plan.moves:
            _write(ws, plan)
            if views:
                graph.redraw_into(out, open_workspace(option), [context])
    return out


def _plan(ws: Workspace, context: str, flat: list[Bug]) -> _Plan:
    root, plan = ws.layout.root, _Plan()
    free = [bug for bug in flat if not bug.locked]
    for bug in free:
        guard.refuse_link(root / bug.path.rpartition("/")[0])
    names = [bug.folder for bug in free] if len(free) < len(flat) else move.names_in(root / BUGS)
    plan.moves = {f"{BUGS}/{name}": f"{context}/{BUGS}/{name}" for name in names}
    if len(free) == len(flat):
        for name in _BESIDE:
            _add_beside(root, context, name, plan)
    plan.texts = following(ws, plan.moves)
    return plan


class More(NamedTuple):
    """What becomes of one record beside its links: edits, and what its body is told."""

    path: str
    edits: Sequence[Edit]
    body: change.Rewrite


def following(ws: Workspace, moves: Mapping[str, str], more: More | None = None) -> dict[str, tuple[bytes, bytes]]:
    """Give the texts whose links have to follow moves within the registry: old path, bytes before and after."""
    prefix, root = ws.layout.prefix, ws.layout.root
    places = Moves({f"{prefix}/{old}": f"{prefix}/{new}" for old, new in moves.items()})
    bugs = {bug.path: bug for bug in ws.registry.bugs}
    out = {}
    for path, text, html in move.texts(root, (graph.GENERATED, _TEMPLATES)):
        name = path.relative_to(root).as_posix()
        before = text.encode()
        own = more if more and more.path == name else None
        after = _followed(ws, bugs.get(name), f"{prefix}/{name}", text, places, html=html, more=own)
        if after != before:
            out[name] = before, after
    return out


def _add_beside(root: Path, context: str, name: str, plan: _Plan) -> None:
    """Move what stands beside the bugs: whole where nothing is in the way, else what it holds."""
    old, new = root / name, root / context / name
    if not old.exists() or old.is_symlink():
        return
    if not new.exists():
        plan.moves[name] = f"{context}/{name}"
    elif name == graph.GENERATED:
        plan.stale = True
    else:
        guard.refuse_link(new)
        inside = move.names_in(old) if old.is_dir() else [""]
        plan.moves |= {f"{name}/{held}".rstrip("/"): f"{context}/{name}/{held}".rstrip("/") for held in inside}


def _followed(
    ws: Workspace, bug: Bug | None, path: str, text: str, moves: Moves, *, html: bool, more: More | None
) -> bytes:
    """Give a text with its links mended; a record by way of edits, so that its day moves with it."""

    def mend(part: str) -> str:
        return relink(part, path, moves, ws.registry.around.exists, html=html)

    if bug is None or not bug.readable:
        return mend(text).encode()
    edits = [*refer(dict(bug.data or {}), moves), *(more.edits if more else ())]
    rewrites = [mend, *([more.body] if more else [])]
    if not edits and mend(bug.body) == bug.body:
        return text.encode()
    return change.plan(ws, bug, edits, today(), body=change.in_turn(rewrites)).after


def _told(plan: _Plan, context: str, flat: list[Bug], hidden: list[str]) -> Outcome:
    def shown(path: str) -> bool:
        return not any(path == folder or path.startswith(f"{folder}/") for folder in hidden)

    moved = [bug for bug in flat if not bug.locked]
    locked = [bug.id for bug in flat if bug.locked]
    data = {
        "class": NAME,
        "context": context,
        "bugs": [{"id": bug.id, "changed": ["path"]} for bug in moved],
        "held": [],
        "locked": locked,
        "moved": [{"from": old, "to": new} for old, new in plan.moves.items() if shown(old)],
        "relinked": [path for path in plan.texts if shown(path)],
    }
    out = Outcome(data)
    if locked:
        out.notes.append(f"Locked, so left where they are, with what is beside them: {', '.join(locked)}.")
    if hidden:
        out.notes.append("Restricted bugs move too and are not shown; --include-restricted shows them.")
    if plan.stale:
        out.notes.append(f"{graph.GENERATED}/ at the root is out of date now; {context} has views of its own.")
    return out


def _diff(ws: Workspace, plan: _Plan, hidden: list[str]) -> str:
    return moved_diff(ws, plan.moves, plan.texts, hidden)


def moved_diff(
    ws: Workspace, moves: Mapping[str, str], texts: Mapping[str, tuple[bytes, bytes]], hidden: Sequence[str] = ()
) -> str:
    """Give the diff of moves and of the texts that follow, as `git apply` takes it; `hidden` folders are left out."""
    root, moved = ws.layout.root, {}
    for old, new in moves.items():
        for file in move.files_below(root / old):
            name = file.relative_to(root).as_posix()
            moved[name] = new + name[len(old) :]

    def place(name: str) -> str:
        return ws.layout.from_git_root(root / name)

    # texts that stay come first: after a header of git's own, one without it would be read as part of it
    out = [file_diff(place(name), *text) for name, text in texts.items() if name not in moved]
    for old, new in moved.items():
        if not any(old.startswith(f"{folder}/") for folder in hidden):
            out.append(rename_diff(place(old), place(new), *texts.get(old, ())))
    return "".join(out)


def _write(ws: Workspace, plan: _Plan) -> None:
    write_moves(ws, plan.moves, plan.texts, (BUGS, "intake", "inspections"))


def write_moves(
    ws: Workspace, moves: Mapping[str, str], texts: Mapping[str, tuple[bytes, bytes]], emptied: Sequence[str] = ()
) -> None:
    """Move, and write the texts that follow, all or nothing; folders that are empty then and named so are removed."""
    root, place = ws.layout.root, Moves(moves)
    pairs = [(root / old, root / new) for old, new in moves.items()]
    changes = [(root / place(name), before, after) for name, (before, after) in texts.items()]
    with write.undisturbed():
        move.carry_out(root, pairs, changes, [root / name for name in emptied])
