"""Leases: who works on which bug, and until when; they stand beside the registry and never in it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reversa.core.bug import Bug, Registry, read_id
from reversa.errors import UsageError

DEFAULT = dt.timedelta(hours=4)
LONGEST = dt.timedelta(days=30)
"""Whoever needs a bug for longer renews the lease; one that nobody renews must not block it for ever."""

NAME_LENGTH = 60

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_DURATION = re.compile(r"([0-9]{1,6})([mhd])")


@dataclass(frozen=True, slots=True)
class Lease:
    """A bug's upper-case ID, who holds it, until when (aware), and the worktree from which it was taken."""

    bug: str
    by: str
    until: dt.datetime
    tree: str = ""

    def to_json(self) -> dict[str, str]:
        """Give what machines are told: the holder and the end, in UTC."""
        return {"by": self.by, "until": _moment(self.until)}

    def stored(self) -> dict[str, str]:
        """Give the lease as it stands in the file."""
        return {"bug": self.bug, **self.to_json(), "tree": self.tree}

    def end(self, zone: dt.tzinfo | None) -> str:
        """Give the end for people, to the minute in their time zone."""
        return self.until.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def read(entry: Any) -> Lease | None:
    """Read a stored lease; None for anything that is none."""
    if not isinstance(entry, Mapping):
        return None
    bug, by, until, tree = (entry.get(key) for key in ("bug", "by", "until", "tree"))
    if not (isinstance(bug, str) and isinstance(by, str) and isinstance(until, str) and isinstance(tree, str)):
        return None
    try:
        end = dt.datetime.fromisoformat(until).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
    if read_id(bug) != bug or not by.strip() or not by.isprintable() or len(by) > NAME_LENGTH:
        return None
    return Lease(bug.upper(), by, end, tree)


def live(held: Iterable[Lease], registry: Registry, tree: str, now: dt.datetime) -> dict[str, Lease]:
    """Give the leases that hold, by upper-case ID: not expired, and not of a bug that is resolved or gone.

    A bug that this worktree does not know may be another worktree's: only a lease taken from `tree` is dropped for it.
    """
    out: dict[str, Lease] = {}
    for lease in held:
        bugs = registry.by_key.get(lease.bug, [])
        gone = not bugs and lease.tree == tree
        done = bool(bugs) and all(bug.status == "resolved" for bug in bugs)
        if lease.until > now and not gone and not done:
            out[lease.bug] = lease
    return out


def take(bug: Bug, by: str, term: dt.timedelta, tree: str, now: dt.datetime) -> Lease:
    """Make a lease that begins now; raises UsageError where it would end beyond the calendar."""
    try:
        return Lease(bug.key, by, (now + term).astimezone(dt.UTC).replace(microsecond=0), tree)
    except OverflowError:
        raise UsageError(f"A lease from {now:%Y-%m-%d} would end beyond the calendar.") from None


def term(text: str) -> dt.timedelta:
    """Read a duration such as 30m, 4h or 2d; raises UsageError."""
    match = _DURATION.fullmatch(text.strip())
    length = dt.timedelta(**{_UNITS[match[2]]: int(match[1])}) if match else dt.timedelta()
    if not dt.timedelta() < length <= LONGEST:
        raise UsageError(f"--for {text!r} is no length of a lease.", "For example: --for 30m, 4h or 2d; 30d at most.")
    return length


def holder(option: str, text: str) -> str:
    """Give the name of whoever holds leases on one line; raises UsageError for what is no name."""
    name = " ".join(text.split())
    if not name or not name.isprintable() or len(name) > NAME_LENGTH:
        raise UsageError(
            f"{option} {text[:NAME_LENGTH]!r} is no name.", f"One line of at most {NAME_LENGTH} characters."
        )
    return name


def _moment(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds")
