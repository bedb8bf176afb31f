"""Finding and ordering bugs."""

from __future__ import annotations

import pytest
from views.built import bug, registry

from reversa.core.query import SORTS, Filters, fold, select, sort, urgency

REGISTRY = registry(
    bug("AAAA", title="Crédito É duplicado", display_number=3, labels=["Finanças", "money"], area="sales"),
    bug("BBBB", "stock", status="active", priority="p0", severity="high", display_number=2, updated="2026-08-01",
        blocking=[{"kind": "external", "reason": "r"}]),
    bug("CCCC", "stock", status="resolved", display_number=1, created="2026-06-01"),
    bug("DDDD", title="Secret credit", visibility="restricted", priority="P0", labels=["money"]),
    bug("EEEE", priority="urgent", severity="low", display_number=2),
)  # fmt: skip


def found(query: str = "", **filters: object) -> str:
    return "".join(bug.id[-1] for bug in select(REGISTRY, query, Filters(**filters)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", "ABDE"),
        ("credito e DUPLICADO", "A"),
        ("FINANCAS", "A"),
        ("20260715-bb", "B"),
        ("secret", ""),
        ("dddd", "D"),
        ("money", "A"),
        ("  title of ", "BE"),
        ("no such", ""),
    ],
)
def test_query_is_blind_to_case_and_accents(query: str, ids: str) -> None:
    assert found(query) == ids


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"all": True}, "ABCDE"),
        ({"status": ("resolved",)}, "C"),
        ({"status": ("open", "resolved")}, "ACDE"),
        ({"context": ("stock",)}, "B"),
        ({"context": ("stock",), "all": True}, "BC"),
        ({"locked": True}, "C"),
        ({"locked": False}, "ABDE"),
        ({"severity": ("high", "low")}, "BE"),
        ({"phase": ("triaging",), "area": ("sales",)}, "A"),
        ({"label": ("money",)}, "A"),
        ({"label": ("money",), "include_restricted": True}, "AD"),
        ({"blocked": True}, "B"),
        ({"blocked": False}, "AE"),
        ({"priority": ("P0",)}, ""),
        ({"priority": ("P0",), "include_restricted": True}, "D"),
    ],
)
def test_filters(filters: dict[str, object], ids: str) -> None:
    assert found(**filters) == ids


@pytest.mark.parametrize(
    ("key", "ids"),
    [
        ("id", "ABCDE"),
        ("number", "CBEAD"),
        ("priority", "BDCAE"),
        ("severity", "BDCAE"),
        ("created", "BDAEC"),
        ("updated", "BDCAE"),
        ("impact", "EBDCA"),
    ],
)
def test_sort(key: str, ids: str) -> None:
    ordered = sort(reversed(REGISTRY.bugs), key, {"BUG-20260715-EEEE": 9})
    assert "".join(bug.id[-1] for bug in ordered) == ids


def test_every_sort_key_is_there() -> None:
    for key in SORTS:
        assert len(sort(REGISTRY.bugs, key)) == len(REGISTRY.bugs)


def test_bugs_without_a_number_come_last_and_ties_by_id() -> None:
    one, two, three = bug("BBBB"), bug("AAAA"), bug("CCCC", display_number=5)
    assert sorted([one, two, three], key=urgency) == [three, two, one]


def test_fold() -> None:
    assert fold("Ação ﬁn STRASSE ß") == "acao fin strasse ss"
