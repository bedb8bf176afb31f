"""The command line in this process: real files, real git, captured streams."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reversa.cli.boundary import run

EXAMPLE = Path(__file__).resolve().parents[2] / "registry-example"
DAY = "2026-09-01"


@dataclass(frozen=True)
class Result:
    """What a command left behind: exit code and streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run `reversa ARGS` in the working directory, on a fixed day, without colour and outside a terminal."""
    monkeypatch.setenv("REVERSA_TODAY", DAY)
    for name in ("NO_COLOR", "FORCE_COLOR", "REVERSA_REGISTRY", "SOURCE_DATE_EPOCH", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def call(*args: str, ok: bool | None = None) -> Result:
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        captured = capsys.readouterr()
        result = Result(code, captured.out, captured.err)
        assert "Traceback" not in result.err + result.out
        if ok is not None:
            assert (code == 0) is ok, (code, captured.out, captured.err)
        return result

    return call


def git(folder: Path, *args: str) -> str:
    """Run git in a folder, away from the user's configuration."""
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Test",
        "GIT_AUTHOR_EMAIL": "test@example.invalid",
        "GIT_COMMITTER_NAME": "Test",
        "GIT_COMMITTER_EMAIL": "test@example.invalid",
    }
    done = subprocess.run(["git", *args], cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty git repository, which is the working directory."""
    git(tmp_path, "init", "-q", "-b", "main")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repo(empty: Path, cli: Cli) -> Path:
    """A git repository with a fresh registry."""
    cli("init", ok=True)
    return empty


@pytest.fixture
def shop(empty: Path) -> Path:
    """A git repository that holds a copy of the example registry, committed."""
    shutil.copytree(EXAMPLE, empty, dirs_exist_ok=True, symlinks=True)
    git(empty, "add", "-A")
    git(empty, "commit", "-q", "-m", "the example")
    return empty


def new(cli: Cli, title: str = "Total is wrong", *args: str, context: str = "checkout") -> str:
    """Register a bug and give its ID."""
    result = cli("new", "-c", context, "--json", *args, "--", title)
    assert result.code == 0, result.out
    return str(result.json["data"]["id"])


def record(root: Path, bug_id: str) -> Path:
    """Give the path of a bug's record."""
    found = list(root.glob(f"_reversa_bugs/*/bugs/{bug_id}*/bug.md"))
    assert len(found) == 1, found
    return found[0]


def tree(root: Path) -> dict[str, bytes]:
    """Give all files of a folder with their bytes, git's own left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
