"""The one place that runs git: a cleaned-up environment, bytes out, no prompt, no pager."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from reversa.errors import Surroundings

_TIMEOUT = 120
_DROPPED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX")


def run(folder: Path, *args: str, stdin: bytes | None = None, ok: Sequence[int] = (0,)) -> bytes:
    """Run git in a folder and give its standard output.

    `ok` lists the exit codes that are answers. Raises Surroundings when git is missing, hangs or fails.
    """
    env = {key: value for key, value in os.environ.items() if key not in _DROPPED}
    env.update(LC_ALL="C", GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0", GIT_PAGER="cat")
    command = ["git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", *args]
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, input=stdin, capture_output=True, timeout=_TIMEOUT, check=False
        )
    except FileNotFoundError:
        raise Surroundings("git is not installed.", "Install git, or work outside a repository.", kind="git") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Surroundings(f"git {args[0]} could not be run: {error}.", kind="git") from None
    if done.returncode not in ok:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit {done.returncode}"]
        raise Surroundings(f"git {args[0]} failed: {reason[0]}.", kind="git")
    return done.stdout


def root_above(start: Path) -> Path | None:
    """Give the nearest folder at or above `start` that holds `.git`, without running git."""
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder
    return None


def common_dir(folder: Path) -> Path:
    """Give git's common directory, which all worktrees of a clone share."""
    out = run(folder, "rev-parse", "--git-common-dir").decode().rstrip("\n")
    return (folder / out).resolve()


def tracked_or_addable(folder: Path) -> list[str]:
    """List the files under a folder that git tracks or would add, relative to it, unsorted."""
    out = run(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", ".")
    return [os.fsdecode(name) for name in out.split(b"\0") if name]


def ignored(folder: Path, paths: Sequence[str]) -> list[str]:
    """Give those of `paths` (relative to the folder) that git ignores and does not track already."""
    if not paths:
        return []
    feed = b"\0".join(os.fsencode(path) for path in paths) + b"\0"
    out = run(folder, "check-ignore", "-z", "--stdin", stdin=feed, ok=(0, 1))
    return [os.fsdecode(name) for name in out.split(b"\0") if name]
