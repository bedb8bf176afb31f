"""The relationship graph: one networkx MultiDiGraph per registry, and what is read from it (registry.md 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reversa.core.fields import INVERSES, SYMMETRIC

if TYPE_CHECKING:
    import networkx as nx

    from reversa.core.bug import Bug, Registry, Relation


@dataclass(frozen=True, slots=True)
class Edge:
    """A declared edge between two IDs (upper case); `owner` is the bug that declares it."""

    source: str
    target: str
    relation: Relation
    owner: Bug

    @property
    def type(self) -> str:
        return self.relation.type

    @property
    def state(self) -> str:
        return self.relation.state

    @property
    def pair(self) -> tuple[str, str, str]:
        """What makes two stored edges the same one: type and ends, the ends unordered where the type is symmetric."""
        ends = sorted((self.source, self.target)) if self.type in SYMMETRIC else (self.source, self.target)
        return self.type, ends[0], ends[1]


def is_plain(registry: Registry) -> bool:
    """Whether no edge is odd in any way that a rule asks the graph about.

    No bug points at itself, at an ID that is not there, twice at the same, or, as a duplicate, at another duplicate. So
    it is in most registries on most days, and networkx, a fifth of the time that a check of 1,000 bugs takes, need not
    be imported to find nothing.
    """
    known, seen = registry.by_key, set()
    duplicates: set[str] = set()
    originals: set[str] = set()
    for bug in registry.bugs:
        for relation in bug.relations if bug.key else ():
            if not relation.target:
                continue
            edge = Edge(bug.key, relation.target, relation, bug)
            if edge.target == edge.source or edge.target not in known or edge.pair in seen:
                return False
            seen.add(edge.pair)
            if edge.type == "duplicate-of":
                duplicates.add(edge.source)
                originals.add(edge.target)
    return not duplicates & originals


def build(registry: Registry) -> nx.MultiDiGraph[str]:
    """Build the graph of all readable bugs: nodes are upper-case IDs, `known` marks those that the registry holds.

    Every stored relationship whose target holds an ID is one edge with the attribute `edge`; nothing is merged.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for key in sorted(registry.by_key):
        graph.add_node(key, known=True)
    for bug in registry.bugs:
        for relation in bug.relations if bug.key else ():
            if relation.target:
                graph.add_edge(
                    bug.key,
                    relation.target,
                    (bug.path, relation.index),
                    edge=Edge(bug.key, relation.target, relation, bug),
                )
    return graph


def edges(graph: Any) -> list[Edge]:
    """Give all stored edges, ordered by source, target, path and index."""
    found = [(data["edge"], key) for _, _, key, data in graph.edges(keys=True, data=True)]
    return [edge for edge, _ in sorted(found, key=lambda pair: (pair[0].source, pair[0].target, pair[1]))]


def self_edges(graph: Any) -> list[Edge]:
    """Give the edges from a bug to itself."""
    import networkx as nx

    return [data["edge"] for _, _, data in nx.selfloop_edges(graph, data=True)]


def dangling(graph: Any) -> list[Edge]:
    """Give the edges to an ID that the registry does not hold."""
    return [edge for edge in edges(graph) if not graph.nodes[edge.target].get("known")]


def duplicate_cycles(graph: Any) -> list[list[str]]:
    """Give the knots of `duplicate-of` edges, one sorted list of IDs per strongly connected component.

    Rejected edges are left out (registry.md 4). Components, never simple cycles: a 30-node knot has over a million.
    """
    import networkx as nx

    directed: nx.DiGraph[str] = nx.DiGraph()
    directed.add_edges_from(
        (edge.source, edge.target)
        for edge in edges(graph)
        if edge.type == "duplicate-of" and edge.state != "rejected" and edge.source != edge.target
    )
    knots = [sorted(component) for component in nx.strongly_connected_components(directed) if len(component) > 1]
    return sorted(knots)


def duplicate_path(graph: Any, source: str, target: str) -> list[str]:
    """Give a shortest path of `duplicate-of` edges between two IDs, or an empty list; rejected edges are left out."""
    import networkx as nx

    directed: nx.DiGraph[str] = nx.DiGraph()
    directed.add_nodes_from((source, target))
    directed.add_edges_from(
        (edge.source, edge.target) for edge in edges(graph) if edge.type == "duplicate-of" and edge.state != "rejected"
    )
    return list(nx.shortest_path(directed, source, target)) if nx.has_path(directed, source, target) else []


def distinct(stored: Iterable[Edge]) -> list[Edge]:
    """Keep each edge once: a second copy (symmetric: from either side) is drawn and scored once."""
    seen: dict[tuple[str, str, str], Edge] = {}
    for edge in stored:
        known = seen.get(edge.pair)
        if known is None or _RANK.get(edge.state, 0) > _RANK.get(known.state, 0):
            seen[edge.pair] = edge
    return list(seen.values())


_RANK = {"rejected": 1, "proposed": 2, "supported": 3, "confirmed": 4}


def inverse_of(type_: str) -> str:
    """Name the inverse of a relationship type; it exists in views alone and in no record."""
    return INVERSES.get(type_, f"inverse of {type_}")


def clusters(keys: Collection[str], proven: Iterable[Edge]) -> list[list[str]]:
    """Group IDs that supported or confirmed edges connect: sorted lists of two or more, sorted."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    wanted = set(keys)
    graph.add_edges_from((e.source, e.target) for e in proven if e.source in wanted and e.target in wanted)
    return sorted(sorted(part) for part in nx.connected_components(graph) if len(part) > 1)


WEIGHTS = {"caused-by": 3, "blocked-by": 2, "regression-of": 4, "related-to": 1}
RELATED_CAP = 3


def impact(bugs: Iterable[Bug], stored: Iterable[Edge]) -> dict[str, int]:
    """Score the open and active bugs among `bugs` by what they cause, block, broke again or touch.

    `bugs` are the valid, shown ones; an edge with any other end counts nowhere. Weights and the cap on related edges
    are those of registry.md 4. It is a triage heuristic and replaces neither priority nor severity.
    """
    shown = {bug.key: bug for bug in bugs}
    scores = {key: 0 for key, bug in shown.items() if bug.status in ("open", "active")}
    related = dict.fromkeys(scores, 0)
    for edge in distinct(stored):
        weight = WEIGHTS.get(edge.type, 0)
        if not weight or not edge.relation.proven or edge.source not in shown or edge.target not in shown:
            continue
        if edge.source == edge.target:
            continue
        if edge.type == "related-to":
            for end in (edge.source, edge.target):
                if end in related:
                    related[end] += weight
        elif edge.target in scores:
            scores[edge.target] += weight
        elif edge.type == "regression-of" and edge.source in scores:
            scores[edge.source] += weight
    return {key: score + min(related[key], RELATED_CAP) for key, score in scores.items()}
