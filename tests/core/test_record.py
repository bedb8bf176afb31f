"""The normalised record: every key there, typed where the text fits, nothing lost."""

from __future__ import annotations

from typing import Any

from views.built import bug, edge, registry

from reversa.core.bug import Bug
from reversa.core.fields import FRONT_MATTER
from reversa.core.record import delegated, record, row
from reversa.store.frontmatter import read

KEYS = [field.name for field in FRONT_MATTER.fields]


def written(yaml: str) -> Bug:
    document = read(f"---\n{yaml}---\n".encode())
    assert document.data is not None, document.problems
    return Bug("shop/bugs/BUG-20260715-AAAA-x/bug.md", "BUG-20260715-AAAA-x", "shop", False, document.data)


def test_an_empty_record_shows_every_key() -> None:
    found = record(written("{}\n"))
    assert list(found) == KEYS
    assert found["id"] == "BUG-20260715-AAAA"
    assert found["labels"] == found["blocking"] == found["relationships"] == found["change_set"] == []
    assert found["origin"] == {"type": None, "external_ref": None}
    assert found["reproduction"] == {"classification": None, "rate": None, "suspected_triggers": []}
    assert found["traceability"] == {
        "specs": [],
        "affected_code": [],
        "root_cause": None,
        "reproduction_tests": [],
        "regression_tests": [],
    }
    assert found["closure"] == {"policy": None, "satisfied": None}
    filled = {"id", "labels", "blocking", "relationships", "change_set", "origin", "reproduction", "traceability"}
    assert all(found[key] is None for key in set(KEYS) - filled - {"closure"})


def test_null_lists_and_mappings_are_as_absent_ones() -> None:
    found = record(written("labels:\norigin: ~\ntraceability:\n  specs:\n  root_cause: null\nbackports: null\n"))
    assert found["labels"] == []
    assert found["origin"] == {"type": None, "external_ref": None}
    assert found["traceability"]["specs"] == []
    assert found["traceability"]["root_cause"] is None
    assert found["backports"] is None


def test_types_by_the_table_where_the_text_fits() -> None:
    found = record(
        written(
            'schema_version: "1"\ndisplay_number: 007\ntitle: yes\nsecurity_suspected: "true"\ncreated: 2026-07-15\n'
            "spec_verdict: Null\nexpress: no\nclosure: {policy: 1, satisfied: TRUE}\n"
            "data_impact: {lost: false, rows: 12}\n"
            "backports: [{version: 1.10, required: true, released: 'false'}]\n"
        )
    )
    assert found["schema_version"] == 1
    assert found["display_number"] == 7
    assert found["title"] == "yes"
    assert found["security_suspected"] is True
    assert found["created"] == "2026-07-15"
    assert found["spec_verdict"] is None
    assert found["express"] == "no"
    assert found["closure"] == {"policy": "1", "satisfied": True}
    assert found["data_impact"] == {"lost": False, "rows": "12"}
    assert found["backports"] == [{"version": "1.10", "required": True, "released": False}]


def test_what_does_not_fit_stays_text() -> None:
    found = record(
        written(
            "display_number: BUG-008\nchange_risk: baixa\nlabels: one\norigin: telephone\nsecurity_suspected: perhaps\n"
            "traceability: [a, b]\nstatus: [open]\nblocking: [BUG-20260715-BBBB]\nreproduction: {rate: [1, null]}\n"
        )
    )
    assert found["display_number"] == "BUG-008"
    assert found["change_risk"] == "baixa"
    assert found["labels"] == "one"
    assert found["origin"] == "telephone"
    assert found["security_suspected"] == "perhaps"
    assert found["traceability"] == ["a", "b"]
    assert found["status"] == ["open"]
    assert found["blocking"] == ["BUG-20260715-BBBB"]
    assert found["reproduction"]["rate"] == ["1", None]


