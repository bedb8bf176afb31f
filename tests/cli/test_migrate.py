"""`reversa migrate`: what each class makes of a record, what it leaves to a person, and that nothing is lost."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reversa.core.document import simple
from reversa.core.fields import FRONT_MATTER, RENAMED_AWAY
from reversa.core.migrations import MIGRATIONS
from reversa.store.frontmatter import read

from .conftest import Cli, git, new, record, tree
from .test_fix import OTHER, findings, other, outside, unmirrored, write

SPECS, CODE = "  specs: []", "  affected_code: []"

REVEALED = {"RV240", "RV408", "RV409", "RV410"}
"""What no rule could see before a key stood in its place: another policy, locators of files that are not there."""

SHAPES = [
    ("dates", [("created: 2026-09-01", "created_at: 2026-08-10T20:02:00-03:00 # c")], {"created": "2026-08-10"}),
    ("dates", [("created: 2026-09-01", "created_at: 2026-08-10")], {"created": "2026-08-10"}),
    ("dates", [("updated: 2026-09-01", "updated_at: 2026-08-10 09:00")], {"updated": "2026-09-01"}),
    ("dates", [("updated: 2026-09-01", "updated: 2026-08-11\nupdated_at: 2026-08-10")], {"updated": "2026-09-01"}),
    ("root-cause", [("  root_cause: null\n", ""), ("closure:", "root_cause:\n  description: x\n  more: [1]\nclosure:")],
     {"traceability.root_cause": {"state": "hypothesized", "hypothesis": "x", "more": ["1"]}}),
    ("root-cause", [("closure:", "root_cause: Rounding happens twice\nclosure:")],
     {"traceability.root_cause": {"state": "hypothesized", "hypothesis": "Rounding happens twice"}}),
    ("affected-code", [("closure:", "affected_code:\n  - a.py\n  - 'b: c.py'\nclosure:")],
     {"traceability.affected_code": ["a.py", "b: c.py"]}),
    ("affected-code", [(f"{CODE}\n", "  code_ref: a.py#L80 # c\n")], {"traceability.affected_code": ["a.py#L80"]}),
    ("affected-code", [(CODE, "  affected_code: [a.py]"), ("closure:", "affected_code: [a.py, b.py]\nclosure:")],
     {"traceability.affected_code": ["a.py", "b.py"]}),
    ("specs", [(SPECS, "  spec_ref: s.md#a")], {"traceability.specs": ["s.md#a"]}),
    ("specs", [(SPECS, "  specs: []\n  spec_refs:\n    - s.md # c\n    - t.md")],
     {"traceability.specs": ["s.md", "t.md"]}),
    ("specs", [("closure:", "spec_ref: s.md\nclosure:")], {"traceability.specs": ["s.md"]}),
    ("tests", [("closure:", "regression_tests: [t.py]\nclosure:")], {"traceability.regression_tests": ["t.py"]}),
    ("closure-policy", [("  policy: local-software\n", ""), ("closure:", "closure_policy: package\nclosure:")],
     {"closure": {"policy": "package", "satisfied": False}}),
    ("relations", [("relationships: []", f"relations:\n  - {{bug: {OTHER}, type: caused-by, state: proposed}}")],
     {"relationships": [{"bug": OTHER, "type": "caused-by", "state": "proposed", "evidence": []}]}),
    ("relations", [("closure:", f"related: [{OTHER}-slug]\nclosure:")],
     {"relationships": [{"bug": OTHER, "type": "related-to", "state": "proposed", "evidence": []}]}),
    ("relations", [("relationships: []", f"relations:\n  - id: {OTHER}\n    kind: bloqueado-por\n    note: x")],
     {"relationships": [{"bug": OTHER, "type": "blocked-by", "state": "proposed", "evidence": [], "note": "x"}]}),
    ("blocking", [("blocking: []", f"blocked_by: [{OTHER}, waiting for keys]")],
     {"blocking": [{"kind": "bug", "target": OTHER},
                   {"kind": "external", "reason": "waiting for keys", "since": None}]}),
    ("spec-verdict", [("spec_verdict: null", "spec_verdict: {verdict: spec-gap, by: Ana, date: 2026-08-01, why: so,"
                       " ticket: X-1}")],
     {"spec_verdict": "spec-gap", "decisions": [{"what": "spec_verdict", "value": "spec-gap", "by": "Ana",
      "on": "2026-08-01", "via": "delegated", "reason": "so; ticket: X-1"}]}),
    ("spec-verdict", [("spec_verdict: null", "spec_verdict:\n  verdict: spec-correta")],
     {"spec_verdict": "spec-correta", "decisions": [{"what": "spec_verdict", "value": "spec-correta",
      "via": "delegated", "reason": None}]}),
    ("change-risk", [("closure:", "change_risk: media\nclosure:")],
     {"change_risk": {"classification": "média", "motivos": []}}),
    ("change-risk", [("closure:", "change_risk: 'alta (touches: money)' # c\nclosure:")],
     {"change_risk": {"classification": "alta", "motivos": ["touches: money"]}}),
    ("single-texts", [("labels: []", "labels: money")], {"labels": ["money"]}),
    ("renamed-keys", [("closure:", "change_risk:\n  classification: alta\n  reasons: # c\n    - 'x'\nclosure:")],
     {"change_risk": {"classification": "alta", "motivos": ["x"]}}),
    ("renamed-keys", [("root_cause: null", "root_cause: {state: hypothesized, description: x}")],
     {"traceability.root_cause": {"state": "hypothesized", "hypothesis": "x"}}),
    ("renamed-keys", [("closure:", "post_fix_observation: {started_at: 2026-08-01, closed_at: yes}\nclosure:")],
     {"post_fix_observation": {"started": "2026-08-01", "concluded": "yes"}}),
]  # fmt: skip


def value(path: Path, route: str) -> Any:
    found = simple(read(path.read_bytes()).data)
    for step in route.split("."):
        found = found[step]
    return found


@pytest.mark.parametrize(("name", "pairs", "wanted"), SHAPES, ids=[f"{s[0]} {s[1][-1][1][:28]}" for s in SHAPES])
def test_each_class_changes_its_keys_alone(
    cli: Cli, repo: Path, name: str, pairs: list[tuple[str, str]], wanted: dict[str, Any]
) -> None:
    bug = new(cli)
    path = record(repo, bug)
    other(repo, bug)
    before = write(path, *((f"\n{a}" if a == "closure:" else a, f"\n{b}" if a == "closure:" else b) for a, b in pairs))
    had, files = findings(cli), tree(repo)
    (row,) = [row for row in cli("migrate", "--json", ok=True).json["data"]["classes"] if row["class"] == name]
    assert (row["bugs"], row["held"], row["locked"]) == (1, 0, 0)
    assert cli("migrate", "--class", name).code == 4 and tree(repo) == files
    patch = cli("migrate", "--class", name, "--dry-run", ok=True).out
    assert patch and tree(repo) == files
    data = cli("migrate", "--class", name, "--yes", "--json", ok=True).json["data"]
    assert [entry["id"] for entry in data["bugs"]] == [bug]
    for route, expected in wanted.items():
        assert value(path, route) == expected
    has = findings(cli)
    gone = "RV130" if name in ("change-risk", "single-texts") else "RV121" if name == "spec-verdict" else "RV134"
    assert has[gone] < had[gone]
    assert set(has - had) <= REVEALED
    touched = {key.partition(".")[0] for entry in data["bugs"] for key in entry["changed"]}
    lines = [[line for line in outside(unmirrored(text), touched) if line] for text in (before, path.read_text())]
    assert lines[0] == lines[1]
    comments = [line.count("# c") for line in (before, path.read_text())]
    assert comments[0] == comments[1]
    done = tree(repo)
    cli("migrate", "--class", name, "--yes", ok=True)
    assert tree(repo) == done


def test_every_other_name_of_a_key_has_a_class(cli: Cli, repo: Path) -> None:
    tops = {*RENAMED_AWAY, *(name for field in FRONT_MATTER.fields for name in field.renamed)}
    for name in sorted(tops):
        path = record(repo, new(cli, f"has {name}"))
        write(path, ("\nclosure:", f"\n{name}: null\nclosure:"))
    for name in MIGRATIONS:
        cli("migrate", "--class", name, "--yes", ok=True)
    assert findings(cli)["RV134"] == 0


BY_HAND = [
    ("dates", "closure:", "created_at: last week\nclosure:", "created_at is no day"),
    ("dates", "closure:", "created_at: 2026-01-01\nclosure:", "created_at and created both say something"),
    ("root-cause", "closure:", "root_cause: [a]\nclosure:", "root_cause is a list"),
    ("root-cause", "closure:", "root_cause:\n  # why\n  state: hypothesized\nclosure:", "the comment # why would"),
    ("closure-policy", "closure:", "closure_policy: ask Ana\nclosure:", "a person decides"),
    ("relations", "closure:", "related: [the other one]\nclosure:", "names no bug by its ID"),
    ("relations", "closure:", f"relations: [{{bug: {OTHER}, type: causes}}]\nclosure:", "causes is an inverse"),
    ("relations", "closure:", "related: [BUG-20200101-ZZZZ]\nclosure:", "it would add an error"),
    ("spec-verdict", "spec_verdict: null", "spec_verdict: {verdict: maybe}", "maybe, no word of the contract"),
    ("spec-verdict", "spec_verdict: null", "spec_verdict: {by: Ana}", "it holds no verdict"),
    ("change-risk", "closure:", "change_risk: who knows\nclosure:", "is no class of risk"),
    ("single-texts", "labels: []", "labels: money, refunds", "labels may be several texts in one"),
    ("specs", "closure:", "specs: [a.md]\nspec_ref: b.md\nclosure:", "mean the same key"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "good", "bad", "why"), BY_HAND, ids=[f"{case[0]} {case[3][:30]}" for case in BY_HAND])
def test_what_only_a_person_can_turn_is_listed_and_stays(
    cli: Cli, repo: Path, name: str, good: str, bad: str, why: str
) -> None:
    bug = new(cli)
    write(record(repo, bug), (f"\n{good}", f"\n{bad}"))
    before = tree(repo)
    result = cli("migrate", "--class", name, "--yes", ok=True)
    assert why in result.err and bug in result.err and tree(repo) == before


def test_locked_bugs_are_listed_and_left_alone(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    write(path, ("created:", "created_at:"))
    (path.parent / "DONE.md").write_text("# done\n")
    before = tree(repo)
    assert "1 locked" in cli("migrate").out
    result = cli("migrate", "--class", "dates", "--yes", ok=True)
    assert f"1 locked bug is left alone: {bug}." in result.err and tree(repo) == before


def test_all_or_nothing_and_the_diff_applies(cli: Cli, repo: Path) -> None:
    bugs = [new(cli), new(cli, context="billing")]
    for bug in bugs:
        write(record(repo, bug), ("created:", "created_at:"))
    git(repo, "add", "-A")
    patch = cli("migrate", "--class", "dates", "--dry-run", ok=True).out
    cli("migrate", "--class", "dates", "--yes", "--no-views", ok=True)
    done = tree(repo)
    git(repo, "checkout", "-q", ".")
    subprocess.run(["git", "apply"], input=patch, text=True, cwd=repo, check=True)
    assert tree(repo) == done


def test_usage(cli: Cli, repo: Path) -> None:
    new(cli)
    assert "Nothing to migrate" in cli("migrate", ok=True).out
    assert cli("migrate", "--yes").code == 2
    result = cli("migrate", "--class", "date", "--yes")
    assert result.code == 2 and "dates" in result.err
    refused = cli("migrate", "--class", "dates", "--json")
    assert refused.code == 4 and refused.json["error"]["kind"] == "needs-yes"


def test_of_a_restricted_bug_only_its_id_is_told(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Zqmark leaks", "--security")
    path = record(repo, bug)
    write(path, ("created:", "created_at:"), ("\nclosure:", "\nchange_risk: zqmark\nclosure:"))
    for args in (["dates", "--dry-run"], ["dates", "--dry-run", "--json"], ["change-risk", "--yes"]):
        result = cli("migrate", "--class", *args, ok=True)
        assert "created_at:" not in result.out
        assert "qmark" not in result.out + result.err and bug in result.out + result.err
    assert "+created: " in cli("migrate", "--class", "dates", "--dry-run", "--include-restricted").out
    result = cli("migrate", "--class", "dates", "--yes", ok=True)
    assert "qmark" not in result.out + result.err and "\ncreated: " in path.read_text()


@pytest.mark.parametrize("name", ["package-22", "local-6"])
def test_real_registries_have_fewer_findings_and_no_other_line_moves(
    cli: Cli, empty: Path, shared: Callable[..., Path], name: str
) -> None:
    shutil.copytree(shared("registries", name), empty / "_reversa_bugs", copy_function=shutil.copyfile)
    for path in (empty / "_reversa_bugs").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    listed = {row["class"]: row for row in cli("migrate", "--json").json["data"]["classes"]}
    assert sum(row["bugs"] for row in listed.values()) > 0
    for class_ in MIGRATIONS:
        had, before = findings(cli), tree(empty)
        data = cli("migrate", "--class", class_, "--yes", "--include-restricted", "--json", ok=True).json["data"]
        has, after = findings(cli), tree(empty)
        assert not has - had
        assert bool(data["bugs"]) == (has.total() < had.total()) == bool(listed.get(class_, {"bugs": 0})["bugs"])
        touched = {key.partition(".")[0] for entry in data["bugs"] for key in entry["changed"]}
        for path, content in after.items():
            if before[path] != content:
                assert outside(before[path].decode(), touched) == outside(content.decode(), touched), path
        cli("migrate", "--class", class_, "--yes")
        assert tree(empty) == after
