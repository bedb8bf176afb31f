"""What the rules say of one bug quotes nothing of another that may be restricted: at most its bare ID."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reversa.core.bug import Bug, Registry
from reversa.core.fields import RELATION_STATES, RELATION_TYPES
from reversa.core.rules import RULES
from reversa.core.rules.engine import run
from reversa.report.manual import examples

from .examples import ID, bug_of, raw, registry_of, standard_body

OTHER = "BUG-20260701-Q2R8"
MARK = "zzz"


def secret(id_: str, visibility: str = "restricted") -> Bug:
    """A restricted bug of which every text holds the marker."""
    names = ("title", "status", "phase", "severity", "priority", "area", "module", "feature", "resolution_kind")
    front: dict[str, Any] = {name: f"{MARK}-{name}" for name in names}
    edges = [{"bug": ID, "type": kind, "state": f"{MARK}-state", "evidence": [MARK]} for kind in RELATION_TYPES]
    example = {
        "id": id_,
        "visibility": visibility,
        **front,
        "relationships": edges,
        "blocking": [{"kind": MARK, "target": ID, "reason": MARK}],
        "change_set": [{"id": f"CHG-{MARK}", "kind": MARK, "artifact": MARK}],
        "_body": standard_body(f"{MARK} title"),
    }
    bug = bug_of(example, f"{id_}-{MARK}-slug")
    return replace(bug, context=f"{MARK}-context", path=f"{MARK}-context/bugs/{id_}-{MARK}-slug/bug.md")


def unreadable(id_: str) -> Bug:
    return replace(secret(id_), data=None, maybe_restricted=True)


def check(registry: Registry) -> set[str]:
    codes = set()
    for violation in run(registry):
        if violation.bug is None or not violation.bug.restricted:
            codes.add(violation.rule.code)
            said = f"{violation.message()} {violation.mend()} {violation.hit.path} {violation.values()}"
            assert MARK not in said, violation.rule.code
    return codes


@pytest.mark.parametrize("make", [secret, unreadable])
@pytest.mark.parametrize("code", sorted(RULES))
def test_every_rule_beside_restricted_bugs(code: str, make: Any) -> None:
    """Each example again, with restricted bugs under its own ID and in the place of the bugs it names."""
    example = raw(examples(RULES[code])["Bad"]) or {}
    registry = registry_of(example)
    for more in ([make(OTHER)], [make(ID)], [make(OTHER), make(OTHER.lower())]):
        keys = {bug.key for bug in more}
        bugs = (*more, registry.bugs[0], *(bug for bug in registry.bugs[1:] if bug.key not in keys))
        check(replace(registry, bugs=bugs))
        check(replace(registry, set_aside=tuple(more)))


@pytest.mark.parametrize("make", [secret, unreadable])
def test_references_that_go_on_after_the_id(make: Any) -> None:
    """A reference may have been written with the slug of the bug's folder."""
    text = f"{OTHER}-{MARK}-slug"
    edges = [
        {"bug": text, "type": kind, "state": state, "evidence": evidence}
        for kind in (*RELATION_TYPES, "causes", "")
        for state in (*RELATION_STATES, "")
        for evidence in ([], ["seen"])
    ]
    codes: set[str] = set()
    for blocking in ([], [{"kind": "bug", "target": text}]):
        one = bug_of({"express": raw("true"), "relationships": edges, "blocking": blocking})
        codes |= check(replace(registry_of({}), bugs=(one, make(OTHER))))
    assert {"RV153", "RV305", "RV306", "RV308", "RV309", "RV310", "RV311"} <= codes


@pytest.mark.parametrize("make", [secret, unreadable])
def test_a_shared_id(make: Any) -> None:
    two = replace(registry_of({}), bugs=(make(ID), bug_of({})))
    assert "RV107" in check(two)
    seen = bug_of({}, f"{ID}-seen")
    three = replace(two, bugs=(*two.bugs, seen))
    said = [v.message() for v in run(three) if v.rule.code == "RV107" and v.bug is three.bugs[1]]
    assert said == [f"{ID} is the ID of 3 bugs; another is {seen.path}"]
