"""The record model: IDs, visibility, obstacles, and values of any shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from views.built import bug, registry

from reversa.core.bug import Bug, read_id, text_at, true_at
from reversa.core.document import Document, Plain, filled, get, is_null, items, mapping, show_route, simple
from reversa.core.fields import FRONT_MATTER, walk
from reversa.store.frontmatter import read


def written(yaml: str, folder: str = "BUG-20260715-A7K3-x") -> Bug:
    document = read(f"---\n{yaml}\n---\n".encode())
    assert document.data is not None, document.problems
    return Bug(f"shop/bugs/{folder}/bug.md", folder, "shop", False, document.data)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BUG-20260715-A7K3", "BUG-20260715-A7K3"),
        ("BUG-20260715-a7k3", "BUG-20260715-a7k3"),
        ("BUG-20260715-A7K3-discount", "BUG-20260715-A7K3"),
        ("BUG-20260715-A7K3-", "BUG-20260715-A7K3"),
        ("BUG-20260715-A7K3x", ""),
        ("BUG-20260715-A7K3 ", ""),
        ("BUG-20260715-A7K3\n", ""),
        ("BUG-20260715-A7K", ""),
        ("BUG-2026071-A7K3", ""),
        ("bug-20260715-A7K3", ""),
        (" BUG-20260715-A7K3", ""),
        ("BUG-２０２６０７１５-A7K3", ""),
        ("BUG-20260715-A7Ké", ""),
        ("", ""),
    ],
)
def test_the_id_at_the_start_of_a_text(text: str, found: str) -> None:
    assert read_id(text) == found


def test_an_id_is_that_of_the_record_or_of_its_folder() -> None:
    assert written("id: BUG-20260101-b2c4-slug").id == "BUG-20260101-b2c4"
    assert written("id: BUG-20260101-b2c4-slug").key == "BUG-20260101-B2C4"
    for yaml in ("id: 7", "id:", "id: [BUG-20260101-B2C4]", "title: x"):
        assert written(yaml).id == "BUG-20260715-A7K3"
    assert written("id: 7", "no-id").id == ""
    assert replace(written("id: BUG-20260101-B2C4"), data=None).id == "BUG-20260715-A7K3"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("'7'", 7),
        ("007", 7),
        ("-7", None),
        ("7.0", None),
        ("x", None),
        ("", None),
        ("1" * 10, None),
        ("７", None),
    ],
)
def test_display_numbers(text: str, number: int | None) -> None:
    assert written(f"display_number: {text}").number == number


@pytest.mark.parametrize(
    ("yaml", "visibility"),
    [
        ("visibility: normal", "normal"),
        ("visibility: internal", "internal"),
        ("visibility: 'normal'", "normal"),
        ("visibility: restricted", "restricted"),
        ("visibility: public", "restricted"),
        ("visibility: Normal", "restricted"),
        ("visibility: ''", "restricted"),
        ("visibility: 'null'", "restricted"),
        ("visibility: [normal]", "restricted"),
        ("visibility: {a: normal}", "restricted"),
        ("visibility:", "normal"),
        ("visibility: ~", "normal"),
        ("title: x", "normal"),
        ("security_suspected: true", "restricted"),
        ("visibility: null\nsecurity_suspected: TRUE", "restricted"),
        ("visibility: normal\nsecurity_suspected: true", "normal"),
        ("security_suspected: 'true'", "normal"),
        ("security_suspected: yes", "normal"),
    ],
)
def test_the_visibility_that_holds(yaml: str, visibility: str) -> None:
    found = written(yaml)
    assert (found.visibility, found.restricted) == (visibility, visibility == "restricted")


def test_an_unreadable_record_is_restricted_when_it_may_be() -> None:
    found = replace(written("title: x"), data=None)
    assert found.visibility == "normal"
    assert replace(found, maybe_restricted=True).restricted
    assert (found.title, found.status, found.number, found.labels, found.relations, found.blockers) == (
        "",
        "",
        None,
        (),
        (),
        (),
    )


def test_booleans_are_plain() -> None:
    assert written("closure: {satisfied: true}").satisfied
    assert written("closure: {satisfied: True}").satisfied
    for text in ("'true'", "yes", "tRue", "1", "[true]", "", "false"):
        assert not written(f"closure: {{satisfied: {text}}}").satisfied


def test_the_verdict_in_both_shapes() -> None:
    assert written("spec_verdict: spec-gap").verdict == "spec-gap"
    assert written("spec_verdict: {verdict: spec-gap, by: x}").verdict == "spec-gap"
    assert written("spec_verdict: {by: x}").verdict == written("spec_verdict: null").verdict == ""


def test_labels_are_texts() -> None:
    assert written("labels: [a, 'b', 7, null, ~, '', [c], {d: e}]").labels == ("a", "b", "7")
    assert written("labels: a").labels == ("a",)


def test_relations_and_blockers_of_any_shape() -> None:
    found = written(
        "relationships:\n- {bug: BUG-20260101-b2c4-slug, type: caused-by, state: confirmed, evidence: [x, '', null]}\n"
        "- text\n- {bug: 7}\n- []\n-\n"
        "blocking: {kind: bug, target: BUG-20260101-B2C4}"
    )
    first, *rest = found.relations
    assert (first.index, first.bug, first.target, first.proven) == (
        0,
        "BUG-20260101-b2c4-slug",
        "BUG-20260101-B2C4",
        True,
    )
    assert [str(item) for item in first.evidence] == ["x"]
    assert [(edge.index, edge.target, edge.proven) for edge in rest] == [(n, "", False) for n in (1, 2, 3, 4)]
    [blocker] = found.blockers
    assert (blocker.kind, blocker.target) == ("bug", "BUG-20260101-B2C4")


def test_what_blocks() -> None:
    done = bug("DDDD", status="resolved")
    waiting = [
        bug("AAAA", blocking=[{"kind": "bug", "target": "BUG-20260715-BBBB"}]),
        bug("BBBB", blocking=[{"kind": "external", "reason": "the bank"}]),
        bug("CCCC", blocking=[{"kind": "bug", "target": "BUG-20260715-GONE"}]),
    ]
    free = [
        bug(
            "EEEE",
            blocking=[{"kind": "bug", "target": "bug-20260715-dddd"}, {"kind": "bug", "target": done.id.lower()}],
        ),
        bug("FFFF", blocking=[{"kind": "bug", "target": f"{done.id}-slug"}]),
        bug("GGGG", relationships=[{"bug": "BUG-20260715-AAAA", "type": "blocked-by", "state": "confirmed"}]),
    ]
    whole = registry(done, *waiting, *free)
    assert [whole.is_blocked(found) for found in waiting] == [True] * 3
    assert [whole.is_blocked(found) for found in free] == [False] * 3
    aside = replace(registry(waiting[2]), set_aside=(bug("GONE", status="resolved"),))
    assert not aside.is_blocked(waiting[2])


def test_the_policy_that_holds() -> None:
    whole = registry(policy="package")
    assert whole.policy_of(written("closure: {policy: production-service}")) == "production-service"
    for yaml in ("closure: {policy: null}", "closure: x", "closure:", "title: x"):
        assert whole.policy_of(written(yaml)) == "package"


def test_a_folder_from_the_project_root() -> None:
    assert registry().folder_of(written("id: x")) == "_reversa_bugs/shop/bugs/BUG-20260715-A7K3-x"


def test_bugs_by_key() -> None:
    twice = [bug("AAAA", context="a"), bug("AAAA", context="b", id="BUG-20260715-aaaa")]
    nameless = Bug("shop/bugs/x/bug.md", "x", "shop", False, {})
    whole = replace(registry(*twice, nameless), set_aside=(bug("BBBB"),))
    assert {key: len(found) for key, found in whole.by_key.items()} == {"BUG-20260715-AAAA": 2, "BUG-20260715-BBBB": 1}
    assert whole.bug("BUG-20260715-AAAA") is whole.bugs[1] or whole.bug("BUG-20260715-AAAA") is whole.bugs[0]
    assert whole.bug("BUG-20260715-ZZZZ") is None


RAW: st.SearchStrategy[Any] = st.recursive(
    st.text(max_size=8) | st.text(max_size=8).map(Plain) | st.sampled_from([Plain("null"), Plain("true"), Plain("")]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(sorted({r.rpartition(".")[2] for r, _ in walk()})) | st.text(max_size=3), inner, max_size=4
        )
    ),
)
RECORDS = st.dictionaries(st.sampled_from([field.name for field in FRONT_MATTER.fields]), RAW, max_size=8)


@given(RECORDS)
def test_values_of_any_shape_are_read(data: dict[str, Any]) -> None:
    found = Bug("shop/bugs/BUG-20260715-A7K3/bug.md", "BUG-20260715-A7K3", "shop", False, data)
    for name in dir(Bug):
        if isinstance(getattr(Bug, name), property) or hasattr(getattr(Bug, name), "attrname"):
            getattr(found, name)
    whole = registry(found)
    whole.is_blocked(found)
    whole.policy_of(found)
    assert found.id == "BUG-20260715-A7K3" or read_id(text_at(data, "id"))
    assert all(isinstance(label, str) for label in found.labels)
    assert all(isinstance(part, dict) for part in found.maps("change_set"))


@given(RAW, st.lists(st.text(max_size=3) | st.integers(-3, 3), max_size=4))
def test_any_route_gives_a_value_or_none(data: Any, route: list[str | int]) -> None:
    value = get(data, *route)
    assert value is None or isinstance(value, (str, list, dict))
    assert isinstance(text_at(data, *route), str)
    assert isinstance(true_at(data, *route), bool)
    assert isinstance(items(value), list)
    assert isinstance(mapping(value), dict)
    assert filled(value) in (True, False)
    assert not (is_null(value) and filled(value))
    simple(value)


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_null_is_plain(text: str) -> None:
    assert is_null(Plain(text))
    assert not is_null(text)
    assert simple(Plain(text)) is None
    assert simple(text) == text
    assert not filled(Plain(text))
    assert filled(text) == (text != "")
    assert items(Plain(text)) == []


def test_simple_values() -> None:
    raw = {
        "a": [Plain("true"), Plain("no"), "true"],
        "b": {"c": Plain("FALSE"), "d": Plain("0012345")},
        "e": Plain("x"),
    }
    assert simple(raw) == {"a": [True, "no", "true"], "b": {"c": False, "d": "0012345"}, "e": "x"}
    assert type(simple(Plain("x"))) is str


def test_routes_are_shown_as_they_are_typed() -> None:
    assert show_route(()) == ""
    assert show_route(("a", 0, "b", "c")) == "a[0].b.c"
    assert show_route((0, "a")) == "[0].a"


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n"), ("\n", "\n")]
)
def test_the_line_ending_is_that_of_the_first_line(text: str, newline: str) -> None:
    assert Document(text, None).newline == newline
