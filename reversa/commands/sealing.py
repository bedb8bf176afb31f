"""`reversa seal`: a seal for an old lock that has none; its one line is all that changes (registry.md 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reversa.commands import close
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace, writing
from reversa.core import alias
from reversa.core.bug import LOCK_NAME, Bug
from reversa.errors import Refused, Surroundings
from reversa.store import git, guard, seal, write
from reversa.store.raw import read_bytes

_HEAD = re.compile(rb"^(?:Data:|resolution_kind:).*\r?\n", re.MULTILINE)
"""The lines after which `close` writes the seal."""


def add_seals(option: str | None, names: Sequence[str], *, dry_run: bool = False) -> Outcome:
    """Add a seal over the folder as it is to the locks of bugs, all or nothing; a sealed lock stays as it is.

    Raises UsageError, Refused (not-closed; unsealable; changed, where git knows other content), Surroundings.
    """
    with writing(option) as ws:
        bugs = {bug.path: bug for bug in (alias.resolve(ws.registry, name) for name in names)}
        planned = [(bug, *_planned(ws, bug)) for bug in bugs.values()]
        changed = [(bug, before, after) for bug, before, after in planned if before != after]
        out = Outcome({"bugs": [{"id": bug.id, "changed": ["seal"]} for bug, _, _ in changed]})
        out.notes += [f"{bug.id} is sealed already." for bug, before, after in planned if before == after]
        if dry_run:
            out.diff = "".join(file_diff(_lock_path(ws, bug), before, after) for bug, before, after in changed)
            return out
        with write.undisturbed():
            _write(ws, changed)
    return out


def _lock_path(ws: Workspace, bug: Bug) -> str:
    return ws.git_path_of(bug).removesuffix("bug.md") + LOCK_NAME


def _planned(ws: Workspace, bug: Bug) -> tuple[bytes, bytes]:
    folder = ws.folder(bug)
    if not bug.locked:
        raise Refused(f"{bug.id} is not locked.", "reversa close writes lock and seal.", kind="not-closed")
    guard.refuse_link(folder / LOCK_NAME)
    try:
        before = read_bytes(str(folder / LOCK_NAME))
    except OSError as error:
        raise write.failure(error, folder / LOCK_NAME) from None
    if seal.parse_lock(before).seal:
        return before, before
    if b"\0" in before:
        raise Refused(f"{LOCK_NAME} of {bug.id} is not a text that a line could be added to.", kind="unsealable")
    in_git = ws.layout.git_root is not None
    if in_git and (touched := git.touched(folder, but=LOCK_NAME)):
        raise Refused(
            f"{touched[0]} of {bug.id} is not as it was committed; a seal would hide that.",
            "Restore it with git, or commit what is right, first.",
            kind="changed",
        )
    close.refuse_unsealable(ws, bug)
    line = f"seal: {seal.compute(folder, seal.covered(folder, in_git=in_git))}".encode()
    return before, _with_line(before, line)


def _with_line(data: bytes, line: bytes) -> bytes:
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    heads = list(_HEAD.finditer(data))
    if heads:
        at = heads[-1].end()
        return data[:at] + line + newline + data[at:]
    return data + (newline if data and not data.endswith(b"\n") else b"") + line + newline


def _write(ws: Workspace, changed: Sequence[tuple[Bug, bytes, bytes]]) -> None:
    done: list[tuple[Bug, bytes]] = []
    try:
        for bug, before, after in changed:
            write.replace(ws.folder(bug) / LOCK_NAME, after, before)
            done.append((bug, before))
    except BaseException:  # an interrupt too: all or nothing
        stuck = []
        for bug, before in done:
            try:
                write.put(ws.folder(bug) / LOCK_NAME, before)
            except Surroundings:
                stuck.append(bug.id)
        if stuck:
            raise Surroundings(f"A write failed; sealed all the same: {', '.join(stuck)}.", kind="disk") from None
        raise
