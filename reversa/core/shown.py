"""What views may show of a registry: restricted bugs leave no trace, invalid ones an ID and a code (registry.md 10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reversa.core import graph
from reversa.core.bug import Bug, Registry
from reversa.core.graph import Edge
from reversa.core.record import leads, tells


@dataclass(frozen=True, slots=True)
class Unshown:
    """A bug of which views say no more than this; `codes` are the errors that make it invalid."""

    id: str
    context: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """The bugs and edges of a registry that views may draw; everything is sorted by ID.

    `edges` are those that shown bugs declare, each once, to shown bugs, to invalid ones and to bugs set aside;
    `hidden` the upper-case IDs of restricted bugs; `names` the ID as written of every end of an edge.
    """

    bugs: tuple[Bug, ...]
    restricted: tuple[Unshown, ...]
    invalid: tuple[Unshown, ...]
    edges: tuple[Edge, ...]
    hidden: frozenset[str]
    names: Mapping[str, str]

    @cached_property
    def by_key(self) -> dict[str, Bug]:
        """The shown bugs by upper-case ID."""
        return {bug.key: bug for bug in self.bugs}

    @cached_property
    def proven(self) -> tuple[Edge, ...]:
        """The edges that count: supported or confirmed, both ends shown."""
        known = self.by_key
        return tuple(edge for edge in self.edges if edge.relation.proven and edge.target in known)

    @cached_property
    def impact(self) -> dict[str, int]:
        """The score of every open or active shown bug, by upper-case ID."""
        return graph.impact(self.bugs, self.edges)

    @cached_property
    def degrees(self) -> Counter[str]:
        """How many edges that count each bug has, by upper-case ID."""
        return Counter(end for edge in self.proven for end in (edge.source, edge.target))

    @cached_property
    def clusters(self) -> list[list[str]]:
        """The groups of bugs that supported and confirmed edges connect, over all contexts."""
        return graph.clusters(self.by_key, self.proven)

    @cached_property
    def clusters_of(self) -> dict[str, list[list[str]]]:
        """The clusters by the contexts of their members; views of a context ask for theirs alone."""
        out: dict[str, list[list[str]]] = {}
        for cluster in self.clusters:
            for context in sorted({self.by_key[key].context for key in cluster}):
                out.setdefault(context, []).append(cluster)
        return out

    @cached_property
    def proven_from(self) -> dict[str, list[Edge]]:
        """The edges that count by the bug that declares them, in their order."""
        out: dict[str, list[Edge]] = {}
        for edge in self.proven:
            out.setdefault(edge.source, []).append(edge)
        return out

    @cached_property
    def shared_numbers(self) -> frozenset[int]:
        """The display numbers that more than one shown bug has."""
        counts = Counter(bug.number for bug in self.bugs if bug.number is not None)
        return frozenset(number for number, count in counts.items() if count > 1)

    def tells(self, text: str) -> bool:
        """Whether a text holds the ID of a restricted bug, as the path of its addendum does."""
        return tells(text, self.hidden)

    def leads(self, entry: Any) -> bool:
        """Whether an entry of a list leads to a restricted bug, as evidence out of its folder does."""
        return leads(entry, self.hidden)

    def number(self, bug: Bug) -> str:
        """Give the display number as people see it: with a star when it is shared, "" when there is none."""
        if bug.number is None:
            return ""
        return f"{bug.number}*" if bug.number in self.shared_numbers else str(bug.number)

    def name(self, key: str) -> str:
        """Give the ID behind an upper-case ID as its record writes it."""
        return self.names.get(key, key)


def of(registry: Registry, invalid: Mapping[str, tuple[str, ...]]) -> Shown:
    """Decide what is shown; `invalid` maps the path of a bug with errors to their codes.

    A restricted ID is restricted wherever it occurs, so a bug that shares it is listed as restricted too.
    """
    hidden = frozenset(bug.key for bug in (*registry.bugs, *registry.set_aside) if bug.restricted and bug.key)
    shown: list[Bug] = []
    restricted: list[Unshown] = []
    broken: list[Unshown] = []
    for bug in registry.bugs:
        if bug.restricted or bug.key in hidden:
            restricted.append(Unshown(bug.id, bug.context))
        elif bug.path in invalid or not bug.readable:
            broken.append(Unshown(bug.id, bug.context, tuple(sorted(set(invalid.get(bug.path, ()))))))
        else:
            shown.append(bug)
    names = {key: bugs[0].id for key, bugs in registry.by_key.items() if key not in hidden}
    return Shown(
        tuple(shown),
        tuple(restricted),
        tuple(broken),
        tuple(_edges(registry, shown, hidden)),
        hidden,
        names,
    )


def _edges(registry: Registry, shown: Iterable[Bug], hidden: frozenset[str]) -> list[Edge]:
    paths = {bug.path for bug in shown}
    stored = [
        edge
        for edge in graph.edges(registry.graph)
        if edge.owner.path in paths and edge.target not in hidden and edge.target in registry.by_key
    ]
    return sorted(graph.distinct(stored), key=lambda edge: (edge.source, edge.target, edge.type))
