"""`reversa link` and `unlink`."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli, new, record, tree


@pytest.fixture
def pair(cli: Cli, repo: Path) -> tuple[str, str]:
    return new(cli, "first"), new(cli, "second")


def edges(cli: Cli, bug: str) -> list[tuple[str, str, str]]:
    found = cli("show", bug, "--json", ok=True).json["data"]["relationships"]
    return [(edge["bug"], edge["type"], edge["state"]) for edge in found]


def test_an_edge_is_stored_once_on_its_declarer_as_proposed(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    cli("link", first[-4:], "caused-by", second[-4:], ok=True)
    assert edges(cli, first) == [(second, "caused-by", "proposed")]
    assert edges(cli, second) == []
    assert "causes" not in record(repo, second).read_text()
    assert cli("check", "--strict").code == 0


@pytest.mark.parametrize("state", ["supported", "confirmed"])
def test_more_than_a_hypothesis_needs_evidence(cli: Cli, repo: Path, pair: tuple[str, str], state: str) -> None:
    first, second = pair
    before = tree(repo)
    result = cli("link", first, "caused-by", second, "--state", state)
    assert result.code == 4 and "--evidence" in result.err
    assert tree(repo) == before
    cli("link", first, "caused-by", second, "--state", state, "--evidence", "a.txt=same stack = same cause", ok=True)
    (edge,) = cli("show", first, "--json").json["data"]["relationships"]
    assert edge["evidence"] == [{"ref": "a.txt", "observation": "same stack = same cause"}]


def test_the_same_edge_is_raised_and_a_bare_copy_refused(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    cli("link", first, "related-to", second, ok=True)
    assert cli("link", first, "related-to", second).code == 4
    result = cli("link", second, "related-to", first)
    assert result.code == 4 and first in result.err
    cli("link", first, "related-to", second, "--state", "supported", "--evidence", "a=b", ok=True)
    assert edges(cli, first) == [(second, "related-to", "supported")]


def test_a_directional_edge_the_other_way_is_another_edge(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    cli("link", first, "regression-of", second, ok=True)
    cli("link", second, "regression-of", first, ok=True)
    assert edges(cli, second) == [(first, "regression-of", "proposed")]


def test_self_unknown_and_words_that_are_no_type(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    before = tree(repo)
    assert cli("link", first, "related-to", first).code == 4
    assert cli("link", first, "related-to", "ZZZZ").code == 2
    result = cli("link", first, "causes", second)
    assert result.code == 2 and "caused-by" in result.err
    result = cli("link", first, "cause-by", second)
    assert result.code == 2 and "caused-by" in result.err
    assert cli("link", first, "related-to", second, "--state", "sure").code == 2
    assert cli("link", first, "related-to", second, "--evidence", "nothing").code == 2
    assert tree(repo) == before


def test_a_circle_of_duplicates_is_shown_as_a_path(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    third = new(cli, "third")
    cli("link", first, "duplicate-of", second, ok=True)
    cli("link", second, "duplicate-of", third, ok=True)
    before = tree(repo)
    result = cli("link", third, "duplicate-of", first)
    assert result.code == 4
    assert f"{third} → {first} → {second} → {third}" in result.err
    assert tree(repo) == before
    cli("link", third, "duplicate-of", first, "--state", "rejected", ok=True)
    assert cli("check").code == 0
    result = cli("link", third, "duplicate-of", first, "--state", "proposed")
    assert result.code == 4 and "circle" in result.err


def test_a_locked_declarer_is_refused_and_the_other_end_named(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    (record(repo, first).parent / "DONE.md").write_text("x")
    result = cli("link", first, "related-to", second)
    assert result.code == 4 and f"reversa link {second[-4:]} related-to {first[-4:]}" in result.err
    result = cli("link", first, "caused-by", second)
    assert result.code == 4 and "--regression-of" in result.err
    cli("link", second, "related-to", first, ok=True)


def test_unlink_takes_the_edge_from_whoever_declares_it(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    before = record(repo, first).read_bytes()
    cli("link", first, "conflicts-with", second, ok=True)
    cli("unlink", second, "conflicts-with", first, ok=True)
    assert record(repo, first).read_bytes() == before
    assert cli("unlink", first, "conflicts-with", second).code == 2
    cli("link", first, "blocked-by", second, ok=True)
    assert cli("unlink", second, "blocked-by", first).code == 2
    cli("unlink", first, "blocked-by", second, ok=True)
    assert edges(cli, first) == []


def test_a_dangling_edge_can_be_removed_by_its_id(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, _ = pair
    path = record(repo, first)
    text = "relationships:\n  - {bug: BUG-20200101-AAAA, type: caused-by, state: proposed, evidence: []}"
    path.write_text(path.read_text().replace("relationships: []", text))
    assert cli("check").code == 1
    cli("unlink", first, "caused-by", "BUG-20200101-AAAA", ok=True)
    assert cli("check", "--strict").code == 0
    assert "relationships: []" in path.read_text()


def test_two_copies_on_one_bug_are_never_both_removed(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    cli("link", first, "caused-by", second, "--state", "confirmed", "--evidence", "a=b", ok=True)
    cli("update", first, "--add", f"relationships=bug={second},type=caused-by,state=proposed", ok=True)
    result = cli("unlink", first, "caused-by", second)
    assert result.code == 4 and "--remove 'relationships[1]'" in result.err
    cli("update", first, "--remove", "relationships[1]", ok=True)
    assert edges(cli, first) == [(second, "caused-by", "confirmed")]


def test_an_inverse_is_answered_with_the_same_verb_and_the_same_bugs(cli: Cli, pair: tuple[str, str]) -> None:
    result = cli("unlink", "1", "causes", "2")
    assert result.code == 2 and "reversa unlink 2 caused-by 1" in result.err


def test_dry_runs_write_nothing(cli: Cli, repo: Path, pair: tuple[str, str]) -> None:
    first, second = pair
    before = tree(repo)
    assert f"+  - bug: {second}" in cli("link", first, "caused-by", second, "--dry-run", ok=True).out
    assert tree(repo) == before
