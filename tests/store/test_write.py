"""Writes that are whole or not at all, whatever fails on the way, and the lock that lets one write at a time."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reversa.errors import Refused, Surroundings
from reversa.store import write

from .places import as_another_user, mode, no_users_git, open_folder, tree, umask
from .places import write as fill

STEPS = ("write", "fchmod", "fsync", "close", "replace", "rename", "open", "mkdir", "unlink")
"""The calls of `os` that writing makes and that may fail."""


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_users_git(monkeypatch)
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))


class Failing:
    """Makes the n-th call of one function of `os` fail, as a disk would or as an interrupt would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, at: int, error: BaseException) -> None:
        self.calls, self.failed = 0, False
        real = getattr(os, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == at:
                self.failed = True
                if name == "close":  # a failing close has closed the handle all the same
                    real(*args, **kwargs)
                raise error
            return real(*args, **kwargs)

        monkeypatch.setattr(os, name, call)


def attempts(prepare: Callable[[], object], action: Callable[[], None]) -> Iterator[tuple[str, BaseException | None]]:
    """Run an action again and again, each time with another single failure, until no call is left that can fail."""
    for name in STEPS:
        for error in (OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()):
            for at in range(1, 100):
                prepare()
                with pytest.MonkeyPatch.context() as monkeypatch:
                    failing = Failing(monkeypatch, name, at, error)
                    caught: BaseException | None = None
                    try:
                        action()
                    except BaseException as problem:
                        caught = problem
                if not failing.failed:
                    assert caught is None
                    break
                yield f"{name} {at} {error!r}", caught


def judge(step: str, caught: BaseException | None, path: Path) -> None:
    if "KeyboardInterrupt" in step:
        assert isinstance(caught, KeyboardInterrupt), step
    elif caught is not None:
        assert isinstance(caught, Surroundings), step
        assert (caught.exit_code, caught.kind) == (5, "disk")
        assert caught.message == f"{path}: No space left on device."
        assert caught.hint == "Nothing was written."


# --- one file


def test_put_is_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    path = folder / "bug.md"
    old, new = b"old" * 100, b"new" * 5000
    seen = set()

    for step, caught in attempts(lambda: path.write_bytes(old), lambda: write.put(path, new)):
        seen.add(step.split(" ")[0])
        judge(step, caught, path)
        assert list(folder.iterdir()) == [path], step
        if caught is None or isinstance(caught, KeyboardInterrupt):
            assert path.read_bytes() in (old, new), step
        else:
            assert path.read_bytes() == old, step
    assert {"write", "fchmod", "fsync", "close", "replace", "open"} <= seen


def test_put_of_a_new_file_leaves_none_behind(tmp_path: Path) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    path = folder / "bug.md"

    for step, caught in attempts(lambda: path.unlink(missing_ok=True), lambda: write.put(path, b"new")):
        judge(step, caught, path)
        if isinstance(caught, Surroundings):
            assert list(folder.iterdir()) == [], step
        elif caught is None:
            assert path.read_bytes() == b"new", step


def test_a_write_that_takes_part_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:7]))
    write.put(tmp_path / "x", b"0123456789" * 30)
    assert (tmp_path / "x").read_bytes() == b"0123456789" * 30


def test_a_full_disk(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: the kernel refuses in the middle of a write."""
    (tmp_path / "bug.md").write_bytes(b"old")
    script = """
import resource, signal, sys
from pathlib import Path
from reversa.errors import Surroundings
from reversa.store import write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
place = Path(sys.argv[1])
for action in (
    lambda: write.put(place / "bug.md", b"x" * 100_000),
    lambda: write.replace(place / "bug.md", b"x" * 100_000, b"old"),
    lambda: write.create_folders({place / "new" / "bugs" / "BUG": {"a": b"a", "evidence/b": b"x" * 100_000}}),
):
    try:
        action()
    except Surroundings as error:
        print(error.message)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"{tmp_path}/{name}: File too large." for name in ("bug.md", "bug.md", "new/bugs/BUG")
    ]
    assert tree(tmp_path) == {"bug.md": b"old", "temp": None}


def test_modes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    for wanted in (0o644, 0o600, 0o755, 0o664, 0o444):
        path.chmod(wanted)
        with umask(0o077):
            write.put(path, b"new")
        assert mode(path) == wanted


@pytest.mark.parametrize(
    ("mask", "file", "folder"), [(0o022, 0o644, 0o755), (0o002, 0o664, 0o775), (0o077, 0o600, 0o700)]
)
def test_what_is_new_follows_the_umask(tmp_path: Path, mask: int, file: int, folder: int) -> None:
    with umask(mask):
        write.put(tmp_path / "x", b"new")
        write.create_folders({tmp_path / "shop" / "bugs" / "BUG": {"bug.md": b"b", "evidence/e": b"e"}})
        assert os.umask(mask) == mask
    assert mode(tmp_path / "x") == file
    made = tmp_path / "shop" / "bugs" / "BUG"
    assert [mode(path) for path in (made / "bug.md", made / "evidence" / "e")] == [file, file]
    assert [mode(path) for path in (made.parent.parent, made.parent, made, made / "evidence")] == [folder] * 4


