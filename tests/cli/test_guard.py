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


SETTINGS = ["{victim}", "../{name}", "..", "/etc", "sub/../../{name}", "link", "link/inner"]


@pytest.mark.parametrize("file", ["reversa.toml", "pyproject.toml"])
@pytest.mark.parametrize("named", SETTINGS)
def test_a_configuration_names_no_registry_outside_the_repository(
    cli: Cli, repo: Path, tmp_path_factory: pytest.TempPathFactory, file: str, named: str
) -> None:
    """It comes with a pull request; the command line and the environment are a person's own."""
    victim = tmp_path_factory.mktemp("victim")
    (victim / "inner").mkdir()
    (repo / "sub").mkdir()
    (repo / "link").symlink_to(victim)
    head = "[tool.reversa]\n" if file == "pyproject.toml" else ""
    (repo / file).write_text(f'{head}registry = "{named.format(victim=victim, name=victim.name)}"\n')
    for args in (("new", "x", "-c", "shop"), ("check",), ("list",), ("graph",), ("init",)):
        result = cli(*args)
        assert result.code == 4 and "registry leads outside" in result.err, args
    assert tree(victim) == {}
    assert cli("init", "--registry", str(victim / "inner")).code == 0


HIDDEN_FAILURES = {
    "taxonomy rename": ("taxonomy", "rename", "area", "sales", "trade"),
    "check --fix": ("check", "--fix"),
    "migrate": ("migrate", "--class", "flat-layout", "--context", "elsewhere", "--yes"),
}


@pytest.mark.parametrize("call", ["replace", "rename", "link"])
@pytest.mark.parametrize("name", HIDDEN_FAILURES)
def test_what_a_disk_refuses_of_a_hidden_bug_tells_no_slug(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: str
) -> None:
    bug = new(cli, "Zqmark leak", "--security")
    (repo / "_reversa_bugs/taxonomy.yaml").write_text("area: [sales]\nmodule: []\nfeature: []\n")
    cli("update", bug, "--area", "sales", ok=True)
    root = repo / "_reversa_bugs"
    (root / "checkout/bugs" / bug).rename(root / "checkout/bugs" / f"{bug}-zqmark")
    file = record(repo, bug)
    if name == "check --fix":
        file.write_text(file.read_text().replace("schema_version: 1", 'schema_version: "1"'))
    if name == "migrate":
        (root / "checkout/bugs").rename(root / "bugs")
        file = next((root / "bugs").glob("*/bug.md"))
    if call == "link":
        (repo / "x.md").write_text(file.read_text())
        file.unlink()
        file.symlink_to(repo / "x.md")
    else:
        real = getattr(os, call)

        def refusing(old: str, to: str) -> None:
            if "zqmark" in str(to):
                raise OSError(28, "No space left on device", str(to))
            real(old, to)

        monkeypatch.setattr(os, call, refusing)
    result = cli(*HIDDEN_FAILURES[name])
    assert "zqmark" not in (result.out + result.err).lower()
    assert result.code in (4, 5) or call == "link" or (name, call) in REACHED_OTHERWISE


REACHED_OTHERWISE = {("taxonomy rename", "rename"), ("check --fix", "rename"), ("migrate", "replace")}
"""Commands that do not make that call."""
