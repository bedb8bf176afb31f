"""What of a locked folder is not as it was locked (registry.md 5.9): blobs by path, compared over the history."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from reversa.core.bug import LOCK_NAME, Registry, read_id, text_at
from reversa.errors import Surroundings
from reversa.store import git, revisions
from reversa.store.layout import Layout
from reversa.store.raw import MAX_BYTES, read_bytes
from reversa.store.revisions import Blobs, Entry, Listing
from reversa.store.snapshot import History, files_of

_SEAL_LINE = re.compile(rb"^seal:[^\n]*\n?", re.MULTILINE)

Content = Mapping[str, bytes | str]
"""Files of a folder by name: texts with LF endings, of others the name of their blob."""


def locked_folders(listing: Listing, history: History) -> dict[str, str]:
    """Give the folders of a listing that hold DONE.md, from git's root, by the bug's ID or, without one, themselves."""
    out = {}
    for path in listing:
        parts = path.split("/")
        if parts[-1] == LOCK_NAME and parts[-3:-2] == ["bugs"] and path.startswith(history.start):
            folder = "/".join(parts[:-1])
            out[_key(folder)] = folder
    return out


def _key(folder: str) -> str:
    return read_id(folder.rpartition("/")[2]).upper() or folder


def content(blobs: Blobs, files: Mapping[str, Entry]) -> Content:
    """Give what the files of a folder are compared by."""
    blobs.fetch(entry.blob for entry in files.values() if not entry.is_repository)
    return {
        name: entry.blob
        if entry.is_repository
        else b"\0link " + blobs.read(entry.blob)
        if entry.is_link
        else blobs.normal(entry.blob)
        for name, entry in files.items()
    }


def differences(before: Content, now: Content) -> list[str]:
    """Name the files that are not as they were, sorted; a seal that was added to the lock is no change."""
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    return [name for name in names if not (name == LOCK_NAME and _only_sealed(before.get(name), now.get(name)))]


def _only_sealed(before: bytes | str | None, now: bytes | str | None) -> bool:
    return (
        isinstance(before, bytes)
        and isinstance(now, bytes)
        and not _SEAL_LINE.search(before)
        and _SEAL_LINE.sub(b"", now, count=1).rstrip(b"\n") == before.rstrip(b"\n")
    )


class Locks:
    """Compares the locked folders of two moments of a repository; folders are named from git's root."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._repo = history.repo
        self._blobs = history.blobs

    def changed(
        self, before: Listing, now: Listing, commit: str, base: str = ""
    ) -> tuple[dict[str, list[str]], list[str]]:
        """Give what a step changed: by folder, the files that are not as they were locked; and folders that went away.

        `commit` is the newest one of the history that leads to `now`; a `base` makes the step all the commits from
        there on, and locks that began in them are looked at too. Folders that are locked no more are no part of it: a
        lock is opened together with the bug, and another rule holds that a resolved bug has one.
        """
        had, have = (locked_folders(listing, self._history) for listing in (before, now))
        files_before = files_of(before, set(had.values()))
        files_now = files_of(now, set(have.values()))
        drifted, gone = {}, []
        for key, folder in had.items():
            if key in have:
                names = self._since(files_before[folder], files_now[have[key]], commit, have[key], base)
                if names:
                    drifted[have[key]] = names
            elif not any(_key(path.rpartition("/")[0]) == key for path in now if path.endswith("/bug.md")):
                gone.append(folder)
        for key in (have.keys() - had.keys()) if base else ():
            names = self._names(self.born(commit, have[key]), files_now[have[key]])
            if names:
                drifted[have[key]] = names
        return drifted, gone

    def aged(self, now: Listing, commit: str, folders: Collection[str]) -> dict[str, list[str]]:
        """Give the files of locked folders that commits changed after their lock; one run of git finds the suspects."""
        spec = _literal(self._history.prefix)
        log = git.run(self._repo, "log", "-z", "--no-renames", "--name-status", "--format=%x01", commit, "--", spec)
        touched: set[str] = set()
        born: set[str] = set()
        suspects: set[str] = set()
        fields = iter(log.replace(b"\x01", b"").split(b"\0"))
        for status in filter(None, map(bytes.strip, fields)):  # newest first
            path = os.fsdecode(next(fields, b""))
            folder = next((known for known in _above(path) if known in folders), "")
            if not folder or folder in born:
                continue
            if path == f"{folder}/{LOCK_NAME}" and status == b"A":
                born.add(folder)
                suspects |= {folder} & touched
            else:
                touched.add(folder)
        files = files_of(now, suspects)
        found = {folder: self._names(self.born(commit, folder), files[folder]) for folder in sorted(suspects)}
        return {folder: names for folder, names in found.items() if names}

    def _since(
        self, before: Mapping[str, Entry], now: Mapping[str, Entry], commit: str, folder: str, base: str
    ) -> list[str]:
        """Name what a step changed in one folder; nothing where it is as it was locked, by a lock opened lawfully."""
        names = self._names(before, now)
        if not names:
            return []
        born = self.born(commit, folder)
        changed = self._names(born, now)
        if born is None or changed:
            return changed or names
        return [] if not base or self._lawful(base, commit, folder) else names

    def _lawful(self, base: str, commit: str, folder: str) -> bool:
        """Whether no commit since a base took the lock of a folder away from a bug that stayed resolved."""
        spec = _literal(f"{folder}/{LOCK_NAME}")
        log = git.run(
            self._repo, "log", "--diff-filter=D", "--no-renames", "--format=%H", f"{base}..{commit}", "--", spec
        )
        for opened in log.decode().split():
            record = revisions.committed(self._repo, opened).get(f"{folder}/bug.md")
            document = self._history.parse(self._blobs.read(record.blob)) if record else None
            if document is None or text_at(document.data, "status") == "resolved":
                return False
        return True

    def _names(self, before: Mapping[str, Entry] | None, now: Mapping[str, Entry]) -> list[str]:
        """Name the files that differ; none where nothing is known of how they were."""
        if before is None or _blobs_of(before) == _blobs_of(now):
            return []
        return differences(content(self._blobs, before), content(self._blobs, now))

    def born(self, commit: str, folder: str) -> dict[str, Entry] | None:
        """Give the files of a locked folder at the newest commit that added its lock, or None where none is known.

        A folder that was moved there with its lock is followed to where it stood.
        """
        while True:
            spec = _literal(f"{folder}/{LOCK_NAME}")
            log = git.run(
                self._repo, "log", "-1", "--diff-filter=A", "--no-renames", "--format=%H %P", commit, "--", spec
            )
            names = log.decode().split()
            if not names:
                return None
            moved = [(parent, self._place(parent, folder)) for parent in names[1:]]
            moved = [(parent, place) for parent, place in moved if place and place != folder]
            if not moved:
                return files_of(revisions.committed(self._repo, names[0]), {folder}).get(folder, {})
            commit, folder = moved[0]

    def _place(self, commit: str, folder: str) -> str:
        """Give where a locked bug stood in a commit, or "" where it was not locked there."""
        return locked_folders(revisions.committed(self._repo, commit), self._history).get(_key(folder), "")


