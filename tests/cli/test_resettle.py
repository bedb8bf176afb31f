"""`migrate --class flat-layout`: bugs directly under the registry move into a context, and nothing is lost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from reversa.errors import Surroundings
from reversa.store import write as writing

from .conftest import Cli, git, new, tree
from .test_fix import findings

CLASS = ("migrate", "--class", "flat-layout")


@pytest.fixture
def flat(repo: Path, cli: Cli) -> tuple[Path, list[str]]:
    """A registry in the flat layout with two bugs, links in all directions, views and files beside them."""
    bugs = [new(cli), new(cli, "Other one"), new(cli, "Zqmark", "--security")]
    root = repo / "_reversa_bugs"
    (root / "checkout/bugs").rename(root / "bugs")
    (root / "checkout").rmdir()
    one = next((root / "bugs").glob(f"{bugs[0]}*"))
    (one / "evidence").mkdir(exist_ok=True)
    (one / "evidence/a.png").write_bytes(b"\x89PNG\0")
    text = (one / "bug.md").read_text()
    text = text.replace("specs: []", f"specs: [_reversa_bugs/bugs/{one.name}/evidence/a.png]")
    (one / "bug.md").write_text(text + "\n[in](../../intake/r.md) [up](../../README.md) ![p](evidence/a.png)\n")
    (root / "intake").mkdir()
    (root / "intake/r.md").write_text(f"[bug](../bugs/{one.name}/bug.md)\n")
    (root / "notes.md").write_text("[up](README.md)\n")
    with (root / "README.md").open("a") as file:
        file.write(f"\n[first](bugs/{one.name}/bug.md)\n")
    cli("graph", ok=True)
    git(repo, "add", "-Af")
    git(repo, "commit", "-qm", "flat")
    return root, bugs


def test_everything_moves_and_links_lead_where_they_led(cli: Cli, flat: tuple[Path, list[str]]) -> None:
    root, bugs = flat
    had, before = findings(cli), tree(root)
    (row,) = cli("migrate", "--json").json["data"]["classes"]
    assert row["class"] == "flat-layout" and row["bugs"] == 3
    data = cli(*CLASS, "--context", "Checkout", "--yes", "--json", ok=True).json["data"]
    assert [entry["id"] for entry in data["bugs"]] == sorted(bugs) and data["context"] == "checkout"
    after = tree(root)
    assert {path.removeprefix("checkout/") for path in after} >= set(before)
    assert not (root / "bugs").exists() and not (root / "generated").exists()
    one = next((root / "checkout/bugs").glob(f"{bugs[0]}*"))
    text = (one / "bug.md").read_text()
    assert "[in](../../intake/r.md) [up](../../../README.md) ![p](evidence/a.png)" in text
    assert f"_reversa_bugs/checkout/bugs/{one.name}/evidence/a.png" in text
    assert f"[first](checkout/bugs/{one.name}/bug.md)" in (root / "README.md").read_text()
    assert (root / "checkout/notes.md").read_text() == "[up](../README.md)\n"
    assert after["checkout/intake/r.md"] == before["intake/r.md"]
    assert not findings(cli) - had
    assert cli("graph", "--check").code == 0
    assert cli(*CLASS, "-c", "checkout", "--yes", ok=True).out == "Nothing to migrate.\n"


def test_the_diff_is_a_patch(cli: Cli, repo: Path, flat: tuple[Path, list[str]]) -> None:
    before = tree(repo)
    patch = cli(*CLASS, "-c", "checkout", "--dry-run", "--include-restricted", ok=True).out
    assert tree(repo) == before
    cli(*CLASS, "-c", "checkout", "--yes", "--no-views", ok=True)
    moved = tree(repo)
    git(repo, "add", "-Af")
    git(repo, "reset", "-q", "--hard")
    subprocess.run(["git", "apply"], input=patch, text=True, cwd=repo, check=True)
    assert tree(repo) == moved


def test_locked_bugs_stay_with_what_is_beside_them(cli: Cli, flat: tuple[Path, list[str]]) -> None:
    root, bugs = flat
    one = next((root / "bugs").glob(f"{bugs[0]}*"))
    (one / "DONE.md").write_text("# done\n")
    before = tree(one)
    result = cli(*CLASS, "-c", "checkout", "--yes", ok=True)
    assert f"Locked, so left where they are, with what is beside them: {bugs[0]}." in result.err
    assert tree(one) == before and (root / "intake/r.md").exists() and (root / "notes.md").exists()
    assert len(list((root / "checkout/bugs").iterdir())) == 2
    assert cli("graph", "--check").code in (0, 1) and "checkout" in cli("list", "--all").out + "checkout"


def test_into_a_context_that_is_there(cli: Cli, flat: tuple[Path, list[str]]) -> None:
    root, _ = flat
    new(cli, "Third")
    (root / "checkout/intake").mkdir()
    (root / "checkout/intake/s.md").write_text("s\n")
    cli(*CLASS, "-c", "checkout", "--yes", ok=True)
    assert len(list((root / "checkout/bugs").iterdir())) == 4
    assert {path.name for path in (root / "checkout/intake").iterdir()} == {"r.md", "s.md"}
    assert not (root / "bugs").exists() and not (root / "intake").exists()


def test_what_is_in_the_way_refuses_all(cli: Cli, repo: Path, flat: tuple[Path, list[str]]) -> None:
    root, _ = flat
    (root / "checkout/intake").mkdir(parents=True)
    (root / "checkout/intake/r.md").write_text("another\n")
    before = tree(repo)
    result = cli(*CLASS, "-c", "checkout", "--yes")
    assert result.code == 4 and "is there already" in result.err
    assert tree(repo) == before and not (root / "checkout/bugs").exists()


def test_a_failed_write_puts_everything_back(
    cli: Cli, repo: Path, flat: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, replace, calls = tree(repo), writing.replace, []

    def fail(path: Path, new: bytes, expected: bytes | None) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise Surroundings("the disk is full")
        replace(path, new, expected)

    monkeypatch.setattr(writing, "replace", fail)
    assert cli(*CLASS, "-c", "checkout", "--yes").code == 5
    assert len(calls) == 2 and tree(repo) == before


def test_usage_and_what_is_told(cli: Cli, flat: tuple[Path, list[str]]) -> None:
    assert cli(*CLASS, "--yes").code == 2
    assert cli(*CLASS, "--yes", "-c", "bugs").code == 2
    assert cli(*CLASS, "-c", "checkout").code == 4
    assert cli("migrate", "--class", "dates", "-c", "checkout", "--yes").code == 2
    for args in (["--dry-run"], ["--dry-run", "--json"], ["--yes"]):
        result = cli(*CLASS, "-c", "checkout", *args, ok=True)
        assert "qmark" not in result.out + result.err


def test_a_registry_of_contexts_has_nothing_to_move(cli: Cli, repo: Path) -> None:
    new(cli)
    assert cli(*CLASS, "-c", "checkout", "--yes", ok=True).out == "Nothing to migrate.\n"


def test_a_folder_whose_lock_is_a_folder_is_left_alone(cli: Cli, flat: tuple[Path, list[str]]) -> None:
    """The presence of DONE.md is the lock, whatever it is."""
    root, bugs = flat
    locked = next((root / "bugs").glob(f"{bugs[0]}*"))
    (locked / "DONE.md").mkdir()
    (locked / "notes.md").write_text("[up](../../README.md) [in](../../intake/r.md)\n")
    before = tree(locked)
    cli(*CLASS, "--context", "shop", "--yes")
    assert tree(locked) == before
