"""The mirror of the YAML in the body: readable, the same every time, and nothing that a value can break out of."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from views.built import bug

from reversa.core import body, body_edit, mirror
from reversa.core.bug import Bug
from reversa.core.document import Plain
from reversa.core.fields import walk

KEYS = sorted({route.rpartition(".")[2].removesuffix("[]") for route, _ in walk()})
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["<!-- reversa:end traceability -->", "<!--", "-->", "<!-", "->", "`", "``", "`a`", "|", "\\|", "a|b", "# x",
         "```", "\n# x\n", "- x", "a\r\nb", "\u2028", "\x00", "\x1b[31m", " ", "confirmed", "fixed", "spec_verdict"]
    ),
)  # fmt: skip
RAW: st.SearchStrategy[Any] = st.recursive(
    TEXTS | TEXTS.map(Plain) | st.sampled_from([Plain("null"), Plain("true"), Plain("")]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
TOP = ("traceability", "relationships", "change_set", "resolution_kind", "spec_verdict", "decisions")
RECORDS = st.fixed_dictionaries({}, optional=dict.fromkeys(TOP, RAW)).flatmap(
    lambda data: st.fixed_dictionaries(
        {},
        optional={
            "specs": RAW, "affected_code": RAW, "root_cause": RAW, "reproduction_tests": RAW, "regression_tests": RAW,
        },
    ).map(lambda trace: {**data, "traceability": data.get("traceability", trace)})
)  # fmt: skip
LINE = re.compile(r"(?:- |  - |\| |\|---\||_Not resolved yet\._\Z).*|")


def of(data: dict[str, Any]) -> Bug:
    return Bug("shop/bugs/BUG-20260715-A7K3/bug.md", "BUG-20260715-A7K3", "shop", False, data)


@pytest.mark.parametrize("name", mirror.REGIONS)
@given(data=RECORDS)
def test_any_record_has_a_mirror_that_stays_in_its_frame(name: str, data: dict[str, Any]) -> None:
    text = mirror.render(name, of(data))
    assert text == mirror.render(name, of(data))
    assert "<!--" not in text
    assert "-->" not in text
    assert all(LINE.fullmatch(line) for line in text.splitlines()), text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", text)
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 6
    frame = f"# T\n\n## A\n\n{mirror.begin(name)}\n{mirror.end(name)}\n\n## B\n"
    whole = body_edit.replace_region(frame, name, text)
    span = body.region(whole, name)
    assert span is not None
    assert whole[span[0] : span[1]] == f"{text}\n"
    assert [heading.title for heading in body.outline(whole)] == ["T", "A", "B"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("src/cart.py", "`src/cart.py`"),
        ("a`b", "``a`b``"),
        ("`a`", "`` `a` ``"),
        ("``", "``` `` ```"),
        ("a``b`c", "```a``b`c```"),
        ("two\n  lines", "`two lines`"),
        ("   ", "` `"),
        ("<!-- x -->", "`<! -- x -- >`"),
    ],
)
def test_code_is_fenced_by_more_backticks_than_it_holds(text: str, shown: str) -> None:
    assert f"  - {shown}" in mirror.render("traceability", bug("A7K3", traceability={"specs": [text]})).splitlines()


def test_an_empty_record() -> None:
    assert mirror.render("traceability", of({})).splitlines() == [
        "- **Specs**: none",
        "- **Affected code**: none",
        "- **Root cause**: not known",
        "- **Reproduction tests**: none",
        "- **Regression tests**: none",
        "- **Relationships**: none",
    ]
    assert mirror.render("resolution", of({})) == "_Not resolved yet._"


def test_a_full_traceability() -> None:
    found = bug(
        "A7K3",
        traceability={
            "specs": ["spec/sales.md#discounts"],
            "affected_code": ["src/cart.py:88"],
            "root_cause": {
                "state": "confirmed",
                "hypothesis": "rounding happens\ntwice",
                "causal_path": ["checkout", "total"],
                "evidence": [{"ref": "evidence/a.log", "observation": "two lines"}, "seen by hand", {"ref": "b.log"}],
                "code_refs": [{"file": "src/cart.py", "symbol": "total", "commit": "0012345"}, "text", {}],
            },
            "reproduction_tests": ["tests/a.py::x"],
            "regression_tests": ["tests/b.py::y"],
        },
        relationships=[{"bug": "BUG-20260715-BBBB", "type": "caused-by", "state": "proposed"}, {}],
    )
    assert mirror.render("traceability", found).splitlines() == [
        "- **Specs**:",
        "  - `spec/sales.md#discounts`",
        "- **Affected code**:",
        "  - `src/cart.py:88`",
        "- **Root cause** (confirmed): rounding happens twice",
        "  - from: checkout",
        "  - from: total",
        "  - born in: `src/cart.py` · `total`",
        "  - evidence: `evidence/a.log`: two lines",
        "  - evidence: seen by hand",
        "  - evidence: `b.log`",
        "- **Reproduction tests**:",
        "  - `tests/a.py::x`",
        "- **Regression tests**:",
        "  - `tests/b.py::y`",
        "- **Relationships**:",
        "  - caused-by BUG-20260715-BBBB (proposed)",
        "  - unknown  (no state)",
    ]


def test_a_full_resolution() -> None:
    found = bug(
        "A7K3",
        resolution_kind="fixed",
        spec_verdict="spec-correta",
        traceability={"root_cause": {"state": "confirmed", "hypothesis": "twice"}, "regression_tests": ["tests/b.py"]},
        change_set=[
            {
                "id": "CHG-001",
                "kind": "code",
                "artifact": "src/a|b.py",
                "purpose": "round | once",
                "diff": "fix/1.diff",
            },
            {"id": "CHG-002", "kind": "test"},
        ],
        decisions=[
            {"what": "spec_verdict", "by": "Eve", "on": "2026-08-01", "via": "terminal"},
            {"what": "spec_verdict", "by": "Ana", "on": "2026-08-02", "via": "delegated"},
            {"what": "other", "by": "Bob"},
        ],
    )
    assert mirror.render("resolution", found).splitlines() == [
        "- **Resolution kind**: fixed",
        "- **Root cause** (confirmed): twice",
        "- **Spec verdict**: `spec-correta` (decided by Ana on 2026-08-02, delegated)",
        "- **Reproduction tests**: none",
        "- **Regression tests**:",
        "  - `tests/b.py`",
        "",
        "| Change | Kind | Artifact | Purpose | Diff |",
        "|---|---|---|---|---|",
        "| CHG-001 | code | `src/a\\|b.py` | round \\| once | `fix/1.diff` |",
        "| CHG-002 | test |  |  |  |",
    ]


def test_a_verdict_alone_is_shown() -> None:
    text = mirror.render("resolution", bug("A7K3", spec_verdict={"verdict": "spec-gap"}))
    assert text.splitlines()[:2] == ["- **Resolution kind**: not decided", "- **Spec verdict**: `spec-gap`"]
