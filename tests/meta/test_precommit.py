"""The hooks of `.pre-commit-hooks.yaml`, run by the real pre-commit out of a hook repository in front of a real git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from doc_console import fences
from house import ROOT, Git, MakeShop

pytestmark = pytest.mark.xdist_group("package")

ADDRESS = "ADDRESS-OF-THIS-REPOSITORY"
"""What the README's readers put the address of our repository in the place of."""


@pytest.fixture(scope="module")
def framework(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which pre-commit keeps what it installs; pip may be told where packages are."""
    pip = {key: value for key, value in os.environ.items() if key.startswith("PIP_") or key.lower().endswith("_proxy")}
    return {**pip, "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit"))}


@pytest.fixture(scope="module")
def hook_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as a repository of its own, with a tag."""
    folder = tmp_path_factory.mktemp("hooks") / "reversa"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in filter(None, subprocess.check_output(listed, cwd=ROOT, text=True).split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    person = ["-c", "user.name=suite", "-c", "user.email=suite@example.org"]
    for args in (["init", "-q"], ["add", "-A"], [*person, "commit", "-qm", "all"], ["tag", "v0"]):
        subprocess.run(["git", *args], cwd=folder, check=True)
    return folder


Act = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def act(clean_env: dict[str, str], framework: dict[str, str]) -> Act:
    """Run a command as a person does."""

    def run(shop: Path, *command: str) -> subprocess.CompletedProcess[str]:
        env = {**clean_env, **framework}
        done = subprocess.run(command, cwd=shop, env=env, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def guarded(make_shop: MakeShop, hook_repository: Path, act: Act, git: Git) -> Path:
    shop = make_shop("shop")
    page = (ROOT / "README.md").read_text("utf-8")
    [text] = [body for _, info, body in fences(page) if info == "yaml" and ADDRESS in body]
    (shop / ".pre-commit-config.yaml").write_text(text.replace(ADDRESS, str(hook_repository)) + "\n", "utf-8")
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "Check the bugs before each commit")
    install = [sys.executable, "-m", "pre_commit", "install"]
    for stage in ("pre-commit", "pre-merge-commit", "pre-push"):
        install += ["--hook-type", stage]
    done = act(shop, *install)
    assert done.returncode == 0, done.stderr
    return shop


def record(shop: Path) -> Path:
    return next(shop.glob("_reversa_bugs/*/bugs/*A7K3*/bug.md"))


def change(shop: Path, old: str, new: str) -> None:
    file = record(shop)
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_commits_merges_and_pushes_are_guarded(guarded: Path, act: Act, git: Git, tmp_path: Path) -> None:
    shop = guarded
    change(shop, "severity: high", "severity: medium")
    done = act(shop, "git", "commit", "-am", "Less severe than it looked")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "reversa check" in done.stderr + done.stdout and "Passed" in done.stderr + done.stdout

    change(shop, "status: active", "status: nearly-done")
    done = act(shop, "git", "commit", "-am", "Slip a broken record in")
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "Failed" in said and "A7K3" in said and "nearly-done" in said
    git(shop, "add", "-A")
    change(shop, "status: nearly-done", "status: active")
    assert act(shop, "git", "commit", "-m", "Mended on disk alone").returncode != 0
    assert act(shop, "git", "commit", "-am", "Mended", "--allow-empty").returncode == 0

    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", str(remote))
    git(shop, "remote", "add", "origin", str(remote))
    done = act(shop, "git", "push", "-q", "origin", "main")
    assert done.returncode == 0, done.stdout + done.stderr
    git(shop, "checkout", "-q", "-b", "side")
    change(shop, "status: active", "status: nearly-done")
    git(shop, "commit", "-qam", "Past the hook", "--no-verify")
    done = act(shop, "git", "push", "-q", "origin", "side")
    assert done.returncode != 0 and "nearly-done" in done.stdout + done.stderr
    git(shop, "checkout", "-q", "main")
    git(shop, "commit", "-q", "--allow-empty", "-m", "On main")
    done = act(shop, "git", "merge", "--no-edit", "side")
    assert done.returncode != 0 and "nearly-done" in done.stdout + done.stderr


@pytest.mark.parametrize("first", ["reversa", "pre-commit"])
def test_beside_the_hooks_of_plain_git(guarded: Path, act: Act, git: Git, first: str) -> None:
    """Whichever was installed first, each runs once, and taking ours away leaves the other."""
    shop, hook = guarded, guarded / ".git/hooks/pre-commit"
    theirs = hook.read_bytes()
    install = (sys.executable, "-m", "pre_commit", "install")
    if first == "reversa":
        hook.unlink()
    assert act(shop, "reversa-bugs", "hooks", "install").returncode == 0
    if first == "reversa":
        assert act(shop, *install).returncode == 0
        assert "pre-commit runs it" in act(shop, "reversa-bugs", "hooks", "status").stdout
    done = act(shop, "git", "commit", "-m", "x", "--allow-empty")
    said = done.stdout + done.stderr
    assert done.returncode == 0 and said.count("bugs in 4 contexts") + said.count("Passed") == 2, said
    change(shop, "status: active", "status: nearly-done")
    git(shop, "add", "-A")
    assert act(shop, "git", "commit", "-m", "x").returncode != 0
    assert act(shop, *install).returncode == 0, "again, on top of ours"
    assert act(shop, "git", "commit", "-m", "x").returncode != 0
    assert act(shop, "reversa-bugs", "hooks", "uninstall").returncode == 0
    assert [path.name for path in hook.parent.glob("pre-commit*") if path.suffix != ".sample"] == ["pre-commit"]
    assert hook.read_bytes() == theirs
