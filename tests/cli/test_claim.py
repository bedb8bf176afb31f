"""`reversa next --claim` and `reversa release`: leases that all worktrees of a clone see."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from .conftest import Cli, git, new, record, tree


def claim(cli: Cli, name: str, *args: str) -> str:
    return str(cli("next", "--claim", name, "--json", *args, ok=True).json["data"]["bugs"][0]["id"])


def held(cli: Cli) -> dict[str, str]:
    """Give who holds which bug, as `next` tells it."""
    bugs = cli("next", "-n", "0", "--json", ok=True).json["data"]["bugs"]
    return {bug["id"]: bug["lease"]["by"] for bug in bugs if bug.get("lease")}


def leases(root: Path) -> Path:
    return root / ".git" / "reversa" / "leases.json"


def worktree(root: Path) -> Path:
    """Commit the registry and give a second worktree of the clone."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "registry")
    git(root, "worktree", "add", "-q", "--detach", str(root / "wt"))
    return root / "wt"


def test_the_first_that_nobody_else_holds(cli: Cli, repo: Path) -> None:
    first, second = new(cli, "First", "--priority", "P0"), new(cli, "Second")
    before = tree(repo)
    assert claim(cli, "ana") == first
    assert claim(cli, "bob") == second
    assert claim(cli, "ana") == first  # her own is nobody else's
    assert held(cli) == {first: "ana", second: "bob"}
    result = cli("next", "--claim", "eve")
    assert result.code == 4 and "Nothing is free" in result.err
    assert cli("next", "--claim", "eve", "--json").json["error"]["kind"] == "nothing-free"
    assert tree(repo) == before and git(repo, "status", "--porcelain", "--ignored") == git(
        repo, "status", "--porcelain"
    )
    out = cli("next").out
    assert "held by ana until 2026-09-01 04:00" in out
    assert cli("next", "--free", "--json").json["data"]["bugs"] == []


def test_the_lease_is_shown_with_its_end(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli, "First")
    result = cli("next", "--claim", "ana", "--for", "90m")
    assert result.out.startswith(f"Claimed {bug} for ana until 2026-09-01 01:30: First\n")
    data = cli("next", "--claim", "ana", "--for", "2d", "--json").json["data"]
    assert data["bugs"][0]["lease"] == {"by": "ana", "until": "2026-09-03T00:00:00+00:00"} and data["hidden"] == 0
    assert cli("next", "--claim", "ana").out.startswith(f"Renewed {bug}")
    monkeypatch.delenv("REVERSA_TODAY")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1788264000")  # 2026-09-01 12:00 UTC
    assert "until 2026-09-01 16:00" in cli("next", "--claim", "bob", new(cli, "Second")).out


def test_an_expired_lease_is_free(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli, "First")
    claim(cli, "ana")
    assert cli("next", "--claim", "bob", bug).code == 4
    monkeypatch.setenv("REVERSA_TODAY", "2026-09-02")
    assert held(cli) == {}
    assert claim(cli, "bob") == bug
    assert held(cli) == {bug: "bob"}


def test_a_named_bug(cli: Cli, repo: Path) -> None:
    first, second = new(cli, "First"), new(cli, "Second")
    assert claim(cli, "ana", second[-4:]) == second
    refused = cli("next", "--claim", "bob", second)
    assert refused.code == 4 and "held by ana until 2026-09-01 04:00" in refused.err
    assert "reversa next --claim bob" in refused.err
    error = cli("next", "--claim", "bob", second, "--json").json["error"]
    assert error["kind"] == "held" and error["lease"]["by"] == "ana"
    assert cli("next", "--claim", "bob", "9999").code == 2
    assert claim(cli, "bob") == first


def test_blocked_bugs_are_passed_over_unless_asked_for(cli: Cli, repo: Path) -> None:
    waits = new(cli, "Waits", "--priority", "P0")
    cli("update", waits, "--add", "blocking=kind=external,reason=vendor,since=2026-08-01", ok=True)
    assert "all that is open is blocked" in cli("next", "--claim", "ana").err
    assert claim(cli, "ana", "--blocked") == waits
    cli("release", waits, "--by", "ana", ok=True)
    assert "is blocked" in cli("next", "--claim", "ana", waits, ok=True).err


def test_what_cannot_be_worked_on_cannot_be_claimed(cli: Cli, shop: Path) -> None:
    resolved = next(b for b in cli("list", "--all", "--json").json["data"]["bugs"] if b.get("status") == "resolved")
    result = cli("next", "--claim", "ana", resolved["id"])
    assert result.code == 4 and "nothing to claim" in result.err


def test_release(cli: Cli, repo: Path) -> None:
    bug = new(cli, "First")
    assert "Nobody holds" in cli("release", bug, ok=True).err
    claim(cli, "Ana Lopez")
    for args in ((), ("--by", "bob")):
        refused = cli("release", bug, *args)
        assert refused.code == 4 and "reversa release" in refused.err and "--by 'Ana Lopez'" in refused.err
    assert held(cli) == {bug: "Ana Lopez"}
    assert cli("release", bug, "--by", "Ana Lopez", ok=True).out == f"Released {bug}, held by Ana Lopez\n"
    assert held(cli) == {}
    claim(cli, "ana")
    data = cli("release", bug, "--force", "--json", ok=True).json["data"]
    assert data["bugs"] == [{"id": bug, "released": {"by": "ana", "until": "2026-09-01T04:00:00+00:00"}}]
    assert held(cli) == {}


