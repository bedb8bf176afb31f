"""The lines of the drawn graph: where they leave and enter nodes, how they bend, where their labels find room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

GAP_X = 132
_PORT = 12
_MARGIN = 12
_LABEL_HEIGHT = 18
_PLACES = (0.5, 0.42, 0.58, 0.35, 0.65)
_TRIES = 24
_NUDGE = 5


@dataclass(frozen=True, slots=True)
class Box:
    """A node's place and size."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True, slots=True)
class Lane:
    """What a line meets in a column: the column's edges, and the height of a node's middle or of the line itself."""

    left: int
    right: int
    y: int


@dataclass(frozen=True, slots=True)
class Chain:
    """A line from column to column: the keys of its lanes, left to right; `backwards` when it points left."""

    index: int
    keys: Sequence[str]
    backwards: bool
    label: int


@dataclass(frozen=True, slots=True)
class Route:
    """A line as an SVG path from source to target, and the middle of its label."""

    path: str
    label_x: int
    label_y: int


@dataclass(frozen=True, slots=True)
class _Bend:
    """The part of a line in the gap between two columns."""

    x1: int
    y1: int
    x2: int
    y2: int

    def at(self, t: float) -> tuple[int, int]:
        """Give the point at a share of the curve, whose handles lie in the middle of the gap."""
        x = self.x1 + (self.x2 - self.x1) * (1.5 * t * (1 - t) + t**3)
        return round(x), round(self.y1 + (self.y2 - self.y1) * (3 * t**2 - 2 * t**3))


def route(chains: Iterable[Chain], lanes: Mapping[str, Lane], boxes: Mapping[str, Box]) -> dict[int, Route]:
    """Draw the lines of one component, by the index of their arc."""
    drawn = list(chains)
    ports = _ports(drawn, lanes, boxes)
    taken: dict[int, list[tuple[int, int, int]]] = {}
    out = {}
    for chain in drawn:
        bends = [
            _Bend(
                lanes[before].right,
                ports.get((chain.index, before), lanes[before].y),
                lanes[after].left,
                ports.get((chain.index, after), lanes[after].y),
            )
            for before, after in pairwise(chain.keys)
        ]
        x, y = _label(bends, chain.label, taken)
        out[chain.index] = Route(_path(bends, chain.backwards), x, y)
    return out


def _ports(chains: Sequence[Chain], lanes: Mapping[str, Lane], boxes: Mapping[str, Box]) -> dict[tuple[int, str], int]:
    """Spread the ends of lines over the side of a node, in the order of where they come from."""
    sides: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for chain in chains:
        first, second, last, before = chain.keys[0], chain.keys[1], chain.keys[-1], chain.keys[-2]
        sides.setdefault((first, 1), []).append((lanes[second].y, chain.index))
        sides.setdefault((last, 0), []).append((lanes[before].y, chain.index))
    out = {}
    for (key, _), ends in sides.items():
        box = boxes[key]
        step = min(_PORT, (box.h - _MARGIN) / max(1, len(ends) - 1))
        for place, (_, index) in enumerate(sorted(ends)):
            out[index, key] = round(box.y + box.h / 2 + (place - (len(ends) - 1) / 2) * step)
    return out


def _path(bends: Sequence[_Bend], backwards: bool) -> str:
    steps = [(bend.x1, bend.y1, bend.x2, bend.y2) for bend in bends]
    if backwards:
        steps = [(x2, y2, x1, y1) for x1, y1, x2, y2 in reversed(steps)]
    out = [f"M{steps[0][0]} {steps[0][1]}"]
    for count, (x1, y1, x2, y2) in enumerate(steps):
        if count:
            out.append(f"H{x1}")
        middle = (x1 + x2) // 2
        out.append(f"C{middle} {y1} {middle} {y2} {x2} {y2}")
    return "".join(out)


def _label(bends: Sequence[_Bend], width: int, taken: dict[int, list[tuple[int, int, int]]]) -> tuple[int, int]:
    """Find a place on the line where no other label is; failing that, the nearest free one above or below."""
    for bend in bends:
        for t in _PLACES:
            x, y = bend.at(t)
            if _free(bend, x, y, width, taken):
                return _take(bend, x, y, width, taken)
    bend = bends[0]
    x, y = bend.at(0.5)
    for away in range(1, _TRIES):
        for shifted in (y - away * _NUDGE, y + away * _NUDGE):
            if _free(bend, x, shifted, width, taken):
                return _take(bend, x, shifted, width, taken)
    return _take(bend, x, y, width, taken)


def _free(bend: _Bend, x: int, y: int, width: int, taken: Mapping[int, list[tuple[int, int, int]]]) -> bool:
    if x - width // 2 < bend.x1 + 2 or x + width // 2 > bend.x2 - 2:
        return False
    return all(
        abs(y - other_y) >= _LABEL_HEIGHT or abs(x - other_x) * 2 >= width + other_width
        for other_x, other_y, other_width in taken.get(bend.x1, ())
    )


def _take(bend: _Bend, x: int, y: int, width: int, taken: dict[int, list[tuple[int, int, int]]]) -> tuple[int, int]:
    taken.setdefault(bend.x1, []).append((x, y, width))
    return x, y
