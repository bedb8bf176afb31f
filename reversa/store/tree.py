"""What a registry is read from: the files on disk here, a commit or the index of git in `snapshot.py`.

Paths are relative to the registry root, with `/`; the root itself is "".
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from reversa.core.bug import Oddity
from reversa.store.guard import inside
from reversa.store.raw import read_bytes

Matters = Callable[[str], bool]
"""Whether an odd folder, by its path, is worth a report."""


class Tree(Protocol):
    """The files of a registry, wherever they stand."""

    def folders(self, path: str, oddities: list[Oddity], matters: Matters = lambda _: True) -> list[str]:
        """Give the names of the folders in a folder, sorted; adds what is wrong with one of them to `oddities`."""

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder, or may be one that is closed to us."""

    def leads_out(self, path: str) -> bool:
        """Whether a path is a link that leaves the registry."""

    def holds(self, path: str) -> bool:
        """Whether there is anything of that name, be it a link that leads nowhere."""

    def read(self, path: str) -> bytes:
        """Read a file, of one that is too large a beginning; raises OSError, for a link that leads out too."""


class Disk:
    """The files of a registry in the working tree."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._prefix = f"{root}/"

    def folders(self, path: str, oddities: list[Oddity], matters: Matters = lambda _: True) -> list[str]:
        """Give the names of the folders in a folder, sorted.

        A link that leaves the registry is reported, not followed, and so is a name that could not be written out.
        """
        try:
            with os.scandir(self._prefix + path) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                oddities.append(Oddity("RV014", path or ".", {"reason": error.strerror or "unreadable"}))
            return []
        names = []
        prefix = f"{path}/" if path else ""
        for entry in entries:
            try:
                if not entry.is_dir():
                    continue
            except OSError:  # a link that leads to itself, or through a folder that is closed to us
                continue
            where = prefix + entry.name
            if entry.is_symlink() and not inside(entry.path, self.root):
                odd = Oddity("RV015", shown(where))
            elif where != shown(where):
                odd = Oddity("RV014", shown(where), {"reason": "its name is not UTF-8"})
            else:
                names.append(entry.name)
                continue
            if matters(where):
                oddities.append(odd)
        return names

    def is_folder(self, path: str) -> bool:
        try:
            return stat.S_ISDIR(os.stat(self._prefix + path).st_mode)
        except PermissionError:
            return True
        except OSError:
            return False

    def leads_out(self, path: str) -> bool:
        full = self._prefix + path
        return os.path.islink(full) and not inside(full, self.root)

    def holds(self, path: str) -> bool:
        return os.path.lexists(self._prefix + path)

    def read(self, path: str) -> bytes:
        full = self._prefix + path
        if os.path.islink(full) and not inside(full, self.root) and os.path.exists(full):
            raise OSError(0, "a link that leads outside the registry")
        return read_bytes(full)


def shown(name: str) -> str:
    """Give a name from disk as text that can be written out; bytes that are no UTF-8 are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
