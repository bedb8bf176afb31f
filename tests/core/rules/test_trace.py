"""Locators in all forms that records use, and mirrors: what is a contradiction and, above all, what is none."""

from __future__ import annotations

from typing import Any

import pytest

from reversa.core import mirror
from reversa.core.rules.engine import run
from reversa.core.rules.locators import Locator, is_pattern, parse, trouble

from .examples import FOLDER, bug_of, raw, registry_of

FILES = {
    "_reversa_sdd/sales.md": "# Sales\n\n## Discounts & Rebates\n\n## Discounts\n\n## Preço final\n",
    "src/cart.py": "class Cart:\n    total = 0\n",
    "tests/test_cart.py": "",
    "docs/read me.txt": "",
}


@pytest.mark.parametrize(
    ("text", "locator"),
    [
        ("_reversa_sdd/sales.md#discounts", Locator("_reversa_sdd/sales.md", "discounts")),
        ("src/cart.py:88", Locator("src/cart.py", line=88)),
        ("src/cart.py:88-99", Locator("src/cart.py", line=99)),
        ("src/cart.py:12,40-44", Locator("src/cart.py", line=44)),
        ("src/cart.py:12:5", Locator("src/cart.py", line=12)),
        ("src/cart.py#L80", Locator("src/cart.py", line=80)),
        ("src/cart.py#L80-L90", Locator("src/cart.py", line=90)),
        ("src/cart.py#L80-90", Locator("src/cart.py", line=90)),
        ("src/cart.py#Cart.total", Locator("src/cart.py", "Cart.total")),
        ("tests/test_cart.py::test_once[a (b)]", Locator("tests/test_cart.py", test="test_once[a (b)]")),
        ("tests/a.mjs::BUG-1 · it works (once)", Locator("tests/a.mjs", test="BUG-1 · it works (once)")),
        ("src/cart.py (only in the basket)", Locator("src/cart.py")),
        ("src/cart.py:88 (the sum)", Locator("src/cart.py", line=88)),
        ("src/cart.py — the sum", Locator("src/cart.py")),
        ("`src/cart.py`", Locator("src/cart.py")),
        ("https://example.org/a.md#b", None),
        ("", Locator("")),
        ("#anchor", Locator("", "anchor")),
    ],
)
def test_parse(text: str, locator: Locator | None) -> None:
    assert parse(text) == locator


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("_reversa_sdd/sales.md", ""),
        ("_reversa_sdd/sales.md#discounts--rebates", ""),
        ("_reversa_sdd/sales.md#Discounts", ""),
        ("_reversa_sdd/sales.md#preço-final", ""),
        ("_reversa_sdd/sales.md#pre%C3%A7o-final", ""),
        ("_reversa_sdd/sales.md#rounding", "_reversa_sdd/sales.md has no heading #rounding"),
        ("src/cart.py#any_symbol", ""),
        ("src/cart.py:2", ""),
        ("src/cart.py:3", "src/cart.py has 2 lines"),
        ("src/cart.py#L1-L9", "src/cart.py has 2 lines"),
        ("src/", ""),
        ("docs/read me.txt", ""),
        ("src/cart.py and what calls it", ""),
        ("src/gone.py:3", "there is no src/gone.py"),
        ("the basket", "there is no the basket"),
        ("(see above)", "there is no (see above)"),
        ("#anchor", "it names no file"),
        ("https://example.org/gone", ""),
    ],
)
def test_trouble(text: str, reason: str) -> None:
    assert trouble(text, registry_of({"_files": FILES})) == reason


@pytest.mark.parametrize("path", ["evidence/*.log", "evidence/shot-{1,2}.png", "evidence/shot-1..5.png", "evidence/…"])
def test_patterns(path: str) -> None:
    assert is_pattern(path)


def codes(text: str, **more: Any) -> list[str]:
    registry = registry_of({"_files": FILES, **raw(text), **more})
    return [v.rule.code for v in run(registry) if v.rule.code not in ("RV402", "RV403")]


EVIDENCE = f"_reversa_bugs/checkout/bugs/{FOLDER}/evidence"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- `evidence/gone.log`: nothing.", ["RV406"]),
        ("- `evidence/cart.log`: the log.", []),
        ("- `evidence/cart.log:12` shows it.", []),
        ("- evidence/gone.log without backticks is prose.", []),
        ("- `evidence/shots-*.png`", []),
        ("- `evidence/../../other/bug.md`", ["RV406"]),
        ("- `src/gone.py:3` is no evidence of ours", []),
        ("- ``evidence/gone.log``", []),
    ],
)
def test_evidence_in_the_body(line: str, found: list[str]) -> None:
    body = f"# T\n\n## Evidence\n\n{line}\n\n## Suspected Area\n\n`evidence/gone.log`\n"
    assert codes("title: T", _body=body, _files={**FILES, f"{EVIDENCE}/cart.log": ""}) == found


def test_evidence_in_the_body_has_its_place() -> None:
    registry = registry_of({"_body": "# T\n\n## Evidence\n\n- one\n- see `evidence/gone.log`\n"})
    hit = next(v.hit for v in run(registry) if v.rule.code == "RV406")
    text = registry.bugs[0].body.split("\n")[hit.line - registry.bugs[0].body_line]
    assert text[hit.column - 1 :].startswith("`evidence/gone.log`")


def test_evidence_of_edges_and_its_route() -> None:
    text = """
    relationships:
      - bug: BUG-20260701-Q2R8
        type: related-to
        state: proposed
        evidence: [~, evidence/a.log, {ref: evidence/b.log}]
    _others: [{id: BUG-20260701-Q2R8}]
    """
    routes = [v.hit.route for v in run(registry_of(raw(text))) if v.rule.code == "RV406"]
    assert routes == [("relationships", 0, "evidence", 1), ("relationships", 0, "evidence", 2, "ref")]