def test_commits_and_numbers_in_text_are_kept() -> None:
    refs = "traceability: {root_cause: {code_refs: [{commit: 7e12345}, {commit: 0012345}, {commit: 1234567}]}}\n"
    commits = [ref["commit"] for ref in record(written(refs))["traceability"]["root_cause"]["code_refs"]]
    assert commits == ["7e12345", "0012345", "1234567"]


def test_unknown_keys_come_after_the_contract_as_written() -> None:
    found = record(written("zeta: {deep: [true, 'true', ~]}\ncreated_at: 2026-01-01\ntitle: T\norigin: {who: Ann}\n"))
    assert list(found) == [*KEYS, "zeta", "created_at"]
    assert found["zeta"] == {"deep": [True, "true", None]}
    assert found["created"] is None
    assert found["created_at"] == "2026-01-01"
    assert found["origin"] == {"type": None, "external_ref": None, "who": "Ann"}


def test_present_blocks_are_not_padded() -> None:
    found = record(written("delivery: {pr: 12}\nmitigation: {temporary: true}\ntraceability: {root_cause: {}}\n"))
    assert found["delivery"] == {"pr": "12"}
    assert found["mitigation"] == {"temporary": True}
    assert found["traceability"]["root_cause"] == {}


def test_id_is_read_without_its_slug() -> None:
    assert record(written("id: BUG-20260715-AAAA-a-slug\n"))["id"] == "BUG-20260715-AAAA"


def test_row_adds_what_is_derived() -> None:
    one = bug("AAAA", blocking=[{"kind": "bug", "target": "BUG-20260715-BBBB"}], context_note="kept")
    found = row(one, registry(one, bug("BBBB")), 4, "repo/bug.md")
    assert list(found) == [*KEYS, "context_note", "context", "path", "done", "is_blocked", "impact"]
    derived: list[Any] = [found[key] for key in ("context", "path", "done", "is_blocked", "impact")]
    assert derived == ["shop", "repo/bug.md", False, True, 4]
    assert row(one, registry(one, bug("BBBB", status="resolved")), 0, "")["is_blocked"] is False


def test_stored_derived_keys_give_way() -> None:
    found = row(written("context: elsewhere\nimpact: 99\ntitle: T\n"), registry(), 3, "p")
    assert (found["context"], found["impact"]) == ("shop", 3)
    assert list(found)[-5:] == ["context", "path", "done", "is_blocked", "impact"]


def test_entries_that_name_a_hidden_bug_are_dropped() -> None:
    hidden = {"BUG-20260715-RRRR"}
    blocking = [{"kind": "bug", "target": "BUG-20260715-rrrr"}, {"kind": "external"}]
    one = bug("AAAA", relationships=[edge("RRRR"), edge("BBBB")], blocking=blocking, related=["BUG-20260715-RRRR-slug"])
    found = row(one, registry(one, bug("BBBB"), bug("RRRR", visibility="restricted")), 0, "", hidden)
    assert [entry["bug"] for entry in found["relationships"]] == ["BUG-20260715-BBBB"]
    assert found["blocking"] == [{"kind": "external"}]
    assert found["related"] == []
    single = written("relationships: {bug: BUG-20260715-RRRR, type: related-to}\nblocking: BUG-20260715-BBBB\n")
    found = row(single, registry(), 0, "", hidden)
    assert found["relationships"] == []
    assert found["blocking"] == "BUG-20260715-BBBB"


def test_delegated_decisions_until_a_person_confirms() -> None:
    def decided(what: str, via: str) -> dict[str, str]:
        return {"what": what, "via": via, "by": "Ann"}

    one = bug("AAAA", decisions=[decided("spec_verdict", "delegated"), decided("waive", "delegated"), {}, "odd"])
    assert [entry["what"] for entry in delegated(one)] == ["spec_verdict", "waive"]
    two = bug("AAAA", decisions=[decided("spec_verdict", "delegated"), decided("spec_verdict", "terminal")])
    assert delegated(two) == []
