"""What the tests of the house share: a clean environment, and a throw-away shop with its git history."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from house import ROOT, TODAY, Git, MakeShop


@pytest.fixture
def root() -> Path:
    return ROOT


@pytest.fixture
def clean_env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which only this suite's reversa and plain git are at work: no user's settings, no prompts."""
    home = tmp_path_factory.mktemp("home")
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "suite",
        "GIT_AUTHOR_EMAIL": "suite@example.org",
        "GIT_COMMITTER_NAME": "suite",
        "GIT_COMMITTER_EMAIL": "suite@example.org",
        "PYTHONDONTWRITEBYTECODE": "1",
        "REVERSA_TODAY": TODAY,
    }


@pytest.fixture
def git(clean_env: dict[str, str]) -> Git:
    def run(folder: Path, *args: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", *args]
        return subprocess.run(command, cwd=folder, env=clean_env, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def make_shop(tmp_path: Path, git: Git) -> MakeShop:
    def make(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(ROOT / "registry-example", folder, ignore=shutil.ignore_patterns("__pycache__"))
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "The shop as it is")
        return folder

    return make
