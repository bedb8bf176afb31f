"""The order of work that `next` gives: what decides it, and which of these things decided each place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reversa.core.bug import Bug
from reversa.core.fields import PRIORITIES, SEVERITIES
from reversa.core.query import rank

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_NO_DAY = "9999-99-99"
_NO_NUMBER = 10**9


@dataclass(frozen=True, slots=True)
class Place:
    """A bug with what the order asks of it; `impact` is its score of registry.md 4."""

    bug: Bug
    blocked: bool
    impact: int

    @property
    def born(self) -> str:
        """The day it was registered, "" where the record names none."""
        found = _DAY.match(self.bug.created)
        return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that orders: the smaller `key` goes first; `wins` and `loses` stand between the two values."""

    name: str
    key: Callable[[Place], Any]
    shown: Callable[[Place], str]
    wins: str = "over"
    loses: str = "under"


CRITERIA = (
    Criterion("blocking", lambda place: place.blocked, lambda place: "blocked" if place.blocked else "not blocked"),
    Criterion("priority", lambda place: rank(PRIORITIES, place.bug.priority), lambda place: place.bug.priority),
    Criterion("impact", lambda place: -place.impact, lambda place: str(place.impact)),
    Criterion("severity", lambda place: rank(SEVERITIES, place.bug.severity), lambda place: place.bug.severity),
    Criterion("age", lambda place: place.born or _NO_DAY, lambda place: place.born, "before", "after"),
    Criterion(
        "number",
        lambda place: _NO_NUMBER if place.bug.number is None else place.bug.number,
        lambda place: "" if place.bug.number is None else str(place.bug.number),
        "before",
        "after",
    ),
    Criterion("ID", lambda place: place.bug.key, lambda place: place.bug.id, "before", "after"),
    Criterion("path", lambda place: place.bug.path, lambda place: place.bug.path, "before", "after"),
)
"""What the order goes by, the weightiest first; the last three leave nothing to chance."""


def arrange(places: Iterable[Place]) -> list[Place]:
    """Order bugs: unblocked first, then priority, impact, severity, age; what is unknown comes last."""
    return sorted(places, key=lambda place: tuple(criterion.key(place) for criterion in CRITERIA))


def reasons(arranged: Sequence[Place]) -> list[str]:
    """Say in a clause for each place what put it before the next one; the last says why it comes after."""
    if len(arranged) < 2:
        return ["the only one" for _ in arranged]
    return [*(_before(first, second) for first, second in pairwise(arranged)), _after(arranged[-1], arranged[-2])]


def _before(first: Place, second: Place) -> str:
    by = _decided(first, second)
    if by.name == "blocking":
        return f"before {_short(second)}, which is blocked"
    return f"before {_short(second)} by {by.name}: {_value(by, first)} {by.wins} {_value(by, second)}"


def _after(last: Place, previous: Place) -> str:
    by = _decided(previous, last)
    if by.name == "blocking":
        return f"after {_short(previous)}, because it is blocked"
    return f"after {_short(previous)} by {by.name}: {_value(by, last)} {by.loses} {_value(by, previous)}"


def _value(by: Criterion, place: Place) -> str:
    return by.shown(place) or "none"


def _decided(first: Place, second: Place) -> Criterion:
    """Give the first criterion that tells two places apart."""
    return next((one for one in CRITERIA if one.key(first) != one.key(second)), CRITERIA[-1])


def _short(place: Place) -> str:
    return place.bug.id[-4:] or place.bug.folder


def places(bugs: Iterable[Bug], blocked: Callable[[Bug], bool], impact: Mapping[str, int]) -> list[Place]:
    """Give the bugs with what the order asks of them; `impact` is by upper-case ID."""
    return [Place(bug, blocked(bug), impact.get(bug.key, 0)) for bug in bugs]
