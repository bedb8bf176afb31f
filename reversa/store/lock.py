"""The registry lock, which all worktrees of a clone share, and what a killed holder of it left behind."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reversa.errors import ReversaError, Surroundings
from reversa.store import git
from reversa.store.layout import Layout
from reversa.store.write import failure, umask

LOCK_SECONDS = 30.0
"""How long a writer waits for another one; a write takes milliseconds."""


@contextlib.contextmanager
def locked(layout: Layout) -> Iterator[None]:
    """Hold the registry lock, which all worktrees of a clone share, for the moment of a write.

    Raises Surroundings when another process holds it for longer than LOCK_SECONDS.
    """
    from filelock import FileLock, Timeout

    path = shared_place(layout).path("registry.lock")
    try:
        with FileLock(path, timeout=LOCK_SECONDS, mode=0o666 & ~umask()):  # people may share a clone by group
            yield
    except Timeout:
        raise Surroundings(
            f"Another reversa has been writing to this registry for {LOCK_SECONDS:.0f} seconds.",
            f"Try again; the lock is {path}.",
            kind="locked-registry",
        ) from None
    except ReversaError:
        raise
    except OSError as error:
        if str(error.filename) == str(path):
            raise failure(error, path) from None
        raise


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
