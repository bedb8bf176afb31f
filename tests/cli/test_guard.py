"""No link, setting or argument makes a command write outside the project or into a locked folder."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from .conftest import Cli, new, record, tree


@pytest.fixture
def locked(cli: Cli, repo: Path) -> tuple[Path, str, Path]:
    """A registry with a drawn view, an open bug, and the folder of a closed one."""
    bug, closed = new(cli, "open"), new(cli, "closed")
    cli("close", closed, "--as", "invalid", "--reason", "x", ok=True)
    cli("graph", ok=True)
    return repo, bug, record(repo, closed).parent


def views_into(root: Path, target: Path) -> None:
    folder = root / "_reversa_bugs/checkout/generated"
    shutil.rmtree(folder)
    folder.symlink_to(os.path.relpath(target, folder.parent))


def test_views_are_not_drawn_through_a_link_that_leads_out(
    cli: Cli, locked: tuple[Path, str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root, bug, _ = locked
    victim = tmp_path_factory.mktemp("victim")
    (victim / "index.md").write_text("mine")
    views_into(root, victim)
    result = cli("graph")
    assert result.code == 4 and "leads outside" in result.err
    result = cli("update", bug, "--severity", "low", ok=True)
    assert "views are not" in result.err
    assert {path.name: path.read_text() for path in victim.iterdir()} == {"index.md": "mine"}


def test_nothing_is_written_into_a_locked_folder_by_whatever_way(cli: Cli, locked: tuple[Path, str, Path]) -> None:
    root, bug, folder = locked
    before = tree(folder)
    views_into(root, folder)
    assert cli("graph").code == 4
    cli("update", bug, "--severity", "low", ok=True)
    (root / "_reversa_bugs/checkout/generated").unlink()
    assert cli("init", "--registry", str(folder)).code == 4
    assert cli("init", "--registry", str(folder / "evidence")).code == 4
    (root / ".reversa").mkdir()
    (root / ".reversa/state.json").write_text(json.dumps({"output_folder": os.path.relpath(folder, root)}))
    assert cli("graph").code == 4
    assert tree(folder) == before
    assert cli("check", "--strict").code == 0


def test_the_spec_folder_is_neither_gits_nor_outside(
    cli: Cli, locked: tuple[Path, str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root, _, _ = locked
    (root / ".reversa").mkdir()
    (root / ".reversa/state.json").write_text(json.dumps({"output_folder": ".git"}))
    assert cli("graph").code == 4 and not (root / ".git/traceability").exists()
    (root / ".reversa/state.json").unlink()
    outside = tmp_path_factory.mktemp("specs")
    (root / "_reversa_sdd").symlink_to(outside)
    cli("graph", ok=True)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("link", ["_reversa_bugs/outctx", "_reversa_bugs/inner/bugs"])
def test_no_bug_is_registered_where_it_could_not_be_found(
    cli: Cli, repo: Path, link: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (repo / link).parent.mkdir(exist_ok=True)
    (repo / link).symlink_to(outside)
    result = cli("new", "Lost one", "-c", link.split("/")[1])
    assert result.code == 4 and "leads outside" in result.err
    assert list(outside.iterdir()) == []


def test_no_template_reads_a_file_from_outside(cli: Cli, locked: tuple[Path, str, Path], tmp_path: Path) -> None:
    root, _, _ = locked
    secret = root.parent / f"secret-{root.name}"
    secret.write_text("zqmark")
    (root / "_reversa_bugs/templates").mkdir()
    (root / "_reversa_bugs/templates/index.md.j2").symlink_to(secret)
    assert cli("graph").code == 4
    assert "zqmark" not in (root / "_reversa_bugs/checkout/generated/index.md").read_text()


def test_a_linked_record_is_not_replaced_by_a_file(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    moved = path.with_name("real.md")
    path.rename(moved)
    path.symlink_to("real.md")
    before = moved.read_bytes()
    result = cli("update", bug, "--severity", "low")
    assert result.code == 4 and "is a link" in result.err
    assert path.is_symlink() and moved.read_bytes() == before


def test_a_pipe_in_place_of_a_view_makes_nothing_wait(cli: Cli, locked: tuple[Path, str, Path]) -> None:
    root, bug, _ = locked
    index = root / "_reversa_bugs/checkout/generated/index.md"
    index.unlink()
    os.mkfifo(index)
    assert cli("graph", "--check").code == 1
    cli("update", bug, "--severity", "low", ok=True)
    assert index.is_file()
