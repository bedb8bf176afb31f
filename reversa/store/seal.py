"""The seal of a locked folder: sha256 over paths and contents, the same on every clone (registry.md 7)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from reversa.store import git

LOCK_NAME = "DONE.md"
_BINARY_PROBE = 8000


def compute(folder: Path, names: Iterable[str]) -> str:
    """Compute `sha256:<hex>` over files of a folder, named relative to it with `/`; DONE.md is left out.

    Raises OSError when a file cannot be read.
    """
    total = hashlib.sha256()
    for name in sorted(set(names), key=os.fsencode):
        if name != LOCK_NAME:
            content = hashlib.sha256(_content(folder / name)).hexdigest()
            total.update(os.fsencode(name) + b"\0" + content.encode() + b"\n")
    return f"sha256:{total.hexdigest()}"


def _content(file: Path) -> bytes:
    if file.is_symlink():
        return os.fsencode(os.readlink(file))
    data = file.read_bytes()
    return data if b"\0" in data[:_BINARY_PROBE] else data.replace(b"\r\n", b"\n")


def covered(folder: Path, *, in_git: bool) -> list[str]:
    """List the files of one bug's folder that its seal covers: what git tracks or would add, else all but dot-files."""
    if in_git:
        return [name for name in git.tracked_or_addable(folder) if os.path.lexists(folder / name)]
    return list(_files(folder))


def covered_by_folder(root: Path, folders: Iterable[str], *, in_git: bool) -> dict[str, list[str]]:
    """Do the same for many folders of a registry at once, with one run of git; folders are relative to `root`."""
    wanted: dict[str, list[str]] = {folder: [] for folder in folders}
    if not wanted:
        return {}
    if not in_git:
        return {folder: list(_files(root / folder)) for folder in wanted}
    for name in git.tracked_or_addable(root):
        parts = name.split("/")
        for depth in (3, 2):  # <context>/bugs/<folder>, or bugs/<folder> in the flat layout
            folder = "/".join(parts[:depth])
            if folder in wanted and os.path.lexists(root / name):
                wanted[folder].append("/".join(parts[depth:]))
                break
    return wanted


def _files(folder: Path) -> Iterable[str]:
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(top) / name).is_symlink()]
        for name in (*names, *links):
            if not name.startswith("."):
                yield Path(os.path.relpath(Path(top) / name, folder)).as_posix()
