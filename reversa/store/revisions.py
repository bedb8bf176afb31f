"""Commits, the index and blobs of a repository, as git lists them; paths are from git's root, with `/`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from reversa.errors import UsageError
from reversa.store import git
from reversa.store.raw import MAX_BYTES

_LINK, _REPOSITORY = "120000", "160000"
_BATCH = 2000
"""How many blobs are asked for at once: their answer is held in memory."""


class Entry(NamedTuple):
    """A file in a commit or in the index: its mode as git writes it, and the name of its blob."""

    mode: str
    blob: str

    @property
    def is_link(self) -> bool:
        return self.mode == _LINK

    @property
    def is_repository(self) -> bool:
        return self.mode == _REPOSITORY


Listing = Mapping[str, Entry]
"""All files of a commit or of the index."""


class Commit(NamedTuple):
    """A commit with its parents, its day and its subject."""

    name: str
    parents: tuple[str, ...]
    day: str
    subject: str


def head(repo: Path) -> str:
    """Give the commit that HEAD names, or "" where there is none yet."""
    return git.run(repo, "rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1, 128)).decode().strip()


def resolve(repo: Path, revision: str) -> str:
    """Give the commit that a revision names; raises UsageError where it names none."""
    found = git.run(repo, "rev-parse", "-q", "--verify", "--end-of-options", f"{revision}^{{commit}}", ok=(0, 1, 128))
    name = found.decode().strip().splitlines()
    if not name or not re.fullmatch(r"[0-9a-f]{40,64}", name[-1]):
        raise UsageError(f"{revision!r} is no commit of this repository.", "git log lists them.")
    return name[-1]


def merge_base(repo: Path, one: str, other: str) -> str:
    """Give the newest commit that two histories share, or "" where they share none or it is not here."""
    return git.run(repo, "merge-base", one, other, ok=(0, 1, 128)).decode().strip()


def is_here(repo: Path, commit: str) -> bool:
    """Whether a commit that somebody else has is in this clone."""
    return bool(git.run(repo, "rev-parse", "-q", "--verify", f"{commit}^{{commit}}", ok=(0, 1, 128)).strip())


def published(repo: Path, tip: str) -> str:
    """Give the newest commit below a tip, or the tip itself, that a remote-tracking branch has; "" where none has."""
    out = git.run(repo, "rev-list", "--boundary", tip, "--not", "--remotes").decode().split()
    if not out:
        return tip
    return next((name.removeprefix("-") for name in out if name.startswith("-")), "")


def committed(repo: Path, commit: str) -> Listing:
    """List the files of a commit; of "", which is no commit yet, none."""
    if not commit:
        return {}
    out = git.run(repo, "ls-tree", "-r", "-z", "--full-tree", commit)
    return {path: Entry(words[0], words[2]) for words, path in _records(out)}


def indexed(repo: Path) -> Listing:
    """List the files of the index; of an unmerged one, our side where there is one."""
    out: dict[str, Entry] = {}
    for words, path in _records(git.run(repo, "ls-files", "-s", "-z", "--full-name")):
        if words[2] in "02" or path not in out:
            out[path] = Entry(words[0], words[1])
    return out


def _records(out: bytes) -> Iterator[tuple[list[str], str]]:
    for record in out.split(b"\0"):
        if record:
            words, _, path = record.partition(b"\t")
            yield words.decode().split(), os.fsdecode(path)


class Blobs:
    """The contents of blobs, each read once; of what is larger than a record may be, the beginning."""

    def __init__(self, repo: Path) -> None:
        self._repo = repo
        self._known: dict[str, bytes] = {}

    def fetch(self, names: Iterable[str]) -> None:
        """Read blobs in few runs of git."""
        missing = [name for name in dict.fromkeys(names) if name not in self._known]
        for start in range(0, len(missing), _BATCH):
            some = missing[start : start + _BATCH]
            sizes = git.run(self._repo, "cat-file", "--batch-check", stdin="\n".join(some).encode())
            small = []
            for name, line in zip(some, sizes.decode().splitlines(), strict=True):
                words = line.split()
                if len(words) == 3 and words[1] == "blob" and int(words[2]) <= MAX_BYTES:
                    small.append(name)
                else:
                    self._known[name] = git.beginning(self._repo, name, MAX_BYTES + 1)
            out = git.run(self._repo, "cat-file", "--batch", stdin="\n".join(small).encode())
            self._known.update(zip(small, git.batch(out), strict=True))

    def read(self, name: str) -> bytes:
        """Give the content of a blob; of one that is too large, one byte more than a record may have."""
        if name not in self._known:
            self.fetch([name])
        return self._known[name]

    def whole(self, name: str) -> bytes:
        """Give the content of a blob whatever its size, and do not keep it."""
        data = self.read(name)
        return data if len(data) <= MAX_BYTES else git.run(self._repo, "cat-file", "blob", name)

    def normal(self, name: str) -> bytes | str:
        """Give what two blobs are compared by: the text with LF endings, or the name of one that is no text."""
        data = self.read(name)
        return name if len(data) > MAX_BYTES or b"\0" in data[:8000] else data.replace(b"\r\n", b"\n")


def commits(repo: Path, *revisions: str, paths: Iterable[str] = ()) -> list[Commit]:
    """List the commits that revisions name and that touch some of the paths, oldest first."""
    spec = [f":(literal){path}" for path in paths]
    form = "--format=%H%x00%P%x00%cs%x00%s%x00"
    out = git.run(repo, "log", "--topo-order", "--reverse", "--full-history", "-s", form, *revisions, "--", *spec)
    fields = out.decode("utf-8", "replace").split("\0")
    return [
        Commit(name.strip(), tuple(parents.split()), day, subject)
        for name, parents, day, subject in zip(*[iter(fields)] * 4, strict=False)
    ]