def test_a_folder_of_a_group_stays_one(tmp_path: Path) -> None:
    (tmp_path / "bugs").mkdir()
    (tmp_path / "bugs").chmod(0o2775)
    with umask(0o002):
        write.create_folders({tmp_path / "bugs" / "BUG": {"bug.md": b"b"}})
    assert mode(tmp_path / "bugs" / "BUG") == 0o2775


def test_long_names_and_odd_names(tmp_path: Path) -> None:
    for name in ("é" * 120, "x" * 250, "a\nb", "-rf", ".hidden"):
        write.put(tmp_path / name, b"x")
        assert (tmp_path / name).read_bytes() == b"x"
    with pytest.raises(Surroundings, match="File name too long"):
        write.put(tmp_path / ("x" * 300), b"x")
    assert [path for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


def test_where_nothing_may_be_written() -> None:
    with open_folder() as place:
        fill(place, {"closed/bug.md": "old", "closed/bugs/x": ""})
        for name in ("closed/bugs", "closed"):
            (place / name).chmod(0o555)
        with as_another_user():
            for action in (
                lambda: write.put(place / "closed" / "bug.md", b"new"),
                lambda: write.replace(place / "closed" / "bug.md", b"new", b"old"),
                lambda: write.create_folders({place / "closed" / "bugs" / "BUG": {"bug.md": b"b"}}),
                lambda: write.create_folders({place / "closed" / "shop" / "bugs" / "BUG": {"bug.md": b"b"}}),
            ):
                with pytest.raises(Surroundings, match="Permission denied") as caught:
                    action()
                assert caught.value.exit_code == 5
        assert tree(place) == {"closed": None, "closed/bug.md": b"old", "closed/bugs": None, "closed/bugs/x": b""}


def test_a_folder_that_can_be_written_but_not_read() -> None:
    """The rename has happened: that the folder cannot be synced is no reason to say that nothing was written."""
    with open_folder() as place:
        (place / "drop").mkdir()
        (place / "drop").chmod(0o333)
        with as_another_user():
            write.put(place / "drop" / "x", b"new")
            write.create_folders({place / "drop" / "BUG": {"bug.md": b"b"}})
        (place / "drop").chmod(0o755)
        assert (place / "drop" / "x").read_bytes() == b"new"
        assert (place / "drop" / "BUG" / "bug.md").read_bytes() == b"b"


def test_put_onto_a_folder_or_into_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "gone" / "x"):
        with pytest.raises(Surroundings):
            write.put(path, b"x")
    assert tree(tmp_path) == {"folder": None, "temp": None}


# --- compare and swap


def test_replace_refuses_what_was_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "bug.md"
    path.write_bytes(b"theirs")
    for expected in (b"ours", b"", b"theirs\n", None):
        with pytest.raises(Surroundings) as caught:
            write.replace(path, b"new", expected)
        assert (caught.value.exit_code, caught.value.kind) == (5, "changed-meanwhile")
        assert path.read_bytes() == b"theirs"
    write.replace(path, b"new", b"theirs")
    assert path.read_bytes() == b"new"


def test_replace_of_what_is_gone_or_must_be_new(tmp_path: Path) -> None:
    path = tmp_path / "DONE.md"
    with pytest.raises(Surroundings):
        write.replace(path, b"new", b"old")
    assert not path.exists()
    write.replace(path, b"new", None)
    assert path.read_bytes() == b"new"
    path.unlink()
    path.symlink_to("nowhere")
    with pytest.raises(Surroundings):
        write.replace(path, b"new", None)
    assert path.is_symlink()


def test_replace_of_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bug.md")
    with pytest.raises(Surroundings, match="not a regular file"):
        write.replace(tmp_path / "bug.md", b"new", b"")


# --- a folder at once


def test_a_folder_appears_with_all_its_files(tmp_path: Path) -> None:
    made = tmp_path / "root" / "shop" / "bugs" / "BUG"
    write.create_folders({made: {"bug.md": b"b", "evidence/log.txt": b"log\r\n\0", "evidence/deep/x": b""}})
    assert tree(made) == {
        "bug.md": b"b",
        "evidence": None,
        "evidence/deep": None,
        "evidence/deep/x": b"",
        "evidence/log.txt": b"log\r\n\0",
    }
    assert list(made.parent.iterdir()) == [made]


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path) -> None:
    import shutil

    place = tmp_path / "place"
    seen = set()

    def prepare() -> None:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()

    def action() -> None:
        write.create_folders({place / "shop" / "bugs" / "BUG": {"bug.md": b"b", "evidence/e": b"e" * 5000}})

    whole = {"shop": None, "shop/bugs": None, "shop/bugs/BUG": None, "shop/bugs/BUG/bug.md": b"b",
             "shop/bugs/BUG/evidence": None, "shop/bugs/BUG/evidence/e": b"e" * 5000}  # fmt: skip
    for step, caught in attempts(prepare, action):
        seen.add(step.split(" ")[0])
        judge(step, caught, place / "shop" / "bugs" / "BUG")
        if caught is None:
            assert tree(place) == whole, step
        elif not isinstance(caught, KeyboardInterrupt):
            assert tree(place) == {}, step
        else:
            assert tree(place) in ({}, whole), step
    assert {"write", "fsync", "replace", "rename", "mkdir", "close", "fchmod"} <= seen


