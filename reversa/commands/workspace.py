"""What every command starts from: the registry that was found and read, the day, the person who decides."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reversa.core.bug import Bug, Registry
from reversa.errors import ReversaError, Surroundings, UsageError
from reversa.store import frontmatter, git, layout, lock, registry
from reversa.store.layout import Layout
from reversa.store.tree import Disk, Tree


@dataclass(frozen=True)
class Workspace:
    """A registry with the folders around it; `snapshot` is what of git it was read from, where not from the disk."""

    layout: Layout
    registry: Registry
    snapshot: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The files that the registry was read from."""
        return self.snapshot or Disk(self.layout.root)

    def folder(self, bug: Bug) -> Path:
        """The folder of a bug on disk."""
        return self.layout.root / bug.path.rpartition("/")[0]

    def path_of(self, bug: Bug) -> str:
        """The path of a bug's record from the project root, so that it is the same wherever the project stands."""
        return f"{self.layout.prefix}/{bug.path}"

    def git_path_of(self, bug: Bug) -> str:
        """The same from git's root, as diffs and `git add` take it."""
        return self.layout.from_git_root(self.layout.root / bug.path)

    def past(self, bug: Bug) -> Iterator[Mapping[str, Any]]:
        """Yield the front matter that a record had in earlier commits, newest first; nothing outside git."""
        if self.layout.git_root is None:
            return
        path = os.path.relpath(self.layout.root / bug.path, self.layout.git_root)
        try:
            found = git.versions(self.layout.git_root, path)
        except Surroundings:  # without a working git there is no history to ask
            return
        for data in found:
            document = frontmatter.read(data)
            if document.data is not None:
                yield document.data

    def reread(self, folders: list[str]) -> Workspace:
        """Read some bug folders again, named relative to the registry root, and leave the rest as it is."""
        fresh = {folder: registry.read_bug(self.tree, folder) for folder in folders}
        kept = [bug for bug in self.registry.bugs if bug.path.rpartition("/")[0] not in fresh]
        added = [bug for bug in fresh.values() if bug is not None]
        contexts = sorted({*self.registry.contexts, *(bug.context for bug in added)})
        bugs = sorted([*kept, *added], key=lambda bug: (bug.key, bug.path))
        return replace(self, registry=replace(self.registry, bugs=tuple(bugs), contexts=tuple(contexts)))


def open_workspace(option: str | None = None, *, full: bool = True, seals: bool = False) -> Workspace:
    """Find and read the registry, from the working directory; seals and changes of locked folders are for `check`.

    Raises Surroundings where there is none.
    """
    found = layout.find(Path.cwd(), option)
    read = registry.load(found, full=full, seals=seals)
    if seals:
        from reversa.store.drift import with_drift

        read = with_drift(found, read)
    return Workspace(found, read)


@contextlib.contextmanager
def writing(option: str | None) -> Iterator[Workspace]:
    """Find the registry, take its lock, read it and hold the lock while records are planned and written.

    Reading inside the lock is what makes numbers, duplicates and new errors certain. Raises Surroundings. Whatever goes
    wrong, a message calls the folder of a hidden bug by its ID: a disk chooses for itself which file it fails at.
    """
    found = layout.find(Path.cwd(), option)
    with lock.locked(found):
        ws = Workspace(found, registry.load(found, seals=False))
        try:
            yield ws
        except ReversaError as error:
            for bug in ws.registry.bugs:
                if bug.veiled:
                    error.message = error.message.replace(bug.folder, bug.id)
            raise


def now(environ: Mapping[str, str] | None = None) -> dt.datetime:
    """Give the moment, with its time zone: midnight in UTC of REVERSA_TODAY, else SOURCE_DATE_EPOCH, else local time.

    The one place that asks a clock. Raises UsageError for a value that is no day.
    """
    environ = os.environ if environ is None else environ
    named = environ.get("REVERSA_TODAY")
    epoch = environ.get("SOURCE_DATE_EPOCH")
    try:
        if named:
            return dt.datetime.combine(dt.date.fromisoformat(named), dt.time(), dt.UTC)
        if epoch:
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC)
    except (ValueError, OverflowError, OSError):
        source = f"REVERSA_TODAY={named}" if named else f"SOURCE_DATE_EPOCH={epoch}"
        raise UsageError(f"{source} is no day.", "REVERSA_TODAY takes YYYY-MM-DD.") from None
    return dt.datetime.now().astimezone()


def today(environ: Mapping[str, str] | None = None) -> str:
    """Give the day: REVERSA_TODAY, else SOURCE_DATE_EPOCH in UTC, else the local date (cli.md).

    Raises UsageError for a value that is no day.
    """
    return now(environ).date().isoformat()
