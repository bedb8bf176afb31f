"""`reversa-bugs check` as a hook of the real pre-commit in front of a real git: a broken record is not committed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from doc_console import fences
from house import ROOT, Git, MakeShop


def hook() -> str:
    """The configuration that the README tells its readers to add."""
    page = (ROOT / "README.md").read_text("utf-8")
    found = [body for _, info, body in fences(page) if info == "yaml" and "entry: reversa-bugs check" in body]
    assert len(found) == 1
    return found[0] + "\n"


@pytest.fixture
def guarded(make_shop: MakeShop, clean_env: dict[str, str], git: Git) -> Path:
    shop = make_shop("shop")
    (shop / ".pre-commit-config.yaml").write_text(hook(), "utf-8")
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "Check the bugs before each commit")
    install = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(install, cwd=shop, env=clean_env, check=True, capture_output=True)
    return shop


def commit(shop: Path, env: dict[str, str], message: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "commit", "--all", "-m", message]
    return subprocess.run(command, cwd=shop, env=env, capture_output=True, text=True, check=False)


def record(shop: Path) -> Path:
    return next(shop.glob("_reversa_bugs/*/bugs/*A7K3*/bug.md"))


def test_a_good_commit_passes(guarded: Path, clean_env: dict[str, str], git: Git) -> None:
    file = record(guarded)
    file.write_text(file.read_text("utf-8").replace("severity: high", "severity: medium"), "utf-8")
    done = commit(guarded, clean_env, "Less severe than it looked")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stderr + done.stdout
    assert git(guarded, "log", "-1", "--format=%s").strip() == "Less severe than it looked"


def test_a_broken_record_is_refused(guarded: Path, clean_env: dict[str, str], git: Git) -> None:
    before = git(guarded, "rev-parse", "HEAD")
    file = record(guarded)
    file.write_text(file.read_text("utf-8").replace("status: active", "status: nearly-done"), "utf-8")
    done = commit(guarded, clean_env, "Slip a broken record in")
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "Failed" in said and "A7K3" in said and "nearly-done" in said
    assert git(guarded, "rev-parse", "HEAD") == before
    assert file.name in git(guarded, "diff", "HEAD", "--name-only")
