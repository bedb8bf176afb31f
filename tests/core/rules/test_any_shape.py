"""No record makes a rule fail: any raw value at any key, any body, and what is said can always be shown."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reversa.core.bug import Bug, Lock, Registry
from reversa.core.document import Plain
from reversa.core.fields import BODY_SECTIONS, FRONT_MATTER, RENAMED_AWAY, walk
from reversa.core.finding import place
from reversa.core.rules.engine import run
from reversa.core.taxonomy import Taxonomy
from reversa.store import frontmatter

from .examples import BASE, FOLDER, ID, Files, bug_of, emit, raw, registry_of, standard_body, unreadable

WORDS = sorted({word for _, field in walk() for word in field.values})
KEYS = sorted({route.split(".")[-1].removesuffix("[]") for route, _ in walk()} | RENAMED_AWAY.keys())
TEXTS = st.one_of(
    st.sampled_from([*WORDS, ID, "BUG-20260701-Q2R8", "BUG-20260701-q2r8-more", "null", "~", "", "true", "FALSE", "0"]),
    st.sampled_from(["2026-07-15", "2026-02-30", "3/20", "20/3 often", "CHG-001", "7e12345", "1.10", "evidence/a.log"]),
    st.sampled_from(["src/a.py:88-99", "a.md#b", "t.py::x (y)", "https://example.org/#x", "::", "#", "/", "a:1,2-3"]),
    st.text(max_size=12),
)
SCALARS = st.one_of(TEXTS, TEXTS.map(Plain))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=6)), inner, max_size=4),
    ),
    max_leaves=12,
)
LINES = st.one_of(
    st.sampled_from([f"## {name}" for name in BODY_SECTIONS] + ["# Discount applied twice", "# ", "#", "####### x"]),
    st.sampled_from(["```", "````", "~~~", "``` `", "- ```", "  ```", "<!-- a", "-->", "<!-- a --> b", "x <!-- y"]),
    st.sampled_from(
        [
            "| Spec | `_reversa_sdd/a.md#b` |",
            "- **Code**:",
            "  - `src/a.py:88`",
            "- caused-by BUG-20260701-Q2R8 (confirmed)",
        ]
    ),
    st.sampled_from(
        ["`evidence/a.log`", "|", "| |", "- x: `t.py::y`", "1. `a/b.c`", "\t- `a`", "* *", "## Summary ##"]
    ),
    st.text(alphabet="#`~-* |<!>a1.\t:/\r", max_size=10),
)
BODIES = st.lists(LINES, max_size=24).map("\n".join)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A complete record with anything put in the place of a few of its values, at any depth, or added to it."""
    data: dict[str, Any] = raw(BASE)
    for name in draw(st.lists(st.sampled_from([field.name for field in FRONT_MATTER.fields]), max_size=6)):
        at, key = data, name
        while isinstance(at.get(key), dict) and at[key] and draw(st.booleans()):
            at = at[key]
            key = draw(st.sampled_from(sorted(at)))
        at[key] = draw(VALUES)
    for name in draw(st.lists(st.sampled_from(KEYS), max_size=2)):
        data.setdefault(name, draw(VALUES))
    for name in draw(st.lists(st.sampled_from(sorted(data)), max_size=2)):
        data.pop(name, None)
    return data


def registry_with(bugs: list[Bug]) -> Registry:
    taxonomy = Taxonomy(True, {"area": ("sales",), "module": (), "feature": ("discount",)})
    files = Files({"src/a.py": "x\n", "a.md": "# B\n", "_reversa_bugs/checkout/bugs/x/evidence/a.log": ""})
    aside = (bug_of({"id": "BUG-20260701-Q2R8"}, "BUG-20260701-Q2R8"),)
    return Registry((*bugs, unreadable("BUG-20260702-WXYZ")), ("checkout",), taxonomy, files, set_aside=aside)


def check(registry: Registry) -> None:
    for violation in run(registry):
        for text in (violation.message(), violation.mend()):
            assert text
            assert all(char.isprintable() for char in text)
        if violation.bug is not None:
            assert violation.hit.line <= violation.bug.body_line + violation.bug.body.count("\n") + 1


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(records(), st.booleans(), records())
def test_any_value_at_any_key(data: dict[str, Any], locked: bool, other: dict[str, Any]) -> None:
    lock = Lock("", "", "sha256:" + "0" * 64) if locked else None
    bugs = [
        Bug(f"checkout/bugs/{FOLDER}/bug.md", FOLDER, "checkout", locked, data, "", (), lock, "sha256:1", 1),
        Bug("checkout/bugs/x/bug.md", "x", "checkout", False, other, "", (), None, "", 1),
    ]
    check(registry_with(bugs))


@settings(max_examples=300)
@given(BODIES)
def test_any_body(body: str) -> None:
    check(registry_with([replace(bug_of({}), body=body)]))


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(records())
def test_one_bad_value_hides_no_other_finding(data: dict[str, Any]) -> None:
    """What is wrong with one key is still said when another key is wrong too."""
    data = {**data, "phase": Plain("nowhere"), "updated": Plain("yesterday"), "change_risk": Plain("baixa")}
    bug = Bug(f"checkout/bugs/{FOLDER}/bug.md", FOLDER, "checkout", False, data)
    assert {"RV112", "RV130", "RV131"} <= {v.rule.code for v in run(registry_with([bug])) if v.bug is bug}


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(records())
def test_every_route_leads_into_the_file(data: dict[str, Any]) -> None:
    text = f"---\n{emit({key: _plain_safe(value) for key, value in data.items()})}---\n\n{standard_body('x')}"
    document, spans = frontmatter.locate(text.encode("utf-8", "replace"))
    if document.data is None:
        return
    bug = Bug(f"checkout/bugs/{FOLDER}/bug.md", FOLDER, "checkout", False, document.data, document.body)
    for violation in run(registry_with([bug])):
        if violation.bug is bug:
            line, column, width = place(document.text, spans, violation.hit)
            assert 1 <= line <= document.text.count("\n") + 1
            assert column >= 1
            assert width >= 1


def _plain_safe(value: Any) -> Any:
    """Quote plain scalars that hold what a plain scalar cannot; keep the harmless ones plain."""
    if isinstance(value, dict):
        return {key: _plain_safe(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain_safe(item) for item in value]
    return value if isinstance(value, Plain) and value.replace("-", "").isalnum() else str(value)


def test_an_unreadable_record_has_no_other_finding_than_its_own() -> None:
    registry = registry_of({"_others": [{"id": ID}]})
    broken = unreadable()
    registry = replace(registry, bugs=(broken, registry.bugs[1]))
    assert {v.rule.code for v in run(registry) if v.bug is broken} == {"RV004", "RV107"}


@pytest.mark.parametrize("places", [20_000])
def test_many_strange_keys_are_no_trap(places: int) -> None:
    data = raw(BASE) | {f"sev{number}ity": Plain("x") for number in range(places)} | {"x" * 100_000: Plain("y")}
    bug = Bug(f"checkout/bugs/{FOLDER}/bug.md", FOLDER, "checkout", False, data)
    start = time.process_time()
    run(registry_with([bug]))
    assert time.process_time() - start < 2
