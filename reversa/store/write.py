"""Writes that are whole or not at all: temp file, fsync, rename; compare-and-swap."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from reversa.core.bug import LOCK_NAME
from reversa.errors import Refused, Surroundings
from reversa.store.raw import read_bytes

_PREFIX = ".reversa-"
TEMPORARY = re.compile(re.escape(_PREFIX) + r"[a-z0-9_]{8}\.(?:tmp|new)")
"""The names of files that are being written and folders that are being built; only a killed writer leaves one."""


def failure(error: OSError, path: Path) -> Surroundings:
    """Turn an OSError into the one-line error of the contract (exit 5)."""
    return Surroundings(f"{path}: {error.strerror or error}.", "Nothing was written.", kind="disk")


def _changed(path: Path) -> Surroundings:
    return Surroundings(
        f"{path.name} of {path.parent.name} was changed by someone else meanwhile.",
        "Nothing was written; run the command again.",
        kind="changed-meanwhile",
    )


def refuse_if_locked(folder: Path, bug_id: str, *, hint: str = "") -> None:
    """Refuse any write into a folder that holds DONE.md, whatever was known when the command began."""
    if os.path.lexists(folder / LOCK_NAME):
        again = f"reversa new TITLE -c CONTEXT --regression-of {bug_id[-4:]}"
        raise Refused(
            f"{bug_id} is locked by DONE.md: nothing in its folder may change.",
            hint or f"Register what is new as a bug of its own: {again}",
            kind="locked",
        )


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back the signals that end a program until several files are all written; that takes milliseconds.

    Between the renaming of one and the noting of it, an interrupt would leave half behind.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def replace(path: Path, new: bytes, expected: bytes | None) -> None:
    """Replace a file atomically if it still holds `expected`; None means that it must not exist yet.

    Raises Surroundings when someone changed it meanwhile or the disk refuses; the old file is then untouched.
    """

    def unchanged() -> None:
        try:
            current = read_bytes(str(path)) if expected is not None else None
        except FileNotFoundError:
            current = None
        if current != expected or (expected is None and os.path.lexists(path)):
            raise _changed(path)

    try:
        _put(path, new, unchanged)
    except OSError as error:
        raise failure(error, path) from None


def put(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write a file through a temporary one in the same folder, fsync and rename; raises Surroundings.

    Without a `mode` it keeps the one that it has, or gets that of a new file.
    """
    try:
        _put(path, data, mode=mode)
    except OSError as error:
        raise failure(error, path) from None


def _put(path: Path, data: bytes, last_look: Callable[[], None] | None = None, *, mode: int | None = None) -> None:
    """Write through a temporary file; `last_look` may still refuse when all but the rename is done."""
    handle, temporary = tempfile.mkstemp(prefix=_PREFIX, suffix=".tmp", dir=path.parent)
    try:
        try:
            _write_all(handle, data)
            os.fchmod(handle, _mode(path) if mode is None else mode)
            os.fsync(handle)
        finally:
            os.close(handle)
        if last_look is not None:
            last_look()
        os.replace(temporary, path)
    except BaseException:  # an interrupt too leaves nothing behind
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(path.parent)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o666 & ~umask()


def umask() -> int:
    """Give the process's umask, which can only be asked by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where that can be done: it has happened, so nothing here may call it failed."""
    with contextlib.suppress(OSError):  # some file systems cannot sync a folder, some folders cannot be read
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def create_folders(folders: Mapping[Path, Mapping[str, bytes]]) -> None:
    """Create folders with their files, all or none: each built under a dot-name beside it, then all renamed.

    The files of a folder are named relative to it. Raises Surroundings; nothing is left then.
    """
    made = [parent for folder in folders for parent in folder.parents if not os.path.lexists(parent)]
    built: dict[Path, Path] = {}
    placed: list[Path] = []
    current = next(iter(folders), Path())
    try:
        for current, files in folders.items():
            _build(current, files, built)
        for current, temporary in built.items():
            if os.path.lexists(current):
                raise FileExistsError(17, "it exists already", str(current))
            placed.append(current)
            os.rename(temporary, current)
    except BaseException as error:
        for leftover in (*built.values(), *(folder for folder in placed if not os.path.lexists(built[folder]))):
            shutil.rmtree(leftover, ignore_errors=True)
        for parent in sorted(made, key=lambda path: len(path.parts), reverse=True):
            with contextlib.suppress(OSError):
                parent.rmdir()
        if isinstance(error, OSError):
            raise failure(error, current) from None
        raise
    for parent in {folder.parent for folder in folders}:
        _sync_folder(parent)


def _build(folder: Path, files: Mapping[str, bytes], built: dict[Path, Path]) -> None:
    """Build a folder under a dot-name beside its place, which `built` knows from the first moment."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = built[folder] = Path(tempfile.mkdtemp(prefix=_PREFIX, suffix=".new", dir=folder.parent))
    inherited = stat.S_IMODE(temporary.stat().st_mode) & ~0o777  # the group bit of a shared folder
    temporary.chmod(inherited | 0o777 & ~umask() | 0o700)
    for name, content in files.items():
        target = temporary / name
        target.parent.mkdir(parents=True, exist_ok=True)
        _put(target, content)


def add(files: Mapping[Path, bytes]) -> contextlib.ExitStack:
    """Write files that are not there yet, with their folders: all or none. Gives what takes them away again.

    Raises Surroundings where a name is taken or the disk refuses.
    """
    with contextlib.ExitStack() as undo:
        for path, data in files.items():
            try:
                for folder in reversed([parent for parent in path.parents if not os.path.lexists(parent)]):
                    folder.mkdir()
                    undo.callback(_remove_folder, folder)
            except OSError as error:
                raise failure(error, path.parent) from None
            if os.path.lexists(path):
                raise _changed(path)
            undo.callback(undo_write, path, data, None)
            replace(path, data, None)
        return undo.pop_all()


def _remove_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def undo_write(path: Path, written: bytes, before: bytes | None) -> None:
    """Give a file its bytes back, or take it away where it had none, if it holds what was written; never raises.

    It can be promised before the write is tried: what somebody else wrote is left alone.
    """
    with contextlib.suppress(OSError, Surroundings):
        if read_bytes(str(path), len(written)) == written:
            path.unlink() if before is None else put(path, before)


def take_away(path: Path, expected: bytes) -> None:
    """Delete a file if it still holds `expected`; raises Surroundings where it does not or the disk refuses."""
    try:
        if read_bytes(str(path)) != expected:
            raise _changed(path)
        path.unlink()
    except OSError as error:
        raise failure(error, path) from None
    _sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file that this command wrote; used to undo, so it never raises."""
    with contextlib.suppress(OSError):
        path.unlink()
