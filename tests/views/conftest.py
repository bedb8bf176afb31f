"""A small registry that has a little of everything."""

from __future__ import annotations

import pytest

from reversa.core.bug import Registry

from .built import bug, edge, registry


@pytest.fixture
def small() -> Registry:
    """Two contexts with every kind of edge, a restricted bug, an invalid one, a delegated decision and a spec gap."""
    specs = {"specs": ["_reversa_sdd/sales.md#discounts", "_reversa_sdd/sales.md"]}
    verdict = {"what": "spec_verdict", "value": "spec-correta", "by": "Ann", "on": "2026-07-30", "via": "delegated"}
    return registry(
        bug(
            "AAAA",
            slug="discount-twice",
            display_number=7,
            title="Discount applied twice",
            priority="P1",
            area="sales",
            module="checkout",
            feature="discount",
            updated="2026-08-02",
            traceability=specs,
            relationships=[edge("BBBB", "caused-by"), edge("RRRR"), edge("XXXX", "blocked-by", "supported")],
            blocking=[{"kind": "bug", "target": "BUG-20260715-BBBB"}, {"kind": "bug", "target": "BUG-20260715-RRRR"}],
        ),
        bug(
            "BBBB",
            display_number=8,
            status="active",
            phase="diagnosing",
            severity="critical",
            priority="P0",
            labels=["spec-gap"],
            relationships=[edge("DDDD", "regression-of"), edge("EEEE", "related-to", "supported")],
            blocking=[{"kind": "external", "reason": "The bank | has not answered"}],
        ),
        bug(
            "CCCC",
            display_number=7,
            relationships=[edge("AAAA", "caused-by", "proposed"), edge("DDDD", "related-to", "rejected")],
        ),
        bug(
            "DDDD",
            status="resolved",
            phase="delivering",
            resolution_kind="fixed",
            spec_verdict="spec-correta",
            traceability=specs,
            closure={"policy": "local-software", "satisfied": True},
            decisions=[verdict],
        ),
        bug("EEEE", "stock", display_number=9, relationships=[edge("BBBB"), edge("FFFF", "duplicate-of")]),
        bug("FFFF", "stock"),
        bug("GGGG", "stock"),
        bug("RRRR", title="Secret hole", visibility="restricted"),
        bug("XXXX", title="Broken record"),
    )


@pytest.fixture
def invalid() -> dict[str, tuple[str, ...]]:
    return {"shop/bugs/BUG-20260715-XXXX/bug.md": ("RV200",)}