def test_dry_runs_write_nothing(cli: Cli, repo: Path) -> None:
    bug = new(cli, "First")
    out = cli("next", "--claim", "ana", "--dry-run", ok=True)
    assert '+    "by": "ana",' in out.out and not leases(repo).exists()
    claim(cli, "ana")
    before = leases(repo).read_bytes()
    assert '-    "by": "ana",' in cli("release", bug, "--by", "ana", "--dry-run", "--json").json["data"]["diff"]
    assert leases(repo).read_bytes() == before


@pytest.mark.parametrize(
    "args",
    [
        ("next", "A7K3"),
        ("next", "--for", "4h"),
        ("next", "--dry-run"),
        ("next", "--claim", "ana", "--for", "soon"),
        ("next", "--claim", "a\tb\x1b"),
        ("release",),
    ],
)
def test_wrong_usage(cli: Cli, repo: Path, args: tuple[str, ...]) -> None:
    new(cli, "First")
    assert cli(*args).code == 2
    assert not leases(repo).exists()


def test_restricted_bugs(cli: Cli, repo: Path) -> None:
    secret = new(cli, "Key leaks", "--security", "--priority", "P0", context="vault")
    assert cli("next", "--claim", "ana").code == 4  # taking it by its place would tell its place
    result = cli("next", "--claim", "ana", secret)
    assert result.code == 0 and "Key leaks" not in result.out + result.err
    row = cli("next", "--claim", "ana", secret, "--json").json["data"]["bugs"][0]
    assert row == {"id": secret, "restricted": True, "lease": {"by": "ana", "until": "2026-09-01T04:00:00+00:00"}}
    assert cli("next", "--json").json["data"]["bugs"] == [{"id": secret, "restricted": True}]
    assert "leaks" not in leases(repo).read_text() and "vault" not in leases(repo).read_text()
    assert "ana" not in cli("next").out
    assert held(cli) == {}
    assert "Key leaks" in cli("next", "--claim", "ana", "--include-restricted").out
    assert cli("release", secret, "--by", "bob").code == 4


def test_all_worktrees_see_a_lease(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = new(cli, "First"), new(cli, "Second")
    there = worktree(repo)
    monkeypatch.chdir(there)
    own = new(cli, "Only here", "--priority", "P0")
    assert claim(cli, "ana") == own and claim(cli, "ana", first) == first
    monkeypatch.chdir(repo)
    assert held(cli) == {first: "ana"}
    assert claim(cli, "bob") == second  # a write that does not know the other worktree's bug keeps its lease
    monkeypatch.chdir(there)
    assert held(cli) == {first: "ana", own: "ana", second: "bob"}


def test_leases_of_gone_and_closed_bugs_are_dropped(cli: Cli, repo: Path) -> None:
    gone, closed, stays = (new(cli, title) for title in ("Gone", "Closed", "Stays"))
    for bug in (gone, closed):
        claim(cli, "ana", bug)
    shutil.rmtree(record(repo, gone).parent)
    cli("close", closed, "--as", "invalid", "--reason", "Works as written", ok=True)
    assert held(cli) == {}
    claim(cli, "bob", stays)
    stored = json.loads(leases(repo).read_text())["registries"]["_reversa_bugs"]
    assert [one["bug"] for one in stored] == [stays]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{",
        b"[" * 100_000,
        b'{"schema": "reversa-clone/2", "registries": {}}',
        b'{"schema": "reversa-clone/1", "registries": []}',
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": 7}}',
        b'{"schema": "reversa-clone/1", "registries": {"_reversa_bugs": [7, {"bug": "BUG-1"}]}}',
    ],
)
def test_a_broken_file_holds_no_lease(cli: Cli, repo: Path, content: bytes) -> None:
    bug = new(cli, "First")
    claim(cli, "ana")
    leases(repo).write_bytes(content)
    result = cli("next", ok=True)
    assert "held by" not in result.out and str(leases(repo)) in result.err
    assert claim(cli, "bob") == bug
    assert held(cli) == {bug: "bob"}
    assert cli("next").err == ""


def test_a_file_that_is_no_file(cli: Cli, repo: Path) -> None:
    new(cli, "First")
    leases(repo).mkdir(parents=True)
    assert "cannot be read" in cli("next", ok=True).err
    assert cli("next", "--claim", "ana").code == 5


def test_leases_of_other_registries_stay(cli: Cli, repo: Path) -> None:
    bug = new(cli, "First")
    claim(cli, "ana")
    body = json.loads(leases(repo).read_text())
    body["registries"]["other/_reversa_bugs"] = [1]
    leases(repo).write_text(json.dumps(body))
    cli("release", bug, "--by", "ana", ok=True)
    assert json.loads(leases(repo).read_text())["registries"] == {"_reversa_bugs": [], "other/_reversa_bugs": [1]}


def test_without_git(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    cli("init", ok=True)
    bug = new(cli, "First")
    assert "no git here" in cli("next", "--claim", "ana", ok=True).err
    assert held(cli) == {bug: "ana"}
    assert cli("next", "--claim", "bob").code == 4


def test_two_at_once_get_two_bugs(cli: Cli, repo: Path) -> None:
    bugs = {new(cli, f"Bug {n}") for n in range(4)}
    places = [repo, worktree(repo)]
    command = [sys.executable, "-m", "reversa", "next", "--json", "--claim"]
    running = [
        subprocess.Popen([*command, f"agent-{n}"], cwd=places[n % 2], stdout=subprocess.PIPE, text=True)
        for n in range(4)
    ]
    taken = [json.loads(process.communicate()[0])["data"]["bugs"][0]["id"] for process in running]
    assert set(taken) == bugs
    assert sorted(held(cli).values()) == [f"agent-{n}" for n in range(4)]