def test_of_several_folders_all_appear_or_none(tmp_path: Path) -> None:
    import shutil

    place = tmp_path / "place"

    def prepare() -> None:
        shutil.rmtree(place, ignore_errors=True)
        fill(place, {"old/bugs/OLD/bug.md": "old"})

    folders = {
        place / "old" / "bugs" / "A": {"bug.md": b"a"},
        place / "new" / "bugs" / "B": {"bug.md": b"b", "evidence/e": b"e"},
        place / "new" / "bugs" / "C": {"bug.md": b"c"},
    }
    prepare()
    before = tree(place)
    write.create_folders(folders)
    whole = tree(place)
    assert len(whole) == len(before) + 10
    outcomes = set()
    for step, caught in attempts(prepare, lambda: write.create_folders(folders)):
        if caught is None:
            assert tree(place) == whole, step
        elif not isinstance(caught, KeyboardInterrupt):
            assert tree(place) == before, step
        else:
            assert tree(place) in (before, whole), step
        outcomes.add(caught is None)
    assert outcomes == {True, False}


def test_only_the_folders_that_were_made_are_taken_away_again(tmp_path: Path) -> None:
    fill(tmp_path, {"shop/bugs/OTHER/bug.md": "other"})
    before = tree(tmp_path)
    with pytest.raises(Surroundings, match="File name too long"):
        write.create_folders({tmp_path / "shop" / "bugs" / "BUG": {"bug.md": b"b", "e" * 300: b"e"}})
    with pytest.raises(Surroundings, match="it exists already"):
        write.create_folders({tmp_path / "shop" / "bugs" / "OTHER": {"bug.md": b"b"}})
    with pytest.raises(Surroundings):
        write.create_folders({tmp_path / "a" / "b" / "c" / "BUG": {"x" * 300: b""}})
    assert tree(tmp_path) == before


# --- files beside others


def test_added_files_that_fail_leave_nothing(tmp_path: Path) -> None:
    import shutil

    place = tmp_path / "place"

    def prepare() -> None:
        shutil.rmtree(place, ignore_errors=True)
        fill(place, {"shop/kept": "kept"})

    def action() -> None:
        write.add({place / "shop/a/one": b"one" * 2000, place / "shop/a/two": b"", place / "shop/b/c/three": b"3"})

    kept = {"shop": None, "shop/kept": b"kept"}
    whole = {**kept, "shop/a": None, "shop/a/one": b"one" * 2000, "shop/a/two": b"", "shop/b": None,
             "shop/b/c": None, "shop/b/c/three": b"3"}  # fmt: skip
    for step, caught in attempts(prepare, action):
        assert isinstance(caught, (Surroundings, KeyboardInterrupt, type(None))), step
        assert tree(place) == (whole if caught is None else kept), step


def test_files_are_added_to_what_is_there_and_overwrite_nothing(tmp_path: Path) -> None:
    fill(tmp_path, {"shop/kept": "kept"})
    before = tree(tmp_path)
    with pytest.raises(Surroundings, match="changed by someone else"):
        write.add({tmp_path / "shop/new": b"new", tmp_path / "shop/kept": b"kept"})
    assert tree(tmp_path) == before
    undo = write.add({tmp_path / "shop/new": b"new", tmp_path / "shop/deep/new": b"new"})
    assert tree(tmp_path) == {**before, "shop/new": b"new", "shop/deep": None, "shop/deep/new": b"new"}
    (tmp_path / "shop/new").write_bytes(b"by somebody else")
    undo.close()
    assert tree(tmp_path) == {**before, "shop/new": b"by somebody else"}


def test_remove_never_raises(tmp_path: Path) -> None:
    fill(tmp_path, {"x": "x"})
    for path in (tmp_path / "x", tmp_path / "x", tmp_path):
        write.remove(path)
    assert not (tmp_path / "x").exists()


# --- locked folders


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_a_locked_folder_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    write.refuse_if_locked(tmp_path, "BUG-20260715-A7K3")
    make(tmp_path / "DONE.md")
    with pytest.raises(Refused) as caught:
        write.refuse_if_locked(tmp_path, "BUG-20260715-A7K3")
    assert (caught.value.exit_code, caught.value.kind) == (4, "locked")
    assert "regression-of A7K3" in caught.value.hint
    with pytest.raises(Refused) as caught:
        write.refuse_if_locked(tmp_path, "BUG-20260715-A7K3", hint="other")
    assert caught.value.hint == "other"
