"""Records of a megabyte that are made to be slow: every rule stays linear in them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from reversa.core.bug import Bug, Registry
from reversa.core.document import Plain
from reversa.core.rules.engine import run

from .examples import BASE, FOLDER, bug_of, merged, raw, registry_of

MANY = 300_000
TRACE = "# T\n\n## Traceability\n\n"
EVIDENCE = "# T\n\n## Evidence\n\n"
BODIES = {
    "blanks before a heading's end": "# a" + " " * MANY + "b#\n",
    "a heading of marks": "# " + "# " * MANY + "\n",
    "one section again and again": "## Summary\n" * (MANY // 10),
    "open fences": "```\n" * MANY,
    "a table of claims": TRACE + "| Spec | `_reversa_sdd/a.md#b` |\n" * (MANY // 10),
    "a row of cells": TRACE + "|" * MANY,
    "a label of blanks": TRACE + "- " + " " * MANY + "x\n",
    "a label of stars": TRACE + "- " + "*" * MANY + "x\n",
    "a token of colons": TRACE + "- `" + "1:" * MANY + "x.y`\n",
    "a token of blanks": TRACE + "- `a" + " " * MANY + "b.c/d`\n",
    "a token of slashes": TRACE + "- `" + "a/" * MANY + "!`\n",
    "a token of dots": TRACE + "- `" + ".a" * MANY + "`\n",
    "backticks": TRACE + "- " + "`a" * MANY + "\n",
    "nested items": TRACE + "".join(f"{' ' * (n % 500)}- **a**:\n" for n in range(MANY // 300)),
    "evidence that is not there": EVIDENCE + "`evidence/a.log`\n" * (MANY // 10),
    "evidence in one line": EVIDENCE + "`evidence/a` " * (MANY // 10),
}
VALUES: dict[str, dict[str, Any]] = {
    "many edges": {
        "relationships": [
            {"bug": Plain("BUG-20260701-Q2R8"), "type": Plain("blocked-by"), "state": Plain("confirmed")}
            for _ in range(MANY // 30)
        ]
    },
    "many obstacles": {"blocking": [{"kind": Plain("bug"), "target": Plain(FOLDER[:17])} for _ in range(MANY // 30)]},
    "many changes": {"change_set": [{"id": Plain("CHG-001"), "artifact": Plain("a")} for _ in range(MANY // 30)]},
    "many locators": {"traceability": {"specs": [Plain(f"a{n}.md#b:1:2") for n in range(MANY // 30)]}},
    "a long locator": {"traceability": {"affected_code": [Plain("a:" + "1:" * MANY), Plain("a " * MANY)]}},
    "a long number": {"delivery": {"commit": Plain("1" * MANY + "x"), "version": Plain("1:" * MANY)}},
    "a long rate": {"reproduction": {"rate": " " * MANY + "1" * MANY}},
    "a long word": {"status": Plain("o" * MANY), "phase": "p" * MANY, "created": Plain("2026-07-15" * MANY)},
    "a long ID": {"id": Plain(FOLDER[:17] + "-x" * MANY)},
    "long keys": {"x" * MANY: Plain("y"), "s" * MANY: {}},
    "many keys": {f"statu{n}": Plain("y") for n in range(MANY // 10)},
    "evidence": {"traceability": {"root_cause": {"evidence": ["evidence/a.log"] * (MANY // 10)}}},
}


def seconds(bug: Bug) -> float:
    registry: Registry = replace(registry_of({}), bugs=(bug,))
    registry.graph  # noqa: B018 - networkx is imported before the clock runs
    start = time.process_time()
    run(registry)
    return time.process_time() - start


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    assert seconds(replace(bug_of({}), body=BODIES[name])) < 3


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    data = merged(raw(BASE), VALUES[name])
    assert seconds(Bug(f"checkout/bugs/{FOLDER}/bug.md", FOLDER, "checkout", False, data)) < 3
