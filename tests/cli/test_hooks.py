"""`reversa hooks`: the checks as hooks of a real git, beside hooks of others."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Cli, git, new, record

NAMES = ("pre-commit", "pre-merge-commit", "pre-push", "post-merge", "post-rewrite")
FOREIGN = '#!/bin/sh\n# somebody\'s own\necho "foreign $1" >> "$(git rev-parse --git-common-dir)/ran"\n'


def run(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run git as a person does, hooks included; `reversa-bugs` is that of these tests."""
    person = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "REVERSA_"))}
    env = {**kept, **person, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    done = subprocess.run(["git", *args], cwd=root, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    return done


def commits(root: Path, *args: str) -> bool:
    return run(root, "commit", "-qm", "x", *args).returncode == 0


def states(cli: Cli) -> dict[str, str]:
    return {row["name"]: row["state"] for row in cli("hooks", "status", "--json", ok=True).json["data"]["hooks"]}


def hook(root: Path, name: str = "pre-commit") -> Path:
    return root / ".git/hooks" / name


def foreign(root: Path, name: str = "pre-commit", text: str = FOREIGN, mode: int = 0o755) -> Path:
    path = hook(root, name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) for path in sorted(folder.iterdir())}


@pytest.fixture
def bugs(cli: Cli, repo: Path) -> tuple[Path, Path]:
    """A committed registry with one bug: its root and the record."""
    bug = new(cli)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "one")
    return repo, record(repo, bug)


def broken(file: Path) -> None:
    file.write_text(file.read_text().replace("status: open", "status: opne"))


