"""A registry as a commit or the index of git has it: the same tree and surroundings as the disk gives, from blobs."""

from __future__ import annotations

import functools
import os
import posixpath
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from reversa.core.bug import LOCK_NAME, Bug, Oddity, Registry
from reversa.store import frontmatter, registry, seal
from reversa.store.around import heading_anchors, normal
from reversa.store.layout import Layout
from reversa.store.revisions import Blobs, Entry, Listing
from reversa.store.tree import Matters, shown

_HOPS = 10
"""How many links are followed to one file."""


class Snapshot:
    """The files of a registry in a listing of git; links between files are followed, links to folders are not."""

    def __init__(self, listing: Listing, blobs: Blobs, prefix: str) -> None:
        self.listing = listing
        self.prefix = prefix
        self._blobs = blobs
        self._children: dict[str, set[str]] = {}
        start = f"{prefix}/" if prefix else ""
        for path in listing:
            if path.startswith(start):
                self._add(path[len(start) :])

    def _add(self, path: str) -> None:
        """Note the folders on the way to a file; those above a folder that is known are known too."""
        folder, child = path.rpartition("/")[0], ""
        while True:
            known = folder in self._children
            names = self._children.setdefault(folder, set())
            if child:
                names.add(child)
            if known or not folder:
                return
            folder, _, child = folder.rpartition("/")

    def folders(self, path: str, oddities: list[Oddity], matters: Matters = lambda _: True) -> list[str]:
        names = []
        for name in sorted(self._children.get(path, ())):
            where = f"{path}/{name}" if path else name
            if where == shown(where):
                names.append(name)
            elif matters(where):
                oddities.append(Oddity("RV014", shown(where), {"reason": "its name is not UTF-8"}))
        return names

    def is_folder(self, path: str) -> bool:
        return path in self._children

    def leads_out(self, path: str) -> bool:
        return False

    def holds(self, path: str) -> bool:
        return self._full(path) in self.listing or path in self._children

    def read(self, path: str) -> bytes:
        if path in self._children:
            raise OSError(0, "not a regular file")
        return self._blobs.read(self._entry(self._full(path)).blob)

    def _full(self, path: str) -> str:
        return f"{self.prefix}/{path}" if self.prefix else path

    def _entry(self, path: str) -> Entry:
        for _ in range(_HOPS):
            entry = self.listing.get(path)
            if entry is None:
                raise FileNotFoundError(2, "no such file", path)
            if entry.is_repository:
                raise OSError(0, "a repository of its own")
            if not entry.is_link:
                return entry
            target = os.fsdecode(self._blobs.read(entry.blob))
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if self.prefix and not path.startswith(f"{self.prefix}/"):
                raise OSError(0, "a link that leads outside the registry")
        raise OSError(0, "too many links")


class Surroundings:
    """The files under the project root in a listing of git."""

    def __init__(self, tree: Snapshot) -> None:
        self._tree = tree
        self._anchors: dict[str, frozenset[str] | None] = {}
        self._texts: dict[str, str | None] = {}

    def exists(self, path: str) -> bool:
        path = normal(path)
        return path == "." or (bool(path) and self._tree.holds(path))

    def is_folder(self, path: str) -> bool:
        path = normal(path)
        return path == "." or (bool(path) and self._tree.is_folder(path))

    def anchors(self, path: str) -> frozenset[str] | None:
        if path not in self._anchors:
            text = self._text(path)
            self._anchors[path] = None if text is None else heading_anchors(text)
        return self._anchors[path]

    def lines(self, path: str) -> int | None:
        text = self._text(path)
        return None if text is None else text.count("\n") + (text[-1:] not in ("", "\n"))

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            try:
                self._texts[path] = self._tree.read(normal(path)).decode("utf-8", "replace")
            except OSError:
                self._texts[path] = None
        return self._texts[path]


@dataclass
class History:
    """What is read again and again from a repository: blobs once each, records once each."""

    layout: Layout
    repo: Path
    blobs: Blobs = field(init=False)
    parse: registry.Parse = field(init=False)

    def __post_init__(self) -> None:
        self.blobs = Blobs(self.repo)
        self.parse = functools.cache(frontmatter.read)

    @property
    def prefix(self) -> str:
        """The registry's path from git's root."""
        return _from(self.repo, self.layout.root)

    @property
    def start(self) -> str:
        """What the paths of the registry's files begin with, from git's root."""
        return f"{self.prefix}/" if self.prefix else ""

    def load(self, listing: Listing) -> tuple[Registry, Snapshot]:
        """Read the registry of a listing, without seals."""
        tree = Snapshot(listing, self.blobs, self.prefix)
        self.blobs.fetch(
            entry.blob
            for path, entry in listing.items()
            if path.startswith(self.start) and path.rpartition("/")[2] in _READ and not entry.is_repository
        )
        around = Surroundings(Snapshot(listing, self.blobs, _from(self.repo, self.layout.project)))
        with registry.uncollected():
            return registry.read_tree(self.layout, tree, around, parse=self.parse), tree

    def with_seals(self, found: Registry, listing: Listing, folders: Collection[str]) -> Registry:
        """Compute the seals of locked bugs in some folders, by their paths from git's root."""
        sealed = {self.start + bug.path.removesuffix("/bug.md"): bug for bug in found.bugs if _sealed(bug)}
        files = files_of(listing, sealed.keys() & set(folders))
        seals = {sealed[folder].path: self._seal(inside) for folder, inside in files.items()}
        bugs = (replace(bug, seal=seals[bug.path]) if bug.path in seals else bug for bug in found.bugs)
        return replace(found, bugs=tuple(bugs))

    def _seal(self, files: Listing) -> str:
        self.blobs.fetch(entry.blob for entry in files.values())
        kept = {name: entry for name, entry in files.items() if name != LOCK_NAME and not entry.is_repository}
        return seal.total({name: self._digest(entry) for name, entry in kept.items()})

    def _digest(self, entry: Entry) -> str:
        return seal.digest(self.blobs.whole(entry.blob), is_link=entry.is_link)


_READ = ("bug.md", LOCK_NAME, "README.md", "taxonomy.yaml")
"""The files of a registry that are read whenever it is."""


def _sealed(bug: Bug) -> bool:
    return bool(bug.lock and bug.lock.seal)


def _from(base: Path, path: Path) -> str:
    """Give a path from a folder above it, "" for that folder; links on the way do not count as steps."""
    return Path(os.path.relpath(os.path.realpath(path), os.path.realpath(base))).as_posix().removeprefix(".")


def files_of(listing: Listing, folders: Collection[str]) -> dict[str, dict[str, Entry]]:
    """Give the files of folders by their names from there; a folder of a listing has at least one file."""
    depths = {folder.count("/") + 1 for folder in folders}
    out: dict[str, dict[str, Entry]] = {}
    for path, entry in listing.items():
        parts = path.split("/")
        for depth in depths:
            folder = "/".join(parts[:depth])
            if len(parts) > depth and folder in folders:
                out.setdefault(folder, {})["/".join(parts[depth:])] = entry
    return out
