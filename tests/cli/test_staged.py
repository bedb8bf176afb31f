"""`check --staged`, `--range` and `--all-history`: what commits bring, against real git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Cli, git, new, record

BROKEN = "status: opne"
"""What is no status."""


def commit(root: Path, message: str = "step", *args: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message, *args)
    return git(root, "rev-parse", "HEAD").strip()


def said(cli: Cli, *args: str) -> tuple[int, list[str], list[str]]:
    """Give the exit code, and the codes of new and of old errors."""
    result = cli("check", *args, "--json")
    data = result.json["data"]
    errors = [finding["code"] for finding in result.json["findings"] if finding["severity"] == "error"]
    return result.code, errors, [finding["code"] for finding in data["debt"]]


def broken(file: Path) -> None:
    text = file.read_text()
    assert "status: open" in text
    file.write_text(text.replace("status: open", BROKEN, 1))


@pytest.fixture
def two(cli: Cli, repo: Path) -> tuple[Path, Path, Path]:
    """A committed registry with two open bugs: its root and their records."""
    first, second = new(cli, "First"), new(cli, "Second")
    commit(repo, "two bugs")
    return repo, record(repo, first), record(repo, second)


# --- the index, and nothing else


def test_the_index_counts_and_not_the_disk(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, _ = two
    whole = first.read_text()
    broken(first)
    assert said(cli, "--staged") == (0, [], [])
    git(repo, "add", "-A")
    first.write_text(whole)
    assert cli("check").code == 0
    assert said(cli, "--staged") == (1, ["RV110"], [])
    first.unlink()
    assert said(cli, "--staged") == (1, ["RV110"], [])


def test_positions_and_lines_are_those_of_the_index(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, _ = two
    broken(first)
    git(repo, "add", "-A")
    line = first.read_text().splitlines().index(BROKEN) + 1
    first.write_text("---\nnothing of it\n---\n")
    result = cli("check", "--staged")
    assert f"{first.relative_to(repo)}:{line}:9" in result.out and BROKEN in result.out
    assert result.out.endswith("1 new error, 0 new warnings.\n")


def test_only_new_errors_fail_and_old_ones_are_listed(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, second = two
    broken(first)
    commit(repo, "broken")
    second.write_text(second.read_text() + "\nmore\n")
    git(repo, "add", "-A")
    assert said(cli, "--staged") == (0, [], ["RV110"])
    out = cli("check", "--staged", ok=True).out
    assert "old debt" in out and "RV110" in out and "no new errors" in out
    first.write_text(first.read_text().replace(BROKEN, "status: opened"))
    git(repo, "add", "-A")
    assert said(cli, "--staged") == (0, [], ["RV110"]), "half mended is not new"
    broken(second)
    git(repo, "add", "-A")
    assert said(cli, "--staged") == (1, ["RV110"], ["RV110"])


def test_moving_a_bug_with_an_old_error_brings_none(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, _ = two
    broken(first)
    commit(repo, "broken")
    (repo / "_reversa_bugs/other/bugs").mkdir(parents=True)
    git(repo, "mv", str(first.parent), str(repo / "_reversa_bugs/other/bugs"))
    assert said(cli, "--staged") == (0, [], ["RV110"])


def test_a_deleted_bug_that_others_point_at(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, second = two
    cli("link", first.parent.name[:17], "related-to", second.parent.name[:17], ok=True)
    commit(repo, "linked")
    git(repo, "rm", "-rq", str(second.parent))
    assert said(cli, "--staged") == (1, ["RV303"], [])


def test_the_first_commit(cli: Cli, repo: Path) -> None:
    assert said(cli, "--staged") == (0, [], [])
    bug = new(cli)
    broken(record(repo, bug))
    git(repo, "add", "-A")
    assert said(cli, "--staged") == (1, ["RV110"], [])


def test_new_warnings_alone_are_told_and_count_with_strict(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, second = two
    first.write_text(first.read_text().replace("severity: medium", "severity: odd"))
    commit(repo, "a warning")
    second.write_text(second.read_text().replace("severity: medium", "severity: odd"))
    git(repo, "add", "-A")
    result = cli("check", "--staged", "--json", ok=True)
    assert [f["bug"] for f in result.json["findings"]] == [second.parent.name[:17]]
    assert cli("check", "--staged", "--strict").code == 1


def test_evidence_that_is_not_staged_is_not_there(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, _ = two
    (repo / "log.txt").write_text("x")
    cli("evidence", "add", first.parent.name[:17], "log.txt", ok=True)
    git(repo, "add", str(first))
    assert cli("check", "--strict").code == 0
    assert [f["code"] for f in cli("check", "--staged", "--json").json["findings"]] == ["RV406"]


@pytest.mark.parametrize("where", ["worktree", "subfolder", "below"])
def test_wherever_the_registry_stands(
    cli: Cli, two: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    repo, first, _ = two
    if where == "worktree":
        git(repo, "worktree", "add", "-q", str(repo / "wt"))
        at = repo / "wt"
    elif where == "subfolder":
        (repo / "inner").mkdir()
        git(repo, "mv", "_reversa_bugs", "inner/_reversa_bugs")
        commit(repo, "moved")
        at = repo / "inner"
    else:
        (repo / "deep/down").mkdir(parents=True)
        at = repo / "deep/down"
    monkeypatch.chdir(at)
    [file] = [*at.glob(f"_reversa_bugs/*/bugs/{first.parent.name}/bug.md")] or [first]
    broken(file)
    git(at, "add", "-A", str(file))
    assert said(cli, "--staged") == (1, ["RV110"], [])


def test_a_branch_without_a_registry_is_not_stopped(cli: Cli, empty: Path) -> None:
    (empty / "a").write_text("x")
    git(empty, "add", "-A")
    for args in (("--staged",), ("--all-history",)):
        result = cli("check", *args, ok=True)
        assert "nothing to check" in result.err
        assert cli("check", *args, "--json", ok=True).json["data"]["errors"] == 0


def test_outside_git(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cli("init", ok=True)
    result = cli("check", "--staged")
    assert result.code == 5 and "no git repository" in result.err


@pytest.mark.parametrize(
    "args",
    [("--staged", "--fix"), ("--staged", "--range", "a..b"), ("--all-history", "--staged"), ("--range", "HEAD")],
)
def test_wrong_usage(cli: Cli, two: tuple[Path, Path, Path], args: tuple[str, ...]) -> None:
    assert cli("check", *args).code == 2


# --- what git commits, through a hook of its own


@pytest.fixture
def hooked(two: tuple[Path, Path, Path]) -> tuple[Path, Path, Path]:
    """The same, with a pre-commit hook that runs the check."""
    hook = two[0] / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m reversa check --staged\n")
    hook.chmod(0o755)
    return two


def committed(root: Path, *args: str) -> bool:
    env = {
        **os.environ,
        **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    done = subprocess.run(["git", "commit", "-qm", "x", *args], cwd=root, env=env, capture_output=True, text=True)
    assert "Traceback" not in done.stderr + done.stdout
    return done.returncode == 0


def test_git_commit_with_paths_checks_the_index_that_git_makes(hooked: tuple[Path, Path, Path]) -> None:
    repo, first, second = hooked
    broken(first)
    git(repo, "add", "-A")
    second.write_text(second.read_text() + "\nmore\n")
    assert committed(repo, "--", str(second)), "the broken one is staged, and not part of this commit"
    assert not committed(repo)
    git(repo, "reset", "-q")
    assert not committed(repo, "-a")
    assert not committed(repo, "--", str(first))
    assert not committed(repo, "--include", "--", str(first.parent))


def test_part_of_a_file(hooked: tuple[Path, Path, Path]) -> None:
    repo, first, _ = hooked
    text = first.read_text()
    first.write_text(text + "\nmore\n")
    git(repo, "add", "-A")
    broken(first)
    assert committed(repo)
    assert not committed(repo, "-a")


def test_a_commit_from_a_subfolder_and_a_worktree(hooked: tuple[Path, Path, Path]) -> None:
    repo, first, _ = hooked
    git(repo, "worktree", "add", "-q", "-b", "side", str(repo / "wt"))
    file = repo / "wt" / first.relative_to(repo)
    broken(file)
    git(repo / "wt", "add", "-A")
    assert not committed(file.parent)
    assert not committed(repo / "wt", "--", str(file))
    git(repo / "wt", "reset", "-q", "--hard")
    assert committed(repo / "wt", "--allow-empty")


# --- locked folders


@pytest.fixture
def locked(cli: Cli, repo: Path) -> tuple[Path, Path]:
    """A registry with a committed bug, closed and locked with evidence: its root and the bug's folder."""
    bug = new(cli, "Closed")
    folder = record(repo, bug).parent
    (folder / "evidence").mkdir()
    (folder / "evidence/a.txt").write_text("one\ntwo\n")
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    new(cli, "Open")
    commit(repo, "closed")
    return repo, folder


