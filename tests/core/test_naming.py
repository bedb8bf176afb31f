"""New identities: IDs that are free, numbers that go on, names that are safe as folders."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from views.built import bug, registry

from reversa.core.alias import resolve
from reversa.core.bug import ID
from reversa.core.naming import (
    ALPHABET,
    NAME_BYTES,
    SLUG_LENGTH,
    context_name,
    file_name,
    folder_name,
    new_id,
    next_number,
    numbered,
    slug,
)
from reversa.core.rules.locators import Locator, is_pattern, parse
from reversa.errors import UsageError

ANY = st.text(max_size=80)


def test_the_alphabet_is_valid_in_both_base32() -> None:
    rfc4648 = set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    crockford = set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    assert set(ALPHABET) == rfc4648 & crockford
    assert len(ALPHABET) == len(set(ALPHABET)) == 28


@given(st.randoms(use_true_random=False))
def test_an_id_is_read_as_one(random: object) -> None:
    found = new_id(registry(), "2026-07-15", random.choice)  # type: ignore[attr-defined]
    assert ID.fullmatch(found)
    assert found.startswith("BUG-20260715-")
    assert set(found[-4:]) <= set(ALPHABET)


@given(st.text(max_size=300), st.integers(1, 20))
def test_a_files_name_is_safe_whatever_it_was(text: str, number: int) -> None:
    name = numbered(file_name(text), number)
    assert 0 < len(name.encode()) <= NAME_BYTES
    assert not name.startswith(("-", ".")) and not name.endswith(".") and ".." not in name
    assert not set(name) & set(" /\\`'\"[]()<>#:*?|\n\0") and name.isprintable()
    assert file_name(name) == name
    assert parse(f"evidence/{name}") == Locator(f"evidence/{name}") and not is_pattern(name)


def letters(text: str) -> object:
    waiting = iter(text)

    def choose(among: Sequence[str]) -> str:
        letter = next(waiting)
        assert letter in among
        return letter

    return choose


def test_an_id_that_is_taken_is_not_given_again() -> None:
    taken = registry(bug("AAAA"), bug("bbbb".upper()))
    taken = replace(taken, set_aside=(bug("CCCC", context="_old"),))
    choose = letters("AAAABBBBCCCCDDDD")
    assert new_id(taken, "2026-07-15", choose) == "BUG-20260715-DDDD"  # type: ignore[arg-type]


def test_an_id_in_lower_case_and_that_of_an_unreadable_folder_are_taken() -> None:
    broken = replace(bug("BBBB"), data=None)
    taken = registry(bug("AAAA", id="BUG-20260715-aaaa"), broken)
    assert new_id(taken, "2026-07-15", letters("AAAABBBBCCCC")) == "BUG-20260715-CCCC"  # type: ignore[arg-type]


def test_the_same_letters_are_free_on_another_day() -> None:
    assert new_id(registry(bug("AAAA")), "2026-07-16", letters("AAAA")) == "BUG-20260716-AAAA"  # type: ignore[arg-type]


def test_a_day_without_a_free_id_ends() -> None:
    with pytest.raises(UsageError, match="2026-07-15"):
        new_id(registry(bug("AAAA")), "2026-07-15", lambda _: "A")


def test_the_next_number_is_one_more_than_the_highest() -> None:
    assert next_number(registry()) == 1
    some = registry(bug("AAAA", display_number=7), bug("BBBB", display_number=None), bug("CCCC", display_number="x"))
    assert next_number(some) == 8
    assert next_number(replace(some, set_aside=(bug("DDDD", context="_old", display_number=41),))) == 42
    assert next_number(some, 3) == 8
    assert next_number(some, 8) == 9
    assert next_number(registry(), 5) == 6


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Discount applied twice", "discount-applied-twice"),
        ("  Comissão é cobrada 2×!  ", "comissao-e-cobrada-2"),
        ("中文 标题", "zhongwen-biaoti"),
        ("Я не могу войти", "ya-ne-mogu-voyti"),
        ("Straße", "strasse"),
        ("Ⅷ½", "viii1-2"),
        ("../../etc/passwd", "etc-passwd"),
        ("a/b\\c\0d", "a-b-c-d"),
        ("--rf .hidden _x_", "rf-hidden-x"),
        ("🔥 Checkout burns", "fire-checkout-burns"),
        ("!!! ???", ""),
        ("", ""),
        ("\u200b\u200d\ufe0f", ""),
        ("\ud800", ""),
        ("x" * 60, "x" * 40),
        ("word " * 20, "word-word-word-word-word-word-word-word"),
        ("a" * 39 + " b", "a" * 39),
        ("a" * 38 + " b", "a" * 38 + "-b"),
        ("short " + "x" * 60, "short"),
    ],
)
def test_slugs(title: str, expected: str) -> None:
    assert slug(title) == expected


@given(st.one_of(ANY, st.text(st.characters(categories=["Cs", "Cc", "Zs", "Po"]))))
def test_any_title_makes_a_safe_slug(title: str) -> None:
    found = slug(title)
    assert len(found) <= SLUG_LENGTH
    assert found == "" or re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found)
    assert slug(found) == found


def test_a_folder_is_the_id_and_a_slug() -> None:
    assert folder_name("BUG-20260715-A7K3", "Twice", restricted=False) == "BUG-20260715-A7K3-twice"
    assert folder_name("BUG-20260715-A7K3", "Twice", restricted=True) == "BUG-20260715-A7K3"
    assert folder_name("BUG-20260715-A7K3", "!!!", restricted=False) == "BUG-20260715-A7K3"


@given(ANY)
def test_a_folder_s_name_still_names_the_bug(title: str) -> None:
    shop = registry(bug("A7K3"))
    assert resolve(shop, folder_name("BUG-20260715-A7K3", title, restricted=False)) is shop.bugs[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout", "checkout"),
        ("Check Out", "check-out"),
        ("../x", "x"),
        ("a/b", "a-b"),
        ("/etc", "etc"),
        ("_old", "old"),
        (".hidden", "hidden"),
        ("Ação e reação", "acao-e-reacao"),
        ("a\0b\nc", "a-b-c"),
        ("bugs of ours", "bugs-of-ours"),
    ],
)
def test_names_of_contexts(text: str, expected: str) -> None:
    assert context_name(text) == expected


@pytest.mark.parametrize("text", ["", " ", "..", "/", "_", ".", "!!!", "\ud800"])
def test_what_cannot_name_a_context(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        context_name(text)
    assert "cannot name a context" in caught.value.message
    caught.value.message.encode()


@pytest.mark.parametrize("text", ["bugs", "Bugs", "./bugs", "intake", "inspections", "generated", "_templates"])
def test_words_of_the_registry_itself_name_no_context(text: str) -> None:
    """A bug in a context called `bugs` would be invisible: that folder is the flat layout."""
    with pytest.raises(UsageError, match="uses that word itself"):
        context_name(text)


@given(ANY)
def test_any_context_is_safe_as_a_folder(text: str) -> None:
    try:
        name = context_name(text)
    except UsageError:
        return
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 60
    assert context_name(name) == name


def test_letters_that_look_alike_are_never_chosen() -> None:
    assert not set(itertools.chain("ILOU0189")) & set(ALPHABET)
