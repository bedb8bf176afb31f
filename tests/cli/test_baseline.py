"""`check --write-baseline`: today's errors are known, only others count."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Cli, git, new, record, tree


@pytest.fixture
def old(cli: Cli, repo: Path) -> tuple[Path, Path, Path]:
    """A registry of before with an error in each of two bugs: its root and the records."""
    files = [record(repo, new(cli, title)) for title in ("First", "Second")]
    broken(files[0], "status: opne")
    broken(files[1], "status: opne")
    return repo, files[0], files[1]


def broken(file: Path, status: str) -> None:
    file.write_text(
        "".join(status + "\n" if li.startswith("status:") else li for li in file.read_text().splitlines(True))
    )


def counted(cli: Cli, *args: str) -> tuple[int, int, int, int]:
    """Give the exit code, the errors that count, those of the baseline, and the entries that can go."""
    result = cli("check", *args, "--json")
    data = result.json["data"]
    return result.code, data["errors"], data["baselined"], sum(row["count"] for row in data["removable"])


def test_only_other_errors_count(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    repo, first, second = old
    assert counted(cli) == (1, 2, 0, 0)
    out = cli("check", "--write-baseline", ok=True).out
    assert out == "_reversa_bugs/baseline.json holds 2 errors now (2 new, 0 gone).\n"
    assert counted(cli) == (0, 0, 2, 0)
    out = cli("check", ok=True).out
    assert "2 errors in the baseline" in out and out.endswith("no other errors, no warnings.\n")
    assert "RV110" in cli("check", "--all", ok=True).out
    text = first.read_text()
    first.write_text(text.replace("\n---\n", "\n# a line more\n---\n", 1).replace("id:", "# and one\nid:", 1))
    assert counted(cli) == (0, 0, 2, 0), "lines do not matter"
    broken(first, "status: openn")
    assert counted(cli) == (0, 0, 2, 0), "nor does how it is wrong"
    third = record(repo, new(cli, "Third", "--no-views"))
    broken(third, "status: opne")
    assert counted(cli) == (1, 1, 2, 0)
    third.unlink()
    shutil.rmtree(third.parent)
    broken(second, "status: open")
    assert counted(cli) == (0, 0, 1, 1)
    assert "1 entry of the baseline is mended" in cli("check").out
    cli("check", "--write-baseline", ok=True)
    assert counted(cli) == (0, 0, 1, 0)
    broken(second, "status: opne")
    assert counted(cli) == (1, 1, 1, 0), "what was mended does not come back"


def test_without_errors_there_is_no_file(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    repo, first, second = old
    file = repo / "_reversa_bugs/baseline.json"
    cli("check", "--write-baseline", ok=True)
    for each in (first, second):
        broken(each, "status: open")
    assert "no _reversa_bugs/baseline.json" in cli("check", "--write-baseline", ok=True).out
    assert not file.exists()
    before = tree(repo)
    cli("check", "--write-baseline", ok=True)
    assert tree(repo) == before


def test_the_same_errors_give_the_same_bytes_and_a_dry_run_shows_them(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    repo, _, _ = old
    before = tree(repo)
    diff = cli("check", "--write-baseline", "--dry-run", ok=True).out
    assert tree(repo) == before and diff.count('\n+  {"of": "BUG-') == 2
    cli("check", "--write-baseline", ok=True)
    data = (repo / "_reversa_bugs/baseline.json").read_bytes()
    assert json.loads(data)["schema"] == "reversa-baseline/1" and "opne" not in data.decode()
    cli("check", "--write-baseline", ok=True)
    assert (repo / "_reversa_bugs/baseline.json").read_bytes() == data


def test_an_error_that_moves_with_its_bug_stays_known(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    repo, first, _ = old
    cli("check", "--write-baseline", ok=True)
    (repo / "_reversa_bugs/other/bugs").mkdir(parents=True)
    first.parent.rename(repo / "_reversa_bugs/other/bugs" / first.parent.name)
    assert counted(cli) == (0, 0, 2, 0)


def test_names_restrict_what_is_shown_and_not_what_can_go(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    _, first, second = old
    cli("check", "--write-baseline", ok=True)
    broken(second, "status: open")
    assert counted(cli, first.parent.name[:17]) == (0, 0, 1, 0)
    assert counted(cli, "--select", "RV3") == (0, 0, 0, 0)


def test_commits_and_views_go_by_it_too(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    repo, _, second = old
    assert cli("graph").code == 1
    cli("check", "--write-baseline", ok=True)
    assert cli("graph").code == 0 and cli("graph", "--check").code == 0
    git(repo, "add", "-A")
    assert counted(cli, "--staged") == (0, 0, 2, 0)
    git(repo, "commit", "-qm", "old")
    second.write_text(second.read_text() + "\nmore\n")
    git(repo, "add", "-A")
    out = cli("check", "--staged", ok=True).out
    assert "old debt" not in out and "2 errors in the baseline" in out
    broken(record(repo, new(cli, "Third")), "status: opne")
    git(repo, "add", "-A")
    assert counted(cli, "--staged") == (1, 1, 2, 0)


def test_a_change_of_a_locked_folder_is_nothing_to_live_with(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    folder = record(repo, bug).parent
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "closed")
    (folder / "b").write_text("x")
    cli("check", "--write-baseline", ok=True)
    assert not (repo / "_reversa_bugs/baseline.json").exists() and cli("check").code == 1


FAULTS = [
    "",
    "[]",
    "{",
    "[" * 50_000,
    '{"schema": "reversa-baseline/2", "errors": []}',
    '{"schema": "reversa-baseline/1", "errors": [1]}',
    '{"schema": "reversa-baseline/1", "errors": [{"of": "x"}]}',
    '{"schema": "reversa-baseline/1", "errors": [{"of": "x", "code": "y", "fingerprint": "z", "count": 1e9}]}',
    '{"schema": "reversa-baseline/1", "errors": [{"of": "x", "code": "y", "fingerprint": "z", "count": -1}]}',
    "\x1b[31m",
]


@pytest.mark.parametrize("text", FAULTS)
def test_a_file_that_is_none_forgives_nothing(cli: Cli, old: tuple[Path, Path, Path], text: str) -> None:
    file = old[0] / "_reversa_bugs/baseline.json"
    file.write_text(text)
    result = cli("check")
    assert result.code == 2 and "baseline.json" in result.err and "\x1b" not in result.err
    assert len(result.err.splitlines()) == 2
    file.unlink()
    file.symlink_to("/etc/passwd")
    assert cli("check").code == 2
    assert cli("check", "--write-baseline").code == 4


def test_a_broken_file_is_written_anew(cli: Cli, old: tuple[Path, Path, Path]) -> None:
    file = old[0] / "_reversa_bugs/baseline.json"
    file.write_text("{")
    cli("check", "--write-baseline", ok=True)
    assert counted(cli) == (0, 0, 2, 0)


def test_from_an_old_registry_to_a_green_hook_in_three_commands(
    cli: Cli, empty: Path, shared: Callable[..., Path]
) -> None:
    shutil.copytree(shared("registries", "local-6"), empty / "_reversa_bugs", copy_function=shutil.copyfile)
    for path in (empty, *(empty / "_reversa_bugs").rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    cli("check", "--write-baseline", ok=True)
    cli("hooks", "install", ok=True)
    git(empty, "add", "-A", "-f")
    person = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {**os.environ, **person, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["git", "commit", "-m", "x"], cwd=empty, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "16 errors in the baseline" in done.stdout + done.stderr
