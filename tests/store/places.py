"""Places for the tests of the store: files from a mapping, git repositories, and the eyes of another user."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from reversa.core.bug import Registry
from reversa.store import layout, registry

NOBODY = 65534
ID = "BUG-20260715-A7K3"


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def record(bug_id: str = ID, **fields: str) -> str:
    lines = {"schema_version": "1", "id": bug_id, "title": "T", "status": "open", **fields}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in lines.items()) + "---\n\n# T\n"


def load(root: Path, *, full: bool = True) -> Registry:
    return registry.load(layout.layout_of(root), full=full)


def odd(found: Registry) -> list[tuple[str, str]]:
    return [(oddity.code, oddity.path) for oddity in found.oddities]


def git(folder: Path, *args: str) -> str:
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *args]
    done = subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True)
    return done.stdout


def repository(folder: Path, files: Mapping[str, str | bytes] | None = None, *, commit: bool = True) -> Path:
    write(folder, files or {"README.md": "x\n"})
    git(folder, "init", "-q")
    if commit:
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "begin")
    return folder


def no_users_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take what the user or a hook set for git out of the environment."""
    for key in list(os.environ):
        if key.startswith("GIT_"):
            monkeypatch.delenv(key)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@contextlib.contextmanager
def as_another_user() -> Iterator[None]:
    """Be a user whom permissions stop; root, whom they do not, becomes nobody for the while."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """Give a temporary folder that every user can reach and write to; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp(dir="/tmp")).resolve()
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        for top, folders, _ in os.walk(folder):
            for name in folders:
                Path(top, name).chmod(0o700)
        shutil.rmtree(folder)


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
