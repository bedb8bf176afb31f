"""`reversa list` and `reversa show`."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversa.core.fields import BODY_SECTIONS, FRONT_MATTER

from .conftest import Cli, new, record


def ids(cli: Cli, *args: str) -> list[str]:
    return [bug["id"] for bug in cli("list", "--json", *args, ok=True).json["data"]["bugs"]]


def test_open_and_active_are_shown_and_the_rest_is_counted(cli: Cli, shop: Path) -> None:
    out = cli("list", ok=True).out
    assert out.rstrip().split("\n")[-1] == "11 open or active of 21 bugs; 10 resolved hidden, --all shows them."
    assert len(ids(cli)) == 11 and len(ids(cli, "--all")) == 21
    assert cli("list", "--json").json["data"]["hidden"] == 10


def test_filters_and_queries(cli: Cli, shop: Path) -> None:
    assert ids(cli, "discount", "--status", "active") and "BUG-20260715-A7K3" in ids(cli, "DISCOUNT")
    for option, value in (
        ("--phase", "diagnosing"), ("--severity", "high"), ("--priority", "P1"), ("--context", "checkout"),
        ("--area", "sales"), ("--module", "checkout"), ("--label", "money"), ("--status", "active"),
    ):  # fmt: skip
        found = ids(cli, option, value)
        assert "BUG-20260715-A7K3" in found, option
        assert len(found) < 21
    assert "BUG-20260729-G4SV" in ids(cli, "--blocked")
    assert all(bug not in ids(cli, "--unblocked") for bug in ids(cli, "--blocked"))
    assert len(ids(cli, "--locked")) == 10
    assert ids(cli, "--status", "resolved") == ids(cli, "--locked")


def test_a_query_is_blind_to_case_and_accents(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Código de conclusão ÉTRANGE")
    for text in ("codigo", "CONCLUSAO", "étrange", "etrange", bug[-4:].lower()):
        assert ids(cli, text) == [bug], text
    assert ids(cli, "nothing like it") == []


@pytest.mark.parametrize("key", ["id", "number", "priority", "severity", "created", "updated", "impact"])
def test_sort_keys(cli: Cli, shop: Path, key: str) -> None:
    rows = [bug for bug in cli("list", "--json", "--sort", key).json["data"]["bugs"] if "restricted" not in bug]
    ranks = {"severity": ("critical", "high", "medium", "low"), "priority": ("P0", "P1", "P2", "P3")}
    field = {"number": "display_number"}.get(key, key)
    values = [ranks[key].index(row[field]) if key in ranks else row[field] for row in rows]
    assert len(rows) == 10 and values == sorted(values, reverse=key in ("created", "updated", "impact"))


def test_a_restricted_bug_stands_last_wherever_it_would_stand(cli: Cli, shop: Path) -> None:
    assert ids(cli)[-1] == "BUG-20260723-X2HT" == ids(cli, "--sort", "id")[-1]


def test_words_that_are_none_are_refused_with_the_nearest(cli: Cli, shop: Path) -> None:
    for args, near in (
        (["--status", "opne"], "open"),
        (["-c", "chekout"], "Did you mean checkout?"),
        (["--area", "no-such-area"], "sales"),
        (["--sort", "zzz"], "One of id"),
    ):
        result = cli("list", *args)
        assert result.code == 2, args
        assert near in result.err
    assert ids(cli, "-c", "CheckOut") == ids(cli, "-c", "checkout")


def test_a_shared_number_is_starred(cli: Cli, repo: Path) -> None:
    first, second = new(cli, "one"), new(cli, "two")
    path = record(repo, second)
    path.write_text(path.read_text().replace("display_number: 2", "display_number: 1"))
    assert cli("list").out.count("1*") == 2
    result = cli("show", "1")
    assert result.code == 4 and first in result.err and second in result.err


def test_no_line_of_a_table_is_longer_than_a_narrow_terminal(
    cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = cli("list", "--all", ok=True).out.split("\n")
    assert max(map(len, lines)) <= 80
    assert any("BUG-20260715-A7K3" in line for line in lines)


def test_list_json_is_the_record_without_sections(cli: Cli, shop: Path) -> None:
    (row,) = cli("list", "A7K3", "--json").json["data"]["bugs"]
    shown = cli("show", "A7K3", "--json").json["data"]
    sections = shown.pop("sections")
    assert row == shown
    assert list(sections) == list(BODY_SECTIONS)
    assert list(row)[: len(FRONT_MATTER.fields)] == [field.name for field in FRONT_MATTER.fields]
    assert {"context", "path", "done", "is_blocked", "impact"} <= set(row)


def test_show_takes_every_alias(cli: Cli, shop: Path) -> None:
    texts = {
        cli("show", name, ok=True).out
        for name in ("BUG-20260715-A7K3", "bug-20260715-a7k3", "A7K3", "a7k3", "7", "BUG-7", "BUG-007", "#7")
    }
    assert len(texts) == 1
    out = texts.pop()
    assert "Discount applied twice" in out and "Summary" in out and "caused-by" in out


def test_show_of_what_is_not_there_names_the_next_command(cli: Cli, shop: Path) -> None:
    result = cli("show", "A7K4")
    assert result.code == 2 and "A7K3" in result.err
    result = cli("show", "nothing")
    assert result.code == 2 and "reversa list" in result.err


def test_an_unreadable_record_is_listed_and_show_says_why_not(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    record(repo, bug).write_bytes(b"\xff\xfe")
    assert "cannot be read" in cli("list", ok=True).out
    assert cli("list", "--json").json["data"]["bugs"] == [{"id": bug, "unreadable": True}]
    record(repo, bug).write_bytes(b"---\nvisibility: normal\nid: [\n---\n")
    assert cli("list", "--json").json["data"]["bugs"] == [
        {"id": bug, "unreadable": True, "context": "checkout", "path": record(repo, bug).relative_to(repo).as_posix()}
    ]
    result = cli("show", bug)
    assert result.code == 4 and "reversa check" in result.err


def test_an_empty_registry_says_how_to_begin(cli: Cli, repo: Path) -> None:
    assert "reversa new" in cli("list", ok=True).out
