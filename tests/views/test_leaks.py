"""A restricted bug leaves nothing in any view but its bare ID on one line of its index (registry.md 10)."""

from __future__ import annotations

import re
from typing import Any

from .built import bug, edge, registry, views

ADDENDA = ("bug-BUG-20260715-RRRR-v001.md", "bug-BUG-20260715-SSSS-v002.md", "bug-BUG-20260715-AAAA-v001.md")


def secret(suffix: str, context: str, **front: Any) -> Any:
    marks = {
        name: f"zzz-{name}-{suffix}"
        for name in ("title", "area", "module", "feature", "phase", "severity", "priority", "origin", "unknown")
    }
    return bug(
        suffix,
        context,
        slug="zzz-slug",
        display_number=777,
        labels=["zzz-label", "spec-gap"],
        updated="2099-09-09",
        traceability={"specs": ["zzz.md#zzz"], "affected_code": ["zzz.py"]},
        relationships=[edge("AAAA", "caused-by"), edge("BBBB", "blocked-by")],
        decisions=[{"what": "zzz", "via": "delegated"}],
        **{**marks, **front},
    )


def others(with_edges: bool) -> list[Any]:
    """Give bugs of two contexts, with or without what they say about the restricted ones."""
    extra = [edge("RRRR", kind, state) for kind in ("caused-by", "related-to") for state in ("confirmed", "proposed")]
    blocking = [{"kind": "external", "reason": "r"}]
    addendum, folder = "_reversa_sdd/addenda/bug-BUG-20260715-RRRR-v001.md", "_reversa_bugs/shop/bugs/BUG-20260715-RRRR"
    paths = [addendum, f"{addendum}#x", f"{folder}-zzz-slug/bug.md:3", f"see {folder}-zzz-slug/evidence/a.log there"]
    paths = paths if with_edges else []
    traceability = {
        "specs": ["_reversa_sdd/a.md#x", *paths],
        "affected_code": ["src/a.py", *paths],
        "root_cause": {
            "state": "supported",
            "evidence": ["seen", *paths, *({"ref": path, "observation": "seen"} for path in paths)],
            "code_refs": [{"file": "src/a.py"}, *({"file": path} for path in paths)],
            "causal_path": ["first", *paths],
        },
        "reproduction_tests": paths,
        "regression_tests": [f"{path}::test" for path in paths],
    }
    changes = [{"id": "CHG-001", "kind": "code", "artifact": "src/a.py"}]
    changes += [{"id": "CHG-002", "kind": "specification", "artifact": path} for path in paths]
    own = {"deep": [["a", *paths], {"paths": paths}]}

    def leading(one: dict[str, Any]) -> dict[str, Any]:
        more = [*paths, *({"ref": path, "observation": "seen"} for path in paths)]
        return {**one, "evidence": [*one["evidence"], *more]}

    hidden = [{"kind": "bug", "target": "BUG-20260715-RRRR"}]
    return [
        bug("AAAA", display_number=777, relationships=[leading(edge("BBBB")), *(extra if with_edges else [])],
            blocking=blocking + (hidden if with_edges else []), traceability=traceability, change_set=changes,
            occurrences={"count": 2, "dumps": ["a.dump", *(paths if with_edges else [])]}, labels=["a"], own=[own]),
        bug("BBBB", "stock", relationships=[edge("SSSS", "duplicate-of", "rejected")] if with_edges else []),
    ]  # fmt: skip


def test_no_trace_but_the_bare_id() -> None:
    hidden = [secret("RRRR", "shop", visibility="restricted"), secret("SSSS", "stock", visibility="nonsense")]
    drawn = views(registry(*others(True), *hidden), addenda=ADDENDA)
    for name, text in drawn.items():
        assert "zzz" not in text and "2099" not in text and "777*" not in text, name
        lines = [line for line in text.splitlines() if re.search("RRRR|SSSS", line)]
        if name.endswith("index.md"):
            assert lines == ["BUG-20260715-RRRR" if "shop" in name else "BUG-20260715-SSSS"]
        else:
            assert lines == [], name


def test_views_are_those_of_a_registry_without_it() -> None:
    without = views(registry(*others(False)), addenda=ADDENDA)
    hidden = [secret("RRRR", "shop", visibility="restricted"), secret("SSSS", "stock", visibility="restricted")]
    drawn = views(registry(*others(True), *hidden), addenda=ADDENDA)
    for name, text in drawn.items():
        if name.endswith("index.md"):
            text = re.sub(r"\n## Restricted\n\nBUG-[\w-]+\n", "", text)
        assert text == without[name], name


def test_a_blocker_that_is_hidden_blocks_without_a_name() -> None:
    one = bug("AAAA", blocking=[{"kind": "bug", "target": "BUG-20260715-RRRR"}])
    drawn = views(registry(one, bug("RRRR", visibility="restricted")))
    row = drawn["_reversa_bugs/shop/generated/catalog.jsonl"]
    assert '"is_blocked": true' in row and '"blocking": []' in row
    assert "blocked</dt><dd>0<" in drawn["_reversa_bugs/shop/generated/graph.html"]


def test_a_context_of_restricted_bugs_alone_has_views() -> None:
    drawn = views(registry(bug("RRRR", visibility="restricted")))
    assert drawn["_reversa_bugs/shop/generated/catalog.jsonl"] == ""
    assert "0 bugs." in drawn["_reversa_bugs/shop/generated/index.md"]
    assert "BUG-20260715-RRRR" in drawn["_reversa_bugs/shop/generated/index.md"]


def test_invalid_bugs_show_id_and_code_alone() -> None:
    broken = bug("XXXX", slug="qqq-slug", title="qqq title", labels=["qqq"], relationships=[edge("AAAA")])
    one = bug("AAAA", relationships=[edge("XXXX", "caused-by")], blocking=[{"kind": "bug", "target": broken.id}])
    drawn = views(registry(one, broken), {broken.path: ("RV301", "RV200")})
    assert not [name for name, text in drawn.items() if "qqq" in text]
    index = drawn["_reversa_bugs/shop/generated/index.md"]
    assert "- BUG-20260715-XXXX: RV200, RV301\n" in index
    assert "| BUG-20260715-XXXX |" in index
    assert 'BUG_20260715_XXXX["BUG-20260715-XXXX"]\n' in drawn["_reversa_bugs/shop/generated/graph.md"]
