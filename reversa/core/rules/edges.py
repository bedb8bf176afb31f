"""What the graph of a registry says about single edges, gathered once for all rules that ask."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reversa.core import graph
from reversa.core.bug import Bug, Registry, Relation
from reversa.core.fields import RELATION_TYPES
from reversa.core.graph import Edge
from reversa.core.rules.engine import once

SHOWN = 8
"""How many bugs of a cycle are named; a message is no list of thousands."""


REMOVE = "reversa update {suffix} --remove 'relationships[{index}]'"


def instead(relation: Relation) -> dict[str, Any]:
    """Take away by its place what link and unlink cannot name: an edge without a known type or without an ID."""
    fits = relation.type in RELATION_TYPES and relation.target
    return {"index": relation.index, "instead": "" if fits else REMOVE}


@dataclass(slots=True)
class Facts:
    """What is wrong with the edges that one bug declares.

    `cycles` has the first edge that lies on a cycle of duplicates, with the cycle from the bug and back; `copies` the
    edges that are stored elsewhere already, with the copy to keep: the best known, of equals a locked
    one, else the first.
    """

    self_edges: list[Relation] = field(default_factory=list)
    dangling: list[Relation] = field(default_factory=list)
    cycles: list[tuple[Relation, list[str]]] = field(default_factory=list)
    copies: list[tuple[Relation, Edge]] = field(default_factory=list)


_NOTHING = Facts()


def facts_of(bug: Bug, registry: Registry) -> Facts:
    """Give what the graph says about a bug's edges; without an edge the graph is not even built."""
    return _facts(registry).get(bug.path, _NOTHING) if bug.relations else _NOTHING


@once
def _facts(registry: Registry) -> Mapping[str, Facts]:
    out: dict[str, Facts] = {}
    if graph.is_plain(registry):
        return out
    stored = registry.graph
    for edge in graph.self_edges(stored):
        _of(out, edge).self_edges.append(edge.relation)
    for edge in graph.dangling(stored):
        _of(out, edge).dangling.append(edge.relation)
    same: dict[tuple[str, str, str], list[Edge]] = {}
    for edge in graph.edges(stored):
        if edge.source != edge.target and edge.type:
            same.setdefault(edge.pair, []).append(edge)
    for edges in same.values():
        [kept] = graph.distinct(sorted(edges, key=lambda edge: not edge.owner.locked))
        for edge in edges:
            if edge is not kept:
                _of(out, edge).copies.append((edge.relation, kept))
    for knot in graph.duplicate_cycles(stored):
        _add_cycles(out, knot, graph.edges(stored))
    return out


def _of(out: dict[str, Facts], edge: Edge) -> Facts:
    return out.setdefault(edge.owner.path, Facts())


def _add_cycles(out: dict[str, Facts], knot: list[str], stored: Iterable[Edge]) -> None:
    """Give every member of a knot a cycle that it lies on; members of one cycle share it."""
    members = set(knot)
    inside = [
        edge
        for edge in stored
        if edge.type == "duplicate-of"
        and edge.state != "rejected"
        and edge.source in members
        and edge.target in members
        and edge.source != edge.target
    ]
    next_: dict[str, list[str]] = {}
    for edge in inside:
        next_.setdefault(edge.source, []).append(edge.target)
    place: dict[str, tuple[list[str], int]] = {}
    for key in knot:
        if key not in place:
            cycle = _cycle(key, next_)
            for index, member in enumerate(cycle):
                place.setdefault(member, (cycle, index))
    told: set[str] = set()
    for edge in inside:
        cycle, index = place[edge.source]
        if edge.owner.path not in told and edge.target == cycle[(index + 1) % len(cycle)]:
            told.add(edge.owner.path)
            _of(out, edge).cycles.append((edge.relation, _path(cycle, index)))
    for edge in inside:  # of several records with one ID, one may hold only an edge that the cycle does not use
        if edge.owner.path not in told:
            told.add(edge.owner.path)
            cycle, index = place[edge.source]
            _of(out, edge).cycles.append((edge.relation, _path(cycle, index)))


def _cycle(start: str, next_: Mapping[str, list[str]]) -> list[str]:
    """Give a shortest cycle through an ID that is known to lie on one, without the return to the start."""
    came: dict[str, str] = {}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for target in next_[at]:
            if target == start:
                back = [at]
                while back[-1] != start:
                    back.append(came[back[-1]])
                return back[::-1]
            if target not in came:
                came[target] = at
                queue.append(target)
    return [start]


def _path(cycle: list[str], index: int) -> list[str]:
    length = len(cycle)
    names = [cycle[(index + step) % length] for step in range(min(length, SHOWN))]
    return [*names, *([f"{length - SHOWN} more"] if length > SHOWN else []), cycle[index]]
