"""How people name a bug: by ID, suffix or number; what is ambiguous or unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from views.built import bug, registry

from reversa.core.alias import resolve, shared_numbers
from reversa.core.bug import Registry
from reversa.errors import Refused, UsageError

A7K3 = "BUG-20260715-A7K3"


@pytest.fixture
def shop() -> Registry:
    return registry(
        bug("A7K3", display_number=7, slug="discount-applied-twice"),
        bug("Q2R4", display_number=42),
        bug("2345", display_number=8),
        bug("ZZZZ", context="", display_number=7777),
        bug("SECR", display_number=9, visibility="restricted", title="not to be told"),
    )


@pytest.mark.parametrize(
    "text",
    [
        A7K3,
        A7K3.lower(),
        f"{A7K3}-discount-applied-twice",
        f"{A7K3}-other-words",
        f"{A7K3.lower()}-x",
        f"  {A7K3}\n",
        "A7K3",
        "a7k3",
        "7",
        "007",
        "#7",
        "#007",
        "BUG-7",
        "BUG-007",
        "bug-7",
    ],
)
def test_every_name_of_a_bug(shop: Registry, text: str) -> None:
    assert resolve(shop, text).id == A7K3


def test_four_digits_are_a_suffix_or_a_number(shop: Registry) -> None:
    assert resolve(shop, "2345").id == "BUG-20260715-2345"
    assert resolve(shop, "7777").id == "BUG-20260715-ZZZZ"
    assert resolve(shop, "0042").id == "BUG-20260715-Q2R4"
    both = registry(*shop.bugs, bug("BBBB", display_number=2345))
    with pytest.raises(Refused) as caught:
        resolve(both, "2345")
    assert caught.value.details["candidates"] == ["BUG-20260715-2345", "BUG-20260715-BBBB"]
    assert resolve(both, "BUG-2345").id == resolve(both, "#2345").id == resolve(both, "02345").id == "BUG-20260715-BBBB"


def test_one_bug_by_suffix_and_number_is_one() -> None:
    assert resolve(registry(bug("2345", display_number=2345)), "2345").id == "BUG-20260715-2345"


def test_an_ambiguous_name_lists_its_candidates() -> None:
    several = registry(
        bug("A7K3", display_number=7),
        bug("A7K3", day="20260101", context="", display_number=None),
        bug("BBBB", display_number=7, visibility="restricted", context="hidden-place"),
    )
    for text, count in (("a7k3", 2), ("7", 2)):
        with pytest.raises(Refused) as caught:
            resolve(several, text)
        error = caught.value
        assert (error.exit_code, error.kind) == (4, "ambiguous")
        assert f"{text} names {count} bugs" in error.message
        assert error.hint == "Use the full ID."
    assert error.details["candidates"] == [A7K3, "BUG-20260715-BBBB"]
    assert error.message == f"7 names 2 bugs: {A7K3} (number 7, shop), BUG-20260715-BBBB (restricted)."
    with pytest.raises(Refused, match=r"BUG-20260101-A7K3 \(no number, no context\)"):
        resolve(several, "A7K3")


def test_a_duplicated_id_is_ambiguous_too() -> None:
    with pytest.raises(Refused) as caught:
        resolve(registry(bug("A7K3", context="a"), bug("A7K3", context="b")), A7K3)
    assert caught.value.hint == "Name one by its folder: a/bugs/BUG-20260715-A7K3 or b/bugs/BUG-20260715-A7K3"


@pytest.mark.parametrize("text", ["a/bugs/{}", "x/_reversa_bugs/a/bugs/{}/", "a/bugs/{}/bug.md", "a\\bugs\\{}"])
def test_the_path_of_a_folder_names_a_bug(text: str) -> None:
    both = registry(bug("A7K3", context="a"), bug("A7K3", context="ba"))
    assert resolve(both, text.format(A7K3)).context == "a"
    with pytest.raises(UsageError):
        resolve(both, f"c/bugs/{A7K3}")


def test_the_folder_of_a_restricted_twin_is_not_told() -> None:
    with pytest.raises(Refused) as caught:
        resolve(registry(*(bug("A7K3", context=name, visibility="restricted") for name in "ab")), A7K3)
    assert "bugs/" not in caught.value.hint + caught.value.message


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("A7K4", "A7K3"),
        ("BUG-20260715-A7K", A7K3),
        ("BUG-20260715-A7K3x", A7K3),
        ("bug-20260716-a7k3", A7K3),
        ("nothing like it at all", ""),
        ("99", ""),
        ("#", ""),
        ("BUG-", ""),
        ("-7", ""),
        ("7.0", ""),
        ("１", ""),
        ("0", ""),
        ("9999999999999", ""),
    ],
)
def test_an_unknown_name_is_wrong_usage(shop: Registry, text: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        resolve(shop, text)
    assert (caught.value.exit_code, caught.value.kind) == (2, "unknown-bug")
    assert text in caught.value.message
    assert "reversa list --all" in caught.value.hint
    assert near in caught.value.hint
    assert ("Did you mean" in caught.value.hint) == bool(near)


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_no_name_names_no_bug(shop: Registry, text: str) -> None:
    with pytest.raises(UsageError, match="An empty text names no bug"):
        resolve(shop, text)


def test_what_was_typed_is_shown_safely(shop: Registry) -> None:
    with pytest.raises(UsageError) as caught:
        resolve(shop, "\x1b[31m" + "x" * 5000)
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 120


def test_bugs_that_are_set_aside_are_not_named() -> None:
    aside = Registry((), (), registry().taxonomy, registry().around, set_aside=(bug("A7K3", display_number=7),))
    for text in (A7K3, "A7K3", "7"):
        with pytest.raises(UsageError):
            resolve(aside, text)


@given(st.text(max_size=30))
def test_any_text_names_one_bug_or_is_refused(text: str) -> None:
    some = registry(bug("A7K3", display_number=7), bug("2345", display_number=2345), bug("BBBB", display_number=7))
    try:
        assert resolve(some, text) in some.bugs
    except (UsageError, Refused) as error:
        assert error.exit_code in (2, 4)


def test_shared_numbers() -> None:
    some = registry(
        *(bug(f"AAA{index}", display_number=number) for index, number in enumerate((1, 2, 2, 3, 3, 3, None)))
    )
    assert shared_numbers(some) == {2, 3}
