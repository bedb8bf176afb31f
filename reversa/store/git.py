"""The one place that runs git: a cleaned-up environment, bytes out, no prompt, no pager."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from reversa.errors import Surroundings

_TIMEOUT = 120
_DROPPED = frozenset(
    {
        # what git exports to its hooks about the repository that runs them, which need not be ours
        *("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"),
        # settings under which git would find another root than `root_above`, or read our paths as patterns
        *("GIT_CEILING_DIRECTORIES", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
    }
)
"""GIT_INDEX_FILE stays: during `git commit PATH` it names the index that is about to be committed."""


_SETTINGS = ("-c", "core.quotePath=false", "-c", "core.fsmonitor=false")


def _env() -> dict[str, str]:
    env = {key: value for key, value in os.environ.items() if key not in _DROPPED}
    env.update(LC_ALL="C", GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0", GIT_PAGER="cat")
    env["GIT_DISCOVERY_ACROSS_FILESYSTEM"] = "1"
    return env


def run(folder: Path, *args: str, stdin: bytes | None = None, ok: Sequence[int] = (0,)) -> bytes:
    """Run git in a folder and give its standard output.

    `ok` lists the exit codes that are answers. Raises Surroundings when git is missing, hangs or fails.
    """
    command = ["git", *_SETTINGS, *args]
    try:
        done = subprocess.run(
            command, cwd=folder, env=_env(), input=stdin or b"", capture_output=True, timeout=_TIMEOUT, check=False
        )
    except FileNotFoundError:
        if not os.path.isdir(folder):  # Popen blames a missing working directory in the same way
            raise Surroundings(f"git {args[0]} could not be run: {folder} is no folder.", kind="git") from None
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
        if os.path.exists(folder / ".git"):
            return folder
    return None


def common_dir(folder: Path) -> Path:
    """Give git's common directory, which all worktrees of a clone share."""
    out = os.fsdecode(run(folder, "rev-parse", "--git-common-dir").removesuffix(b"\n"))
    return (folder / out).resolve()


def tracked_or_addable(folder: Path) -> list[str]:
    """List the files under a folder that git tracks or would add, relative to it, unsorted."""
    out = run(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    # an unmerged file is listed once a stage; --deduplicate would need git 2.31
    return [os.fsdecode(name) for name in dict.fromkeys(out.split(b"\0")) if name]


def ignored(folder: Path, paths: Sequence[str]) -> list[str]:
    """Give those of `paths` (relative to the folder) that git ignores and does not track already."""
    if not paths:
        return []
    # the ./ keeps a name that begins with a colon from being read as a pathspec with magic
    feed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    out = run(folder, "check-ignore", "-z", "--stdin", stdin=feed, ok=(0, 1))
    return [os.fsdecode(name.removeprefix(b"./")) for name in out.split(b"\0") if name]


def why_ignored(folder: Path, path: str) -> str:
    """Say which rule ignores a path, as `.gitignore:3: *.log`; "" where none does or git cannot say."""
    feed = b"./" + os.fsencode(path) + b"\0"
    out = run(folder, "check-ignore", "-v", "-z", "--no-index", "--stdin", stdin=feed, ok=(0, 1)).split(b"\0")
    return os.fsdecode(b"%s:%s: %s" % tuple(out[:3])) if len(out) > 3 else ""


def touched(folder: Path, *, but: str) -> list[str]:
    """Name the files under a folder that are not as HEAD has them, new ones included, but for those of one name."""
    out = run(folder, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ".")
    names = (os.fsdecode(entry[3:]) for entry in out.split(b"\0") if len(entry) > 3)
    return sorted(name.rpartition("/")[2] for name in names if name.rpartition("/")[2] != but)


def versions(folder: Path, path: str, limit: int = 200) -> list[bytes]:
    """Give a file as it was in the commits that changed it, newest first; nothing where there is no commit yet."""
    log = run(folder, "log", f"-{limit}", "--format=%H", "--", f":(literal){path}", ok=(0, 128))
    names = [line.decode() for line in log.split()]
    if not names:
        return []
    feed = b"".join(f"{name}:".encode() + os.fsencode(path) + b"\n" for name in names)
    return batch(run(folder, "cat-file", "--batch", stdin=feed))


def beginning(folder: Path, blob: str, limit: int) -> bytes:
    """Give the first bytes of a blob, however large it is; raises Surroundings."""
    try:
        with subprocess.Popen(
            ["git", *_SETTINGS, "cat-file", "blob", blob], cwd=folder, env=_env(), stdout=subprocess.PIPE
        ) as running:
            data = running.stdout.read(limit) if running.stdout else b""
            running.kill()
    except OSError as error:
        raise Surroundings(f"git cat-file could not be run: {error}.", kind="git") from None
    return data


def batch(out: bytes) -> list[bytes]:
    """Take the answer of `cat-file --batch` apart; a file that a commit took away has no content."""
    found, at = [], 0
    while at < len(out):
        end = out.index(b"\n", at)
        words = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(words) == 3 and words[1] == b"blob":
            found.append(out[at : at + int(words[2])])
            at += int(words[2]) + 1
    return found
