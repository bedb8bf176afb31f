"""A signal in the middle of a write: all of it is there in the end, or nothing of it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import DAY, git, tree

HARNESS = """
import os, sys
real, count, wanted = os.fsync, 0, int(sys.argv[1])

def fsync(handle):
    global count
    real(handle)
    count += 1
    if count == wanted:
        os.kill(os.getpid(), int(sys.argv[2]))

os.fsync = fsync
from reversa.cli.boundary import run
code = run(sys.argv[3:])
print(count)
sys.exit(code)
"""

COMMANDS = {
    "update": ("update", "A7K3", "Y5GB", "--severity", "low", "--no-views"),
    "close": ("close", "C7JP", "--as", "fixed", "--no-views"),
    "evidence": ("evidence", "add", "A7K3", "README.md", "src/cart.py", "--no-views"),
    "taxonomy": ("taxonomy", "rename", "area", "sales", "selling", "--no-views"),
    "intake": ("intake", "checkout", "README.md", "--text", "It fails."),
}


def run(shop: Path, at: int, sent: int, args: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", "REVERSA_TODAY": DAY, "HOME": str(shop), "LANG": "C.UTF-8"}
    command = [sys.executable, "-c", HARNESS, str(at), str(sent), *args]
    return subprocess.run(command, cwd=shop, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_at_any_write_leaves_all_or_nothing(
    shop: Path, tmp_path_factory: pytest.TempPathFactory, name: str, sent: signal.Signals
) -> None:
    before = tree(shop)
    whole = tmp_path_factory.mktemp("whole") / "shop"
    shutil.copytree(shop, whole, symlinks=True)
    done = run(whole, 0, sent, COMMANDS[name])
    assert done.returncode == 0, done.stderr
    after, syncs = tree(whole), int(done.stdout.split()[-1])
    assert after != before and syncs > 2
    seen = set()
    for at in range(1, syncs + 1):
        hit = run(shop, at, sent, COMMANDS[name])
        assert "Traceback" not in hit.stderr and hit.returncode in (130, -sent), (at, hit)
        left = tree(shop)
        assert left in (before, after), (at, sorted(left.items() ^ before.items()))
        seen.add(left == after)
        git(shop, "checkout", "-q", ".")
        git(shop, "clean", "-qfdx")
    assert True in seen


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_any_write_each_file_is_whole_and_the_next_command_cleans_up(
    shop: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    """SIGKILL cannot be held back: some files may be new and some old, but none is half, and nothing else is left."""
    before = tree(shop)
    whole = tmp_path_factory.mktemp("whole") / "shop"
    shutil.copytree(shop, whole, symlinks=True)
    done = run(whole, 0, signal.SIGKILL, COMMANDS[name])
    after, syncs = tree(whole), int(done.stdout.split()[-1])
    stray = 0
    for at in range(1, syncs + 1):
        hit = run(shop, at, signal.SIGKILL, COMMANDS[name])
        assert hit.returncode == -signal.SIGKILL, (at, hit)
        stray += any(".reversa-" in path for path in tree(shop))
        following = run(shop, 0, signal.SIGKILL, ("update", "A7K3", "--priority", "P3", "--no-views"))
        assert following.returncode == 0, (at, following)
        left = tree(shop)
        for path, data in left.items():
            if "A7K3" not in path:  # the following command changed it
                assert data in (before.get(path), after.get(path)), (at, path)
        assert not before.keys() - left.keys(), at
        git(shop, "checkout", "-q", ".")
        git(shop, "clean", "-qfdx")
    assert stray