def _literal(path: str) -> str:
    return f":(literal){path or '.'}"


def _blobs_of(files: Mapping[str, Entry]) -> dict[str, str]:
    return {name: entry.blob for name, entry in files.items()}


def uncommitted(history: History, listing: Listing, folders: Collection[str]) -> dict[str, list[str]]:
    """Give the files of locked folders that are not as HEAD has them, in the working tree or in the index.

    `listing` is that of HEAD; a folder whose lock is not committed yet has nothing to be held against.
    """
    spec = _literal(history.prefix)
    out = git.run(history.repo, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", spec)
    touched: dict[str, dict[str, str]] = {}
    for entry in filter(None, out.split(b"\0")):
        path = os.fsdecode(entry[3:])
        folder = next((known for known in _above(path) if known in folders), "")
        if folder and f"{folder}/{LOCK_NAME}" in listing:
            touched.setdefault(folder, {})[path[len(folder) + 1 :]] = entry[:2].decode()
    found = {}
    is_staged = any(state[0] not in " ?" for states in touched.values() for state in states.values())
    staged = revisions.indexed(history.repo) if is_staged else {}
    for folder, states in touched.items():
        before = content(history.blobs, files_of(listing, {folder})[folder])
        disk = {**before, **{name: _on_disk(history.repo / folder / name) for name in states}}
        names = differences(before, {name: value for name, value in disk.items() if value is not None})
        if any(state[0] not in " ?" for state in states.values()):
            names += differences(before, content(history.blobs, files_of(staged, {folder}).get(folder, {})))
        if names:
            found[folder] = sorted(set(names))
    return found


def _above(path: str) -> Iterator[str]:
    while path:
        path = path.rpartition("/")[0]
        yield path


def _on_disk(path: Path) -> bytes | str | None:
    """Give what a file on disk is compared by; None where there is none."""
    if path.is_symlink():
        return b"\0link " + os.fsencode(os.readlink(path))
    try:
        data = read_bytes(str(path))
    except FileNotFoundError:
        return None
    except OSError:
        return "unreadable"
    # git has compared it already: a binary or large file that it names is another one
    return "other" if len(data) > MAX_BYTES or b"\0" in data[:8000] else data.replace(b"\r\n", b"\n")


def with_drift(layout: Layout, found: Registry) -> Registry:
    """Say of locked bugs what of their folders is not as it was locked: now, and in commits of long ago.

    Outside git, and without a commit, nothing is known. Commits are asked only about locks without a seal.
    """
    locked = [bug for bug in found.bugs if bug.locked]
    if layout.git_root is None or not locked:
        return found
    try:
        commit = revisions.head(layout.git_root)
        if not commit:
            return found
        history = History(layout, layout.git_root)
        listing = revisions.committed(layout.git_root, commit)
        places = {history.start + bug.path.removesuffix("/bug.md"): bug for bug in locked}
        now = uncommitted(history, listing, places)
        unsealed = {place for place, bug in places.items() if not (bug.lock and bug.lock.seal) and place not in now}
        unsealed &= set(locked_folders(listing, history).values())
        aged = Locks(history).aged(listing, commit, unsealed) if unsealed else {}
    except Surroundings:  # without a working git nothing is known either
        return found
    drift = {places[place].path: tuple(names) for place, names in now.items()}
    old = {places[place].path: tuple(names) for place, names in aged.items()}
    changed = (
        replace(bug, drift=drift.get(bug.path, ()), aged=old.get(bug.path, ())) if bug.locked else bug
        for bug in found.bugs
    )
    return replace(found, bugs=tuple(changed))
