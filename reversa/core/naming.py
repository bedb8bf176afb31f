"""New identities: IDs, display numbers, folder names (registry.md 2, cli.md conventions)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from reversa.core.bug import Registry
from reversa.core.printable import is_printable
from reversa.errors import UsageError

ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ234567"
"""Valid in both RFC 4648 and Crockford base32: no I, L, O, U and no 0, 1, 8, 9."""

MAX_NUMBER = 999_999_999
"""A longer display number is not read as one."""

SLUG_LENGTH = 40
_TRIES = 10_000
_TAKEN = frozenset({"bugs", "intake", "inspections", "generated", "templates"})

NAME_BYTES = 120
"""How long a copied file's name may be; file systems take 255, archives and checkouts with long paths take less."""

_SUFFIX = re.compile(r"(?:\.tar)?\.[^.]{1,12}\Z")
_RESERVED = frozenset({"bug.md", "done.md"})
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)")


def new_id(registry: Registry, day: str, choose: Callable[[Sequence[str]], str], *, taken: Collection[str] = ()) -> str:
    """Make an ID of a day (`YYYY-MM-DD`) that no bug of the registry carries; `choose` picks from a sequence.

    `taken` are IDs that other new bugs were given just now.
    """
    for _ in range(_TRIES):
        candidate = f"BUG-{day.replace('-', '')}-{''.join(choose(ALPHABET) for _ in range(4))}"
        if candidate not in registry.by_key and candidate not in taken:
            return candidate
    raise UsageError(f"No free ID is left for {day}.")  # 614,656 a day


def next_number(registry: Registry, reserved: int = 0, count: int = 1) -> int:
    """Give the highest display number of the whole registry plus one, and none that other worktrees gave out.

    `reserved` is the highest that was given out in the clone, whose records this worktree need not see; so many numbers
    from it on are free as `count` says.
    """
    numbers = {bug.number for bug in (*registry.bugs, *registry.set_aside) if bug.number is not None}
    highest = max(max(numbers, default=0), reserved)
    if highest <= MAX_NUMBER - count:
        return highest + 1
    # somebody typed a huge one: the first gap that is wide enough
    bounds = sorted({0, MAX_NUMBER + 1, *numbers})
    return next(low + 1 for low, high in pairwise(bounds) if high - low > count)


def slug(title: str) -> str:
    """Make the kebab-case slug of a title: transliterated, at most 40 characters, maybe empty."""
    from anyascii import anyascii

    words = re.findall(r"[a-z0-9]+", anyascii(title).lower())
    out = ""
    for word in words:
        longer = f"{out}-{word}" if out else word
        if len(longer) > SLUG_LENGTH:
            break
        out = longer
    return out or (words[0][:SLUG_LENGTH] if words else "")


def folder_name(bug_id: str, title: str, *, restricted: bool) -> str:
    """Name a bug's folder: the ID and a slug; the bare ID for a restricted bug or where no slug is left."""
    tail = "" if restricted else slug(title)
    return f"{bug_id}-{tail}" if tail else bug_id


def context_name(text: str) -> str:
    """Make the kebab-case name of a context; raises UsageError where nothing is left."""
    from anyascii import anyascii

    name = "-".join(re.findall(r"[a-z0-9]+", anyascii(text).lower()))[:60].strip("-")
    if not name:
        raise UsageError(f"{text!r} cannot name a context.", "Use letters or digits, such as -c checkout.")
    if name in _TAKEN:
        raise UsageError(
            f"{name} cannot name a context: the registry uses that word itself.", "Name the part of the product."
        )
    return name


def file_name(text: str) -> str:
    """Make the name of a copied file: letters, digits and `._+-` of any script, at most NAME_BYTES, never hidden.

    Such a name needs no quotes in a shell and reads as one path wherever records mention it.
    """
    signs = unicodedata.normalize("NFC", text)
    kept = "".join(sign if sign in "._+-" or unicodedata.category(sign)[0] in "LMN" else "-" for sign in signs)
    stem, suffix = _split(re.sub(r"-{2,}", "-", kept))
    stem = re.sub(r"-*\.[.-]*", ".", stem).strip("-.") or "file"
    suffix = suffix.rstrip("-.")
    return _cut(stem, NAME_BYTES - len(suffix.encode())) + suffix


def numbered(name: str, number: int) -> str:
    """Give another name for a file: `close.txt`, `close-2.txt`, `close-3.txt` …"""
    if number < 2:
        return name
    stem, suffix = _split(name)
    tail = f"-{number}{suffix}"
    return _cut(stem, NAME_BYTES - len(tail.encode())) + tail


def is_reserved(name: str) -> bool:
    """Whether a file of that name would be read as something else: a record, a lock, a device of Windows."""
    return name.casefold() in _RESERVED or _DEVICES.match(name.casefold()) is not None


def _split(name: str) -> tuple[str, str]:
    found = _SUFFIX.search(name, 1)
    at = found.start() if found else len(name)
    return name[:at], name[at:]


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode("utf-8", "ignore").rstrip("-.")


def clean_line(text: str) -> str:
    """Give a text on one line without control characters."""
    return " ".join("".join(c if is_printable(c) or c.isspace() else " " for c in text).split())


def clean_title(title: str) -> str:
    """Give a title on one line without control characters; raises UsageError where nothing is left."""
    out = clean_line(title)
    if not out:
        raise UsageError("The title is empty.", 'Say what goes wrong: reversa new "Total is wrong" -c checkout')
    return out
