"""What the worktrees of a clone tell each other beside the records: small tables under git's common directory.

They are conveniences and never committed: a lost, foreign or broken file is read as an empty one, and the next write
replaces it. Whoever writes holds the registry lock.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.errors import Surroundings
from reversa.store import lock, write
from reversa.store.layout import Layout
from reversa.store.raw import read_bytes

SCHEMA = "reversa-clone/1"


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it was read: what it says of this registry (None: nothing), and what was wrong with the file."""

    path: Path
    in_git: bool
    before: bytes
    registries: dict[str, Any]
    key: str
    fault: str = ""

    @property
    def value(self) -> Any:
        return self.registries.get(self.key)

    def encoded(self, value: Any) -> bytes:
        """Give the bytes of the file with another value for this registry; those of others stay."""
        body = {"schema": SCHEMA, "registries": {**self.registries, self.key: value}}
        return (json.dumps(body, indent=1, sort_keys=True) + "\n").encode()


def read(layout: Layout, name: str) -> Table:
    """Read a table; raises Surroundings only where there is no place for one."""
    place = lock.shared_place(layout)
    path, key = place.path(name), layout.from_git_root(layout.root)
    try:
        before = read_bytes(str(path))
    except FileNotFoundError:
        return Table(path, place.in_git, b"", {}, key)
    except OSError as error:
        return Table(path, place.in_git, b"", {}, key, f"{path} cannot be read ({error.strerror or error})")
    registries = _registries(before)
    if registries is None:
        return Table(path, place.in_git, before, {}, key, f"{path} is not what reversa wrote")
    return Table(path, place.in_git, before, registries, key)


def put(table: Table, value: Any) -> None:
    """Write what a table says of this registry; raises Surroundings."""
    write.put(table.path, table.encoded(value))


def try_put(table: Table, value: Any) -> str:
    """Write it where that can be done; gives why not, or nothing."""
    try:
        put(table, value)
    except Surroundings as error:
        return error.message
    return ""


def _registries(data: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return None
    found = body.get("registries") if isinstance(body, dict) and body.get("schema") == SCHEMA else None
    return found if isinstance(found, dict) else None
