"""The JSON Schema follows from the field table and accepts every valid record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker
from views.built import bug

from reversa.core.bug import Bug
from reversa.core.document import Plain
from reversa.core.fields import FRONT_MATTER, Field, Kind, walk
from reversa.core.record import record
from reversa.core.schema import json_schema
from reversa.store import layout, registry

EXAMPLE = Path(__file__).parents[2] / "registry-example" / "_reversa_bugs"
VALIDATOR = Draft202012Validator(json_schema(), format_checker=FormatChecker())
PINNED = {
    "schema_version": st.just(Plain("1")),
    "id": st.from_regex(r"BUG-[0-9]{8}-[A-Z2-7]{4}", fullmatch=True),
    "relationships[].bug": st.from_regex(r"BUG-[0-9]{8}-[0-9A-Za-z]{4}(-[a-z]{0,5})?", fullmatch=True),
    "blocking[].target": st.from_regex(r"BUG-[0-9]{8}-[0-9A-Za-z]{4}", fullmatch=True),
}
NEEDED = {
    "relationships[]": ["bug", "type", "state"],
    "blocking[]": ["kind"],
    "change_set[]": ["id", "kind"],
    "origin": ["type"],
    "reproduction": ["classification"],
    "closure": ["policy", "satisfied"],
}


def faults(found: Bug) -> list[str]:
    return [f"{found.id}: {list(error.path)}: {error.message[:90]}" for error in VALIDATOR.iter_errors(record(found))]


def test_it_is_a_schema_and_json() -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema == json_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_every_field_has_its_place_and_its_words() -> None:
    def look(field: Field, part: dict[str, Any]) -> int:
        assert part.get("description", "") == field.doc
        assert set(field.values) <= set(part.get("enum", ()))
        count = 1
        for known in field.fields:
            count += look(known, part["properties"][known.name])
        assert list(part.get("properties", {})) == [known.name for known in field.fields]
        if field.item is not None:
            item = part["items"]
            count += look(field.item, item["anyOf"][0] if "anyOf" in item else item)
        return count

    members = sum(1 for _, field in walk() if field.item is not None)
    assert look(FRONT_MATTER, json_schema()) == len(list(walk())) + members + 1


def test_every_example_validates() -> None:
    bugs = registry.load(layout.layout_of(EXAMPLE)).bugs
    assert len(bugs) > 15
    assert [fault for found in bugs for fault in faults(found)] == []


def values(field: Field, route: str = "") -> st.SearchStrategy[Any]:
    """Give raw values as a valid record holds them."""
    prefix = f"{route}." if route else ""
    if route in PINNED:
        return PINNED[route]
    if field.kind is Kind.MAP:
        parts = {known.name: values(known, prefix + known.name) for known in field.fields}
        wanted = [] if route else [known.name for known in field.fields if not known.block]
        wanted += NEEDED.get(route, [])
        found: st.SearchStrategy[Any] = st.fixed_dictionaries(
            {name: parts.pop(name) for name in wanted}, optional=parts
        )
    elif field.kind is Kind.LIST:
        assert field.item is not None
        member = values(field.item, f"{route}[]")
        found = st.lists(member | st.just("text") if route.endswith("evidence") else member, max_size=2)
    elif field.kind is Kind.ENUM:
        found = st.sampled_from(field.values)
    else:
        found = {
            Kind.INT: st.integers(0, 999).map(lambda number: Plain(str(number))),
            Kind.BOOL: st.sampled_from(["true", "False", "TRUE"]).map(Plain),
            Kind.DATE: st.dates().map(lambda day: Plain(day.isoformat())),
            Kind.TEXT: st.sampled_from(["x", "null", "7e12345"]) | st.sampled_from(["no", "0012345"]).map(Plain),
            Kind.ANY: st.sampled_from([Plain("true"), "x", {"a": [Plain("null")]}, []]),
        }[field.kind]
    return found | st.sampled_from([Plain("null"), Plain("")]) if field.nullable else found


@given(values(FRONT_MATTER))
def test_every_valid_record_validates(data: dict[str, Any]) -> None:
    assert faults(Bug("a/bugs/BUG-20260715-A7K3/bug.md", "BUG-20260715-A7K3", "a", False, data)) == []


def sound(**front: Any) -> Bug:
    base = {"area": "a", "module": "m", "feature": "f", "security_suspected": False, "display_number": 7,
            "origin": {"type": "other"}, "reproduction": {"classification": "unknown"},
            "closure": {"policy": "package", "satisfied": False}}  # fmt: skip
    return bug("A7K3", **{**base, **front})


def test_unknown_keys_are_allowed_everywhere() -> None:
    assert (
        faults(
            sound(
                extra={"a": [1]},
                origin={"type": "other", "extra": 1},
                closure={"policy": "x", "satisfied": True, "y": 1},
            )
        )
        == []
    )


@pytest.mark.parametrize(
    "front",
    [
        {"schema_version": 2},
        {"schema_version": None},
        {"status": "done"},
        {"status": None},
        {"severity": "High"},
        {"display_number": "BUG-008"},
        {"created": "yesterday"},
        {"created": "2026-02-30"},
        {"labels": ["a", ["b"]]},
        {"labels": "a"},
        {"security_suspected": "maybe"},
        {"origin": {"type": "x"}},
        {"origin": {"type": "other", "external_ref": "text"}},
        {"reproduction": "text"},
        {"relationships": [{"type": "caused-by", "state": "proposed"}]},
        {"relationships": [{"bug": "BUG-1", "type": "caused-by", "state": "proposed"}]},
        {"relationships": [{"bug": "BUG-20260101-AAAA", "type": "causes", "state": "proposed"}]},
        {"relationships": ["BUG-20260101-AAAA"]},
        {"blocking": [{"target": "BUG-20260101-AAAA"}]},
        {"change_set": [{"kind": "code"}]},
        {"change_risk": "baixa"},
        {"express": "x"},
        {"decisions": {}},
        {"traceability": {"root_cause": {"state": "guessed"}}},
        {"traceability": {"specs": [{"a": 1}]}},
        {"spec_verdict": {"verdict": "spec-gap"}},
        {"resolution_kind": "wontfix"},
    ],
)
def test_what_the_contract_forbids_is_refused(front: dict[str, Any]) -> None:
    assert len(faults(sound(**front))) >= 1
    [key] = front
    assert all(f"['{key}'" in fault for fault in faults(sound(**front)))


def test_an_absent_block_is_null_and_an_absent_key_of_every_record_is_not() -> None:
    data = record(sound())
    assert data["delivery"] is None
    assert faults(sound()) == []
    for name in ("title", "status", "created"):
        assert any("is not of type" in fault for fault in faults(sound(**{name: None})))
    for name in [field.name for field in FRONT_MATTER.fields if not field.block]:
        assert not VALIDATOR.is_valid({key: value for key, value in data.items() if key != name})
    for name in [field.name for field in FRONT_MATTER.fields if field.block]:
        assert VALIDATOR.is_valid({key: value for key, value in data.items() if key != name})
