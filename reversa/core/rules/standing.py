"""Where a bug stands, read once for the many rules that ask."""

from __future__ import annotations

from typing import NamedTuple

from reversa.core.bug import Bug, Registry, read_id, text_at
from reversa.core.document import Route, get
from reversa.core.rules.engine import once


class Standing(NamedTuple):
    """Status and kind of resolution as written, and whether the closure is satisfied."""

    status: str
    kind: str
    satisfied: bool

    @property
    def resolved(self) -> bool:
        return self.status == "resolved"


@once
def standing(bug: Bug) -> Standing:
    """Give where a bug stands."""
    return Standing(bug.status, bug.resolution_kind, bug.satisfied)


def first_there(bug: Bug, *routes: Route) -> Route:
    """Give the first of these routes that the record has, so that a finding points at something; else the first."""
    return next((route for route in routes if get(bug.data, *route) is not None), routes[0])


def is_resolved(bug: Bug) -> bool:
    """Whether the status is resolved."""
    return standing(bug).resolved


def is_fixed(bug: Bug) -> bool:
    """Whether the kind of resolution is fixed, at any status."""
    return standing(bug).kind == "fixed"


def veiled(text: str, registry: Registry) -> str:
    """Give a text that names a bug; of one that may be restricted the ID alone, without the slug behind it."""
    own = read_id(text)
    return own if any(bug.veiled for bug in registry.by_key.get(own.upper(), ())) else text


def edges_of(bug: Bug) -> object:
    """The edges that the bug declares."""
    return bug.relations


def obstacles_of(bug: Bug) -> object:
    """The entries of its `blocking`."""
    return bug.blockers


@once
def change_ids(bug: Bug) -> list[str]:
    """The IDs of its changes as written, "" for one without."""
    return [text_at(change, "id") for change in bug.maps("change_set")]
