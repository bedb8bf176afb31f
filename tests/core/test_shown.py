"""What views may show: edges once, restricted bugs not at all, invalid ones by ID."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from views.built import bug, edge, registry

from reversa.core import shown
from reversa.core.bug import Bug
from reversa.core.record import leads


def ends(found: shown.Shown) -> list[str]:
    return [f"{edge.source[-1]}{edge.target[-1]} {edge.type} {edge.state}" for edge in found.edges]


def test_restricted_bugs_leave_ids_alone() -> None:
    secret = bug("RRRR", visibility="restricted", relationships=[edge("AAAA")])
    odd = bug("SSSS", visibility="whatever")
    suspected = bug("TTTT", visibility=None, security_suspected=True)
    one = bug("AAAA", relationships=[edge("RRRR"), edge("SSSS", "caused-by"), edge("BBBB", state="proposed")])
    found = shown.of(registry(one, bug("BBBB"), secret, odd, suspected), {})
    assert [entry.id[-4:] for entry in found.restricted] == ["RRRR", "SSSS", "TTTT"]
    assert [entry.id[-4:] for entry in found.bugs] == ["AAAA", "BBBB"]
    assert ends(found) == ["AB related-to proposed"]
    assert found.impact == {"BUG-20260715-AAAA": 0, "BUG-20260715-BBBB": 0}
    assert not any("RRRR" in name for name in found.names)


def test_invalid_bugs_keep_id_and_codes() -> None:
    broken = bug("XXXX", relationships=[edge("AAAA", "caused-by")])
    one = bug("AAAA", relationships=[edge("XXXX", "blocked-by"), edge("BBBB")])
    found = shown.of(registry(one, bug("BBBB"), broken), {broken.path: ("RV301", "RV200", "RV301")})
    assert found.invalid == (shown.Unshown("BUG-20260715-XXXX", "shop", ("RV200", "RV301")),)
    assert ends(found) == ["AB related-to confirmed", "AX blocked-by confirmed"]
    assert [edge.target[-4:] for edge in found.proven] == ["BBBB"]
    assert found.impact == {"BUG-20260715-AAAA": 1, "BUG-20260715-BBBB": 1}
    assert found.clusters == [["BUG-20260715-AAAA", "BUG-20260715-BBBB"]]


def test_unreadable_bugs_are_invalid_or_restricted() -> None:
    lost = Bug("shop/bugs/BUG-20260715-LLLL/bug.md", "BUG-20260715-LLLL", "shop", False, None)
    veiled = replace(lost, path="shop/bugs/BUG-20260715-MMMM/bug.md", folder="BUG-20260715-MMMM", maybe_restricted=True)
    found = shown.of(registry(lost, veiled), {lost.path: ("RV004",), veiled.path: ("RV004",)})
    assert [entry.id[-4:] for entry in found.invalid] == ["LLLL"]
    assert [entry.id[-4:] for entry in found.restricted] == ["MMMM"]


def test_a_restricted_invalid_bug_is_listed_once() -> None:
    secret = bug("RRRR", visibility="restricted")
    twin = bug("RRRR", "stock", slug="twin", relationships=[edge("AAAA")])
    found = shown.of(registry(bug("AAAA"), secret, twin), {secret.path: ("RV300",), twin.path: ("RV300",)})
    assert found.invalid == ()
    assert [(entry.id[-4:], entry.context) for entry in found.restricted] == [("RRRR", "shop"), ("RRRR", "stock")]


def test_an_edge_stored_twice_is_drawn_and_scored_once() -> None:
    one = bug(
        "AAAA", relationships=[edge("BBBB", state="proposed"), edge("CCCC", "caused-by"), edge("CCCC", "caused-by")]
    )
    two = bug("BBBB", relationships=[edge("AAAA", state="supported")])
    found = shown.of(registry(one, two, bug("CCCC")), {})
    assert ends(found) == ["AC caused-by confirmed", "BA related-to supported"]
    assert found.impact == {"BUG-20260715-AAAA": 1, "BUG-20260715-BBBB": 1, "BUG-20260715-CCCC": 3}


def test_a_copy_on_an_invalid_bug_does_not_hide_the_valid_one() -> None:
    one = bug("AAAA", relationships=[edge("BBBB", state="confirmed")])
    two = bug("BBBB", relationships=[edge("AAAA", state="supported")])
    found = shown.of(registry(one, two), {one.path: ("RV300",)})
    assert ends(found) == ["BA related-to supported"]
    assert found.proven == ()


def test_targets_set_aside_have_a_bare_id_and_no_score() -> None:
    aside = bug("ZZZZ", "_old")
    one = bug("AAAA", relationships=[edge("ZZZZ", "caused-by")])
    found = shown.of(registry(one, set_aside=(aside,)), {})
    assert ends(found) == ["AZ caused-by confirmed"]
    assert found.proven == ()
    hidden = bug("ZZZZ", "_old", visibility="restricted")
    assert shown.of(registry(one, set_aside=(hidden,)), {}).edges == ()


def test_proposed_and_rejected_edges_count_nowhere() -> None:
    one = bug("AAAA", relationships=[edge("BBBB", "caused-by", "proposed"), edge("CCCC", "blocked-by", "rejected")])
    found = shown.of(registry(one, bug("BBBB"), bug("CCCC")), {})
    assert len(found.edges) == 2
    assert found.proven == ()
    assert set(found.impact.values()) == {0}
    assert found.clusters == []


def test_a_shared_number_has_a_star() -> None:
    bugs = [bug("AAAA", display_number=7), bug("BBBB", display_number=7), bug("CCCC", display_number=8), bug("DDDD")]
    secret = bug("RRRR", display_number=8, visibility="restricted")
    found = shown.of(registry(*bugs, secret), {})
    assert [found.number(one) for one in bugs] == ["7*", "7*", "8", ""]


@pytest.mark.parametrize(
    ("entry", "does"),
    [
        ("_reversa_sdd/addenda/bug-BUG-20260715-RRRR-v001.md#x", True),
        ("_reversa_bugs/shop/bugs/bug-20260715-rrrr-slug/evidence/a.log", True),
        ("seen in shop/bugs/BUG-20260715-RRRR-slug/bug.md:3 as well", True),
        ("BUG-20260715-RRRR", True),
        ({"ref": "x/BUG-20260715-RRRR/a.log", "observation": "seen"}, True),
        ("the same trace as BUG-20260715-RRRR", False),
        ({"ref": "a.log", "observation": "the same trace as BUG-20260715-RRRR"}, False),
        ("x/BUG-20260715-AAAA/a.log", False),
        ({"ref": None, "n": 3}, False),
        (None, False),
    ],
)
def test_what_leads_to_a_hidden_bug(entry: Any, does: bool) -> None:
    assert leads(entry, {"BUG-20260715-RRRR"}) is does
    assert not leads(entry, ())
