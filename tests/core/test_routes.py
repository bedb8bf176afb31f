"""Routes and values as people type them."""

from __future__ import annotations

from typing import Any

import pytest

from reversa.core.document import Plain
from reversa.core.fields import lookup
from reversa.core.routes import parse_route, parse_value
from reversa.core.suggest import hint, nearest
from reversa.errors import UsageError

DATA: dict[str, Any] = {
    "title": Plain("x"),
    "change_set": [{"id": "CHG-001", "purpose": "a"}, {"id": "CHG-002"}],
    "relationships": [
        {"bug": "BUG-20260701-Q2R8-with-a-slug", "type": "caused-by"},
        {"bug": "BUG-20260701-Q2R8", "type": "related-to"},
        {"bug": "BUG-20260702-ZZZZ", "type": "related-to"},
    ],
    "blocking": [{"kind": "bug", "target": "BUG-20260701-Q2R8"}],
    "labels": ["a", "b"],
    "fork": {"inner": [{"x": "1"}]},
    "traceability": {"root_cause": Plain("null")},
    "spec_verdict": {"verdict": "spec-gap"},
    "origin": Plain("manual-report"),
}

ROUTES = [
    ("title", ("title",)),
    ("mitigation.kind", ("mitigation", "kind")),
    ("traceability.root_cause.state", ("traceability", "root_cause", "state")),
    ("change_set[1].purpose", ("change_set", 1, "purpose")),
    ("change_set[CHG-001].purpose", ("change_set", 0, "purpose")),
    ("change_set[chg-002].diff", ("change_set", 1, "diff")),
    ("relationships[BUG-20260701-Q2R8/caused-by].state", ("relationships", 0, "state")),
    ("relationships[bug-20260701-q2r8/related-to]", ("relationships", 1)),
    ("relationships[BUG-20260701-Q2R8-with-a-slug/caused-by]", ("relationships", 0)),
    ("relationships[BUG-20260702-ZZZZ].evidence", ("relationships", 2, "evidence")),
    ("blocking[BUG-20260701-Q2R8].since", ("blocking", 0, "since")),
    ("labels[b]", ("labels", 1)),
    ("labels[0]", ("labels", 0)),
    ("data_impact.rows.lost", ("data_impact", "rows", "lost")),
    ("fork.inner[0].y", ("fork", "inner", 0, "y")),
    ("fork.new.deep", ("fork", "new", "deep")),
    ("spec_verdict.verdict", ("spec_verdict", "verdict")),
]


