"""A registry read out of git is the one on disk: the same bugs, oddities and answers about the files around it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reversa.core.bug import Registry
from reversa.core.rules import RULES
from reversa.core.rules.engine import run
from reversa.store import layout, registry, revisions
from reversa.store.layout import Layout
from reversa.store.raw import MAX_BYTES
from reversa.store.revisions import Blobs
from reversa.store.snapshot import History, Snapshot

from .places import git, no_users_git, record, repository, write

EXAMPLE = Path(__file__).resolve().parents[2] / "registry-example"
IDS = [f"BUG-20260715-A7K{n}" for n in range(1, 9)]


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    no_users_git(monkeypatch)


def committed(root: Path) -> tuple[Layout, History, Registry]:
    """Commit all of a repository and give its registry as HEAD has it."""
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "--allow-empty", "-m", "all")
    where = layout.layout_of(root / "_reversa_bugs")
    history = History(where, root)
    return where, history, history.load(revisions.committed(root, revisions.head(root)))[0]


def judged(found: Registry) -> list[tuple[Any, ...]]:
    return [(v.rule.code, v.bug and v.bug.path, v.hit.path, v.hit.route, v.message()) for v in run(found, None, RULES)]


def same(root: Path) -> Registry:
    where, history, read = committed(root)
    disk = registry.load(where)
    assert read.bugs == tuple(replace(bug, seal="") for bug in disk.bugs)
    for name in ("contexts", "taxonomy", "prefix", "policy", "language", "has_spec_folder", "set_aside", "oddities"):
        assert getattr(read, name) == getattr(disk, name), name
    listing = revisions.committed(root, revisions.head(root))
    folders = {f"{history.start}{bug.path.removesuffix('/bug.md')}" for bug in read.bugs}
    assert judged(history.with_seals(read, listing, folders)) == judged(disk)
    return read


def test_the_example(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "shop", symlinks=True)
    assert len(same(repository(tmp_path / "shop")).bugs) > 20


@pytest.mark.parametrize("name", ["local-6", "package-22"])
def test_real_registries(tmp_path: Path, shared: Callable[..., Path], name: str) -> None:
    shutil.copytree(shared("registries", name), tmp_path / "_reversa_bugs", copy_function=shutil.copyfile)
    for path in (tmp_path / "_reversa_bugs").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert same(repository(tmp_path)).bugs


def test_odd_shapes(tmp_path: Path) -> None:
    root = repository(tmp_path)
    bugs = root / "_reversa_bugs"
    write(
        bugs,
        {
            f"bugs/{IDS[0]}-flat/bug.md": record(IDS[0]),
            f"shop/bugs/{IDS[1]}/bug.md": record(IDS[1]),
            f"shop/bugs/{IDS[1]}/DONE.md": b"\xff\xfe",
            f"shop/bugs/{IDS[2]}/DONE.md": "",
            f"_old/bugs/{IDS[3]}/bug.md": record(IDS[3]),
            f"shop/bugs/.hidden/{IDS[4]}/bug.md": record(IDS[4]),
            f"shop/bugs/{IDS[4]}/bug.md/inner": "a folder",
            f"shop/bugs/{IDS[5]}/bug.md": b"---\r\nid: x\r\n" + b"x" * MAX_BYTES,
            f"shop/bugs/{IDS[6]}/bug.md": "no record",
            "empty/intake/a.md": "",
            "README.md": "closure_policy: own words\n",
            "taxonomy.yaml": "areas: [x]\n",
            "inner/bugs": "a file",
        },
    )
    write(root, {"_reversa_sdd/a.md": "# One\n", "evidence.txt": "1\n2"})
    (bugs / f"shop/bugs/{IDS[7]}").mkdir()
    (bugs / f"shop/bugs/{IDS[7]}/bug.md").symlink_to(f"../{IDS[1]}/bug.md")
    git(root, "config", "core.quotePath", "true")
    write(bugs, {f"caf\u00e9 \u4e2d/bugs/{IDS[0]}-two/bug.md": record(IDS[0])})
    read = same(root)
    assert len(read.bugs) == 7


def test_links_that_lead_out_are_not_read(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    write(tmp_path, {"secret.md": record(IDS[0], title="Zqmark")})
    write(root, {"secret.md": record(IDS[0], title="Zqmark")})
    for index, target in enumerate(("../../../../../secret.md", "../../../../secret.md", "bug.md", str(tmp_path))):
        folder = root / f"_reversa_bugs/shop/bugs/{IDS[index]}"
        folder.mkdir(parents=True)
        (folder / "bug.md").symlink_to(target)
    _, _, read = committed(root)
    assert "Zqmark" not in repr(read)
    assert {bug.data for bug in read.bugs} <= {None}


def test_names_that_are_no_text(tmp_path: Path) -> None:
    root = repository(tmp_path)
    folder = os.fsencode(tmp_path) + b"/_reversa_bugs/shop/bugs/BUG-\xff"
    os.makedirs(folder)
    Path(os.fsdecode(folder), "bug.md").write_text(record())
    same(root)


def test_the_files_around(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"_reversa_bugs/README.md": "", "docs/a.md": "# One two\n\n## Three\n", "src/x.py": "1\n2\n3"})
    where, _, read = committed(root)
    disk = registry.load(where).around
    for path in (
        "docs",
        "docs/a.md",
        "docs/b.md",
        "src/x.py",
        "src/x.py/",
        "../x",
        "",
        ".",
        "/etc",
        "docs/../src",
        "a\0",
    ):
        for ask in ("exists", "is_folder", "anchors", "lines"):
            if path.endswith("/") or (path in (".", "docs") and ask in ("anchors", "lines")):
                continue
            assert getattr(read.around, ask)(path) == getattr(disk, ask)(path), (ask, path)


def test_a_repository_inside_is_no_folder_of_ours(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    inner = repository(tmp_path / "inner", {"bugs/x": ""})
    git(inner, "add", "-A")
    git(inner, "commit", "-q", "--allow-empty", "-m", "x")
    write(root, {"_reversa_bugs/README.md": ""})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "_reversa_bugs/shop")
    _, _, read = committed(root)
    assert read.contexts == ()


def test_the_index_of_a_merge_is_our_side(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {"a": "base"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "base")
    git(root, "checkout", "-qb", "side")
    write(root, {"a": "side"})
    git(root, "commit", "-qam", "side")
    git(root, "checkout", "-q", "-")
    write(root, {"a": "ours"})
    git(root, "commit", "-qam", "ours")
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "-q", "side")
    blobs = Blobs(root)
    tree = Snapshot(revisions.indexed(root), blobs, "")
    assert tree.read("a") == b"ours"
