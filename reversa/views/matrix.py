"""matrix.md: every edge of a context as a row of a sparse matrix, the rejected ones too."""

from __future__ import annotations

from typing import Any

from reversa.core.bug import text_at
from reversa.core.graph import Edge, inverse_of
from reversa.views.escape import markdown
from reversa.views.reading import central
from reversa.views.scene import References, Scene


def context(scene: Scene) -> dict[str, Any]:
    """Give the edges in groups: one a cluster, then those that belong to none, by state."""
    shown, links = scene.shown, References(scene)
    cluster_of = {key: cluster[0] for cluster in shown.clusters for key in cluster}
    proven = set(map(id, shown.proven))
    groups: dict[str, list[Edge]] = {}
    for edge in scene.edges:
        groups.setdefault(cluster_of[edge.source] if id(edge) in proven else edge.state, []).append(edge)
    clusters = [
        {"centre": links(central(cluster, shown)), "rows": _rows(groups[cluster[0]], scene, links)}
        for cluster in shown.clusters
        if cluster[0] in groups
    ]
    apart = {state: _rows(groups.get(state, []), scene, links) for state in ("proposed", "rejected")}
    undrawn = [edge for state in ("supported", "confirmed") for edge in groups.get(state, [])]
    out = {
        "title": markdown(scene.context or ""),
        "clusters": clusters,
        "undrawn": _rows(sorted(undrawn, key=lambda edge: edge.pair), scene, links),
        **apart,
    }
    return out | {"links": links.definitions()}


def _rows(edges: list[Edge], scene: Scene, links: References) -> list[dict[str, str]]:
    """Give declared edges of the context's bugs, and derived inverses where one of its bugs is pointed at."""
    mine = {bug.key for bug in scene.bugs}
    rows = []
    for edge in edges:
        if edge.source in mine:
            rows.append((edge.source, edge.target, 0, edge))
        if edge.target in mine and edge.state != "rejected":
            rows.append((edge.target, edge.source, 1, edge))
    return [_row(*row, scene, links) for row in sorted(rows, key=lambda row: (*row[:3], row[3].type))]


def _row(source: str, target: str, derived: int, edge: Edge, scene: Scene, links: References) -> dict[str, str]:
    proof = [item for item in edge.relation.evidence if not scene.shown.leads(item)]
    return {
        "source": links(source),
        "type": f"{inverse_of(edge.type)} (derived)" if derived else markdown(edge.type),
        "target": links(target),
        "context": markdown(scene.context_of(target)),
        "state": markdown(edge.state),
        "evidence": "" if derived else "; ".join(filter(None, (_evidence(item) for item in proof))),
    }


def _evidence(item: Any) -> str:
    if isinstance(item, str):
        return markdown(item)
    parts = [markdown(text_at(item, name)) for name in ("ref", "observation")]
    return ": ".join(filter(None, parts))
