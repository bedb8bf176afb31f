"""A layered layout in whole pixels: columns by longest path, few crossings, components packed on shelves.

The same input gives the same output: everything runs in the order of keys, and no randomness or clock enters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from reversa.views.routes import GAP_X, Box, Chain, Lane, Route, route

GAP_Y = 16
GAP_PARTS = 36
GAP_LONE = 12
_LANE = 16
_SWEEPS = 6


@dataclass(frozen=True, slots=True)
class Arc:
    """An edge to draw: its ends and the length of its label in pixels."""

    source: str
    target: str
    label: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where everything is; `routes` are in the order of the arcs, nodes without arcs lie below all others."""

    width: int
    height: int
    boxes: Mapping[str, Box]
    routes: Sequence[Route]


@dataclass
class _Part:
    """A connected component: columns of nodes and lanes from left to right, then the place of each."""

    columns: list[list[str]]
    chains: list[Chain]
    size: Mapping[str, tuple[int, int]]
    centre: dict[str, float] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    width: int = 0
    height: int = 0


def lay_out(sizes: Mapping[str, tuple[int, int]], arcs: Sequence[Arc], width: int) -> Drawing:
    """Place nodes of given width and height; `width` is how wide the drawing should be where that is possible."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from((arc.source, arc.target) for arc in arcs)
    members = sorted((sorted(part) for part in nx.connected_components(graph)), key=lambda part: (-len(part), part))
    parts = [_part(part, arcs, sizes) for part in members]
    boxes: dict[str, Box] = {}
    routes: dict[int, Route] = {}
    right, y = _shelves(parts, width, boxes, routes)
    lone = [key for key in sorted(sizes) if key not in graph]
    if lone:
        right, y = _grid(lone, sizes, max(width, right), y + GAP_PARTS if parts else y, right, boxes)
    return Drawing(right, y, boxes, [routes[index] for index in range(len(arcs))])


def _part(members: Sequence[str], arcs: Sequence[Arc], sizes: Mapping[str, tuple[int, int]]) -> _Part:
    inside = set(members)
    own = [(index, arc) for index, arc in enumerate(arcs) if arc.source in inside]
    layer = _layers(members, [arc for _, arc in own])
    size = {key: sizes[key] for key in members}
    columns: list[list[str]] = [[] for _ in range(max(layer.values()) + 1)]
    for key in members:
        columns[layer[key]].append(key)
    chains = []
    for index, arc in own:
        low, high = sorted((arc.source, arc.target), key=lambda key: layer[key])
        chain = [low]
        for column in range(layer[low] + 1, layer[high]):
            lane = f"{index}/{column}"  # no ID holds a slash
            size[lane] = (0, _LANE)
            columns[column].append(lane)
            chain.append(lane)
        chains.append(Chain(index, [*chain, high], low != arc.source, arc.label))
    part = _Part(columns, chains, size)
    _order(part)
    _place(part)
    return part


def _layers(members: Sequence[str], arcs: Sequence[Arc]) -> dict[str, int]:
    """Give each node its column: one more than the last of those that point at it; knots are cut by ID."""
    import networkx as nx

    directed: nx.DiGraph[str] = nx.DiGraph()
    directed.add_nodes_from(members)
    directed.add_edges_from(sorted((arc.source, arc.target) for arc in arcs))
    knot = nx.condensation(directed).graph["mapping"]
    acyclic: nx.DiGraph[str] = nx.DiGraph()
    acyclic.add_nodes_from(members)
    for source, target in directed.edges:
        acyclic.add_edge(*(sorted((source, target)) if knot[source] == knot[target] else (source, target)))
    layer: dict[str, int] = {}
    for key in nx.lexicographical_topological_sort(acyclic):
        layer[key] = max((layer[before] + 1 for before in acyclic.predecessors(key)), default=0)
    for key in reversed(list(layer)):  # what nothing points at moves next to what it points at
        after = [layer[other] for other in acyclic.successors(key)]
        if after and not acyclic.in_degree(key):
            layer[key] = min(after) - 1
    return layer


def _neighbours(part: _Part) -> dict[str, list[list[str]]]:
    """Give each member's neighbours to the left and to the right."""
    near: dict[str, list[list[str]]] = {key: [[], []] for column in part.columns for key in column}
    for chain in part.chains:
        for before, after in pairwise(chain.keys):
            near[before][1].append(after)
            near[after][0].append(before)
    return near


