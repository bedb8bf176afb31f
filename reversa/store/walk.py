"""Which folders of a registry are contexts and bugs: names alone, no record is opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from reversa.core.bug import LOCK_NAME, Oddity
from reversa.store.guard import inside

_CONTEXT_CHILDREN = ("bugs", "intake", "inspections")


def _subfolders(
    path: Path, oddities: list[Oddity], root: Path, matters: Callable[[str], bool] = lambda _: True
) -> list[str]:
    """Give the names of the folders in a folder, sorted.

    A link that leaves the registry is reported, not followed, and so is a name that could not be written out; `matters`
    is asked about their path first.
    """
    try:
        with os.scandir(path) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            oddities.append(Oddity("RV014", _relative(path, root), {"reason": error.strerror or "unreadable"}))
        return []
    names = []
    base = _relative(path, root)
    prefix = "" if base == "." else f"{base}/"
    for entry in entries:
        try:
            if not entry.is_dir():
                continue
        except OSError:  # a link that leads to itself, or through a folder that is closed to us
            continue
        where = prefix + entry.name
        if entry.is_symlink() and not inside(entry.path, root):
            odd = Oddity("RV015", _shown(where))
        elif where != _shown(where):
            odd = Oddity("RV014", _shown(where), {"reason": "its name is not UTF-8"})
        else:
            names.append(entry.name)
            continue
        if matters(entry.path):
            oddities.append(odd)
    return names


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _shown(name: str) -> str:
    """Give a name from disk as text that can be written out; bytes that are no UTF-8 are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def contexts(root: Path, oddities: list[Oddity]) -> Iterator[tuple[str, bool]]:
    """Yield folders that hold bugs or may: the flat layout as "", then each child; True for a context."""

    def matters(path: str) -> bool:  # anything else at the root is ignored without a word
        name = path.rpartition("/")[2]
        return name in _CONTEXT_CHILDREN or (not name.startswith(("_", ".")) and _like_context(path))

    names = _subfolders(root, oddities, root, matters)
    if "bugs" in names:
        yield "", True
    for name in names:
        if name not in _CONTEXT_CHILDREN and _like_context(f"{root}/{name}"):
            yield name, not name.startswith(("_", "."))


def _like_context(path: str) -> bool:
    """Whether a folder has a context's children; one that is closed to us may have them, and is asked for bugs."""
    for child in _CONTEXT_CHILDREN:
        try:
            if stat.S_ISDIR(os.stat(f"{path}/{child}").st_mode):
                return True
        except PermissionError:
            return True
        except OSError:
            continue
    return False


def bug_folders(root: Path, context: str, oddities: list[Oddity]) -> Iterator[str]:
    """Yield the folders below a context's `bugs/` by their paths from the root, sorted; most of them hold a bug."""
    base = root / context / "bugs" if context else root / "bugs"
    if os.path.islink(base) and not inside(base, root):
        oddities.append(Oddity("RV015", _relative(base, root)))
        return
    prefix = f"{context}/bugs/" if context else "bugs/"
    for name in _subfolders(base, oddities, root):
        if not name.startswith("."):  # a folder under construction, or left by a killed process
            yield prefix + name


def is_locked(root: Path, folder: str) -> bool:
    """Whether a bug's folder holds DONE.md: its presence is the lock, whatever it says."""
    return os.path.lexists(f"{root}/{folder}/{LOCK_NAME}")
