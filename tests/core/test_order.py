"""The order of work: what decides it, and that the words name what decided."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reversa.core.bug import Bug
from reversa.core.document import Plain
from reversa.core.order import CRITERIA, Place, arrange, reasons


def place(suffix: str, *, blocked: bool = False, impact: int = 0, **values: Any) -> Place:
    data = {"id": f"BUG-20260701-{suffix}", "priority": "P2", "severity": "medium", "created": "2026-07-01", **values}
    folder = data["id"]
    plain = {key: Plain(value) for key, value in data.items()}
    return Place(Bug(f"shop/bugs/{folder}/bug.md", folder, "shop", False, plain), blocked, impact)


def said(*places: Place) -> list[tuple[str, str]]:
    arranged = arrange(places)
    return [(one.bug.id[-4:], why) for one, why in zip(arranged, reasons(arranged), strict=True)]


def test_each_criterion_decides_when_those_before_it_tie() -> None:
    assert said(place("BBBB", blocked=True, priority="P0"), place("AAAA", priority="P3")) == [
        ("AAAA", "before BBBB, which is blocked"),
        ("BBBB", "after AAAA, because it is blocked"),
    ]
    assert said(place("BBBB", priority="P2", impact=9), place("AAAA", priority="p1"))[0] == (
        "AAAA",
        "before BBBB by priority: p1 over P2",
    )
    assert said(place("BBBB", impact=2, severity="critical"), place("AAAA", impact=4, severity="low")) == [
        ("AAAA", "before BBBB by impact: 4 over 2"),
        ("BBBB", "after AAAA by impact: 2 under 4"),
    ]
    assert said(place("BBBB", created="2020-01-01"), place("AAAA", severity="high"))[0] == (
        "AAAA",
        "before BBBB by severity: high over medium",
    )
    assert said(place("AAAA", created="2026-07-20"), place("BBBB", created="2026-07-15")) == [
        ("BBBB", "before AAAA by age: 2026-07-15 before 2026-07-20"),
        ("AAAA", "after BBBB by age: 2026-07-20 after 2026-07-15"),
    ]
    assert said(place("AAAA", display_number="12"), place("BBBB", display_number="7"))[0] == (
        "BBBB",
        "before AAAA by number: 7 before 12",
    )
    assert said(place("BBBB"), place("AAAA"))[0] == (
        "AAAA",
        "before BBBB by ID: BUG-20260701-AAAA before BUG-20260701-BBBB",
    )


def test_one_and_none() -> None:
    assert said() == []
    assert said(place("AAAA")) == [("AAAA", "the only one")]


def test_what_is_unknown_comes_last_and_is_called_none() -> None:
    assert said(place("AAAA", priority=""), place("BBBB", priority="P3"))[0] == (
        "BBBB",
        "before AAAA by priority: P3 over none",
    )
    assert said(place("AAAA", created="yesterday"), place("BBBB", created="2026-07-30T10:00:00Z"))[1] == (
        "AAAA",
        "after BBBB by age: none after 2026-07-30",
    )


PLACES = st.lists(
    st.builds(
        place,
        st.text("ABCDEFGH", min_size=4, max_size=4),
        blocked=st.booleans(),
        impact=st.integers(0, 3),
        priority=st.sampled_from(["P0", "P1", "P9", "", "p1"]),
        severity=st.sampled_from(["critical", "low", "", "odd"]),
        created=st.sampled_from(["2026-07-01", "2026-07-02", "", "soon"]),
        display_number=st.sampled_from(["1", "2", "", "x"]),
    ),
    max_size=8,
    unique_by=lambda one: one.bug.path,
)


@given(PLACES, st.randoms())
def test_the_order_is_total_and_the_reason_names_the_first_difference(places: list[Place], random: Any) -> None:
    arranged = arrange(places)
    shuffled = list(places)
    random.shuffle(shuffled)
    assert arrange(shuffled) == arranged
    if not arranged:
        return
    for first, second, why in zip(arranged[:-1], arranged[1:], reasons(arranged)[:-1], strict=True):
        keys = [(one.name, one.key(first), one.key(second)) for one in CRITERIA]
        name, mine, theirs = next(key for key in keys if key[1] != key[2])
        assert mine < theirs
        assert f"by {name}: " in why or (name == "blocking" and "which is blocked" in why)
        assert second.bug.id[-4:] in why
