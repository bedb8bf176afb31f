"""Moves of files and folders with the texts that have to follow them: all or nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from reversa.core.bug import LOCK_NAME
from reversa.errors import Refused
from reversa.store import guard, write

_TEXTS = {".md": False, ".html": True}
"""Files whose links are looked at, and whether they are HTML."""


def texts(root: Path, skip: Sequence[str] = ()) -> Iterator[tuple[Path, str, bool]]:
    """Yield the Markdown and HTML files of a registry that may be written: path, text, and whether it is HTML.

    Locked folders, links, folders of the names in `skip`, other encodings and what cannot be read are left out.
    """
    for folder, names, found in os.walk(root):
        if LOCK_NAME in found or LOCK_NAME in names:  # its presence is the lock, whatever it is
            names.clear()
            continue
        names[:] = sorted(name for name in names if name not in skip and not name.startswith("."))
        for name in sorted(found):
            path = Path(folder) / name
            if path.suffix in _TEXTS and not path.is_symlink():
                with contextlib.suppress(OSError, UnicodeDecodeError):
                    yield path, path.read_bytes().decode("utf-8"), _TEXTS[path.suffix]


def files_below(path: Path) -> list[Path]:
    """List a file, or all files of a folder, sorted."""
    if not path.is_dir() or path.is_symlink():
        return [path]
    return sorted(Path(folder) / name for folder, _, names in os.walk(path) for name in names)


def names_in(folder: Path) -> list[str]:
    """List what is in a folder, sorted; nothing where it is none."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def carry_out(
    root: Path,
    moves: Sequence[tuple[Path, Path]],
    changes: Sequence[tuple[Path, bytes, bytes]],
    emptied: Sequence[Path],
) -> None:
    """Rename, then write (path after the moves, bytes before and after), then remove emptied folders.

    A failure, an interrupt included, puts everything back. Raises Refused and Surroundings.
    """
    undo = contextlib.ExitStack()
    with undo:
        for old, new in moves:
            _rename(root, old, new, undo)
        for path, before, after in changes:
            write.replace(path, after, before)
            undo.callback(write.put, path, before)
        undo.pop_all()
    for folder in emptied:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _rename(root: Path, old: Path, new: Path, undo: contextlib.ExitStack) -> None:
    guard.refuse_outside(new.parent, root)
    guard.refuse_inside_lock(old)
    if os.path.lexists(new):
        raise Refused(f"{new} is there already.", "Nothing was moved.", kind="already-there")
    try:
        for parent in reversed([folder for folder in new.parents if not os.path.lexists(folder)]):
            parent.mkdir()
            undo.callback(parent.rmdir)
        old.rename(new)
    except OSError as error:
        raise write.failure(error, old) from None
    undo.callback(new.rename, old)