def without_seal(folder: Path) -> None:
    lock = folder / "DONE.md"
    lock.write_text("".join(line for line in lock.read_text().splitlines(True) if not line.startswith("seal:")))


def reopened(folder: Path) -> None:
    (folder / "DONE.md").unlink()
    text = (folder / "bug.md").read_text()
    for old, new_ in (
        ("status: resolved", "status: open"),
        ("satisfied: true", "satisfied: false"),
        ("resolution_kind: invalid", "resolution_kind: null"),
    ):
        assert old in text
        text = text.replace(old, new_)
    (folder / "bug.md").write_text(text)


def moved(folder: Path) -> None:
    place = folder.parents[2] / "elsewhere/bugs"
    place.mkdir(parents=True)
    shutil.move(folder, place / folder.name)


def also(*steps: Callable[[Path], object]) -> Callable[[Path], None]:
    def do(folder: Path) -> None:
        for step in steps:
            step(folder)

    return do


def moved_and_changed(folder: Path) -> None:
    (folder / "evidence/a.txt").write_text("other\n")
    moved(folder)


STEPS: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "record": (lambda f: (f / "bug.md").write_text((f / "bug.md").read_text() + "x\n"), ["RV211"]),
    "evidence": (lambda f: (f / "evidence/a.txt").write_text("one\n"), ["RV211"]),
    "new file": (lambda f: (f / "b.txt").write_text("one\n"), ["RV211"]),
    "lost file": (lambda f: (f / "evidence/a.txt").unlink(), ["RV211"]),
    "lock text": (lambda f: (f / "DONE.md").write_text((f / "DONE.md").read_text() + "x\n"), ["RV211"]),
    "lost seal": (without_seal, ["RV211"]),
    "lock alone away": (lambda f: (f / "DONE.md").unlink(), ["RV204"]),
    "all away": (shutil.rmtree, ["RV213"]),
    "moved": (moved, []),
    "moved and changed": (moved_and_changed, ["RV211"]),
    "opened": (reopened, []),
    "opened and changed": (also(reopened, lambda f: (f / "evidence/a.txt").write_text("x")), []),
    "line endings": (lambda f: (f / "evidence/a.txt").write_bytes(b"one\r\ntwo\r\n"), []),
    "mode": (lambda f: (f / "evidence/a.txt").chmod(0o755), []),
    "ignored": (lambda f: (f / "b.log").write_text("x"), []),
}


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("name", STEPS)
def test_what_changes_a_locked_folder(cli: Cli, locked: tuple[Path, Path], name: str, sealed: bool) -> None:
    repo, folder = locked
    step, expected = STEPS[name]
    if not sealed:
        without_seal(folder)
        expected = [] if name == "lost seal" else expected
    (repo / ".gitignore").write_text("*.log\n")
    start = commit(repo, "closed", "--amend")
    step(folder)
    assert said(cli, "--staged") == (0, [], []), "nothing is staged"
    git(repo, "add", "-A")
    code = 1 if expected else 0
    assert said(cli, "--staged") == (code, expected, [])
    commit(repo, name, "--allow-empty")
    assert said(cli, "--range", f"{start}..") == (code, expected, [])
    history = cli("check", "--all-history", "--json")
    assert [e["code"] for c in history.json["data"]["broken"] for e in c["errors"]] == expected


