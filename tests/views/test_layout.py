"""The drawing: nothing overlaps, text fits, the same input gives the same drawing."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from reversa.views import fit
from reversa.views.layout_svg import Arc, Drawing, lay_out
from reversa.views.routes import Box

SIZE = (212, 84)
LABEL = 90


def graph(seed: int, nodes: int, arcs: int) -> tuple[dict[str, tuple[int, int]], list[Arc]]:
    chance = random.Random(seed)
    keys = [f"n{index:03}" for index in range(nodes)]
    ends = [chance.sample(keys, 2) for _ in range(arcs)]
    return dict.fromkeys(keys, SIZE), [Arc(source, target, LABEL) for source, target in ends]


CASES = [(1, 2, 1), (2, 12, 14), (3, 40, 30), (4, 60, 90), (5, 200, 150), (6, 5, 40)]


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.w and other.x < one.x + one.w and one.y < other.y + other.h and other.y < one.y + one.h
    )


def points(path: str) -> list[tuple[float, float]]:
    """Give points along a path of M, H and C."""
    out: list[tuple[float, float]] = []
    x = y = 0.0
    for command, text in re.findall(r"([MHC])([^MHC]*)", path):
        numbers = [int(number) for number in text.split()]
        if command == "M":
            x, y = numbers
        elif command == "H":
            out += [(x + (numbers[0] - x) * t / 20, y) for t in range(21)]
            x = numbers[0]
        else:
            x1, y1, x2, y2, x3, y3 = numbers
            for step in range(21):
                t = step / 20
                a, b, c, d = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3
                out.append((a * x + b * x1 + c * x2 + d * x3, a * y + b * y1 + c * y2 + d * y3))
            x, y = x3, y3
    return out


@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps(case: tuple[int, int, int]) -> None:
    sizes, arcs = graph(*case)
    drawing = lay_out(sizes, arcs, 1260)
    boxes = drawing.boxes
    assert set(boxes) == set(sizes)
    for one, other in itertools.combinations(boxes.values(), 2):
        assert not overlap(one, other)
    for box in boxes.values():
        assert box.x >= 0 and box.y >= 0 and box.x + box.w <= drawing.width and box.y + box.h <= drawing.height
    for arc, route in zip(arcs, drawing.routes, strict=True):
        label = Box(route.label_x - LABEL // 2, route.label_y - 7, LABEL, 14)
        assert not any(overlap(label, box) for box in boxes.values())
        line = points(route.path)
        for key, box in boxes.items():
            inside = [box.x < x < box.x + box.w and box.y < y < box.y + box.h for x, y in line]
            assert not any(inside), (arc, key)
        assert ends_at(line[0], boxes[arc.source]) and ends_at(line[-1], boxes[arc.target])


def ends_at(point: tuple[float, float], box: Box) -> bool:
    return point[0] in (box.x, box.x + box.w) and box.y <= point[1] <= box.y + box.h


@pytest.mark.parametrize("case", CASES[:5])
def test_labels_keep_apart(case: tuple[int, int, int]) -> None:
    sizes, arcs = graph(*case)
    labels = [Box(route.label_x - 40, route.label_y - 5, 80, 10) for route in lay_out(sizes, arcs, 1260).routes]
    clashes = sum(overlap(one, other) for one, other in itertools.combinations(labels, 2))
    assert clashes == 0


def test_places_are_whole_and_the_same_every_time() -> None:
    sizes, arcs = graph(4, 60, 90)
    first = lay_out(sizes, arcs, 1260)
    again = lay_out(dict(reversed(sizes.items())), arcs, 1260)
    assert first == again
    assert re.fullmatch(r"[\d MHC-]+", "".join(route.path for route in first.routes))


def test_sources_stand_left_of_targets() -> None:
    arcs = [Arc("a", "b", LABEL), Arc("b", "c", LABEL), Arc("a", "c", LABEL)]
    boxes = lay_out(dict.fromkeys("abc", SIZE), arcs, 1260).boxes
    assert boxes["a"].x < boxes["b"].x < boxes["c"].x


def test_nothing_to_draw() -> None:
    assert lay_out({}, [], 1260) == Drawing(0, 0, {}, [])


def test_lone_nodes_fill_rows_below() -> None:
    sizes = {**dict.fromkeys("ab", SIZE), **{f"n{index:02}": (212, 30) for index in range(12)}}
    drawing = lay_out(sizes, [Arc("a", "b", LABEL)], 1260)
    lowest = max(drawing.boxes[key].y + SIZE[1] for key in "ab")
    assert all(drawing.boxes[key].y > lowest for key in sizes if key not in "ab")
    assert drawing.width <= 1260


@pytest.mark.parametrize(
    "text",
    ["WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "漢字" * 30, "", "a", "one two three four five six seven " * 4],
)
def test_wrapped_text_fits(text: str) -> None:
    lines = fit.wrap(text, 188, 12, 2)
    assert len(lines) <= 2
    assert all(fit.width(line, 12) <= 188 for line in lines)
    if "".join(lines).replace(" ", "") != text.replace(" ", ""):
        assert lines[-1].endswith("…")