def _order(part: _Part) -> None:
    """Sort columns by the mean place of neighbours, from the left and from the right in turn."""
    near = _neighbours(part)
    place = {key: index / len(column) for column in part.columns for index, key in enumerate(column)}
    for sweep in range(_SWEEPS):
        side = sweep % 2
        for column in part.columns if side == 0 else reversed(part.columns):
            mean = {
                key: sum(place[other] for other in near[key][side]) / len(near[key][side])
                if near[key][side]
                else place[key]
                for key in column
            }
            column.sort(key=lambda key: (mean[key], key))
            place.update((key, (index + 0.5) / len(column)) for index, key in enumerate(column))


def _place(part: _Part) -> None:
    """Give every member a height near its neighbours' without overlap, and every column its left edge."""
    near = _neighbours(part)
    for column in part.columns:
        part.centre.update(zip(column, _apart([0.0] * len(column), column, part), strict=True))
    for sweep in range(_SWEEPS):
        for column in part.columns if sweep % 2 == 0 else reversed(part.columns):
            wanted = []
            for key in column:
                others = [part.centre[other] for side in near[key] for other in side]
                wanted.append(sum(others) / len(others) if others else part.centre[key])
            part.centre.update(zip(column, _apart(wanted, column, part), strict=True))
    top = min(part.centre[key] - part.size[key][1] / 2 for column in part.columns for key in column)
    for key in part.centre:
        part.centre[key] -= top
    part.height = round(max(part.centre[key] + part.size[key][1] / 2 for key in part.centre))
    x = 0
    for column in part.columns:
        part.left.append(x)
        x += max(part.size[key][0] for key in column) + GAP_X
    part.width = x - GAP_X


def _apart(wanted: Sequence[float], column: Sequence[str], part: _Part) -> list[float]:
    """Move centres as little as possible (least squares) so that neighbours in a column keep their distance."""
    offsets = [0.0]
    for before, after in pairwise(column):
        offsets.append(offsets[-1] + (part.size[before][1] + part.size[after][1]) / 2 + GAP_Y)
    blocks: list[list[float]] = []  # sum and count of members that are pushed against each other
    for value, offset in zip(wanted, offsets, strict=True):
        blocks.append([value - offset, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    flat = [total / count for total, count in blocks for _ in range(int(count))]
    return [value + offset for value, offset in zip(flat, offsets, strict=True)]


def _shelves(parts: Sequence[_Part], width: int, boxes: dict[str, Box], routes: dict[int, Route]) -> tuple[int, int]:
    """Put parts side by side while they fit, then below; give the right and the lower edge."""
    x = y = shelf = right = 0
    for part in sorted(parts, key=lambda part: -part.height):
        if x and x + part.width > width:
            x, y, shelf = 0, y + shelf + GAP_PARTS, 0
        _set_down(part, x, y, boxes, routes)
        right = max(right, x + part.width)
        x += part.width + GAP_PARTS
        shelf = max(shelf, part.height)
    return right, y + shelf


def _set_down(part: _Part, x: int, y: int, boxes: dict[str, Box], routes: dict[int, Route]) -> None:
    lanes: dict[str, Lane] = {}
    for left, column in zip(part.left, part.columns, strict=True):
        wide = max(part.size[key][0] for key in column)
        for key in column:
            w, h = part.size[key]
            middle = round(part.centre[key])
            lanes[key] = Lane(x + left, x + left + wide, y + middle)
            if w:
                boxes[key] = Box(x + left, y + middle - h // 2, w, h)
    routes.update(route(part.chains, lanes, boxes))


def _grid(
    keys: Sequence[str], sizes: Mapping[str, tuple[int, int]], width: int, y: int, right: int, boxes: dict[str, Box]
) -> tuple[int, int]:
    x = row = 0
    for key in keys:
        w, h = sizes[key]
        if x and x + w > width:
            x, y, row = 0, y + row + GAP_LONE, 0
        boxes[key] = Box(x, y, w, h)
        right, row = max(right, x + w), max(row, h)
        x += w + GAP_LONE
    return right, y + row
