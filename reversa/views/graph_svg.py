"""The graph of the page: nodes with text that fits, labelled lines, all with their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reversa.core.bug import Bug
from reversa.core.fields import SYMMETRIC
from reversa.core.graph import Edge
from reversa.views import fit
from reversa.views.escape import plain
from reversa.views.layout_svg import Arc, lay_out
from reversa.views.scene import Scene

WIDTH = 1260
_NODE = (212, 84)
_BARE = (212, 30)
_EDGE = 6  # room round the drawing, for borders
_PADDING = 12
_TITLE_SIZE = 12
_LABEL_SIZE = 11
_CHART = 112  # where the bars of a chart begin


def graph(scene: Scene) -> dict[str, Any]:
    """Give the drawing: bugs with edges in columns, the context's other bugs in rows below."""
    edges = [edge for edge in scene.edges if edge.state != "rejected"]
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    known = scene.shown.by_key
    lone = [bug.key for bug in scene.bugs if bug.key not in ends]
    sizes = {key: _NODE if key in known else _BARE for key in ends} | dict.fromkeys(lone, _BARE)
    arcs = [Arc(edge.source, edge.target, fit.width(edge.type, _LABEL_SIZE) + 8) for edge in edges]
    drawing = lay_out(sizes, arcs, WIDTH)
    nodes = []
    for key in sorted(sizes):
        box = drawing.boxes[key]
        node = {"x": box.x, "y": box.y, "w": box.w, "h": box.h}
        bug = known.get(key)
        nodes.append(node | (_node(bug, key in ends, scene) if bug else {"id": scene.shown.name(key), "href": ""}))
    return {
        "box": (-_EDGE, -_EDGE, drawing.width + 2 * _EDGE, drawing.height + 2 * _EDGE),
        "nodes": nodes,
        "lines": [_line(edge, found, scene) for edge, found in zip(edges, drawing.routes, strict=True)],
        "lone": len(lone),
    }


def _node(bug: Bug, connected: bool, scene: Scene) -> dict[str, Any]:
    """Describe a bug's node; all texts are cut to fit, the tooltip has them whole."""
    room = _NODE[0] - 2 * _PADDING
    title = plain(bug.title)
    foot = " · ".join(filter(None, (bug.status, plain(bug.priority), plain(bug.severity))))
    elsewhere = plain(scene.foreign(bug.key))
    number = scene.shown.number(bug)
    return {
        "id": bug.id,
        "href": scene.href(bug),
        "status": bug.status,
        "severity": bug.severity if bug.severity in ("critical", "high", "medium", "low") else "",
        "elsewhere": "".join(fit.wrap(elsewhere, room, _LABEL_SIZE, 1)),
        "number": f"#{number}" if number and len(number) < 6 else "",
        "title": fit.wrap(title, room, _TITLE_SIZE, 1 if elsewhere else 2) if connected else [],
        "foot": "".join(fit.wrap(foot, room, _LABEL_SIZE, 1)) if connected else "",
        "tip": f"{bug.id}: {title} ({' · '.join(filter(None, (foot, elsewhere)))})",
    }


def _line(edge: Edge, found: Any, scene: Scene) -> dict[str, Any]:
    name = scene.shown.name
    return {
        "path": found.path,
        "x": found.label_x,
        "y": found.label_y,
        "type": edge.type,
        "state": edge.state,
        "both": edge.type in SYMMETRIC,
        "tip": f"{name(edge.source)} {edge.type} {name(edge.target)} ({edge.state})",
        "ends": f"{name(edge.source)} {name(edge.target)}",
    }


def bars(counts: Sequence[tuple[str, int]], pixels: int) -> list[dict[str, Any]]:
    """Give the bars of a chart: the greatest count is `pixels` long, and what is not nothing is visible."""
    most = max((count for _, count in counts), default=0)
    return [
        {
            "label": "".join(fit.wrap(plain(label), _CHART, _TITLE_SIZE, 1)) or "–",
            "count": count,
            "length": max(2, count * pixels // most) if count else 0,
        }
        for label, count in counts
    ]