YAML = """
traceability:
  specs: ["_reversa_sdd/sales.md#discounts"]
  affected_code: ["src/cart.py:2"]
  regression_tests: ["tests/test_cart.py::test_once"]
relationships:
  - {bug: BUG-20260701-Q2R8, type: caused-by, state: confirmed, evidence: [seen]}
_others:
  - {id: BUG-20260701-Q2R8}
  - {id: BUG-20260702-W3X4, blocking: [{kind: bug, target: BUG-20260715-A7K3}]}
"""


def claims(section: str) -> list[tuple[str, str]]:
    example = {
        **raw(YAML),
        "_files": FILES,
        "_body": f"# T\n\n## Traceability\n\n{section}\n\n## Resolution\n\n`x/y.z`\n",
    }
    return [
        (str(v.hit.params["value"]), str(v.hit.params["problem"]))
        for v in run(registry_of(example))
        if v.rule.code == "RV405"
    ]


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("| Spec | `_reversa_sdd/sales.md#rounding` |", "_reversa_sdd/sales.md#rounding"),
        ("| Spec | _reversa_sdd/sales.md#rounding |", "_reversa_sdd/sales.md#rounding"),
        ("| Anything | `_reversa_sdd/other.md` |", "_reversa_sdd/other.md"),
        ("- **Specs**: `_reversa_sdd/sales.md#rounding`", "_reversa_sdd/sales.md#rounding"),
        ("- `_reversa_sdd/sales.md#rounding`", "_reversa_sdd/sales.md#rounding"),
        ("- **Affected code**:\n  - `src/total.py:9`", "src/total.py:9"),
        ("| Código | `src/total.py` |", "src/total.py"),
        ("| Regression tests | `tests/test_cart.py::test_twice` |", "tests/test_cart.py::test_twice"),
        ("| caused-by | BUG-20260703-Y5Z6 |", "BUG-20260703-Y5Z6"),
        ("- duplicate-of BUG-20260701-Q2R8 (confirmed)", "duplicate-of BUG-20260701-Q2R8 (confirmed)"),
        ("- caused-by BUG-20260701-Q2R8 (supported)", "caused-by BUG-20260701-Q2R8 (supported)"),
        ("- **Relationships**:\n  - `BUG-20260703-Y5Z6`", "BUG-20260703-Y5Z6"),
    ],
)
def test_contradictions(section: str, value: str) -> None:
    assert [found for found, _ in claims(section)] == [value]


@pytest.mark.parametrize(
    "section",
    [
        "none",
        "- **Specs**: none\n- **Affected code**: none",
        "| Spec | none (`spec-gap`): no file mentions it |",
        "| Spec | `_reversa_sdd/sales.md#discounts` |",
        "| Spec | `sales.md#discounts`, `#discounts` |",
        "| Spec | _reversa_sdd/sales.md#discounts |",
        "| Code | `src/cart.py` (2, 14-20) |",
        "| Code | `src/cart.py:7` |",
        "| Code | `cart.py`, `Cart.total`, `applyDiscount()` |",
        "| Neighbours | `src/stock.py` was looked at as well |",
        "| Commits | `5e42732`, `c9f9741` |",
        "| Test | `tests/test_cart.py::test_once` |",
        "| Test | `npm test -- tests/test_cart.py` |",
        "| caused-by | BUG-20260701-Q2R8 (confirmed) |",
        "- caused-by BUG-20260701-q2r8 (confirmed)",
        "- blocks BUG-20260702-W3X4",
        "| Itself | BUG-20260715-A7K3 |",
        "It was split from `BUG-20260703-Y5Z6`, and `src/total.py` had nothing to do with it.",
        "- Split from `BUG-20260703-Y5Z6` after a week.",
        "- Evidence: `evidence/cart.log`, `fix/CHG-009.diff`",
        "- Pattern: `_reversa_sdd/*.md`",
        "- Page: https://example.org/a.md#b",
        "- Route: `POST /cart/total.json`, `application/json`",
        "```\n| Spec | `_reversa_sdd/sales.md#rounding` |\n```",
        "",
    ],
)
def test_no_contradiction(section: str) -> None:
    assert claims(section) == []


def test_the_mirror_that_reversa_renders_contradicts_nothing() -> None:
    bug = bug_of(raw(YAML))
    text = f"{mirror.begin('traceability')}\n{mirror.render('traceability', bug)}\n{mirror.end('traceability')}"
    assert "`_reversa_sdd/sales.md#discounts`" in text
    assert claims(text) == []
    assert claims(text.replace("#discounts", "#rounding")) != []


def test_a_contradiction_has_its_line() -> None:
    example = {**raw(YAML), "_body": "# T\n\n## Traceability\n\n- fine\n- Spec: `_reversa_sdd/a.md#b`\n"}
    registry = registry_of(example)
    hit = next(v.hit for v in run(registry) if v.rule.code == "RV405")
    assert registry.bugs[0].body.split("\n")[hit.line - registry.bugs[0].body_line].startswith("- Spec")


def test_sections_out_of_order() -> None:
    names = ["Summary", "Evidence", "Expected Behavior", "Actual Behavior", "Own Section", "Summary"]
    registry = registry_of({"_body": "# T\n\n" + "".join(f"## {name}\n\n" for name in names) + "# U\n"})
    said = [v.message() for v in run(registry) if v.rule.code == "RV404"]
    first = registry.bugs[0].body_line
    assert said == [
        f"## Summary stands here a second time; the first is on line {first + 3}",
        f"a heading of the first level stands here a second time; the first is on line {first + 1}",
        "## Evidence stands out of order; it belongs at the end",
    ]
