"""The registry lock, which all worktrees of a clone share, and what a killed holder of it left behind."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.core.printable import escaped
from reversa.errors import ReversaError, Surroundings
from reversa.store import git
from reversa.store.layout import Layout
from reversa.store.write import TEMPORARY, failure, umask

LOCK_SECONDS = 30.0
"""How long a writer waits for another one; a write takes milliseconds."""


@contextlib.contextmanager
def locked(layout: Layout) -> Iterator[None]:
    """Hold the registry lock, which all worktrees of a clone share, for the moment of a write.

    What a killed holder left half written is taken away first. Raises Surroundings, naming the holder, when another
    process holds the lock for longer than LOCK_SECONDS.
    """
    from filelock import FileLock, Timeout

    place = shared_place(layout)
    path, holder = place.path("registry.lock"), place.path("registry.holder")
    try:
        with FileLock(path, timeout=LOCK_SECONDS, mode=0o666 & ~umask()), _held(holder, layout):
            yield
    except Timeout:
        raise Surroundings(
            f"{_name(holder)} has been writing to this registry for {LOCK_SECONDS:.0f} seconds.",
            f"Try again; the lock is {path}.",
            kind="locked-registry",
        ) from None
    except ReversaError:
        raise
    except OSError as error:
        if str(error.filename) == str(path):
            raise failure(error, path) from None
        raise


@contextlib.contextmanager
def _held(holder: Path, layout: Layout) -> Iterator[None]:
    """Note who holds the lock and where it writes; a note that is there already is of a holder that was killed."""
    before = _note(holder)
    for folder in before.get("folders", []):
        sweep(Path(folder))
    folders = [str(layout.root), str(layout.project / layout.spec_folder)]
    note = {"process": os.getpid(), "host": os.uname().nodename, "folders": folders}
    with contextlib.suppress(OSError):  # the note is a convenience: a write does not fail for want of it
        holder.write_text(json.dumps(note), encoding="utf-8")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            holder.unlink()


def _note(holder: Path) -> dict[str, Any]:
    """Read the note of a holder; empty where there is none or it is not what we write."""
    try:
        note = json.loads(holder.read_bytes())
        if all(isinstance(folder, str) for folder in note["folders"]):
            return {"process": int(note["process"]), "host": str(note["host"]), "folders": note["folders"]}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass
    return {}


def _name(holder: Path) -> str:
    note = _note(holder)
    return f"Process {note['process']} on {escaped(note['host'])}" if note else "Another reversa"


def sweep(folder: Path) -> None:
    """Take away the temporary files and folders of killed writers below a folder; the caller holds the lock."""
    for top, folders, names in os.walk(folder):
        for name in filter(TEMPORARY.fullmatch, names):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(top, name))
        for name in filter(TEMPORARY.fullmatch, folders):
            shutil.rmtree(os.path.join(top, name), ignore_errors=True)
        folders[:] = [name for name in folders if not TEMPORARY.fullmatch(name) and name != ".git"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where files stand that all worktrees of a clone share; without a usable git those of one user do."""

    folder: Path
    stem: str
    in_git: bool

    def path(self, name: str) -> Path:
        """Give the path of a file there."""
        return self.folder / (self.stem + name)


def shared_place(layout: Layout) -> Place:
    """Find the folder `reversa` in git's common directory, or one of this user's; raises Surroundings."""
    if layout.git_root is not None:
        # without a working git (none installed, a repository of somebody else's) the place of this user has to do
        with contextlib.suppress(OSError, Surroundings):
            folder = git.common_dir(layout.git_root) / "reversa"
            folder.mkdir(exist_ok=True)
            if os.access(folder, os.W_OK):
                return Place(folder, "", in_git=True)
    name = hashlib.sha256(os.fsencode(layout.root.resolve())).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"reversa-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid() or folder.is_symlink():
            raise PermissionError(13, "not a folder of this user", str(folder))
    except OSError as error:
        raise failure(error, folder) from None
    return Place(folder, f"{name}.", in_git=False)
