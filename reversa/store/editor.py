"""A person's editor on a private copy of a file: what `edit` works on until the text may be installed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from reversa.errors import Surroundings
from reversa.store.write import failure

VARIABLES = ("VISUAL", "EDITOR")
"""Where the editor's command stands, the first that is set; it goes through the shell, as with git."""

_FALLBACK = "vi"

_PREFIX = "reversa-edit-"
"""What the folders of drafts begin with."""


def named_editor() -> str:
    """Give the command that the environment names, or an empty text."""
    return next((value for value in (os.environ.get(name, "").strip() for name in VARIABLES) if value), "")


def make_draft(name: str, data: bytes) -> Path:
    """Make a copy that nobody else may read, in a folder of its own; raises Surroundings."""
    try:
        file = Path(tempfile.mkdtemp(prefix=_PREFIX)) / name
        file.write_bytes(data)
    except OSError as error:
        raise failure(error, Path(tempfile.gettempdir())) from None
    return file


def read_draft(file: Path) -> bytes:
    """Read what the editor left; raises Surroundings where it left nothing."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise failure(error, file) from None


def remove_draft(file: Path) -> None:
    """Remove a draft that `make_draft` made, with what the editor left beside it; any other file is somebody's own."""
    folder = file.absolute().parent
    if folder.name.startswith(_PREFIX) and folder.parent == Path(tempfile.gettempdir()) and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)


def run(file: Path) -> None:
    """Let a person edit a file and wait for the end of it; raises Surroundings when the editor fails.

    Ctrl-C belongs to the editor meanwhile.
    """
    command = named_editor() or _FALLBACK
    with _interrupts_passed_on():
        try:
            code = subprocess.run(["sh", "-c", f'{command} "$@"', command, str(file)], check=False).returncode
        except OSError as error:
            raise Surroundings(f"The editor could not be run: {error.strerror}.", kind="editor") from None
    if code:
        raise Surroundings(
            f"The editor {command} ended with {code}.", "Set EDITOR to a command that runs here.", kind="editor"
        )


@contextlib.contextmanager
def _interrupts_passed_on() -> Iterator[None]:
    # a handler, not SIG_IGN, which the editor would inherit
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