def test_a_commit_and_a_push_are_stopped(
    cli: Cli, bugs: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    repo, file = bugs
    remote = tmp_path_factory.mktemp("remote")
    git(remote, "init", "-q", "--bare")
    git(repo, "remote", "add", "origin", str(remote))
    out = cli("hooks", "install", ok=True).out
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(NAMES)
    assert states(cli) == dict.fromkeys(NAMES, "installed")
    assert run(repo, "push", "-q", "origin", "main").returncode == 0
    broken(file)
    git(repo, "add", "-A")
    stopped = run(repo, "commit", "-m", "x")
    assert stopped.returncode != 0 and "RV110" in stopped.stdout + stopped.stderr
    assert commits(repo, "--no-verify")
    stopped = run(repo, "push", "-q", "origin", "main")
    assert stopped.returncode != 0 and "RV110" in stopped.stdout + stopped.stderr
    stopped = run(repo, "push", "-q", "origin", "main:other")
    assert stopped.returncode != 0, "a new branch"
    assert run(repo, "push", "-q", "origin", "HEAD~1:refs/heads/third").returncode == 0
    assert run(repo, "push", "-q", "origin", ":third").returncode == 0
    git(repo, "reset", "-q", "--hard", "HEAD~1")
    assert commits(repo, "--allow-empty") and run(repo, "push", "-q", "origin", "main").returncode == 0


def test_a_merge_is_checked_and_views_are_drawn_after_it(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, file = bugs
    cli("hooks", "install", ok=True)
    cli("graph", ok=True)
    git(repo, "add", "-A")
    assert commits(repo)
    git(repo, "checkout", "-qb", "side")
    new(cli, "On the side", "--no-views")
    git(repo, "add", "-A")
    assert commits(repo)
    git(repo, "checkout", "-q", "main")
    (repo / "a").write_text("x")
    git(repo, "add", "-A")
    assert commits(repo)
    assert run(repo, "merge", "-q", "--no-edit", "side").returncode == 0
    assert cli("graph", "--check").code == 0
    assert "index.md" in git(repo, "status", "--porcelain"), "drawn, and not added"
    git(repo, "reset", "-q", "--hard")
    git(repo, "checkout", "-qb", "bad", "HEAD~1")
    broken(file)
    git(repo, "add", "-A")
    assert commits(repo, "--no-verify")
    git(repo, "checkout", "-q", "main")
    assert run(repo, "merge", "-q", "--no-edit", "bad").returncode != 0


@pytest.mark.parametrize("mode", [0o755, 0o644])
def test_a_foreign_hook_runs_first_and_comes_back(cli: Cli, bugs: tuple[Path, Path], mode: int) -> None:
    repo, file = bugs
    foreign(repo, mode=mode)
    foreign(repo, "pre-push", FOREIGN + "cat >/dev/null\n", mode)
    before = files(hook(repo).parent)
    assert states(cli)["pre-commit"] == "foreign"
    cli("hooks", "install", ok=True)
    assert states(cli)["pre-commit"] == "chained"
    broken(file)
    git(repo, "add", "-A")
    assert not commits(repo)
    assert (repo / ".git/ran").exists() is (mode == 0o755), "git does not run what is not executable"
    git(repo, "reset", "-q", "--hard")
    after = files(hook(repo).parent)
    assert "as it was" in cli("hooks", "install", ok=True).out
    assert files(hook(repo).parent) == after
    cli("hooks", "uninstall", ok=True)
    assert files(hook(repo).parent) == before
    assert "as it was" in cli("hooks", "uninstall", ok=True).out


def test_a_foreign_hook_that_refuses_is_obeyed(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, _ = bugs
    foreign(repo, text="#!/bin/sh\nexit 7\n")
    cli("hooks", "install", ok=True)
    assert not commits(repo, "--allow-empty")


def test_both_hooks_of_a_push_read_what_git_says(
    cli: Cli, bugs: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    repo, _ = bugs
    remote = tmp_path_factory.mktemp("remote")
    git(remote, "init", "-q", "--bare")
    foreign(repo, "pre-push", '#!/bin/sh\ncat > "$(git rev-parse --git-dir)/said"\necho "$1" >> .git/said\n')
    cli("hooks", "install", ok=True)
    assert run(repo, "push", "-q", str(remote), "main").returncode == 0
    assert "refs/heads/main" in (repo / ".git/said").read_text() and str(remote) in (repo / ".git/said").read_text()


def test_a_hook_that_is_replaced_behind_our_back(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, _ = bugs
    foreign(repo)
    cli("hooks", "install", ok=True)
    foreign(repo, text="#!/bin/sh\n# another\n")
    result = cli("hooks", "install")
    assert result.code == 4 and "reversa-chained" in result.err
    assert hook(repo).read_text() == "#!/bin/sh\n# another\n"
    cli("hooks", "uninstall", ok=True)
    assert hook(repo).read_text() == "#!/bin/sh\n# another\n"
    assert hook(repo, "pre-commit.reversa-chained").read_text() == FOREIGN


@pytest.mark.parametrize(
    ("setting", "place"), [(".husky/_", ".husky/pre-commit"), ("tools/hooks", "tools/hooks/pre-commit")]
)
def test_hooks_of_somebody_else_s_folder_are_left_alone(
    cli: Cli, bugs: tuple[Path, Path], setting: str, place: str
) -> None:
    repo, _ = bugs
    git(repo, "config", "core.hooksPath", setting)
    (repo / setting).mkdir(parents=True)
    config = (repo / ".git/config").read_bytes()
    result = cli("hooks", "install")
    assert result.code == 4 and f"{place}: reversa-bugs check --staged" in result.err
    assert [*(repo / setting).iterdir()] == [] and (repo / ".git/config").read_bytes() == config
    assert setting in cli("hooks", "status", ok=True).out
    cli("hooks", "uninstall", ok=True)
    git(repo, "config", "core.hooksPath", str(repo / ".git/hooks"))
    cli("hooks", "install", ok=True)


def test_husky_calls_the_line_that_we_print(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, file = bugs
    line = "reversa-bugs check --staged"
    (repo / ".husky/_").mkdir(parents=True)
    (repo / ".husky/pre-commit").write_text(f"{line}\n")
    # what husky 9 writes: a stub in _ that runs the file above it
    (repo / ".husky/_/pre-commit").write_text(
        '#!/usr/bin/env sh\nsh -e "$(dirname "$(dirname "$0")")/pre-commit" "$@"\n'
    )
    (repo / ".husky/_/pre-commit").chmod(0o755)
    git(repo, "config", "core.hooksPath", ".husky/_")
    assert line in cli("hooks", "install").err
    broken(file)
    git(repo, "add", "-A")
    assert not commits(repo)


def test_worktrees_share_the_hooks(cli: Cli, bugs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    repo, file = bugs
    git(repo, "worktree", "add", "-q", "-b", "side", str(repo / "wt"))
    monkeypatch.chdir(repo / "wt")
    cli("hooks", "install", ok=True)
    assert hook(repo).exists()
    broken(repo / "wt" / file.relative_to(repo))
    git(repo / "wt", "add", "-A")
    assert not commits(repo / "wt")
    assert commits(repo, "--allow-empty")


@pytest.mark.parametrize("paths", [True, False])
def test_a_registry_below_git_s_root(
    cli: Cli, bugs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, paths: bool
) -> None:
    repo, file = bugs
    (repo / "my app").mkdir()
    git(repo, "mv", "_reversa_bugs", "my app/_reversa_bugs")
    git(repo, "commit", "-qm", "moved")
    monkeypatch.chdir(repo / "my app")
    cli("hooks", "install", ok=True)
    file = repo / "my app" / file.relative_to(repo)
    assert commits(repo, "--allow-empty")
    broken(file)
    git(repo, "add", "-A")
    assert not commits(repo, *(["--", str(file)] if paths else []))
    git(repo, "rm", "-rqf", "my app")
    assert commits(repo), "an open bug may go"


def test_a_branch_without_a_registry(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, _ = bugs
    cli("hooks", "install", ok=True)
    git(repo, "checkout", "-q", "--orphan", "pages")
    git(repo, "rm", "-rqf", ".")
    (repo / "index.html").write_text("x")
    git(repo, "add", "-A")
    assert commits(repo)


def test_without_the_program_nothing_is_committed_unchecked(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, _ = bugs
    cli("hooks", "install", ok=True)
    lost = hook(repo).read_text().replace("reversa-bugs >/dev", "no-such-program >/dev")
    hook(repo).write_text(lost.replace(sys.executable, "/no/such"))
    stopped = run(repo, "commit", "--allow-empty", "-m", "x")
    assert stopped.returncode != 0 and "not installed" in stopped.stderr
    hook(repo).write_text(lost)
    assert commits(repo, "--allow-empty"), "the Python that installed it is called instead"


def test_a_dry_run_writes_nothing(cli: Cli, bugs: tuple[Path, Path]) -> None:
    repo, _ = bugs
    out = cli("hooks", "install", "--dry-run", ok=True).out
    assert out.count("+#!/bin/sh") == len(NAMES) and not hook(repo).exists()


def test_another_program_of_our_name_is_told(
    cli: Cli, bugs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bin")
    (folder / "reversa").write_text("#!/usr/bin/env node\n")
    (folder / "reversa").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert "another program" in cli("hooks", "status", ok=True).err
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    (folder / "reversa").unlink()
    assert cli("hooks", "status", ok=True).err == ""


def test_outside_git(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for action in ("install", "uninstall", "status"):
        assert cli("hooks", action).code == 5


def test_lines_that_are_none_of_a_push(cli: Cli, bugs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.delenv("PRE_COMMIT", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO("what\x1b[31m is this\n"))
    result = cli("check", "--pushed")
    assert result.code == 2 and "\x1b" not in result.err
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert cli("check", "--pushed").code == 0
