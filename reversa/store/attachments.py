"""Files that a person hands over to be kept: read whole, named safely, refused where they would not last."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reversa.core.naming import file_name, is_reserved, numbered
from reversa.core.printable import is_printable
from reversa.core.rules.locators import is_pattern, parse
from reversa.errors import Refused, Surroundings, UsageError
from reversa.store import git, guard
from reversa.store.config import size_shown
from reversa.store.layout import Layout
from reversa.store.raw import read_bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to keep: where it came from, its name in the folder, its bytes, whether the folder has it already."""

    source: Path
    name: str
    data: bytes
    there: bool = False


def take(layout: Layout, folder: Path, files: Sequence[Path], taken: Iterable[str] = ()) -> list[Attachment]:
    """Read files that are to be kept in a folder, which need not exist, and give each a name that is free there.

    Of equal bytes under one name one is enough; other bytes get a number. `taken` are names that nothing may get.
    Raises UsageError for what is no file, Refused for links that lead away and for size, Surroundings.
    """
    held: dict[str, Attachment] = {}
    names = _names(folder)
    kept = frozenset(name.casefold() for name in taken)
    for file in files:
        data = _read(file, layout.evidence_size)
        inner = _name_inside(folder, file)
        found = Attachment(file, inner, data, there=True) if inner else None
        found = found or _named(folder, Attachment(file, file_name(file.name), data), names, held, kept)
        held.setdefault(found.name.casefold(), found)
    return list(held.values())


def refuse_ignored(layout: Layout, folder: Path, found: Sequence[Attachment], hint: str = "") -> None:
    """Refuse files that git would leave out of a folder, with what mends it or the hint that is given (Refused)."""
    if layout.git_root is None or not found:
        return
    inside = os.path.relpath(folder, layout.root)
    paths = {f"{inside}/{one.name}": one for one in found}
    ignored = git.ignored(layout.root, list(paths))
    if ignored:
        rule = git.why_ignored(layout.root, ignored[0])
        more = f" and {len(ignored) - 1} more" if len(ignored) > 1 else ""
        raise Refused(
            f"git ignores {paths[ignored[0]].name}{more}{f' ({rule})' if rule else ''}: missing on every other clone.",
            hint or f"{_by_hand(folder, [paths[path] for path in ignored])} records it; then run this again.",
            kind="ignored-evidence",
        )


def _by_hand(folder: Path, ignored: Sequence[Attachment]) -> str:
    """Give the commands, from the working directory, with which git takes files that it would ignore."""
    place = os.path.relpath(folder)
    copies = [one for one in ignored if not one.there]
    out = [] if not copies or folder.is_dir() else [f"mkdir -p {shlex.quote(place)}"]
    out += [f"cp {shlex.join(['--', str(one.source), f'{place}/{one.name}'])}" for one in copies]
    return " && ".join([*out, f"git add -f {shlex.join(f'{place}/{one.name}' for one in ignored)}"])


def _read(file: Path, limit: int) -> bytes:
    """Read a file within the limit of bytes."""
    if os.path.islink(file) and not guard.inside(file, file.parent):
        raise Refused(
            f"{file} is a link that leads elsewhere.", f"Name the file itself: {os.path.realpath(file)}", kind="link"
        )
    try:
        if not file.is_file():
            raise UsageError(f"{file} is no file that could be kept.", "Folders go in as an archive of them.")
        data = read_bytes(str(file), limit)
        if len(data) > limit:
            size = max(file.stat().st_size, limit + 1)
            raise Refused(
                f"{file} has {size_shown(size)}, and evidence may have {size_shown(limit)}: every clone carries it.",
                f'Keep the part that matters, or set max_size = "{size_shown(size)}" under [evidence] in reversa.toml.',
                kind="too-large",
            )
        return data
    except OSError as error:
        raise Surroundings(f"{file}: {error.strerror or error}.", "Nothing was written.", kind="disk") from None


def _names(folder: Path) -> dict[str, str]:
    """Give the names that a folder holds by how a file system that ignores case tells them apart."""
    try:
        return {name.casefold(): name for name in sorted(os.listdir(folder))}
    except OSError:
        return {}


def _name_inside(folder: Path, file: Path) -> str:
    """Give the name of a file that lies in the folder already, "" for others and where a record could not name it."""
    if not guard.inside(file, folder):
        return ""
    name = os.path.relpath(os.path.realpath(file), os.path.realpath(folder))
    locator = parse(f"evidence/{name}")
    plain = locator is not None and locator.path == f"evidence/{name}" and not is_pattern(name)
    return name if plain and "`" not in name and all(map(is_printable, name)) else ""


def _named(
    folder: Path, wanted: Attachment, names: dict[str, str], held: dict[str, Attachment], kept: frozenset[str]
) -> Attachment:
    """Name a file as it would like to be, with a number where that name has other bytes or is something else's."""
    number = 0
    while True:
        number += 1
        name = numbered(wanted.name, number)
        key = name.casefold()
        if key in kept or is_reserved(name):
            continue
        if key in held:
            if held[key].data == wanted.data:
                return held[key]
        elif key not in names:
            return replace(wanted, name=name)
        elif _same(folder / names[key], wanted.data):
            return replace(wanted, name=names[key], there=True)


def _same(path: Path, data: bytes) -> bool:
    try:
        return not path.is_symlink() and read_bytes(str(path), len(data)) == data
    except OSError:
        return False
