"""`reversa graph`: only changed bytes are written, nothing hidden leaks, the same bytes everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import EXAMPLE, Cli, git, new, record, tree

VIEWS = {"catalog.jsonl", "graph.html", "graph.md", "index.md", "matrix.md", "spec-matrix.md"}


def test_the_example_is_clean_and_current(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)
    result = cli("check", "--strict")
    assert result.code == 0, result.out
    result = cli("graph", "--check")
    assert result.code == 0, result.out


def test_a_copy_of_the_example_elsewhere_is_current_too(cli: Cli, shop: Path) -> None:
    assert cli("graph", "--check", ok=True).out == "All 25 views are current.\n"
    assert cli("check", "--strict").code == 0


def test_all_views_of_all_contexts_and_the_mirror(cli: Cli, shop: Path) -> None:
    for folder in shop.glob("_reversa_bugs/*/generated"):
        shutil.rmtree(folder)
    (shop / "_reversa_sdd/traceability/bugs.md").unlink()
    data = cli("graph", "--json", ok=True).json["data"]
    assert len(data["written"]) == 25 and data["unchanged"] == 0 and data["stale"] == []
    for folder in shop.glob("_reversa_bugs/*/generated"):
        assert {path.name for path in folder.iterdir()} == VIEWS
    assert git(shop, "status", "--porcelain") == ""


def test_only_files_whose_bytes_change_are_written(cli: Cli, shop: Path) -> None:
    times = {path: path.stat().st_mtime_ns for path in shop.rglob("generated/*")}
    cli("graph", ok=True)
    assert {path: path.stat().st_mtime_ns for path in shop.rglob("generated/*")} == times
    stale = next(iter(times))
    stale.write_text("edited by hand")
    result = cli("graph", "--check", "--json")
    assert result.code == 1 and len(result.json["data"]["stale"]) == 1 and result.json["ok"] is False
    assert stale.read_text() == "edited by hand"
    assert len(cli("graph", "--json", ok=True).json["data"]["written"]) == 1
    assert git(shop, "status", "--porcelain") == ""


def test_one_context_alone(cli: Cli, shop: Path) -> None:
    for folder in shop.glob("_reversa_bugs/*/generated"):
        shutil.rmtree(folder)
    cli("graph", "checkout", ok=True)
    assert [path.parent.name for path in shop.glob("_reversa_bugs/*/generated")] == ["checkout"]
    result = cli("graph", "chekout")
    assert result.code == 2 and "checkout" in result.err


def test_a_writing_command_redraws_what_is_there_and_says_which(cli: Cli, shop: Path) -> None:
    result = cli("update", "A7K3", "--priority", "P0", ok=True)
    assert "_reversa_bugs/checkout/generated/: " in result.err
    assert cli("graph", "--check").code == 0
    cli("update", "A7K3", "--priority", "P1", "--no-views", ok=True)
    assert cli("graph", "--check").code == 1


def test_a_new_context_gets_views_where_others_have_them(cli: Cli, shop: Path) -> None:
    new(cli, "x", context="brand-new")
    assert (shop / "_reversa_bugs/brand-new/generated/index.md").is_file()
    assert cli("graph", "--check").code == 0


def test_auto_views_can_be_switched_off(cli: Cli, shop: Path) -> None:
    (shop / "reversa.toml").write_text("auto_views = false\n")
    assert "Views" not in cli("update", "A7K3", "--priority", "P0", ok=True).err
    assert cli("graph", "--check").code == 1


def test_ignored_views_bring_a_gitignore(cli: Cli, repo: Path) -> None:
    (repo / "reversa.toml").write_text('[tool.reversa]\nviews = "ignored"\n')
    (repo / "_reversa_sdd").mkdir()
    new(cli)
    cli("graph", ok=True)
    status = git(repo, "status", "--porcelain", "--untracked-files=all")
    assert "generated" not in status and "traceability" not in status
    assert cli("graph", "--check").code == 0


def test_invalid_bugs_are_listed_by_id_and_code_alone_and_the_rest_is_drawn(cli: Cli, repo: Path) -> None:
    good, bad, broken = new(cli, "good one"), new(cli, "zqmark title"), new(cli, "zqmark unreadable")
    cli("link", good, "caused-by", bad, "--state", "confirmed", "--evidence", "a=b", ok=True)
    path = record(repo, bad)
    path.write_text(path.read_text().replace("status: open", "status: zqmark-status"))
    path = record(repo, broken)
    path.write_text(path.read_text().replace("title: zqmark unreadable", 'title: "zqmark'))
    result = cli("graph")
    assert result.code == 1 and "2 bugs carry errors" in result.err
    assert {f["code"] for f in cli("graph", "--json").json["findings"]} == {"RV110", "RV004"}
    files = {path.name: path.read_text() for path in (repo / "_reversa_bugs/checkout/generated").iterdir()}
    for name, text in files.items():
        assert "zqmark" not in text, name
    index = files["index.md"]
    assert bad in index and "RV110" in index and broken in index and "RV004" in index
    rows = [json.loads(line) for line in files["catalog.jsonl"].splitlines()]
    assert [row["id"] for row in rows] == [good]
    assert bad in files["graph.md"] and rows[0]["impact"] == 0


def test_restricted_bugs_leave_only_their_bare_id_in_the_index(cli: Cli, repo: Path) -> None:
    plain = new(cli, "plain")
    secret = new(cli, "zqmark title", "--security", "--label", "zqmark-label", "--code", "zqmark.py:1")
    cli("link", plain, "related-to", secret, "--state", "confirmed", "--evidence", "zqmark-ref=zqmark words", ok=True)
    cli("update", plain, "--add", f"blocking=kind=bug,target={secret}", ok=True)
    cli("graph", ok=True)
    for path in (repo / "_reversa_bugs/checkout/generated").iterdir():
        text = path.read_text()
        assert "zqmark" not in text, path.name
        assert text.count(secret) == (1 if path.name == "index.md" else 0), path.name


SCRIPT = "import sys; from reversa.cli.boundary import run; sys.exit(run(['graph']))"


def test_the_same_bytes_in_any_zone_locale_hash_seed_and_folder_order(shop: Path, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    made = []
    for number, (zone, locale, seed) in enumerate(
        (("Pacific/Kiritimati", "C", "0"), ("America/Lima", "C.UTF-8", "77"))
    ):
        target = tmp_path_factory.mktemp("copy") / "project"
        files = sorted(tree(shop).items(), reverse=bool(number))
        for name, data in files:
            if "/generated/" in name or name.startswith("_reversa_sdd/traceability/"):
                continue
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(data)
        env = {**os.environ, "TZ": zone, "LC_ALL": locale, "LANG": locale, "PYTHONHASHSEED": seed, "PYTHONUTF8": "0"}
        env.pop("REVERSA_TODAY", None)
        done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=target, env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        made.append(
            {name: data for name, data in tree(target).items() if "/generated/" in name or "traceability" in name}
        )
    assert made[0] == made[1] and len(made[0]) == 25
    drawn = {name: data for name, data in tree(shop).items() if name in made[0]}
    assert drawn == made[0]


def test_a_view_that_cannot_be_written_is_an_error_of_the_surroundings(cli: Cli, shop: Path) -> None:
    shutil.rmtree(shop / "_reversa_bugs/checkout/generated")
    (shop / "_reversa_bugs/checkout/generated").write_text("in the way")
    result = cli("graph")
    assert result.code == 5 and "generated" in result.err


def test_own_templates_come_first(cli: Cli, shop: Path) -> None:
    folder = shop / "_reversa_bugs/templates"
    folder.mkdir()
    (folder / "matrix.md.j2").write_text("our own matrix\n")
    cli("graph", ok=True)
    assert "our own matrix" in (shop / "_reversa_bugs/checkout/generated/matrix.md").read_text()
    (folder / "matrix.md.j2").write_text("{% if %}\n")
    result = cli("graph")
    assert result.code == 2 and "matrix.md.j2" in result.err


def test_no_inverse_edge_is_stored_in_any_record_but_views_show_them(cli: Cli, shop: Path) -> None:
    views = "".join(path.read_text() for path in shop.rglob("generated/matrix.md"))
    for inverse in ("causes", "blocks", "duplicated-by", "regressed-by"):
        assert inverse in views, inverse
        for path in shop.rglob("bug.md"):
            assert f"type: {inverse}" not in path.read_text()


def test_an_empty_registry_draws_nothing(cli: Cli, repo: Path) -> None:
    assert cli("graph", "--json", ok=True).json["data"] == {"written": [], "unchanged": 0, "stale": []}
