"""The registry lock: one writer at a time over all worktrees of a clone."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock

from reversa.errors import Refused, ReversaError, Surroundings
from reversa.store import layout, lock, write
from reversa.store.layout import Layout

from .places import as_another_user, git, mode, no_users_git, open_folder, repository, tree, umask
from .places import write as fill


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_users_git(monkeypatch)
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))


def place_of(folder: Path) -> Layout:
    (folder / "_reversa_bugs").mkdir(exist_ok=True, parents=True)
    return layout.find(folder, environ={})


def refused(where: Layout) -> Surroundings:
    with pytest.raises(Surroundings) as caught, lock.locked(where):
        raise AssertionError("it was not locked")
    return caught.value


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "LOCK_SECONDS", 0.0)


@pytest.mark.usefixtures("impatient")
def test_the_lock_is_shared_by_all_worktrees(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", {"_reversa_bugs/README.md": ""})
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    file = repo / ".git" / "reversa" / "registry.lock"
    with FileLock(file):
        for folder in (repo, tmp_path / "tree"):
            error = refused(layout.find(folder, environ={}))
            assert (error.exit_code, error.kind) == (5, "locked-registry")
            assert str(file) in error.hint
    for folder in (repo, tmp_path / "tree"):
        with (
            lock.locked(layout.find(folder, environ={})),
            pytest.raises(TimeoutError),
            FileLock(file, timeout=0),
        ):
            raise AssertionError("it was not locked")
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.usefixtures("impatient")
def test_the_lock_outside_git(tmp_path: Path) -> None:
    one, two = place_of(tmp_path / "one"), place_of(tmp_path / "two")
    (tmp_path / "link").symlink_to("one")
    with lock.locked(one):
        [file] = (tmp_path / "temp").rglob("*.lock")
        with lock.locked(two):
            pass
    with FileLock(file):
        assert "registry" in refused(place_of(tmp_path / "link")).message
    assert mode(file.parent) == 0o700
    assert tree(one.project) == {"_reversa_bugs": None}


@pytest.mark.usefixtures("impatient")
def test_a_git_folder_that_is_closed_is_not_needed() -> None:
    with open_folder() as place:
        repository(place / "repo", {"_reversa_bugs/README.md": ""})
        (place / "temp").mkdir()
        (place / "temp").chmod(0o777)
        where = layout.find(place / "repo", environ={})
        environ = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        with pytest.MonkeyPatch.context() as monkeypatch, as_another_user():
            monkeypatch.setattr(tempfile, "tempdir", str(place / "temp"))
            for key, value in environ.items():
                monkeypatch.setenv(key, value)
            with lock.locked(where):
                assert list((place / "temp").rglob("*.lock"))
        assert not (place / "repo" / ".git" / "reversa").exists()


def test_a_temporary_lock_folder_of_someone_else_is_refused(tmp_path: Path) -> None:
    where = place_of(tmp_path / "one")
    folder = tmp_path / "temp" / f"reversa-{os.getuid()}"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)
    error = refused(where)
    assert (error.exit_code, error.message) == (5, f"{folder}: not a folder of this user.")
    assert list(elsewhere.iterdir()) == []
    folder.unlink()
    folder.write_text("a file")
    assert refused(where).exit_code == 5


def test_a_lock_that_is_no_file(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", {"_reversa_bugs/README.md": ""})
    (repo / ".git" / "reversa" / "registry.lock").mkdir(parents=True)
    error = refused(layout.find(repo, environ={}))
    assert (error.exit_code, error.kind) == (5, "disk")
    assert "registry.lock" in error.message


def test_what_is_raised_under_the_lock_comes_out_and_frees_it(tmp_path: Path) -> None:
    where = place_of(tmp_path)
    for error in (Refused("no"), OSError(28, "full", str(tmp_path)), ReversaError("x"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as caught, lock.locked(where):
            raise error
        assert caught.value is error
    with lock.locked(where):
        """It is free."""


def test_a_clone_shared_by_a_group_shares_its_lock(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", {"_reversa_bugs/README.md": ""})
    with umask(0o002), lock.locked(layout.find(repo, environ={})):
        assert mode(repo / ".git" / "reversa" / "registry.lock") == 0o664


def work(folder: str, name: str, count: int) -> None:
    where = layout.find(Path(folder), environ={})
    for _ in range(count):
        with lock.locked(where):
            taken = [path.name for path in where.root.glob("shop/bugs/*")]
            assert not [other for other in taken if other.startswith(".")]
            number = len(taken) + 1
            write.create_folders(
                {where.root / "shop" / "bugs" / f"BUG-{number}": {"bug.md": f"{name}\n".encode() * 500}}
            )


@pytest.mark.parametrize("in_git", [True, False])
def test_eight_processes_write_one_after_the_other(tmp_path: Path, in_git: bool) -> None:
    """Each numbers its folder after what is there: two at a time would choose the same number and one would fail."""
    if in_git:
        repository(tmp_path)
    root = place_of(tmp_path).root
    context = multiprocessing.get_context("spawn")
    environ = {"TMPDIR": str(tmp_path / "temp")}
    with pytest.MonkeyPatch.context() as monkeypatch:
        for key, value in environ.items():
            monkeypatch.setenv(key, value)
        workers = [context.Process(target=work, args=(str(tmp_path), f"w{index}", 3)) for index in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    assert sorted(path.name for path in (root / "shop" / "bugs").iterdir()) == sorted(f"BUG-{n}" for n in range(1, 25))
    texts = [path.read_bytes() for path in root.glob("shop/bugs/*/bug.md")]
    assert sorted(texts) == sorted(f"w{index}\n".encode() * 500 for index in range(8) for _ in range(3))


# --- who holds it, and what a killed holder leaves


@pytest.mark.usefixtures("impatient")
def test_a_holder_is_named(tmp_path: Path) -> None:
    where = place_of(tmp_path / "one")
    with lock.locked(where):
        [note] = (tmp_path / "temp").rglob("*.holder")
        message = refused(where).message
    assert message == f"Process {os.getpid()} on {os.uname().nodename} has been writing to this registry for 0 seconds."
    assert not note.exists()


NOTES = [
    b"",
    b"\xff",
    b"[]",
    b"[" * 100_000,
    b'{"process": 1, "host": "h"}',
    b'{"process": "x", "host": "h", "folders": []}',
    b'{"process": 1, "host": "h", "folders": [1]}',
    b'{"process": 1, "host": "h", "folders": null}',
]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.usefixtures("impatient")
def test_a_note_that_is_none(tmp_path: Path, note: bytes) -> None:
    where = place_of(tmp_path / "one")
    with lock.locked(where):
        [holder] = (tmp_path / "temp").rglob("*.holder")
        holder.write_bytes(note)
        assert refused(where).message.startswith("Another reversa has been")
    holder.write_bytes(note)
    with lock.locked(where):
        """It is free."""
    assert not holder.exists()


LEFT = {
    "shop/bugs/BUG-1/.reversa-abcd_123.tmp": "",
    "shop/bugs/.reversa-abcd1234.new/bug.md": "",
    "shop/bugs/.reversa-abcd1234.new/evidence/.reversa-abcd1234.tmp": "",
    ".reversa-abcd1234.tmp": "",
}
KEPT = {
    "shop/bugs/BUG-1/bug.md": "",
    "shop/bugs/BUG-1/.reversa-abcd1234": "",
    "shop/bugs/BUG-1/reversa-abcd1234.tmp": "",
    "shop/bugs/BUG-1/.reversa-ABCD1234.tmp": "",
    "shop/bugs/BUG-1/.reversa-abcd12345.tmp": "",
    "shop/.git/.reversa-abcd1234.tmp": "",
    "shop/bugs/.reversa-abcd1234.old/x": "",
}


@pytest.mark.parametrize("killed", [True, False])
def test_what_a_killed_holder_left_is_taken_away(tmp_path: Path, killed: bool) -> None:
    where = place_of(tmp_path / "one")
    fill(where.root, {**LEFT, **KEPT})
    (where.root / "shop/link").symlink_to(tmp_path / "other")
    fill(tmp_path / "other", {".reversa-abcd1234.tmp": ""})
    with lock.locked(where):
        [holder] = (tmp_path / "temp").rglob("*.holder")
        note = holder.read_bytes()
    if killed:
        holder.write_bytes(note)
    with lock.locked(where):
        left = {path.relative_to(where.root).as_posix() for path in where.root.rglob("*") if path.is_file()}
    assert left - {"shop/link/.reversa-abcd1234.tmp"} == {*KEPT, *({} if killed else LEFT)}
    assert (tmp_path / "other/.reversa-abcd1234.tmp").exists()
