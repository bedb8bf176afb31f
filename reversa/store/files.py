"""Files beside the records: a reporter's text, notes, spec overviews, addenda, views, a new registry."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from reversa.errors import Refused, Surroundings, UsageError
from reversa.store import guard, write
from reversa.store.layout import Layout
from reversa.store.raw import UNLIMITED, read_bytes

_ADDENDUM = re.compile(r"bug-.+-v\d+\.md\Z")


GIVEN_BYTES = 64 * 1024 * 1024
"""The most that is read of a text that is handed over: some ten thousand bugs as JSON."""


def given_text(source: str, stdin: BinaryIO) -> str:
    """Read a text that a person hands over as a file or, with `-`, on standard input.

    Raises UsageError where there is no such file or it is not UTF-8, Surroundings where it cannot be read.
    """
    try:
        if source == "-":
            data = stdin.read(GIVEN_BYTES + 1)
        else:
            with Path(source).open("rb") as file:  # a pipe is as good as a file here
                data = file.read(GIVEN_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise UsageError(f"{source} is no file.") from None
    except OSError as error:
        raise Surroundings(f"{source}: {error.strerror}.", kind="disk") from None
    if len(data) > GIVEN_BYTES:
        raise UsageError(f"{source} has more than {GIVEN_BYTES >> 20} MiB.", "Hand over less at once.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source} is not UTF-8 (byte {error.start}).") from None


def text_option(argument: str, stdin: BinaryIO) -> str:
    """Give the text that `TEXT`, `@FILE` or `-` (standard input) means; raises what `given_text` raises."""
    source = argument.removeprefix("@") if argument.startswith("@") or argument == "-" else ""
    return given_text(source, stdin) if source else argument


def named_texts(options: Mapping[str, Iterable[str]], stdin: BinaryIO) -> dict[str, tuple[tuple[str, str], ...]]:
    """Split the `NAME=TEXT`, `NAME=@FILE` and `NAME=-` (standard input, once) of options into names and texts.

    Raises UsageError for what is none of these, and what `given_text` raises.
    """
    out: dict[str, tuple[tuple[str, str], ...]] = {}
    asked = ""
    for option, arguments in options.items():
        for argument in arguments:
            name, equals, text = argument.partition("=")
            if not equals or not name.strip():
                raise UsageError(
                    f"{option} {argument!r} is not NAME=TEXT.", f"For example: {option} Summary=@summary.md"
                )
            if text == "-" and asked:
                raise UsageError(f"{option} {argument}: standard input was read for {asked} already.")
            asked = argument if text == "-" else asked
            out[option] = (*out.get(option, ()), (name.strip(), text_option(text, stdin)))
    return out


def notes(layout: Layout, contexts: Iterable[str]) -> dict[str, str]:
    """Read the hand-written `notes.md` of each context that has one."""
    out = {}
    for context in contexts:
        try:
            data = read_bytes(str(layout.root / context / "notes.md"))
        except OSError:
            continue
        out[context] = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return out


def addenda(layout: Layout) -> list[str]:
    """List the names of the files in the spec folder's `addenda`, sorted."""
    try:
        names = os.listdir(layout.project / layout.spec_folder / "addenda")
    except OSError:
        return []
    return sorted(name for name in names if _ADDENDUM.match(name))


def spec_text(layout: Layout, name: str) -> str | None:
    """Read a file of the spec folder, or None where it is not there."""
    try:
        data = read_bytes(str(layout.project / layout.spec_folder / name))
    except OSError:
        return None
    return data.decode("utf-8", "replace")


def append(path: Path, text: str) -> None:
    """Add a text to a file that somebody named, such as the step summary of a CI; raises Surroundings."""
    try:
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise write.failure(error, path) from None


def current(layout: Layout, path: str) -> bytes | None:
    """Read a view as it is now, by its path from the project root; None where it is not there."""
    try:
        return read_bytes(str(layout.project / path), UNLIMITED)
    except OSError:
        return None


def put_view(layout: Layout, path: str, data: bytes) -> None:
    """Write a view, making its folder where that is missing; raises Surroundings."""
    target = layout.project / path
    guard.refuse_outside(target.parent, layout.root if path.startswith(f"{layout.prefix}/") else layout.project)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write.put(target, data)
    except (OSError, Surroundings) as error:
        reason = error.message if isinstance(error, Surroundings) else f"{target.parent}: {error.strerror}."
        raise Surroundings(reason, "reversa graph draws the rest once that is mended.", kind="disk") from None


def own_templates(layout: Layout) -> list[Path]:
    """Give the registry's folder of templates, where it has one; refuses one whose files lead outside the registry."""
    folder = layout.root / "templates"
    if not os.path.isdir(folder):
        return []
    for name in sorted(os.listdir(folder)):
        if not guard.inside(folder / name, layout.root):
            raise Refused(f"{folder / name} leads outside the registry.", "Remove the link.", kind="outside")
    return [folder]


def create_registry(root: Path, files: Mapping[str, bytes]) -> None:
    """Make a registry folder with its files; a failure leaves what was there before. Raises Surroundings."""
    guard.refuse_inside_lock(root)
    made = not root.exists()
    done: list[Path] = []
    try:
        root.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            write.put(root / name, data)
            done.append(root / name)
    except (OSError, Surroundings) as error:
        for path in done:
            write.remove(path)
        if made and root.is_dir():
            root.rmdir()
        raise write.failure(error, root) if isinstance(error, OSError) else error from None