@pytest.mark.parametrize(("text", "route"), ROUTES, ids=[text for text, _ in ROUTES])
def test_route(text: str, route: tuple[str | int, ...]) -> None:
    assert parse_route(text, DATA) == route


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("severty", "Unknown key severty", "Did you mean severity?"),
        ("reproduction.clasification", "Unknown key", "Did you mean reproduction.classification?"),
        ("created_at", "Unknown key", "Did you mean created?"),
        ("affected_code", "Unknown key", "Did you mean traceability.affected_code?"),
        ("closure.qqq", "Unknown key closure.qqq", "Known keys of closure: policy, satisfied"),
        ("qqqqq", "Unknown key qqqqq", "reversa schema"),
        ("title.a", "title holds no keys", ""),
        ("relationships.state", "is a list", "[BUG-20260701-Q2R8/caused-by], [BUG-20260701-Q2R8/related-to]"),
        ("relationships[BUG-20260701-Q2R8]", "several items", "[BUG-20260701-Q2R8/related-to]"),
        ("relationships[BUG-19990101-AAAA]", "no item", "[BUG-20260702-ZZZZ/related-to]"),
        ("change_set[9]", "no item [9]", "[CHG-001], [CHG-002]"),
        ("labels[z]", "no item [z]", "[0], [1]"),
        ("backports[0]", "no item", "backports has no items"),
        ("title[0]", "is no list", ""),
        ("traceability.root_cause.evidence[0].ref", "no item", "has no items"),
    ],
)
def test_wrong_route_names_what_would_be_right(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_route(text, DATA)
    assert message in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize("text", ["", ".a", "a..b", "a.", "[0]", "a[0", "a]", "a.[0]", "a[0]b", "a[[0]]"])
def test_malformed_route(text: str) -> None:
    with pytest.raises(UsageError, match="is no key route"):
        parse_route(text, {"a": ["x"]})


SET = [
    ("title", "Some: text, with a comma", "Some: text, with a comma"),
    ("title", "", ""),
    ("spec_verdict", "null", None),
    ("spec_verdict", "spec-gap", "spec-gap"),
    ("display_number", "12", 12),
    ("express", "true", True),
    ("express", "FALSE", False),
    ("updated", "2026-02-28", "2026-02-28"),
    ("labels", "a, b ,c", ["a", "b", "c"]),
    ("labels", "[]", []),
    ("labels", "", []),
    ("labels", '["a, b", "c"]', ["a, b", "c"]),
    ("labels", "[a, b]", ["a", "b"]),
    ("origin", "type=ci-failure", {"type": "ci-failure"}),
    ("origin", '{"type": "ci-failure", "external_ref": null}', {"type": "ci-failure", "external_ref": None}),
    ("origin.external_ref", "provider=github,id=12", {"provider": "github", "id": "12"}),
    ("closure", "policy=a, b,satisfied=true", {"policy": "a, b", "satisfied": True}),
    ("relationships", "[]", []),
    ("relationships", '[{"bug": "B", "state": "proposed"}]', [{"bug": "B", "state": "proposed"}]),
    ("traceability.root_cause.evidence", '[{"ref": "null", "observation": 5}]', [{"ref": "null", "observation": "5"}]),
    ("data_impact", "true", True),
    ("data_impact", "12", 12),
    ("data_impact", "0012345", "0012345"),
    ("data_impact", "7e12345", "7e12345"),
    ("data_impact", '{"rate": 1.50, "rows": [1, null]}', {"rate": "1.50", "rows": [1, None]}),
    ("data_impact", "{not json", "{not json"),
]


@pytest.mark.parametrize(("route", "text", "value"), SET)
def test_value(route: str, text: str, value: Any) -> None:
    parsed = parse_value(lookup(tuple(route.split("."))), text, adding=False)
    assert (parsed, type(parsed)) == (value, type(value))


ADD = [
    ("labels", "a, b", "a, b"),
    ("relationships", "bug=B,type=caused-by", {"bug": "B", "type": "caused-by"}),
    ("backports", "version=1.2,required=true,released=false", {"version": "1.2", "required": True, "released": False}),
    ("decisions", "what=w,value=null,by=Ana, Rui", {"what": "w", "value": None, "by": "Ana, Rui"}),
    ("relationships", '{"bug": "B", "evidence": [{"ref": "a"}]}', {"bug": "B", "evidence": [{"ref": "a"}]}),
    ("versions", '{"fixed": "1.2"}', {"fixed": "1.2"}),
    ("versions", "1.2", "1.2"),
]


@pytest.mark.parametrize(("route", "text", "value"), ADD)
def test_added_value(route: str, text: str, value: Any) -> None:
    assert parse_value(lookup((route,)), text, adding=True) == value


def test_a_key_the_table_does_not_know_takes_anything() -> None:
    assert parse_value(None, "null", adding=False) is None
    assert parse_value(None, "2026-07-15", adding=True) == "2026-07-15"


@pytest.mark.parametrize(
    ("route", "text", "adding", "message", "hint"),
    [
        ("title", "null", False, "title cannot be null", ""),
        ("labels", "null", False, "labels cannot be null", "[] empties it"),
        ("severity", "hgh", False, "one of critical, high, medium, low", "Did you mean high?"),
        ("severity", "High", False, "'High' is none of them", "Did you mean high?"),
        ("priority", "", False, "one of P0, P1, P2, P3", ""),
        ("display_number", "07", False, "whole number", ""),
        ("display_number", "1.5", False, "whole number", ""),
        ("express", "yes", False, "true or false", ""),
        ("created", "2026-02-30", False, "a date such as", ""),
        ("created", "26-2-3", False, "a date such as", ""),
        ("labels", '["a"', False, "begins like a JSON list", ""),
        ("labels", '[{"a": 1}]', False, "labels is no mapping", ""),
        ("origin", '{"type": ', False, "begins like a JSON object", ""),
        ("origin", '{"type": ["x"]}', False, "type is no list", ""),
        ("origin", '{"external_ref": "x"}', False, "external_ref is a mapping", ""),
        ("origin", "type", False, "takes k=v,k=v or JSON", "For example: type=…,external_ref=…"),
        ("origin", "type=alert,type=alert", False, "has type twice", ""),
        ("origin", "tipe=alert", False, "has no key 'tipe'", "Did you mean type?"),
        ("relationships", "bug=B", False, "takes a JSON list", "--add relationships=bug=…,type=…,state=…"),
        ("relationships", "bug=B,state=confrmed", True, "proposed, supported, confirmed", "Did you mean confirmed?"),
        ("relationships", "qqqqq=B", True, "has no key 'qqqqq'", "Its keys: bug, type, state, evidence"),
        ("severity", "low", True, "severity is no list", "Set it instead."),
    ],
)
def test_wrong_value_says_what_is_allowed(route: str, text: str, adding: bool, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_value(lookup((route,)), text, adding=adding)
    assert message in error.value.message
    assert "\n" not in error.value.message
    assert hint in error.value.hint


def test_nearest_gives_up_on_strangers() -> None:
    assert nearest("triagging", ["triaging", "testing"]) == ["triaging"]
    assert nearest("zzzz", ["triaging", "testing"]) == []
    assert hint("TRIAGING", ["", "triaging", "testing"]) == "Did you mean triaging?"
    assert hint("zzzz", ["", "triaging", "testing"]) == "One of triaging, testing."