def test_a_seal_may_be_added_to_an_old_lock(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    without_seal(folder)
    start = commit(repo, "closed", "--amend")
    cli("seal", folder.name[:17], ok=True)
    assert cli("check", "--strict", "--locked").code == 0
    git(repo, "add", "-A")
    assert said(cli, "--staged") == (0, [], [])
    commit(repo, "sealed")
    assert said(cli, "--range", f"{start}..HEAD") == (0, [], [])
    assert cli("check", "--strict", "--locked").code == 0


def test_putting_back_what_was_locked_is_no_change(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    text = (folder / "bug.md").read_text()
    (folder / "bug.md").write_text(text + "x\n")
    changed = commit(repo, "changed")
    (folder / "bug.md").write_text(text)
    git(repo, "add", "-A")
    assert said(cli, "--staged") == (0, [], [])
    commit(repo, "put back")
    assert said(cli, "--range", f"{changed}~1..") == (0, [], [])
    assert said(cli, "--range", f"{changed}~1..{changed}")[1] == ["RV211"]


def test_a_lock_that_is_taken_off_and_put_on_again_hides_nothing(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    lock = (folder / "DONE.md").read_text()
    (folder / "DONE.md").unlink()
    start = git(repo, "rev-parse", "HEAD").strip()
    commit(repo, "off")
    (folder / "bug.md").write_text((folder / "bug.md").read_text() + "x\n")
    (folder / "DONE.md").write_text("".join(line for line in lock.splitlines(True) if not line.startswith("seal:")))
    commit(repo, "on")
    assert set(said(cli, "--range", f"{start}..")[1]) == {"RV211"}


def test_a_bug_that_is_opened_and_closed_again_is_held_against_its_new_lock(
    cli: Cli, locked: tuple[Path, Path]
) -> None:
    repo, folder = locked
    start = git(repo, "rev-parse", "HEAD").strip()
    reopened(folder)
    commit(repo, "opened")
    cli("close", folder.name[:17], "--as", "invalid", "--reason", "again", ok=True)
    commit(repo, "closed again")
    assert said(cli, "--range", f"{start}..") == (0, [], [])
    (folder / "evidence/a.txt").write_text("later\n")
    commit(repo, "changed")
    assert "RV211" in said(cli, "--range", f"{start}..")[1]


def test_a_lock_that_begins_in_the_range(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, _ = two
    start = git(repo, "rev-parse", "HEAD").strip()
    cli("close", first.parent.name[:17], "--as", "invalid", "--reason", "x", ok=True)
    commit(repo, "closed")
    assert said(cli, "--range", f"{start}..") == (0, [], [])
    first.write_text(first.read_text() + "x\n")
    commit(repo, "changed")
    assert "RV211" in said(cli, "--range", f"{start}..")[1]


def test_a_merge_takes_over_what_the_other_branch_did(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    git(repo, "checkout", "-qb", "side")
    reopened(folder)
    commit(repo, "opened")
    git(repo, "checkout", "-q", "main")
    new(cli, "Third")
    commit(repo, "third")
    git(repo, "merge", "-q", "--no-edit", "side")
    assert cli("check", "--all-history", "--json", ok=True).json["data"]["broken"] == []
    assert said(cli, "--range", "HEAD~1..HEAD") == (0, [], [])


def test_a_change_that_only_the_merge_makes(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    git(repo, "checkout", "-qb", "side")
    (repo / "a").write_text("x")
    commit(repo, "side")
    git(repo, "checkout", "-q", "main")
    (repo / "b").write_text("x")
    commit(repo, "main")
    git(repo, "merge", "-q", "--no-commit", "side")
    (folder / "bug.md").write_text((folder / "bug.md").read_text() + "x\n")
    merged = commit(repo, "evil")
    broken_ = cli("check", "--all-history", "--json").json["data"]["broken"]
    assert [c["name"] for c in broken_] == [merged]


# --- the disk against HEAD


def test_the_disk_and_the_index_are_held_against_head(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    without_seal(folder)
    commit(repo, "closed", "--amend")
    file = folder / "evidence/a.txt"

    def errors() -> list[str]:
        return [Path(f["path"]).name for f in cli("check", "--json").json["findings"] if f["code"] == "RV211"]

    assert errors() == []
    file.write_text("other\n")
    (folder / "b.bin").write_bytes(b"\0")
    assert errors() == ["b.bin", "a.txt"]
    git(repo, "add", "-A")
    (folder / "b.bin").unlink()
    file.write_text("one\ntwo\n")
    assert errors() == ["b.bin", "a.txt"], "the index still has it"
    git(repo, "reset", "-q")
    assert errors() == []
    file.write_bytes(b"one\r\ntwo\r\n")
    assert errors() == []
    file.unlink()
    file.symlink_to("b")
    assert errors() == ["a.txt"]


def test_a_closing_that_is_not_committed_yet_is_no_change(cli: Cli, two: tuple[Path, Path, Path]) -> None:
    repo, first, _ = two
    cli("close", first.parent.name[:17], "--as", "invalid", "--reason", "x", ok=True)
    assert cli("check").code == 0
    git(repo, "add", "-A")
    assert cli("check").code == 0
    (first.parent / "b").write_text("x")
    assert [f["code"] for f in cli("check", "--json").json["findings"]] == ["RV210"]


def test_commits_after_an_unsealed_lock_are_one_warning(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, folder = locked
    without_seal(folder)
    commit(repo, "closed", "--amend")
    for name in ("a", "b"):
        (folder / name).write_text("x")
        commit(repo, name)
    found = cli("check", "--locked", "--json", ok=True).json["findings"]
    assert [(f["code"], f["message"]) for f in found] == [
        ("RV212", "commits have changed a and 1 more since the folder was locked")
    ]
    assert cli("check", "--strict").code == 0
    (folder / "a").unlink()
    (folder / "b").unlink()
    commit(repo, "put back")
    assert cli("check", "--locked", "--json").json["findings"] == []


def test_a_history_that_does_not_reach_the_lock_says_nothing(
    cli: Cli, locked: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, folder = locked
    without_seal(folder)
    commit(repo, "closed", "--amend")
    (folder / "a").write_text("x")
    commit(repo, "changed")
    (repo / "b").write_text("x")
    commit(repo, "later")
    clone = tmp_path_factory.mktemp("shallow") / "clone"
    git(repo, "clone", "-q", "--depth", "1", f"file://{repo}", str(clone))
    monkeypatch.chdir(clone)
    assert cli("check", "--locked", "--json", ok=True).json["findings"] == []
    assert said(cli, "--staged") == (0, [], [])
    assert cli("check", "--range", "HEAD~1..").code == 2


def test_deleting_the_whole_registry_is_noticed(cli: Cli, locked: tuple[Path, Path]) -> None:
    repo, _ = locked
    git(repo, "rm", "-rq", "_reversa_bugs")
    assert not (repo / "_reversa_bugs").exists()
    assert said(cli, "--staged")[1] == ["RV213"]


def test_a_restricted_bug_is_not_told_of(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Zqmark", "--security")
    folder = record(repo, bug).parent
    folder = folder.rename(folder.with_name(f"{bug}-zqmark"))
    commit(repo, "restricted")
    broken(folder / "bug.md")
    git(repo, "add", "-A")
    for args in (("--staged",), ("--staged", "--json")):
        result = cli("check", *args)
        assert result.code == 1 and "zqmark" not in (result.out + result.err).lower()
    git(repo, "reset", "-q", "--hard")
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    commit(repo, "closed")
    shutil.rmtree(folder)
    git(repo, "add", "-A")
    result = cli("check", "--staged")
    assert result.code == 1 and bug in result.out and "zqmark" not in result.out.lower()
