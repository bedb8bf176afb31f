"""Mends of edges can be carried out and take away no more than the edge they speak of."""

from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from reversa.core.bug import Registry
from reversa.core.fields import RELATION_STATES, RELATION_TYPES
from reversa.core.rules.engine import Violation, run

from .examples import ID, bug_of, raw, registry_of

OTHER = "BUG-20260701-Q2R8"


def two(mine: list[dict[str, Any]], its: list[dict[str, Any]], locked: bool = False) -> Registry:
    one = bug_of({"relationships": mine})
    other = bug_of({"id": OTHER, "relationships": its, "_locked": raw("true" if locked else "false")}, OTHER)
    return replace(registry_of({}), bugs=(other, one))


def edge(bug: str, state: str, type_: str = "related-to") -> dict[str, Any]:
    return {"bug": bug, "type": type_, "state": state, "evidence": ["seen"]}


def copies(registry: Registry) -> list[str]:
    return [violation.mend() for violation in run(registry) if violation.rule.code == "RV309"]


@pytest.mark.parametrize(
    ("mine", "its", "mends"),
    [
        (["proposed", "confirmed"], [], ["A7K3[0]"]),
        (["confirmed", "proposed"], [], ["A7K3[1]"]),
        (["supported", "supported"], [], ["A7K3[1]"]),
        (["rejected", "confirmed", "supported"], [], ["A7K3[0]", "A7K3[2]"]),
        (["proposed"], ["confirmed"], ["A7K3[0]"]),
        (["confirmed"], ["proposed"], ["Q2R8[0]"]),
        (["proposed"], ["proposed"], ["A7K3[0]"]),
        (["proposed", "confirmed"], ["supported"], ["A7K3[0]", "Q2R8[0]"]),
    ],
)
def test_the_weaker_copy_goes(mine: list[str], its: list[str], mends: list[str]) -> None:
    found = copies(two([edge(OTHER, state) for state in mine], [edge(ID, state) for state in its]))
    wanted = [f"reversa update {name[:4]} --remove 'relationships{name[4:]}'" for name in mends]
    assert sorted(found) == wanted


def test_of_equals_the_copy_in_a_lock_stays() -> None:
    one = two([edge(OTHER, "proposed")], [edge(ID, "proposed")], locked=True)
    assert copies(one) == ["reversa update A7K3 --remove 'relationships[0]'"]
    mine = replace(bug_of({"relationships": [edge(OTHER, "proposed")]}), locked=True)
    other = bug_of({"id": OTHER, "relationships": [edge(ID, "proposed")]}, OTHER)
    assert copies(replace(one, bugs=(other, mine))) == ["reversa update Q2R8 --remove 'relationships[0]'"]


def carried_out(violation: Violation) -> bool:
    """Whether link and unlink could do what a mend says: a known type, an ID, nothing else."""
    words = shlex.split(violation.mend(), comments=True)
    if words[:2] == ["reversa", "update"]:
        route = ("--remove", f"relationships[{violation.hit.route[1]}]")
        return words[2:] == ["A7K3", *route]
    verb, source, type_, target = words[1:5]
    return verb in ("link", "unlink") and source == "A7K3" and type_ in RELATION_TYPES and target in (OTHER, ID, "A7K3")


TYPES = [*RELATION_TYPES, "causes", "", None]
TARGETS = [OTHER, f"{OTHER}-a-slug", ID, "", None, "see the wiki; page 3", "BUG-7"]


@pytest.mark.parametrize(("type_", "target"), list(product(TYPES, TARGETS)))
def test_every_mend_of_an_edge_can_be_carried_out(type_: Any, target: Any) -> None:
    seen = 0
    for state, evidence, known in product([*RELATION_STATES, ""], ([], ["seen"]), (True, False)):
        entry = {"bug": target, "type": type_, "state": state, "evidence": evidence}
        entry = {name: value for name, value in entry.items() if value is not None}
        registry = two([entry], [])
        registry = registry if known else replace(registry, bugs=registry.bugs[1:])
        for violation in run(registry):
            if violation.rule.code in ("RV301", "RV303", "RV305", "RV308", "RV309"):
                seen += 1
                assert carried_out(violation), violation.mend()
    assert seen
