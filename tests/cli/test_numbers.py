"""Display numbers in the worktrees of one clone: none is given out twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Cli, git, new


def number(cli: Cli, title: str = "Total is wrong") -> int:
    return int(cli("new", title, "-c", "checkout", "--json", ok=True).json["data"]["display_number"])


def kept(root: Path) -> Path:
    return root / ".git" / "reversa" / "numbers.json"


@pytest.fixture
def other(repo: Path) -> Path:
    """A second worktree of the clone, which sees none of the bugs of the first."""
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "registry")
    git(repo, "worktree", "add", "-q", "--detach", str(repo / "wt"))
    return repo / "wt"


def test_worktrees_give_no_number_twice(cli: Cli, repo: Path, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [number(cli), number(cli)] == [1, 2]
    monkeypatch.chdir(other)
    assert number(cli) == 3
    monkeypatch.chdir(repo)
    assert number(cli) == 4
    assert "numbers" not in git(repo, "status", "--porcelain", "--ignored")


def test_branches_give_no_number_twice(cli: Cli, repo: Path) -> None:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "registry")
    git(repo, "switch", "-q", "-c", "topic")
    assert number(cli) == 1
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "a bug")
    git(repo, "switch", "-q", "main")
    assert number(cli) == 2


def test_a_higher_number_in_the_records_wins(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("update", bug, "--set", "display_number=40", ok=True)
    assert number(cli) == 41


def test_a_dry_run_and_a_refusal_reserve_nothing(cli: Cli, repo: Path) -> None:
    cli("new", "x", "-c", "checkout", "--dry-run", ok=True)
    assert cli("new", "x", "-c", "checkout", "--module", "nonsense").code == 2
    assert not kept(repo).exists()
    assert number(cli) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"{",
        b"[7]",
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": "9"}}',
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": true}}',
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": -4}}',
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": 1e999}}',
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": 999999999999}}',
        b'{"schema": "other", "registries": {"_reversa_bugs": 50}}',
    ],
)
def test_a_broken_file_costs_the_guarantee_alone(cli: Cli, repo: Path, content: bytes) -> None:
    number(cli)
    kept(repo).write_bytes(content)
    assert number(cli) == 2
    assert json.loads(kept(repo).read_text())["registries"] == {"_reversa_bugs": 2}
    kept(repo).unlink()
    assert number(cli) == 3


def test_what_cannot_be_kept_is_said_and_the_bug_is_registered(cli: Cli, repo: Path) -> None:
    kept(repo).mkdir(parents=True)
    result = cli("new", "Total is wrong", "-c", "checkout", ok=True)
    assert "Another worktree may give number 1 too" in result.err


def test_outside_git_nothing_is_kept(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cli("init", ok=True)
    assert [number(cli), number(cli)] == [1, 2]


def test_at_once_in_two_worktrees(cli: Cli, repo: Path, other: Path) -> None:
    command = [sys.executable, "-m", "reversa", "new", "Total is wrong", "-c", "checkout", "--json"]
    running = [subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True) for place in (repo, other) * 2]
    found = [json.loads(process.communicate()[0])["data"]["display_number"] for process in running]
    assert sorted(found) == [1, 2, 3, 4]
