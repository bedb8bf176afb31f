"""What an edit comes to as data: the table of meanings, and what has none."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from reversa.core.edit import Edit, apply, settle
from reversa.errors import Refused

DATA: dict[str, Any] = {
    "title": "A",
    "labels": ["x", "y", "x"],
    "one": ["z"],
    "none": None,
    "empty": [],
    "closure": {"policy": "package"},
    "relationships": [{"bug": "B", "state": None}],
    "flag": True,
}

MEANINGS = [
    (Edit("set", ("title",), "B"), {"title": "B"}),
    (Edit("set", ("new",), "B"), {"new": "B"}),
    (Edit("set", ("title",), None), {"title": None}),
    (Edit("set", ("number",), 7), {"number": "7"}),
    (Edit("set", ("flag",), False), {"flag": False}),
    (Edit("set", ("none", "a", "b"), "c"), {"none": {"a": {"b": "c"}}}),
    (Edit("set", ("empty", "a"), "c"), {"empty": {"a": "c"}}),
    (Edit("set", ("new", "a", "b"), [1, {"c": None}]), {"new": {"a": {"b": ["1", {"c": None}]}}}),
    (Edit("set", ("closure", "satisfied"), True), {"closure": {"policy": "package", "satisfied": True}}),
    (Edit("set", ("labels", 1), "q"), {"labels": ["x", "q", "x"]}),
    (Edit("set", ("relationships", 0, "type"), "t"), {"relationships": [{"bug": "B", "state": None, "type": "t"}]}),
    (Edit("add", ("labels",), "q"), {"labels": ["x", "y", "x", "q"]}),
    (Edit("add", ("none",), "q"), {"none": ["q"]}),
    (Edit("add", ("empty",), {"a": 1}), {"empty": [{"a": "1"}]}),
    (Edit("add", ("title",), "q"), {"title": ["A", "q"]}),
    (Edit("add", ("new", "deep"), "q"), {"new": {"deep": ["q"]}}),
    (Edit("add", ("none", "deep"), "q"), {"none": {"deep": ["q"]}}),
    (Edit("remove", ("labels",), "x"), {"labels": ["y", "x"]}),
    (Edit("remove", ("labels", 2)), {"labels": ["x", "y"]}),
    (Edit("remove", ("one",), "z"), {"one": []}),
    (Edit("remove", ("one", 0)), {"one": []}),
    (Edit("remove", ("title",), "A"), {"title": []}),
    (Edit("remove", ("relationships",), {"state": None, "bug": "B"}), {"relationships": []}),
    (Edit("remove", ("closure", "policy")), {"closure": {}}),
    (Edit("rename", ("closure", "policy"), "rule"), {"closure": {"rule": "package"}}),
    (Edit("rename", ("closure", "policy"), "policy"), {}),
    (Edit("rewrite", ("labels", 1), "y"), {}),
    (Edit("rewrite", ("labels", 1), 7), {"labels": ["x", "7", "x"]}),
]


@pytest.mark.parametrize(("edit", "changed"), MEANINGS, ids=str)
def test_meaning(edit: Edit, changed: dict[str, Any]) -> None:
    before = deepcopy(DATA)
    assert apply(DATA, [edit]) == DATA | changed
    assert before == DATA, "the data that came in stays as it was"


def test_removing_a_key_takes_it_away() -> None:
    after = apply(DATA, [Edit("remove", ("title",))])
    assert after == {key: value for key, value in DATA.items() if key != "title"}


def test_edits_come_one_after_the_other() -> None:
    edits = [Edit("add", ("new",), "a"), Edit("add", ("new",), "b"), Edit("remove", ("new", 0))]
    assert apply(DATA, edits)["new"] == ["b"]


@pytest.mark.parametrize(
    "edit",
    [Edit("set", ("title",), "A"), Edit("set", ("closure",), {"policy": "package"}), Edit("set", ("flag",), True)],
    ids=str,
)
def test_setting_what_is_there_is_nothing(edit: Edit) -> None:
    assert settle(DATA, edit).kind == "nothing"


def test_text_and_boolean_are_two_things() -> None:
    assert settle(DATA, Edit("set", ("flag",), "True")).kind == "replace"
    with pytest.raises(Refused):
        apply({"flags": [True, "x"]}, [Edit("remove", ("flags",), "True")])


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (Edit("set", (), "x"), "names no key"),
        (Edit("set", ("title", "a"), "x"), "title is text, not a mapping"),
        (Edit("set", ("labels", "a"), "x"), "labels is a list, not a mapping"),
        (Edit("set", ("flag", "a"), "x"), "flag is a boolean, not a mapping"),
        (Edit("set", ("labels", 3), "x"), "labels has 3 items"),
        (Edit("set", ("one", 1), "x"), "one has 1 item."),
        (Edit("set", ("new", 0, "a"), "x"), "new has no item"),
        (Edit("add", ("closure",), "x"), "it is a mapping, not a list"),
        (Edit("remove", ("absent",)), "there is no absent"),
        (Edit("remove", ("labels", 9)), "there is no labels[9]"),
        (Edit("remove", ("labels",), "q"), "it does not hold 'q'"),
        (Edit("remove", ("labels",), 1), "it does not hold '1'"),
        (Edit("rename", ("absent",), "x"), "there is no absent"),
        (Edit("rename", ("title",), "one"), "one is there already"),
        (Edit("rename", ("labels", 0), "x"), "only a key has a name"),
    ],
    ids=str,
)
def test_what_has_no_meaning_is_refused_with_its_reason(edit: Edit, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        apply(DATA, [edit])
    assert refused.value.kind == "edit-refused"
    assert reason in refused.value.message


def test_the_last_key_of_a_record_stays() -> None:
    with pytest.raises(Refused, match="only key"):
        apply({"id": "x"}, [Edit("remove", ("id",))])
