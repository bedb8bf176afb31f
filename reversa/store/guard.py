"""Where a write may go: inside the registry or the project, through no link that leads out, into no locked folder.

A pull request is untrusted input: a link or a setting in it must not make a tool write elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

from reversa.core.bug import LOCK_NAME, read_id
from reversa.errors import Refused


def inside(path: str | Path, base: Path) -> bool:
    """Whether a path, its links followed, lies in a folder or is that folder."""
    real, home = os.path.realpath(path), os.path.realpath(base)
    return real == home or real.startswith(home.rstrip("/") + "/")


def refuse_outside(folder: Path, base: Path) -> None:
    """Refuse to write into a folder that leads out of `base`, into git's own files, or into a locked folder."""
    real = Path(os.path.realpath(folder))
    if not inside(folder, base):
        raise Refused(f"{folder} leads outside {base}.", "Remove the link; nothing was written there.", kind="outside")
    if ".git" in real.relative_to(os.path.realpath(base)).parts:
        raise Refused(f"{folder} is git's own.", "Nothing was written there.", kind="outside")
    refuse_inside_lock(folder)


def refuse_inside_lock(folder: Path) -> None:
    """Refuse to write anywhere inside a bug's folder that holds DONE.md."""
    real = Path(os.path.realpath(folder))
    for parent in (real, *real.parents):
        is_bug = os.path.lexists(parent / "bug.md") or bool(read_id(parent.name.upper()))
        if is_bug and os.path.lexists(parent / LOCK_NAME):
            raise Refused(
                f"{parent.name} is locked by DONE.md: nothing in its folder may change.",
                "Nothing was written there.",
                kind="locked",
            )


def refuse_link(file: Path) -> None:
    """Refuse to edit a file that is a link: replacing it would leave what it points at as it was."""
    if os.path.islink(file):
        raise Refused(f"{file} is a link.", "Edit the file that it points at, or replace the link.", kind="link")
