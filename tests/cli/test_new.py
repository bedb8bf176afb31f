"""`reversa new`: one folder, whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reversa.core.fields import BODY_SECTIONS, FRONT_MATTER
from reversa.store.frontmatter import read
from reversa.store.raw import read_bytes

from .conftest import DAY, Cli, git, new, record, tree


def headings(body: str) -> list[str]:
    return [line for line in body.split("\n") if line.startswith("#")]


def test_a_record_has_every_key_in_order_and_all_eleven_parts(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Total is wrong")
    document = read(record(repo, bug).read_bytes())
    assert document.data is not None and not document.problems
    required = [field.name for field in FRONT_MATTER.fields if not field.block]
    assert list(document.data) == required
    assert headings(document.body) == ["# Total is wrong", *(f"## {name}" for name in BODY_SECTIONS)]
    assert cli("check", "--strict").code == 0


def test_every_field_that_a_reporter_knows_has_an_option(cli: Cli, repo: Path) -> None:
    (repo / "close.txt").write_text("boom\n")
    body = repo / "body.md"
    body.write_text("It adds up wrongly.\n\n## Steps to Reproduce\n\n1. Buy.\n\n## Odd one\n\nKept.\n")
    (repo / "_reversa_bugs/taxonomy.yaml").write_text("area: [sales]\nmodule: [cart]\nfeature: [total]\n")
    (repo / "_reversa_sdd").mkdir()
    (repo / "_reversa_sdd/sales.md").write_text("# Sales\n\n## Totals\n")
    (repo / "src").mkdir()
    (repo / "src/cart.py").write_text("\n" * 20)
    old = new(cli, "The old one")
    bug = new(
        cli, "Total is wrong",
        "--severity", "high", "--priority", "P1", "--area", "sales", "--module", "cart", "--feature", "total",
        "--label", "money", "--label", "tax", "--spec", "_reversa_sdd/sales.md#totals", "--code", "src/cart.py:9",
        "--origin", "github-issue", "--external", "github:412", "--classification", "intermittent",
        "--rate", "3/20", "--trigger", "two tabs", "--evidence", str(repo / "close.txt"),
        "--regression-of", old[-4:], "--body", str(body), "--visibility", "internal",
    )  # fmt: skip
    data = cli("show", bug, "--json").json["data"]
    assert (data["severity"], data["priority"], data["visibility"]) == ("high", "P1", "internal")
    assert (data["area"], data["module"], data["feature"]) == ("sales", "cart", "total")
    assert data["labels"] == ["money", "tax"]
    assert data["traceability"]["specs"] == ["_reversa_sdd/sales.md#totals"]
    assert data["traceability"]["affected_code"] == ["src/cart.py:9"]
    assert data["origin"] == {"type": "github-issue", "external_ref": {"provider": "github", "id": "412"}}
    assert data["reproduction"] == {
        "classification": "intermittent",
        "rate": "3/20",
        "suspected_triggers": ["two tabs"],
    }
    assert data["relationships"] == [{"bug": old, "type": "regression-of", "state": "proposed", "evidence": []}]
    assert data["sections"]["Summary"].startswith("It adds up wrongly.")
    assert data["sections"]["Steps to Reproduce"].startswith("1. Buy.")
    assert "### Odd one" in data["sections"]["Steps to Reproduce"]
    assert data["sections"]["Evidence"] == "- `evidence/close.txt`"
    assert (record(repo, bug).parent / "evidence/close.txt").read_text() == "boom\n"
    assert cli("check", "--strict").code == 0


def test_what_was_not_said_is_assumed_and_says_so(cli: Cli, repo: Path) -> None:
    data = cli("show", new(cli), "--json").json["data"]
    assert (data["severity"], data["priority"]) == ("medium", "P2")
    assert "severity medium and priority P2" in data["sections"]["Agent Notes"]
    data = cli("show", new(cli, "x", "--severity", "low", "--priority", "P3"), "--json").json["data"]
    assert "Assumed" not in data["sections"]["Agent Notes"]


def test_a_value_outside_the_taxonomy_is_refused_with_the_nearest_and_the_ways_out(cli: Cli, repo: Path) -> None:
    (repo / "_reversa_bugs/taxonomy.yaml").write_text("area: [checkout, catalog]\nmodule: []\nfeature: []\n")
    before = tree(repo)
    result = cli("new", "x", "-c", "a", "--area", "chekout")
    assert result.code == 2
    assert "checkout" in result.err and "unclassified" in result.err and "--propose-term area=chekout" in result.err
    assert cli("new", "x", "-c", "a", "--module", "any").code == 2
    assert tree(repo) == before
    bug = new(cli, "x", "--propose-term", "area=chekout")
    assert "area `chekout`" in cli("show", bug, "--json").json["data"]["sections"]["Agent Notes"]


@pytest.mark.parametrize(
    "args",
    [
        ["--severity", "hi"],
        ["--priority", "P9"],
        ["--origin", "rumour"],
        ["--classification", "often"],
        ["--rate", "half"],
        ["--external", "github"],
        ["--visibility", "restricted"],
        ["--propose-term", "colour=red"],
        ["--regression-of", "ZZZZ"],
        ["--evidence", "nowhere.txt"],
        ["--body", "nowhere.md"],
    ],
)
def test_wrong_usage_writes_nothing_and_exits_2(cli: Cli, repo: Path, args: list[str]) -> None:
    before = tree(repo)
    result = cli("new", "x", "-c", "a", *args)
    assert result.code == 2, result
    assert result.err.strip() and not result.out
    assert tree(repo) == before


def test_security_makes_it_restricted_without_a_slug_and_says_what_that_hides(cli: Cli, repo: Path) -> None:
    result = cli("new", "Token leaks in the log", "-c", "auth", "--security", ok=True)
    assert "clone" in result.err
    (folder,) = (repo / "_reversa_bugs/auth/bugs").iterdir()
    assert len(folder.name) == 17
    assert "visibility: restricted" in (folder / "bug.md").read_text()
    listed = cli("list", ok=True).out
    assert folder.name in listed and "restricted" in listed and "Token" not in listed


def test_ids_and_numbers_are_distinct_for_eight_parallel_processes(cli: Cli, repo: Path) -> None:
    env = {**os.environ, "REVERSA_TODAY": DAY}
    command = [sys.executable, "-m", "reversa", "new", "Same title", "-c", "checkout", "--json"]
    started = [subprocess.Popen(command, cwd=repo, env=env, stdout=subprocess.PIPE) for _ in range(8)]
    data = [json.loads(process.communicate()[0])["data"] for process in started]
    assert [process.returncode for process in started] == [0] * 8
    assert len({entry["id"] for entry in data}) == 8
    assert sorted(entry["display_number"] for entry in data) == list(range(1, 9))
    assert cli("check", "--strict").code == 0


def test_evidence_that_git_ignores_is_refused_with_what_mends_it(cli: Cli, repo: Path) -> None:
    (repo / ".gitignore").write_text("*.log\n")
    (repo / "close.log").write_text("boom\n")
    before = tree(repo)
    result = cli("new", "x", "-c", "a", "--evidence", "close.log")
    assert result.code == 4 and "git add -f" in result.err
    assert tree(repo) == before


def test_evidence_where_the_registry_is_a_repository_of_its_own(cli: Cli, empty: Path) -> None:
    cli("init", ok=True)
    git(empty / "_reversa_bugs", "init", "-q")
    (empty / "close.txt").write_text("boom\n")
    bug = new(cli, "x", "--evidence", "close.txt")
    assert (record(empty, bug).parent / "evidence/close.txt").is_file()


def test_the_bytes_of_a_new_record(cli: Cli, repo: Path) -> None:
    text = record(repo, new(cli, "Total is wrong")).read_text()
    body = text[text.index("\n---\n", 4) + 5 :]
    assert body.startswith("\n# Total is wrong\n\n## Summary\n\n_Not written yet._\n\n## Expected Behavior\n")
    assert "\n\n\n" not in text and text.endswith(".\n") and not text.endswith("\n\n")


def test_evidence_files_of_one_name_are_all_kept(cli: Cli, repo: Path) -> None:
    for name in ("a", "b"):
        (repo / name).mkdir()
        (repo / name / "log.txt").write_text(name)
    bug = new(cli, "x", "--evidence", "a/log.txt", "--evidence", "b/log.txt")
    kept = {path.name: path.read_text() for path in (record(repo, bug).parent / "evidence").iterdir()}
    assert kept == {"log.txt": "a", "log-2.txt": "b"}
    assert cli("check", "--strict").code == 0


def test_dry_run_shows_the_record_and_leaves_no_trace(cli: Cli, repo: Path) -> None:
    before = tree(repo)
    result = cli("new", "Total is wrong", "-c", "fresh", "--dry-run", ok=True)
    assert result.out.startswith("--- /dev/null\n+++ b/_reversa_bugs/fresh/bugs/BUG-20260901-")
    assert "+title: Total is wrong\n" in result.out
    assert tree(repo) == before
    assert not (repo / "_reversa_bugs/fresh").exists()
    assert (
        "+title: Total is wrong"
        in cli("new", "Total is wrong", "-c", "fresh", "--dry-run", "--json").json["data"]["diff"]
    )


def test_a_failed_write_leaves_nothing(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(repo)

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.rename", fail)
    result = cli("new", "x", "-c", "fresh")
    assert result.code == 5 and "No space left on device" in result.err
    assert tree(repo) == before
    assert not (repo / "_reversa_bugs/fresh").exists()


def test_express_draws_no_views_and_others_do_where_there_are_some(cli: Cli, repo: Path) -> None:
    new(cli)
    cli("graph", ok=True)
    index = repo / "_reversa_bugs/checkout/generated/index.md"
    before = index.read_bytes()
    new(cli, "quick", "--express")
    assert index.read_bytes() == before
    said = cli("new", "slow", "-c", "checkout", ok=True).err
    assert "_reversa_bugs/checkout/generated/: " in said and "index.md" in said
    assert index.read_bytes() != before
    before = index.read_bytes()
    new(cli, "silent", "--no-views")
    assert index.read_bytes() == before


def test_a_context_in_any_words_becomes_a_plain_folder(cli: Cli, repo: Path) -> None:
    for text in ("Caixa & Estoque", "../../etc", "a/b", "_hidden", "Überweisung 2"):
        result = cli("new", "x", "-c", text, "--json")
        context = result.json["data"]["context"]
        assert context == context.strip("._/") and "/" not in context and ".." not in context
        assert (repo / "_reversa_bugs" / context / "bugs").is_dir()
    assert cli("new", "x", "-c", "¿?").code == 2
    assert cli("new", "x", "-c", "bugs").code == 2


HOSTILE = [
    'quotes "double" and \'single\'', "pipe | bracket ] [x](y)", "`code` and # hash", "colon: space", "$HOME and `id`",
    "line\nbreak", "emoji 🐞 and 中文 and עברית", "\x1b[31mred\x1b[0m", "x" * 300, "- dash", "? question", "yes",
    "null", "1234", "7e12345", "2026-01-01", "@at", "%percent", "&amp *star", "{{ jinja }} {% raw %}", "a\u2028b",
    "<script>alert(1)</script>", "-->", "--- ", "ends with colon:", "\u202eevil", "tab\there", "back\\slash", "~",
    "=", "<<", "\ufeffbom",
]  # fmt: skip


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_come_back_as_text_and_check_is_clean(cli: Cli, repo: Path, title: str) -> None:
    bug = new(cli, title)
    shown = cli("show", bug, "--json").json["data"]["title"]
    assert shown == " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in title).split())
    result = cli("check", "--strict")
    assert result.code == 0, result.out
    cli("graph", ok=True)
    assert "\x1b" not in cli("list").out + cli("show", bug).out


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=st.text(min_size=1, max_size=80), label=st.text(min_size=1, max_size=20), body=st.text(max_size=200))
def test_any_text_makes_a_readable_record(cli: Cli, repo: Path, title: str, label: str, body: str) -> None:
    file = repo / "body.md"
    file.write_bytes(body.encode("utf-8", "replace"))
    result = cli("new", "-c", "checkout", f"--label={label}", "--body", str(file), "--json", "--", title)
    if result.code == 2:  # nothing printable is left of the title
        assert not any(c.isprintable() and not c.isspace() for c in title)
        return
    assert result.code == 0, result.out
    path = repo / result.json["data"]["path"]
    document = read(read_bytes(str(path)))
    assert document.data is not None, document.problems
    assert document.data["labels"] == [label]


def test_a_title_without_anything_printable_is_refused(cli: Cli, repo: Path) -> None:
    for title in ("", "   ", "\n", "\x00"):
        assert cli("new", title, "-c", "a").code == 2


def test_without_a_registry_the_error_names_init(cli: Cli, empty: Path) -> None:
    result = cli("new", "x", "-c", "a")
    assert result.code == 5 and "reversa init" in result.err


def test_days_come_from_the_environment(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERSA_TODAY", "2031-02-03")
    assert new(cli).startswith("BUG-20310203-")
    monkeypatch.delenv("REVERSA_TODAY")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert new(cli).startswith("BUG-19700102-")
    for name, value in (("REVERSA_TODAY", "soon"), ("SOURCE_DATE_EPOCH", "x")):
        monkeypatch.setenv(name, value)
        assert cli("new", "x", "-c", "a").code == 2


def test_it_works_outside_git(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cli("init", ok=True)
    bug = new(cli)
    assert cli("check", "--strict").code == 0
    assert record(tmp_path, bug).is_file()


def test_from_a_subfolder_and_a_worktree_numbers_go_on(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new(cli)
    (repo / "src/deep").mkdir(parents=True)
    monkeypatch.chdir(repo / "src/deep")
    assert cli("new", "x", "-c", "checkout", "--json").json["data"]["display_number"] == 2
    monkeypatch.chdir(repo)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "one")
    git(repo, "worktree", "add", "-q", "../tree-" + repo.name)
    monkeypatch.chdir(repo.parent / ("tree-" + repo.name))
    assert cli("new", "x", "-c", "checkout", "--json").json["data"]["display_number"] == 3
