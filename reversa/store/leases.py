"""The file of leases, which all worktrees of a clone share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reversa.core import lease
from reversa.core.lease import Lease
from reversa.errors import Surroundings
from reversa.store import clone
from reversa.store.layout import Layout

NAME = "leases.json"


@dataclass(frozen=True, slots=True)
class Held:
    """The stored leases of a registry, expired ones too, with what is to be said about the file."""

    leases: tuple[Lease, ...] = ()
    notes: tuple[str, ...] = ()
    table: clone.Table | None = None

    def encoded(self, leases: Mapping[str, Lease]) -> bytes:
        """Give the bytes of the file with other leases for this registry."""
        return self.table.encoded(_stored(leases.values())) if self.table else b""


def load(layout: Layout) -> Held:
    """Read the leases; a file that is lost, foreign or broken holds none, and a note says so."""
    try:
        table = clone.read(layout, NAME)
    except Surroundings as error:
        return Held(notes=(f"No lease can be seen: {error.message}",))
    entries = table.value if isinstance(table.value, list) else []
    found = tuple(one for one in map(lease.read, entries) if one is not None)
    fault = table.fault
    if not fault and (len(found) < len(entries) or (table.value is not None and not isinstance(table.value, list))):
        fault = f"{table.path} holds what is no lease"
    return Held(found, (f"{fault}; it is read without that, and the next claim replaces it.",) if fault else (), table)


def save(layout: Layout, held: Held, leases: Mapping[str, Lease]) -> None:
    """Write the leases that hold; the caller has the registry lock. Raises Surroundings."""
    clone.put(held.table or clone.read(layout, NAME), _stored(leases.values()))


def _stored(leases: Iterable[Lease]) -> list[dict[str, str]]:
    return [one.stored() for one in sorted(leases, key=lambda one: one.bug)]
