"""What can be read off a cluster: its central bug, the longest chain of causes, an order in which to work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reversa.core.graph import Edge
from reversa.core.query import urgency
from reversa.core.shown import Shown
from reversa.views.scene import Scene

if TYPE_CHECKING:
    import networkx as nx

_FIRST = ("caused-by", "blocked-by")


@dataclass(frozen=True, slots=True)
class Reading:
    """A cluster read; all members are upper-case IDs. `chain` runs from the last effect to the first cause."""

    members: tuple[str, ...]
    centre: str
    contexts: tuple[str, ...]
    unresolved: int
    chain: tuple[str, ...]
    order: tuple[str, ...]


def readings(scene: Scene) -> list[Reading]:
    """Read the clusters that hold a bug of the context; a cluster is read once, however many views and contexts ask."""
    kept: dict[str, Reading] = scene.shown.__dict__.setdefault("_readings", {})  # as `cached_property` keeps its value
    out = []
    for cluster in clusters(scene):
        if cluster[0] not in kept:
            kept[cluster[0]] = read(cluster, scene.shown)
        out.append(kept[cluster[0]])
    return out


def read(cluster: Sequence[str], shown: Shown) -> Reading:
    """Read one cluster; only supported and confirmed edges enter."""
    edges = [edge for key in sorted(cluster) for edge in shown.proven_from.get(key, ())]
    unresolved = [key for key in cluster if shown.by_key[key].status != "resolved"]
    return Reading(
        tuple(cluster),
        central(cluster, shown),
        tuple(sorted({shown.by_key[key].context for key in cluster})),
        len(unresolved),
        chain(edges),
        order(unresolved, edges, shown),
    )


def clusters(scene: Scene) -> list[list[str]]:
    """Give the clusters that hold a bug of the context."""
    shown = scene.shown
    return shown.clusters if scene.context is None else shown.clusters_of.get(scene.context, [])


def prepare(
    found: Reading, scene: Scene, reference: Callable[[str], Any], escaped: Callable[[str], str]
) -> dict[str, Any]:
    """Prepare a reading for a template; `reference` makes a link of an ID, `escaped` a text of free text."""
    return {
        "centre": reference(found.centre),
        "bugs": len(found.members),
        "impact": scene.shown.impact.get(found.centre, 0),
        "contexts": [escaped(name) for name in found.contexts],
        "unresolved": found.unresolved,
        "members": [reference(key) for key in found.members],
        "chain": [reference(key) for key in found.chain],
        "order": [reference(key) for key in found.order],
    }


def central(cluster: Iterable[str], shown: Shown) -> str:
    """Give the member with the highest impact, among equals the one with most edges, then the lowest ID."""
    return min(cluster, key=lambda key: (-shown.impact.get(key, 0), -shown.degrees[key], key))


def chain(edges: Iterable[Edge]) -> tuple[str, ...]:
    """Give the longest chain of `caused-by`, effect first; () where nothing is caused. A knot counts as one link."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from(sorted((edge.source, edge.target) for edge in edges if edge.type == "caused-by"))
    if not graph:
        return ()
    knots = nx.condensation(graph)
    first = {node: min(data["members"]) for node, data in knots.nodes(data=True)}
    best: dict[int, tuple[str, ...]] = {}
    for node in reversed(list(nx.topological_sort(knots))):
        onward = [best[after] for after in knots.successors(node)]
        longest = min(onward, key=lambda path: (-len(path), path), default=())
        best[node] = (first[node], *longest)
    return min(best.values(), key=lambda path: (-len(path), path))


def order(unresolved: Sequence[str], edges: Iterable[Edge], shown: Shown) -> tuple[str, ...]:
    """Suggest an order: causes and blockers before what hangs on them, else the most urgent first."""
    import networkx as nx

    wanted = set(unresolved)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(wanted))
    graph.add_edges_from(
        sorted(
            (edge.target, edge.source)
            for edge in edges
            if edge.type in _FIRST and edge.source in wanted and edge.target in wanted
        )
    )
    knots = nx.condensation(graph)
    ranked = {
        node: sorted(data["members"], key=lambda key: urgency(shown.by_key[key]))
        for node, data in knots.nodes(data=True)
    }
    done = nx.lexicographical_topological_sort(knots, key=lambda node: urgency(shown.by_key[ranked[node][0]]))
    return tuple(key for node in done for key in ranked[node])
