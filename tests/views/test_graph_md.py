"""The mermaid diagram stays inside what GitHub renders, and says what it leaves out."""

from __future__ import annotations

import re

import pytest

from reversa.core.bug import Bug

from .built import bug, edge, registry, views

FILE = "_reversa_bugs/shop/generated/graph.md"
ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ234567"


def suffix(number: int) -> str:
    return "".join(ALPHABET[number // 28**place % 28] for place in (3, 2, 1, 0))


def many(count: int, per_bug: int, title: str) -> list[Bug]:
    return [
        bug(
            suffix(index),
            title=f"{title} {index}",
            area=f"area {index % 3}",
            relationships=[
                edge(suffix((index + step) % count), "caused-by", ("confirmed", "proposed", "supported")[step % 3])
                for step in range(1, per_bug + 1)
            ],
        )
        for index in range(count)
    ]


def diagram(text: str) -> str:
    return re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)[0]


@pytest.mark.parametrize(
    ("count", "per_bug", "title"), [(30, 25, "short"), (300, 3, "short"), (400, 1, "a long title " * 9), (60, 20, '"<')]
)
def test_limits(count: int, per_bug: int, title: str) -> None:
    text = views(registry(*many(count, per_bug, title)), names=["graph"])[FILE]
    drawn = diagram(text)
    edges = re.findall(r"^ +\w+ (-->|-\.->)\|", drawn, re.MULTILINE)
    assert len(drawn) <= 45_000
    assert len(edges) <= 450
    left_out = count * per_bug - len(edges)
    stated = re.search(r"(\d+) edges? did not fit", text)
    assert (int(stated[1]) if stated else 0) == left_out
    if left_out and per_bug > 2:
        assert "-.->" not in edges or edges.count("-->") == count * sum(step % 3 != 1 for step in range(1, per_bug + 1))


def test_every_alias_is_declared_before_it_is_used() -> None:
    drawn = diagram(views(registry(*many(120, 2, "t")), names=["graph"])[FILE])
    declared = set(re.findall(r'^ +(BUG_\w+)\["', drawn, re.MULTILINE))
    used = {end for pair in re.findall(r"^ +(BUG_\w+) <?-.*\| (BUG_\w+)$", drawn, re.MULTILINE) for end in pair}
    assert used == declared
    assert drawn.count("subgraph") == drawn.count("\n  end\n") == 3


def test_a_small_context_shows_bugs_without_edges_and_a_large_one_says_so() -> None:
    small = views(registry(bug("AAAA"), bug("BBBB")), names=["graph"])[FILE]
    assert 'BUG_20260715_AAAA["BUG-20260715-AAAA open: Title of AAAA"]:::open' in small
    large = views(registry(*many(60, 0, "t"), bug("ZZZZ", relationships=[edge("AAAA")])), names=["graph"])[FILE]
    assert "Bugs without edges are not drawn." in large
    assert len(re.findall(r'^ +BUG_\w+\["', large, re.MULTILINE)) == 2
    assert large.count("\n| 1 | [") == 2 and large.count("\n| 0 | [") == 8
    assert "The first 10 are shown." in large


def test_edges_by_state_and_direction() -> None:
    kinds = [("caused-by", "-->", "-.->"), ("conflicts-with", "<-->", "<-.->")]
    for kind, solid, dashed in kinds:
        for state, arrow in (("confirmed", solid), ("supported", solid), ("proposed", dashed)):
            whole = registry(bug("AAAA", relationships=[edge("BBBB", kind, state)]), bug("BBBB"))
            line = f"  BUG_20260715_AAAA {arrow}|{kind}| BUG_20260715_BBBB\n"
            assert line in diagram(views(whole, names=["graph"])[FILE])
    rejected = registry(bug("AAAA", relationships=[edge("BBBB", state="rejected")]), bug("BBBB"))
    assert "related-to" not in diagram(views(rejected, names=["graph"])[FILE])


def test_reading_names_centre_chain_and_order() -> None:
    whole = registry(
        bug("AAAA", priority="P0", relationships=[edge("BBBB", "caused-by")]),
        bug("BBBB", relationships=[edge("CCCC", "caused-by", "supported"), edge("DDDD", "blocked-by")]),
        bug("CCCC", relationships=[edge("EEEE", "caused-by", "proposed")]),
        bug("DDDD", priority="P3"),
        bug("EEEE"),
    )
    text = views(whole, names=["graph"])[FILE]
    names = {letter: f"[BUG-20260715-{letter * 4}]" for letter in "ABCDE"}
    assert f"### Around {names['B']}" in text
    assert f"from effect to cause: {names['A']} ← {names['B']} ← {names['C']}." in text
    assert f"Suggested order: {names['C']}, {names['D']}, {names['B']}, {names['A']}." in text
    assert "Proposed edges" in text and f"- {names['C']} caused-by {names['E']}" in text


def test_a_knot_of_causes_is_read_without_end() -> None:
    ring = [bug(suffix(i), relationships=[edge(suffix((i + 1) % 30), "caused-by")]) for i in range(30)]
    text = views(registry(*ring), names=["graph"])[FILE]
    assert "30 bugs, 30 unresolved" in text
    assert text.count("Suggested order") == 1
