"""New identities: IDs, display numbers, folder names (registry.md 2, cli.md conventions)."""

from __future__ import annotations

import re
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


def clean_title(title: str) -> str:
    """Give a title on one line without control characters; raises UsageError where nothing is left."""
    out = " ".join("".join(c if is_printable(c) or c.isspace() else " " for c in title).split())
    if not out:
        raise UsageError("The title is empty.", 'Say what goes wrong: reversa new "Total is wrong" -c checkout')
    return out
