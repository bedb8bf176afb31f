"""`reversa hooks`: the checks as hooks of plain git, beside whatever else is hooked there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.commands.outcome import Outcome, file_diff
from reversa.errors import Refused, Surroundings
from reversa.store import git, hooks, layout
from reversa.store.hooks import Hook
from reversa.store.layout import shipped
from reversa.store.raw import read_bytes
from reversa.views.render import render_template

VERSION = 1
"""The version of the scripts; another one is renewed by `install`."""


@dataclass(frozen=True)
class _Job:
    """What a hook runs; `guards` says that it stops git, `stdin` that git tells it something there."""

    command: str
    guards: bool = True
    stdin: bool = False


_DRAW = _Job("graph 2>/dev/null || :", guards=False)

JOBS: dict[str, _Job] = {
    "pre-commit": _Job("check --staged"),
    "pre-merge-commit": _Job("check --staged"),
    "pre-push": _Job("check --pushed", stdin=True),
    "post-merge": _DRAW,
    "post-rewrite": _DRAW,
}
"""The hooks by name. During a merge the tree still holds the old records, so views are drawn after it."""


def install(option: str | None, *, dry_run: bool = False) -> Outcome:
    """Write the hooks; a foreign one is kept and runs first. core.hooksPath of somebody else is left alone.

    Data: `{folder, hooks: [{name, done}]}`. Raises Refused with what to add by hand, Surroundings outside git.
    """
    root = _root()
    place = hooks.folder(root)
    if place.setting:
        raise Refused(
            f"Somebody has set core.hooksPath to {place.setting}, so nothing was changed.",
            _by_hand(place.setting, root),
            kind="foreign-hooks",
        )
    scripts = {Hook(name, place.path / name): _script(name, option, root) for name in JOBS}
    out = Outcome({"folder": str(place.path), "hooks": []})
    if dry_run:
        out.diff = "".join(
            file_diff(str(hook.path).lstrip("/"), hooks.content(hook), text) for hook, text in scripts.items()
        )
        return out
    out.data["hooks"] = [{"name": hook.name, "done": hooks.install(hook, text)} for hook, text in scripts.items()]
    out.notes += _other_program()
    return out


def uninstall() -> Outcome:
    """Take the hooks away and put back what was there before. Data as of install. Raises Surroundings."""
    place = hooks.folder(_root())
    rows = [{"name": name, "done": hooks.uninstall(Hook(name, place.path / name))} for name in JOBS]
    return Outcome({"folder": str(place.path), "hooks": rows})


def status() -> Outcome:
    """Say of each hook whether it is installed, and what else is hooked.

    Data: `{folder, setting, hooks: [{name, state}]}`, state: installed · chained · behind · foreign · not-executable ·
    absent.
    """
    place = hooks.folder(_root())
    rows = [{"name": name, "state": _state(Hook(name, place.path / name))} for name in JOBS]
    out = Outcome({"folder": str(place.path), "setting": place.setting, "hooks": rows})
    out.notes += _other_program()
    return out


def _state(hook: Hook) -> str:
    place = hook.place()
    if place is None:
        return "foreign" if hook.is_foreign() else "absent"
    if not hooks.runs(place):
        return "not-executable"
    if place == hook.legacy:
        return "behind"
    return "chained" if os.path.lexists(hook.chained) else "installed"


def _root() -> Path:
    root = git.root_above(Path.cwd())
    if root is None:
        raise Surroundings("There is no git repository here or above.", "git init makes one.", kind="git")
    return root


def _script(name: str, option: str | None, root: Path) -> bytes:
    job = JOBS[name]
    values: Mapping[str, Any] = {
        "version": VERSION,
        "guard": f"REVERSA_IN_{name.upper().replace('-', '_')}",
        "chained": Hook(name, root).chained.name,
        "stdin": job.stdin,
        "guards": job.guards,
        "python": shlex.quote(sys.executable),
        "command": job.command,
        "below": _below(option, root),
    }
    return render_template("hook.sh.j2", values, [shipped() / "templates"]).encode()


def _below(option: str | None, root: Path) -> str:
    """Give the folder, quoted, from which the registry is found where git's root is not it; "" else."""
    try:
        project = layout.find(Path.cwd(), option).project
    except Surroundings:
        return ""
    folder = os.path.relpath(os.path.realpath(project), os.path.realpath(root))
    return "" if folder == "." or folder.startswith("..") else shlex.quote(folder)


def _by_hand(setting: str, root: Path) -> str:
    """Say what to add where: husky runs the files above its own folder."""
    folder = os.path.dirname(setting) if os.path.basename(setting) == "_" else setting
    lines = [f"{folder}/{name}: reversa-bugs {JOBS[name].command}" for name in JOBS if JOBS[name].guards]
    return f"Add a line to each: {'; '.join(lines)}"


def _other_program() -> list[str]:
    """Warn where `reversa` on PATH is another program: a published tool has that name too."""
    found, ours = shutil.which("reversa"), shutil.which("reversa-bugs")
    if ours is None:
        return ["reversa-bugs is not on PATH; the hooks call it with the Python that runs now."]
    if found is None or _is_ours(found):
        return []
    return [f"reversa on PATH is another program ({found}); call reversa-bugs, as the hooks do."]


def _is_ours(program: str) -> bool:
    try:
        return b"reversa.__main__" in read_bytes(program)
    except OSError:
        return False
