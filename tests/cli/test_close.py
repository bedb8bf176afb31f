"""`reversa close`: the checklist, both files or neither, the lock afterwards."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from reversa.store import seal
from reversa.store.seal import parse_lock

from .conftest import DAY, Cli, git, new, record, tree


def make_ready(cli: Cli, root: Path, bug: str) -> None:
    """Give a bug all that local-software asks of a fix."""
    (root / "src").mkdir(exist_ok=True)
    (root / "src/cart.py").write_text("def close():\n    pass\n")
    (root / "tests").mkdir(exist_ok=True)
    (root / "tests/test_cart.py").write_text("def test_once():\n    pass\n")
    (root / "_reversa_sdd").mkdir(exist_ok=True)
    (root / "_reversa_sdd/sales.md").write_text("# Sales\n\n## Totals\n")
    cli(
        "update", bug, "--phase", "patching",
        "--spec", "_reversa_sdd/sales.md#totals", "--code", "src/cart.py:1",
        "--regression-test", "tests/test_cart.py::test_once",
        "--set", "traceability.root_cause.state=confirmed",
        "--set", "traceability.root_cause.hypothesis=the cart is summed twice",
        "--add", "traceability.root_cause.evidence=ref=src/cart.py:1,observation=called twice",
        "--set", "spec_verdict=spec-correta", "--by", "Ana", ok=True,
    )  # fmt: skip


def refusal(cli: Cli, *args: str) -> dict[str, bool]:
    """Close, expect the checklist, and give its items with whether each is done."""
    result = cli("close", *args, "--json")
    assert result.code == 4, result.out
    error = result.json["error"]
    assert error["kind"] == "unfinished", error
    return {item["item"]: item["done"] for item in error["checklist"]}


def test_a_fix_is_closed_with_both_files_and_a_seal_that_verifies(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    make_ready(cli, repo, bug)
    result = cli("close", bug[-4:], "--as", "fixed", ok=True)
    assert "locked" in result.out
    folder = record(repo, bug).parent
    lock = parse_lock((folder / "DONE.md").read_bytes())
    assert (lock.date, lock.kind) == (DAY, "fixed")
    assert lock.seal == seal.compute(folder, ["bug.md"])
    lines = (folder / "DONE.md").read_text().split("\n")
    assert bug in lines[0] and f"Data: {DAY}" in lines and "resolution_kind: fixed" in lines
    data = cli("show", bug, "--json").json["data"]
    assert (data["status"], data["phase"], data["resolution_kind"]) == ("resolved", "patching", "fixed")
    assert data["closure"]["satisfied"] is True and data["done"] is True
    assert cli("check", "--strict", "--locked").code == 0


def test_what_is_missing_is_listed_at_once_with_what_supplies_it(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    before = tree(repo)
    result = cli("close", bug, "--as", "fixed")
    assert result.code == 4
    assert result.err.startswith(f"Not yet: {bug} lacks")
    assert result.err.rstrip().endswith("Nothing was written.")
    assert "[ ] regression tests" in result.err and f"reversa update {bug[-4:]}" in result.err
    assert all(len(line) <= 190 for line in result.err.split("\n"))
    assert tree(repo) == before
    items = refusal(cli, bug, "--as", "fixed")
    assert len(items) >= 4 and not any(items.values())
    (verdict,) = (
        item
        for item in cli("close", bug, "--as", "fixed", "--json").json["error"]["checklist"]
        if "verdict" in item["item"]
    )
    assert verdict["command"] is None


def test_every_command_of_the_checklist_is_one_that_runs(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    for item in cli("close", bug, "--as", "fixed", "--json").json["error"]["checklist"]:
        if item["command"]:
            words = item["command"].split()
            assert words[0] == "reversa" and words[1] in ("update", "link", "close")


def test_each_missing_condition_alone_is_refused(cli: Cli, repo: Path) -> None:
    for route in (
        "traceability.regression_tests[0]",
        "traceability.specs[0]",
        "traceability.root_cause",
    ):
        bug = new(cli)
        make_ready(cli, repo, bug)
        cli("update", bug, "--remove", route, ok=True)
        items = refusal(cli, bug, "--as", "fixed")
        assert list(items.values()).count(False) == 1, items


def test_package_asks_for_merge_version_and_required_backports(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    make_ready(cli, repo, bug)
    cli("update", bug, "--set", "closure.policy=package", ok=True)
    cli("update", bug, "--add", "backports=version=1.2,required=true,released=false", ok=True)
    cli("update", bug, "--add", "backports=version=1.1,required=false,released=false", ok=True)
    items = refusal(cli, bug, "--as", "fixed")
    assert [name for name, done in items.items() if not done] == [
        "merge recorded",
        "version published",
        "backport 1.2 released",
    ]
    cli("update", bug, "--set", "delivery.merged=true", "--set", "delivery.version=2.0", ok=True)
    assert [name for name, done in refusal(cli, bug, "--as", "fixed").items() if not done] == ["backport 1.2 released"]
    cli("update", bug, "--set", "backports[1.2].released=true", ok=True)
    cli("close", bug, "--as", "fixed", ok=True)


def test_a_service_asks_for_a_delivery_and_a_watch(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    make_ready(cli, repo, bug)
    cli("update", bug, "--set", "closure.policy=production-service", ok=True)
    missing = [name for name, done in refusal(cli, bug, "--as", "fixed").items() if not done]
    assert missing == ["delivery recorded", "observation concluded"]
    cli("update", bug, "--set", "delivery.deployed=2026-08-20", "--set", "post_fix_observation.started=2026-08-20",
        "--set", "post_fix_observation.until=2026-08-27", "--set", "post_fix_observation.recurrences=1",
        "--set", "post_fix_observation.concluded=2026-08-28", ok=True)  # fmt: skip
    assert [name for name, done in refusal(cli, bug, "--as", "fixed").items() if not done] == ["observation concluded"]
    cli("update", bug, "--set", "post_fix_observation.recurrences=0", ok=True)
    cli("close", bug, "--as", "fixed", ok=True)


def test_nobody_is_said_to_have_confirmed_before_anyone_was_asked(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("update", bug, "--set", "closure.policy=the board signs", ok=True)
    assert refusal(cli, bug, "--as", "fixed")["a person's confirmation"] is False


def test_an_observation_is_held_against_the_day(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    make_ready(cli, repo, bug)
    cli("update", bug, "--set", "closure.policy=production-service", "--set", "delivery.deployed=yes",
        "--set", "post_fix_observation.until=2099-01-01", "--set", "post_fix_observation.concluded=true",
        "--set", "post_fix_observation.recurrences=0", ok=True)  # fmt: skip
    assert refusal(cli, bug, "--as", "fixed")["observation concluded"] is False


def test_an_interrupted_lock_puts_the_record_back(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    before = tree(repo)

    def interrupted(*args: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(seal, "compute", interrupted)
    assert cli("close", bug, "--as", "invalid", "--reason", "x").code == 130
    assert tree(repo) == before


def test_a_policy_of_other_text_needs_a_person(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    make_ready(cli, repo, bug)
    cli("update", bug, "--set", "closure.policy=firmware board signs off", ok=True)
    result = cli("close", bug, "--as", "fixed", "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "needs-human"
    cli("close", bug, "--as", "fixed", "--by", "Ana", "--reason", "signed on Monday", ok=True)
    data = cli("show", bug, "--json").json["data"]
    assert data["decisions"][-1]["by"] == "Ana" and data["decisions"][-1]["via"] == "delegated"
    assert "signed on Monday" in data["sections"]["Resolution"]
    assert cli("check", "--locked", "--strict").code == 0


def test_a_spec_gap_closes_without_a_spec_and_its_newest_addendum_becomes_the_locator(cli: Cli, repo: Path) -> None:
    for names, locators in (
        ([], []),
        (["v001", "v010", "v009"], ["v010"]),
    ):
        bug = new(cli)
        make_ready(cli, repo, bug)
        cli("update", bug, "--remove", "traceability.specs[0]", "--add", "labels=spec-gap",
            "--set", "spec_verdict=spec-gap", "--by", "Ana", ok=True)  # fmt: skip
        (repo / "_reversa_sdd/addenda").mkdir(exist_ok=True)
        for name in names:
            (repo / f"_reversa_sdd/addenda/bug-{bug}-{name}.md").write_text("# Totals\n")
        (repo / "_reversa_sdd/addenda/bug-BUG-20200101-AAAA-v099.md").write_text("# Another\n")
        cli("close", bug, "--as", "fixed", ok=True)
        specs = cli("show", bug, "--json").json["data"]["traceability"]["specs"]
        assert specs == [f"_reversa_sdd/addenda/bug-{bug}-{name}.md" for name in locators]
    assert cli("check", "--strict", "--locked").code == 0


def test_a_duplicate_needs_a_confirmed_edge(cli: Cli, repo: Path) -> None:
    original, bug = new(cli), new(cli, "again")
    assert refusal(cli, bug, "--as", "duplicate") == {"confirmed duplicate-of": False}
    result = cli("close", bug, "--as", "duplicate", "--duplicate-of", original)
    assert result.code == 4 and "evidence" in result.err
    cli("close", bug, "--as", "duplicate", "--duplicate-of", original, "--evidence", "a.txt=same trace", ok=True)
    (edge,) = cli("show", bug, "--json").json["data"]["relationships"]
    assert (edge["bug"], edge["type"], edge["state"]) == (original, "duplicate-of", "confirmed")
    assert cli("check").code == 0
    assert cli("close", original, "--as", "duplicate", "--duplicate-of", original).code == 4
    assert cli("close", original, "--as", "duplicate", "--duplicate-of", bug, "--evidence", "a=b").code == 4


def test_the_other_kinds(cli: Cli, repo: Path) -> None:
    bug = new(cli, "not reproduced")
    assert list(refusal(cli, bug, "--as", "cannot-reproduce").values()) == [False]
    cli("update", bug, "--set", "reproduction.classification=not-reproduced", ok=True)
    cli("close", bug, "--as", "cannot-reproduce", ok=True)

    bug = new(cli, "needs logs")
    assert list(refusal(cli, bug, "--as", "instrumentation-required").values()) == [False]
    cli("update", bug, "--add", "change_set=id=CHG-001,kind=observability,artifact=src/log.py,purpose=see it", ok=True)
    cli("close", bug, "--as", "instrumentation-required", ok=True)

    bug = new(cli, "the spec is wrong")
    assert not any(refusal(cli, bug, "--as", "spec-only").values())
    cli("update", bug, "--set", "spec_verdict=spec-desatualizada", "--by", "Ana",
        "--add", "change_set=id=CHG-001,kind=specification,artifact=a.md,purpose=say it", ok=True)  # fmt: skip
    cli("close", bug, "--as", "spec-only", ok=True)

    bug = new(cli, "no bug at all")
    assert refusal(cli, bug, "--as", "invalid") == {"reason": False}
    cli("close", bug, "--as", "invalid", "--reason", "Works as designed.", ok=True)
    assert "Works as designed." in cli("show", bug, "--json").json["data"]["sections"]["Resolution"]
    assert cli("check").code == 0


def test_a_locked_folder_is_closed_to_every_writing_command(cli: Cli, repo: Path) -> None:
    bug, other = new(cli), new(cli, "other")
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    before = tree(repo)
    for args in (
        ["update", bug, "--severity", "low"],
        ["link", bug, "related-to", other],
        ["unlink", bug, "related-to", other],
        ["close", bug, "--as", "invalid", "--reason", "y"],
    ):
        result = cli(*args)
        assert result.code in (2, 4), args
        assert tree(repo) == before
    assert "--regression-of" in cli("update", bug, "--severity", "low").err
    cli("new", "back again", "-c", "checkout", "--regression-of", bug, ok=True)


def test_resolved_and_satisfied_without_a_lock_is_finished_with_the_same_kind(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    make_ready(cli, repo, bug)
    cli("close", bug, "--as", "fixed", ok=True)
    (record(repo, bug).parent / "DONE.md").unlink()
    result = cli("check", "--json")
    assert [f["code"] for f in result.json["findings"] if f["severity"] == "error"] == ["RV204"]
    wrong = cli("close", bug, "--as", "invalid", "--reason", "x")
    assert wrong.code == 4 and "--as fixed" in wrong.err
    before = record(repo, bug).read_bytes()
    cli("close", bug, "--as", "fixed", ok=True)
    assert record(repo, bug).read_bytes() == before
    assert cli("check", "--strict").code == 0


def test_a_record_with_an_error_is_not_closed(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    text = "relationships:\n  - {bug: BUG-20200101-AAAA, type: caused-by, state: proposed, evidence: []}"
    path.write_text(path.read_text().replace("relationships: []", text))
    before = tree(repo)
    result = cli("close", bug, "--as", "invalid", "--reason", "x", "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "has-errors"
    assert tree(repo) == before


def test_evidence_that_git_ignores_stops_the_closing(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    (repo / ".gitignore").write_text("*.log\n")
    folder = record(repo, bug).parent / "evidence"
    folder.mkdir()
    (folder / "close.log").write_text("x")
    result = cli("close", bug, "--as", "invalid", "--reason", "x")
    assert (
        result.code == 4
        and f"git add -f _reversa_bugs/checkout/bugs/{folder.parent.name}/evidence/close.log" in result.err
    )
    git(repo, "add", "-f", str(folder / "close.log"))
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    assert cli("check", "--strict").code == 0


def test_the_seal_verifies_on_a_fresh_clone_and_breaks_when_anything_changes(
    cli: Cli, repo: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = new(cli)
    folder = record(repo, bug).parent / "evidence"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\n")
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "closed")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "-c", "core.autocrlf=true", "clone", "-q", str(repo), "here")
    assert b"\r\n" in next(clone.glob("here/_reversa_bugs/*/bugs/*/evidence/a.txt")).read_bytes()
    monkeypatch.chdir(clone / "here")
    assert cli("check", "--strict", "--locked").code == 0
    next(clone.glob("here/_reversa_bugs/*/bugs/*/evidence/a.txt")).write_text("three\n")
    result = cli("check", "--json")
    assert result.code == 1 and [f["code"] for f in result.json["findings"]] == ["RV211"]
    git(clone / "here", "commit", "-qam", "after the lock")
    result = cli("check", "--json")
    assert result.code == 1 and [f["code"] for f in result.json["findings"]] == ["RV210"]


def test_a_failed_lock_puts_the_record_back(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    before = tree(repo)

    def fail(*args: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(seal, "compute", fail)
    result = cli("close", bug, "--as", "invalid", "--reason", "x")
    assert result.code == 5 and "No space left" in result.err
    assert tree(repo) == before


def test_dry_run_shows_both_files_and_writes_neither(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    before = tree(repo)
    result = cli("close", bug, "--as", "invalid", "--reason", "x", "--dry-run", ok=True)
    assert "+status: resolved" in result.out and "DONE.md" in result.out
    assert tree(repo) == before


def test_wrong_usage(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("close", bug, "--as", "fix")
    assert result.code == 2 and "fixed" in result.err
    assert cli("close", bug, "--as", "fixed", "--duplicate-of", bug).code == 2
    assert cli("close", bug).code == 2
    assert cli("close", "ZZZZ", "--as", "fixed").code == 2
    assert json.loads(cli("close", bug, "--json").out)["error"]["kind"] == "usage"


def test_a_folder_that_no_seal_can_cover_is_not_closed(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    nested = record(repo, bug).parent / "evidence/clone"
    nested.mkdir(parents=True)
    git(nested, "init", "-q")
    (nested / "x.txt").write_text("x")
    result = cli("close", bug, "--as", "invalid", "--reason", "x")
    assert result.code == 4 and "repository of its own" in result.err
    shutil.rmtree(nested)
    (record(repo, bug).parent / "evidence/kept.txt").write_text("x")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "evidence")
    (record(repo, bug).parent / "evidence/kept.txt").unlink()
    result = cli("close", bug, "--as", "invalid", "--reason", "x")
    assert result.code == 4 and "not in this checkout" in result.err


def test_a_dry_run_applies_with_git_whatever_ends_a_line(cli: Cli, repo: Path) -> None:
    bug = new(cli, "x", "--label", "a\u2028b", "--label", "c\u0085d")
    git(repo, "add", "-A")
    patch = repo / "change.diff"
    patch.write_text(cli("update", bug, "--label", "e", "--severity", "low", "--dry-run", ok=True).out)
    git(repo, "apply", "--check", "change.diff")


def test_writers_work_without_a_git_program(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    monkeypatch.setenv("PATH", str(repo / "empty"))
    cli("update", bug, "--severity", "low", ok=True)
    cli("show", bug, ok=True)
