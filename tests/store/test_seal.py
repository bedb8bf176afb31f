"""The seal as registry.md 7 defines it, computed a second time here; the same on every clone."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.bug import Lock
from reversa.store import registry, seal
from reversa.store.tree import Disk

from .places import ID, as_another_user, git, load, no_users_git, open_folder, record, repository, write

FOLDER = f"_reversa_bugs/shop/bugs/{ID}-x"
AWKWARD = ("acção.txt", "new\nline.txt", "a b.txt", "-dash", ":colon", "a", "a.b", "a/b", "a-b", "Z", "é", "中.md")


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    no_users_git(monkeypatch)


def expected(files: dict[str, bytes]) -> str:
    """The seal by the letter of the contract, over contents by path."""
    total = hashlib.sha256()
    for path in sorted(files, key=os.fsencode):
        if path == "DONE.md":
            continue
        content = files[path]
        if b"\x00" not in content[:8000]:
            content = content.replace(b"\r\n", b"\n")
        total.update(os.fsencode(path) + b"\x00" + hashlib.sha256(content).hexdigest().encode() + b"\n")
    return f"sha256:{total.hexdigest()}"


def now(folder: Path, *, in_git: bool = True) -> str:
    return seal.compute(folder, seal.covered(folder, in_git=in_git))


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\x00"), min_size=1, max_size=12).filter(
    lambda name: name not in (".", "..", ".git")
)
CONTENTS = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [b"", b"a\r\nb\n", b"\r\r\n", b"a\rb", b"x" * 8000 + b"\0\r\n", b"x" * 7999 + b"\0\r\n", b"\0\r\n"]
    ),
)


@given(st.dictionaries(NAMES, CONTENTS, max_size=6))
def test_the_seal_is_that_of_the_contract(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    folder = tmp_path_factory.mktemp("sealed")
    write(folder, files)
    assert seal.compute(folder, files) == seal.compute(folder, [*reversed([*files]), *files]) == expected(files)


def test_paths_are_sorted_by_their_utf_8_bytes(tmp_path: Path) -> None:
    names = (*(name for name in AWKWARD if name != "a"), "\uffff", "\U00010000", "a/c/d", "a.c")
    files = {name: name.encode() for name in names}
    write(tmp_path, files)
    assert now(tmp_path, in_git=False) == expected(files)


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    files = {os.fsdecode(b"latin-\xe9"): b"x", os.fsdecode(b"\xff"): b"y"}
    write(tmp_path, files)
    assert now(tmp_path, in_git=False) == expected(files)


def test_a_link_is_its_target_s_text(tmp_path: Path) -> None:
    write(tmp_path, {"plain": "x", "elsewhere/secret": "s"})
    folder = tmp_path / "bug"
    write(folder, {"a.txt": "a"})
    for name, target in (("gone", "no\r\nwhere"), ("file", "../plain"), ("folder", "../elsewhere"), ("loop", "loop")):
        (folder / name).symlink_to(target)
    files = {"a.txt": b"a", "file": b"../plain", "folder": b"../elsewhere", "loop": b"loop"}
    total = dict(files, gone=b"no\r\nwhere\0")
    assert sorted(seal.covered(folder, in_git=False)) == sorted(total)
    (folder / "gone").unlink()
    assert now(folder, in_git=False) == expected(files)


def test_a_target_s_text_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to("no\r\nwhere")
    content = hashlib.sha256(b"no\r\nwhere").hexdigest().encode()
    whole = hashlib.sha256(b"gone\0" + content + b"\n").hexdigest()
    assert now(tmp_path, in_git=False) == f"sha256:{whole}"


def test_modes_and_the_lock_do_not_count_and_everything_else_does(tmp_path: Path) -> None:
    repository(tmp_path, {f"{FOLDER}/bug.md": record(), f"{FOLDER}/evidence/a.txt": "a"})
    folder = tmp_path / FOLDER
    before = now(folder)
    (folder / "bug.md").chmod(0o755)
    write(folder, {"DONE.md": "locked"})
    assert now(folder) == before
    write(folder, {"evidence/DONE.md": "an inner file of that name is content"})
    assert now(folder) != before
    (folder / "evidence" / "DONE.md").unlink()
    (folder / "evidence" / "a.txt").rename(folder / "evidence" / "b.txt")
    assert now(folder) != before


def test_in_git_what_is_tracked_or_would_be_added_counts(tmp_path: Path) -> None:
    rules = {".gitignore": "*.log\n", f"{FOLDER}/evidence/.gitignore": "*.tmp\n"}
    repository(tmp_path, {**rules, f"{FOLDER}/bug.md": record(), f"{FOLDER}/forced.log": "f"}, commit=False)
    git(tmp_path, "add", "-A")
    git(tmp_path, "add", "-f", f"{FOLDER}/forced.log")
    git(tmp_path, "commit", "-q", "-m", "begin")
    folder = tmp_path / FOLDER
    write(folder, {"new.txt": "untracked", ".hidden": "h", "a.log": "ignored", "evidence/b.tmp": "ignored"})
    counted = ["bug.md", "forced.log", "new.txt", ".hidden", "evidence/.gitignore"]
    assert sorted(seal.covered(folder, in_git=True)) == sorted(counted)
    assert now(folder) == expected({name: (folder / name).read_bytes() for name in counted})
    (folder / "forced.log").unlink()
    assert "forced.log" not in seal.covered(folder, in_git=True)


def test_outside_git_all_but_dot_files_count(tmp_path: Path) -> None:
    write(
        tmp_path, {"bug.md": "b", "a.log": "l", ".hidden": "h", ".dots/x": "x", "evidence/.y": "y", "evidence/z": "z"}
    )
    assert sorted(seal.covered(tmp_path, in_git=False)) == ["a.log", "bug.md", "evidence/z"]


def test_only_files_and_links_are_content(tmp_path: Path) -> None:
    repository(tmp_path, {f"{FOLDER}/bug.md": record()})
    folder = tmp_path / FOLDER
    os.mkfifo(folder / "pipe")  # would wait for ever if it were read
    repository(folder / "evidence" / "repo")
    assert seal.covered(folder, in_git=True) == ["bug.md"]
    git(tmp_path, "-c", "advice.addEmbeddedRepo=false", "add", "-A")
    assert seal.covered(folder, in_git=True) == ["bug.md"]
    assert "pipe" not in seal.covered(folder, in_git=False)


def test_a_clone_with_other_line_endings_has_the_same_seal(tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    binary = b"\0" + b"\r\n" * 9
    files: dict[str, str | bytes] = {f"{FOLDER}/evidence/{name}": f"{name}\nx\n" for name in AWKWARD if name != "a"}
    repository(
        origin, {**files, f"{FOLDER}/bug.md": record(), f"{FOLDER}/b.bin": binary, f"{FOLDER}/crlf": b"a\r\nb\r\n"}
    )
    write(
        origin,
        {f"{FOLDER}/late.txt": "untracked when sealed\n", f"{FOLDER}/x.log": "ignored\n", ".gitignore": "*.log\n"},
    )
    (origin / FOLDER / "link").symlink_to("bug.md")
    before = now(origin / FOLDER)
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "sealed")
    assert now(origin / FOLDER) == before
    for autocrlf in ("true", "input", "false"):
        clone = tmp_path / autocrlf
        git(tmp_path, "clone", "-q", "-c", f"core.autocrlf={autocrlf}", str(origin), str(clone))
        assert (b"\r\n" in (clone / FOLDER / "bug.md").read_bytes()) == (autocrlf == "true")
        assert now(clone / FOLDER) == before
    git(tmp_path, "clone", "-q", "-c", "core.symlinks=false", str(origin), str(tmp_path / "no-links"))
    assert not (tmp_path / "no-links" / FOLDER / "link").is_symlink()
    assert now(tmp_path / "no-links" / FOLDER) == before


@pytest.mark.parametrize("in_git", [True, False])
def test_many_folders_at_once_are_as_each_alone(tmp_path: Path, in_git: bool) -> None:
    names = [
        "shop/bugs/BUG-20260715-AAAA",
        "a b/bugs/BUG-20260715-BBBB-é",
        "bugs/BUG-20260715-CCCC",
        "_old/bugs/BUG-20260715-DDDD",
    ]
    root = tmp_path / "_reversa_bugs"
    for name in names:
        write(
            root / name,
            {"bug.md": name, "evidence/deep/new\nline": "x", ".dot": "d", "x.log": "l", "fix/bugs/b/c": "c"},
        )
    write(root, {"shop/bugs/BUG-20260715-AAAA-longer/bug.md": "not asked for"})
    (root / "alias").symlink_to("shop")
    names.append("alias/bugs/BUG-20260715-AAAA")
    if in_git:
        repository(tmp_path, {".gitignore": "*.log\n"})
    together = seal.covered_by_folder(root, names, in_git=in_git)
    assert list(together) == names
    for name in names:
        assert sorted(together[name]) == sorted(seal.covered(root / name, in_git=in_git)) != []
    assert seal.covered_by_folder(root, [], in_git=in_git) == {}


def test_a_registry_behind_a_link_has_the_same_seals(tmp_path: Path) -> None:
    repository(tmp_path / "real", {f"{FOLDER}/bug.md": record()})
    (tmp_path / "link").symlink_to("real")
    names = [FOLDER.removeprefix("_reversa_bugs/")]
    for place in ("real", "link"):
        assert seal.covered_by_folder(tmp_path / place / "_reversa_bugs", names, in_git=True) == {names[0]: ["bug.md"]}


def test_a_file_that_cannot_be_read_raises() -> None:
    with open_folder() as folder:
        write(folder, {"bug.md": "x", "closed/y": "y"})
        (folder / "bug.md").chmod(0)
        with as_another_user(), pytest.raises(PermissionError):
            seal.compute(folder, ["bug.md"])
        (folder / "closed").chmod(0)
        with as_another_user(), pytest.raises(PermissionError):
            seal.covered(folder, in_git=False)


# --- what loading makes of it


def sealed(folder: Path, text: str) -> str:
    write(folder, {"DONE.md": f"# DONE\n\nseal: {text}\n"})
    [bug] = load(folder.parents[2]).bugs
    assert bug.lock
    if not bug.lock.seal:
        return "none"
    return "right" if bug.lock.seal == bug.seal else "wrong"


@pytest.mark.parametrize("in_git", [True, False])
def test_loading_compares_seals(tmp_path: Path, in_git: bool) -> None:
    if in_git:
        repository(tmp_path, {f"{FOLDER}/bug.md": record(status="resolved")})
    folder = write(tmp_path / FOLDER, {"bug.md": record(status="resolved"), "evidence/é\n": "x"})
    value = now(folder, in_git=in_git)
    digits = value.removeprefix("sha256:")
    assert sealed(folder, value) == sealed(folder, f"sha256:{digits.upper()}") == "right"
    assert sealed(folder, value[:-1]) == sealed(folder, "sha256:nonsense") == sealed(folder, value + "0") == "wrong"
    assert sealed(folder, "") == sealed(folder, "later") == "none"
    write(folder, {"evidence/new": "x"})
    assert sealed(folder, value) == "wrong"


def test_a_seal_over_what_cannot_be_read_is_wrong() -> None:
    with open_folder() as place:
        for name in ("closed", "unreadable"):
            folder = write(place / name / FOLDER, {"bug.md": record(), "evidence/x": "x"})
            write(folder, {"DONE.md": f"seal: {now(folder, in_git=False)}\n"})
            (folder / "evidence" if name == "closed" else folder / "evidence" / "x").chmod(0)
            with as_another_user():
                [bug] = load(place / name / "_reversa_bugs").bugs
            assert bug.seal == "unreadable: Permission denied"


DONE = [
    (b"", "", ""),
    (b"# DONE: BUG-20260715-A7K3\n\nData: 2026-08-01\nresolution_kind: fixed\n", "2026-08-01", "fixed"),
    ("Este bug está encerrado em 2026-08-10.\nresolution_kind: fixed\n".encode(), "2026-08-10", "fixed"),
    (
        "# BUG-009 Encerrado\n\n> Data de Fechamento: 2026-08-10\n> Resolução: fixed (`spec-correta`)\n".encode(),
        "2026-08-10",
        "fixed",
    ),
    ("# RESOLVIDO — X\r\n\r\n> Resolution Kind: spec-only\r\n".encode(), "", "spec-only"),
    (
        b"# DONE\n\n**Fechado em 2026-08-14.**\n\n- `resolution_kind`: cannot-reproduce\n",
        "2026-08-14",
        "cannot-reproduce",
    ),
    (b"**resolution_kind:** `invalid`\n2026-08-14T10:00:00Z", "2026-08-14", "invalid"),
    (b"| resolution_kind | duplicate |\n_2026-08-14_", "2026-08-14", "duplicate"),
    ("Fechado em 1º de agosto de 2026, às 10h; Resolución: fixed".encode("latin-1"), "", "fixed"),
    ("Resolução: fixed em 2026-08-14".encode("latin-1"), "2026-08-14", "fixed"),
    ("\ufeffData: 2026-08-14\nresolution_kind: fixed\n".encode("utf-16"), "2026-08-14", "fixed"),
    (b"2026-13-45 then 2026-02-30 then 2026-08-14, then 2026-08-15", "2026-08-14", ""),
    (b"12026-08-14 and 2026-08-141 and BUG-20260814-2026", "", ""),
    (b"resolution_kind:\n\nfixed by hand", "", ""),
    (b"resolution_kind: wontfix", "", ""),
    (b"resolution of fixed things", "", ""),
    (b"resolution_kind: fixed-later", "", ""),
    (bytes(range(256)), "", ""),
]


@pytest.mark.parametrize(("data", "date", "kind"), DONE, ids=range(len(DONE)))
def test_what_a_lock_says_in_any_form(data: bytes, date: str, kind: str) -> None:
    assert seal.parse_lock(data) == Lock(date, kind, "")


@given(st.binary(max_size=200))
def test_any_lock_can_be_read(data: bytes) -> None:
    assert isinstance(seal.parse_lock(data), Lock)


def test_the_seal_line_is_one_that_begins_a_line() -> None:
    value = "sha256:" + "a" * 64
    assert seal.parse_lock(f"x\r\nseal: {value}\r\n".encode()).seal == value
    assert seal.parse_lock(f"the seal: {value}\n".encode()).seal == ""
    assert seal.parse_lock(f"seal: {value}\nseal: sha256:b\n".encode()).seal == value


def test_presence_alone_locks(tmp_path: Path) -> None:
    root = tmp_path / "_reversa_bugs"
    for name, make in {
        "A": lambda path: path.write_bytes(b"\xff\xfe"),
        "B": lambda path: path.write_bytes(b""),
        "C": lambda path: path.mkdir(),
        "D": lambda path: path.symlink_to("nowhere"),
        "E": lambda path: path.symlink_to("DONE.md"),
        "F": lambda path: os.mkfifo(path),
        "G": lambda path: path.symlink_to("/etc/passwd"),
    }.items():
        folder = write(
            root / "shop" / "bugs" / f"BUG-20260715-AAA{name}", {"bug.md": record(f"BUG-20260715-AAA{name}")}
        )
        make(folder / "DONE.md")
    found = load(root).bugs
    assert len(found) == 7
    assert all(bug.locked and bug.lock == Lock("", "", "") for bug in found)
    assert all(registry.read_lock(Disk(root), bug.path.removesuffix("/bug.md"), full=False) for bug in found)
    assert registry.read_lock(Disk(root), "shop") is None


@given(st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b"a", b"\0", b"bc"]), max_size=40), st.integers(1, 7))
def test_pieces_of_any_size_give_the_same_digest(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], size: int
) -> None:
    data = b"".join(parts)
    folder = tmp_path_factory.mktemp("folder")
    (folder / "x").write_bytes(data)
    whole = data if b"\0" in data[:8000] else data.replace(b"\r\n", b"\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seal, "_PIECE", size)
        found = seal.compute(folder, ["x"])
    line = b"x\0" + hashlib.sha256(whole).hexdigest().encode() + b"\n"
    assert found == f"sha256:{hashlib.sha256(line).hexdigest()}"
