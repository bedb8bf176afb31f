"""graph.md: the causal graph as a mermaid diagram that GitHub renders, what can be read off it, and the scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from reversa.core.bug import Bug
from reversa.core.fields import SYMMETRIC, UNCLASSIFIED
from reversa.core.graph import Edge
from reversa.views.escape import markdown, mermaid
from reversa.views.reading import prepare, readings
from reversa.views.scene import References, Scene

MAX_EDGES = 450
MAX_CHARACTERS = 45_000
LARGE = 50
TOP = 10
_TITLE = 60
_ARROWS = {(False, False): "-->", (False, True): "<-->", (True, False): "-.->", (True, True): "<-.->"}


def context(scene: Scene) -> dict[str, Any]:
    """Give the diagram's lines, what did not fit, the clusters' readings and the scores."""
    links = References(scene)
    drawn = [edge for edge in scene.edges if edge.state != "rejected"]
    proposed = [edge for edge in drawn if edge.state == "proposed"]
    diagram = _diagram(scene, [edge for edge in drawn if edge.state != "proposed"] + proposed)
    touched = {end for edge in drawn for end in (edge.source, edge.target)}
    scored = sorted(scene.unresolved, key=lambda bug: (-scene.shown.impact[bug.key], bug.key))
    large = len(scene.bugs) > LARGE
    groups = sorted(diagram.groups.items())
    out = {
        "title": markdown(scene.context or ""),
        "groups": [(mermaid(area), sorted(lines)) for area, lines in groups] if large else [],
        "nodes": [] if large else sorted(line for _, lines in groups for line in lines),
        "edges": diagram.edges,
        "left_out": len(drawn) - len(diagram.edges),
        "lone": large and any(bug.key not in touched for bug in scene.bugs),
        "clusters": [prepare(reading, scene, links, markdown) for reading in readings(scene)],
        "proposed": [_proposed(edge, scene, links) for edge in proposed],
        "top": TOP if large else 0,
        "impact": [_score(bug, scene, links) for bug in (scored[:TOP] if large else scored)],
    }
    return out | {"links": links.definitions()}


@dataclass
class _Diagram:
    """A diagram that grows while it stays inside what GitHub renders; `groups` are lines of nodes by area."""

    groups: dict[str, list[str]] = field(default_factory=dict)
    edges: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    size: int = 1_000

    def add(self, nodes: Iterable[tuple[str, str, str]], edge: str = "") -> bool:
        """Add an edge with those of its nodes (key, area, line) that are new, or nothing when it does not fit."""
        fresh = [node for node in nodes if node[0] not in self.known]
        opened = {area for _, area, _ in fresh} - self.groups.keys()
        cost = sum(len(line) + 8 for _, _, line in fresh) + sum(2 * len(area) + 60 for area in opened)
        cost += len(edge) + 4 if edge else 0
        if self.size + cost > MAX_CHARACTERS or (edge and len(self.edges) >= MAX_EDGES):
            return False
        self.size += cost
        for key, area, line in fresh:
            self.known.add(key)
            self.groups.setdefault(area, []).append(line)
        if edge:
            self.edges.append(edge)
        return True


def _diagram(scene: Scene, edges: list[Edge]) -> _Diagram:
    """Draw proven edges first; a small context also shows its bugs without edges."""
    diagram = _Diagram()
    if len(scene.bugs) <= LARGE:
        for bug in scene.bugs:
            diagram.add([_node(bug.key, scene)])
    for edge in edges:
        arrow = _ARROWS[edge.state == "proposed", edge.type in SYMMETRIC]
        line = f"{_alias(edge.source)} {arrow}|{mermaid(edge.type)}| {_alias(edge.target)}"
        diagram.add([_node(edge.source, scene), _node(edge.target, scene)], line)
    return diagram


def _alias(key: str) -> str:
    return key.replace("-", "_")


def _node(key: str, scene: Scene) -> tuple[str, str, str]:
    """Give a node's key, area and line; a bug that is not shown has its ID alone."""
    bug = scene.shown.by_key.get(key)
    if bug is None:
        return key, UNCLASSIFIED, f'{_alias(key)}["{scene.shown.name(key)}"]'
    elsewhere = f" ({mermaid(scene.foreign(key))})" if scene.foreign(key) else ""
    label = f"{bug.id} {bug.status}{elsewhere}: {mermaid(bug.title, _TITLE)}"
    return key, bug.area or UNCLASSIFIED, f'{_alias(key)}["{label}"]:::{bug.status}'


def _proposed(edge: Edge, scene: Scene, links: References) -> dict[str, str]:
    return {
        "source": links(edge.source),
        "type": markdown(edge.type),
        "target": links(edge.target),
        "context": markdown(scene.foreign(edge.target)),
    }


def _score(bug: Bug, scene: Scene, links: References) -> dict[str, Any]:
    return {
        "id": links(bug.key),
        "impact": scene.shown.impact[bug.key],
        "priority": markdown(bug.priority),
        "severity": markdown(bug.severity),
        "title": markdown(bug.title),
    }
