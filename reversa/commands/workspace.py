"""What every command starts from: the registry that was found and read, the day, the person who decides."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reversa.core.bug import Bug, Registry
from reversa.errors import Refused, UsageError
from reversa.store import layout, registry, write
from reversa.store.layout import Layout

Ask = Callable[[str], str]
"""Puts a question to a person at a terminal and gives the answer."""


@dataclass(frozen=True)
class Workspace:
    """A registry with the folders around it."""

    layout: Layout
    registry: Registry

    def folder(self, bug: Bug) -> Path:
        """The folder of a bug on disk."""
        return self.layout.root / bug.path.rpartition("/")[0]

    def path_of(self, bug: Bug) -> str:
        """The path of a bug's record from the project root, so that it is the same wherever the project stands."""
        return f"{self.layout.prefix}/{bug.path}"

    def git_path_of(self, bug: Bug) -> str:
        """The same from git's root, as diffs and `git add` take it."""
        return self.layout.from_git_root(self.layout.root / bug.path)

    def reread(self, folders: list[str]) -> Workspace:
        """Read some bug folders again, named relative to the registry root, and leave the rest as it is."""
        fresh = {folder: registry.read_bug(self.layout.root, folder) for folder in folders}
        kept = [bug for bug in self.registry.bugs if bug.path.rpartition("/")[0] not in fresh]
        added = [bug for bug in fresh.values() if bug is not None]
        contexts = sorted({*self.registry.contexts, *(bug.context for bug in added)})
        bugs = registry.with_seals(self.layout, sorted([*kept, *added], key=lambda bug: (bug.key, bug.path)))
        return replace(self, registry=replace(self.registry, bugs=tuple(bugs), contexts=tuple(contexts)))


def open_workspace(option: str | None = None, *, full: bool = True) -> Workspace:
    """Find and read the registry, from the working directory.

    Raises Surroundings where there is none.
    """
    found = layout.find(Path.cwd(), option)
    return Workspace(found, registry.load(found, full=full))


@contextlib.contextmanager
def writing(option: str | None) -> Iterator[Workspace]:
    """Find the registry, take its lock, read it and hold the lock while records are planned and written.

    Reading inside the lock is what makes numbers, duplicates and new errors certain. Raises Surroundings.
    """
    found = layout.find(Path.cwd(), option)
    with write.locked(found):
        yield Workspace(found, registry.load(found))


def today(environ: Mapping[str, str] | None = None) -> str:
    """Give the day: REVERSA_TODAY, else SOURCE_DATE_EPOCH in UTC, else the local date (cli.md).

    Raises UsageError for a value that is no day.
    """
    environ = os.environ if environ is None else environ
    named = environ.get("REVERSA_TODAY")
    epoch = environ.get("SOURCE_DATE_EPOCH")
    try:
        if named:
            return dt.date.fromisoformat(named).isoformat()
        if epoch:
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        source = f"REVERSA_TODAY={named}" if named else f"SOURCE_DATE_EPOCH={epoch}"
        raise UsageError(f"{source} is no day.", "REVERSA_TODAY takes YYYY-MM-DD.") from None
    return dt.date.today().isoformat()


@dataclass(frozen=True, slots=True)
class Person:
    """Who takes a person's decisions: `ask` is None where there is no terminal, `by` a name given on the way."""

    by: str = ""
    ask: Ask | None = None

    def decide(self, registry: Registry, bug: Bug, what: str) -> dict[str, str]:
        """Have a decision about a bug confirmed and give who took it and by which route (registry.md 9).

        At a terminal the ID is typed back; elsewhere a name is required. Raises Refused with kind needs-human.
        """
        if self.ask is not None:
            answer = self.ask(f"{what} is a person's decision. Type {bug.id} to confirm: ")
            if answer.strip().upper() != bug.key:
                raise Refused("The ID was not typed back; nothing was written.", kind="needs-human")
            return {"by": self.by or _who(), "via": "terminal"}
        if registry.control_mode == "supervised":
            raise Refused(
                f"{what} is a person's decision, and this registry is supervised.",
                f"Ask whoever answers for {bug.id} to decide at a terminal.",
                kind="needs-human",
            )
        if not self.by:
            raise Refused(
                f"{what} is a person's decision.",
                f"Ask whoever answers for {bug.id}, then record the answer with --by and that person's name.",
                kind="needs-human",
            )
        return {"by": self.by, "via": "delegated"}


def _who() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
