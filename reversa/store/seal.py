"""The lock of a folder: what DONE.md says, and the seal over paths and contents, the same on every clone."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from reversa.core.bug import LOCK_NAME, Lock
from reversa.core.fields import RESOLUTION_KINDS
from reversa.store import git

_PIECE = 1024 * 1024
_BINARY_PROBE = 8000
_DATE = re.compile(rb"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_KINDS = "|".join(RESOLUTION_KINDS).encode()
_KIND = re.compile(rb"(?:resolution[ _-]?kind|resolu[^\s:|]{2,6})[^\w\n]{0,8}(%s)(?![\w-])" % _KINDS, re.IGNORECASE)
_SEAL = re.compile(rb"^seal:[ \t]*(sha256:\S*)", re.MULTILINE)


def parse_lock(data: bytes) -> Lock:
    """Read date, kind and seal out of any of the forms that a DONE.md has in real registries.

    A seal that is no 64 hexadecimal digits is kept: it is a wrong one, not none.
    """
    data = data.replace(b"\0", b"")  # UTF-16, as some shells write it
    kind, sealed = _KIND.search(data), _SEAL.search(data)
    return Lock(
        next((day for match in _DATE.finditer(data) if _is_day(day := match[0].decode())), ""),
        kind[1].decode().lower() if kind else "",
        sealed[1].decode("utf-8", "replace").lower() if sealed else "",
    )


def _is_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def compute(folder: Path, names: Iterable[str]) -> str:
    """Compute `sha256:<hex>` over files of a folder, named relative to it with `/`; DONE.md is left out.

    Raises OSError when a file cannot be read.
    """
    return total({name: _digest(folder / name) for name in names if name != LOCK_NAME})


def total(digests: Mapping[str, str]) -> str:
    """Put the digests of a folder's files together, DONE.md left out."""
    out = hashlib.sha256()
    for name in sorted(digests, key=os.fsencode):
        out.update(os.fsencode(name) + b"\0" + digests[name].encode() + b"\n")
    return f"sha256:{out.hexdigest()}"


def digest(data: bytes, *, is_link: bool = False) -> str:
    """Digest the content of a file, or the target of a link, that is at hand whole."""
    as_is = is_link or b"\0" in data[:_BINARY_PROBE]
    return hashlib.sha256(data if as_is else data.replace(b"\r\n", b"\n")).hexdigest()


def _digest(file: Path) -> str:
    """Digest a file piece by piece: evidence may be larger than the memory."""
    if file.is_symlink():
        return hashlib.sha256(os.fsencode(os.readlink(file))).hexdigest()
    out = hashlib.sha256()
    with file.open("rb") as stream:
        binary, held = b"\0" in stream.read(_BINARY_PROBE), b""
        stream.seek(0)
        while piece := stream.read(_PIECE):
            if not binary:
                piece, held = held + piece, b""
                if piece.endswith(b"\r"):  # its line feed may be in the next piece
                    piece, held = piece[:-1], b"\r"
                piece = piece.replace(b"\r\n", b"\n")
            out.update(piece)
        out.update(held)
    return out.hexdigest()


def uncoverable(folder: Path, names: Iterable[str]) -> tuple[str, str]:
    """Give why a seal over a folder would be wrong elsewhere, with the file in question; two empty texts where not.

    `names` are the files that git tracks or would add; git says nothing of a subfolder that it cannot list, tracks a
    repository inside as a commit without content, and still lists what a sparse checkout left out.
    """
    try:
        for top, folders, _ in os.walk(folder, onerror=_raise):
            if ".git" in folders or (top != str(folder) and os.path.lexists(os.path.join(top, ".git"))):
                return "holds a repository of its own, whose content no seal covers", os.path.relpath(top, folder)
    except OSError as error:
        return "cannot be listed", os.path.relpath(error.filename or folder, folder)
    for name in names:
        if not os.path.lexists(folder / name):
            return "is tracked by git and not in this checkout", name
    return "", ""


def covered(folder: Path, *, in_git: bool) -> list[str]:
    """List the files of one bug's folder that its seal covers: what git tracks or would add, else all but dot-files.

    Only files and links: a repository inside the folder is to git a commit, not content. Raises OSError outside git
    when a subfolder cannot be listed, because a seal over a part would be a wrong one.
    """
    names = git.tracked_or_addable(folder) if in_git else _files(folder)
    return [name for name in names if _is_content(folder / name)]


def covered_by_folder(root: Path, folders: Iterable[str], *, in_git: bool) -> dict[str, list[str]]:
    """Do the same for many folders of a registry at once, with one run of git; folders are relative to `root`."""
    wanted: dict[str, list[str]] = {folder: [] for folder in folders}
    base = os.path.realpath(root)
    # git lists nothing behind a link, so such a folder is asked about by itself
    alone = [folder for folder in wanted if not in_git or os.path.realpath(root / folder) != f"{base}/{folder}"]
    for folder in alone:
        wanted[folder] = covered(root / folder, in_git=in_git)
    if len(alone) == len(wanted):
        return wanted
    rest = wanted.keys() - set(alone)
    for name in git.tracked_or_addable(root):
        parts = name.split("/")
        for depth in (3, 2):  # <context>/bugs/<folder>, or bugs/<folder> in the flat layout
            folder = "/".join(parts[:depth])
            if folder in rest and _is_content(root / name):
                wanted[folder].append("/".join(parts[depth:]))
                break
    return wanted


def _is_content(path: Path) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _files(folder: Path) -> Iterator[str]:
    for top, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if (Path(top) / name).is_symlink()]
        for name in (*names, *links):
            if not name.startswith("."):
                yield Path(os.path.relpath(Path(top) / name, folder)).as_posix()


def _raise(error: OSError) -> None:
    raise error
