"""`reversa` alone: five lines about the registry, and the next useful command."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli, new, record


def test_five_lines_and_the_next_command(cli: Cli, shop: Path) -> None:
    result = cli(ok=True)
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["registry", "status", "waiting", "first", "records"]
    assert lines[0].endswith("_reversa_bugs: 21 bugs in 4 contexts") and lines[4].endswith("no errors")
    assert lines[5:] == ["", "Next: reversa next"] and max(map(len, lines)) <= 80
    first = cli("next", "--limit", "1", "--json", ok=True).json["data"]["bugs"][0]["id"]
    assert first in lines[3]


def test_the_figures(cli: Cli, shop: Path) -> None:
    data = cli("--json", ok=True).json["data"]
    everything = cli("list", "--all", "--json", "--include-restricted", ok=True).json["data"]["bugs"]
    for status in ("open", "active", "resolved"):
        assert data[status] == sum(bug["status"] == status for bug in everything)
    undone = [bug for bug in everything if bug["status"] != "resolved"]
    assert data["blocked"] == sum(bug["is_blocked"] for bug in undone)
    assert data["awaiting_human"] == sum(bug["phase"] == "awaiting-human" for bug in undone)
    assert (data["held"], data["errors"], data["next"]) == (0, 0, "reversa next")
    cli("next", "--claim", "ana", ok=True)
    assert cli("--json", ok=True).json["data"]["held"] == 1
    assert "1 held by somebody" in cli(ok=True).out


def test_what_is_next(cli: Cli, repo: Path) -> None:
    assert 'Next: reversa new "TITLE" -c CONTEXT' in cli(ok=True).out
    bug = new(cli)
    assert "Next: reversa next" in cli(ok=True).out
    path = record(repo, bug)
    path.write_text(path.read_text().replace("status: open", "status: done"))
    assert "1 error" in cli(ok=True).out and "Next: reversa check" in cli(ok=True).out


def test_a_restricted_bug_is_never_named(cli: Cli, repo: Path) -> None:
    new(cli, "Zebra hole", "--security", "--priority", "P0")
    assert "zebra" not in cli(ok=True).out.casefold() and "BUG-" not in cli(ok=True).out


def test_where_there_is_no_registry(cli: Cli, empty: Path) -> None:
    result = cli(ok=True)
    assert "reversa init" in result.out and "Usage" in result.out
    assert cli("--json").code == 5


@pytest.mark.parametrize(
    "args", [("--registry", "other"), ("--registry=other", "--json"), ("--registry", "other", "--color", "never")]
)
def test_options_alone(cli: Cli, repo: Path, args: tuple[str, ...]) -> None:
    (repo / "_reversa_bugs").rename(repo / "other")
    result = cli(*args)
    assert result.code == 0
    assert result.json["data"]["registry"] == "other" if "--json" in args else "0 bugs" in result.out
