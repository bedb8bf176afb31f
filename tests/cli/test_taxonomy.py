"""`reversa taxonomy`: how terms are used, new terms, other names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from reversa.store import write

from .conftest import Cli, git, new, record, tree

LISTS = """\
# Words.
area:
  - sales

module:   # the folders in src/
  - cart        # the basket
  - stock

feature: []
"""


@pytest.fixture
def file(repo: Path) -> Path:
    path = repo / "_reversa_bugs" / "taxonomy.yaml"
    path.write_text(LISTS)
    return path


def rows(cli: Cli, *args: str) -> list[dict[str, Any]]:
    terms: list[dict[str, Any]] = cli("taxonomy", "list", "--json", *args, ok=True).json["data"]["terms"]
    return terms


def counts(cli: Cli, *args: str) -> dict[str, int]:
    return {row["term"]: row["bugs"] for row in rows(cli, *args)}


def locked(cli: Cli, root: Path, title: str, *args: str) -> str:
    bug = new(cli, title, *args)
    cli("close", bug, "--as", "invalid", "--reason", "Works as written", ok=True)
    return bug


def test_list_counts_bugs(cli: Cli, repo: Path, file: Path) -> None:
    new(cli, "One", "--module", "cart")
    new(cli, "Two", "--module", "cart", "--security")
    locked(cli, repo, "Three", "--module", "cart")
    strange = new(cli, "Four")
    path = record(repo, strange)
    path.write_text(path.read_text().replace("module: unclassified", "module: basket"))
    assert rows(cli, "module") == [
        {"dimension": "module", "term": "cart", "description": "the basket", "bugs": 2, "open": 1, "listed": True},
        {"dimension": "module", "term": "stock", "description": None, "bugs": 0, "open": 0, "listed": True},
        {"dimension": "module", "term": "basket", "description": None, "bugs": 1, "open": 1, "listed": False},
        {"dimension": "module", "term": "unclassified", "description": None, "bugs": 0, "open": 0, "listed": False},
    ]
    assert counts(cli, "modules", "--include-restricted")["cart"] == 3
    assert [row["dimension"] for row in rows(cli)] == ["area"] * 2 + ["module"] * 4 + ["feature"]
    out = cli("taxonomy").out
    assert "2 bugs, 1 open" in out and "the basket" in out and "not in taxonomy.yaml" in out


def test_list_without_a_file(cli: Cli, repo: Path, file: Path) -> None:
    file.unlink()
    result = cli("taxonomy", ok=True)
    assert "no readable taxonomy.yaml" in result.err and "unclassified" in result.out
    assert cli("taxonomy", "add", "module", "x").code == 5
    file.write_text("a: [")
    assert "no readable" in cli("taxonomy", ok=True).err
    assert "cannot be read" in cli("taxonomy", "add", "module", "x").err


def test_add(cli: Cli, repo: Path, file: Path) -> None:
    assert (
        cli("taxonomy", "add", "modules", "mailer", "--description", "outgoing mail").out == "Added mailer to module\n"
    )
    cli("taxonomy", "add", "feature", "ação-nova", ok=True)
    assert file.read_text() == LISTS.replace("  - stock\n", "  - stock\n  - mailer      # outgoing mail\n").replace(
        "feature: []\n", "feature:\n  - ação-nova\n"
    )
    new(cli, "One", "--module", "mailer")
    assert cli("check", "--strict").code == 0


def test_dry_runs(cli: Cli, repo: Path, file: Path) -> None:
    new(cli, "One", "--module", "cart")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "x")
    for args in (("add", "module", "mailer"), ("rename", "module", "cart", "basket")):
        diff = cli("taxonomy", *args, "--dry-run", "--json", ok=True).json["data"]["diff"]
        assert file.read_text() == LISTS
        (repo / "p.diff").write_text(diff)
        git(repo, "apply", "--check", "p.diff")
        assert args[-1] in diff


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("add", "module", "cart"), 4, "already"),
        (("add", "module", "Cart"), 4, "'cart'"),
        (("add", "module", "unclassified"), 2, "never listed"),
        (("add", "module", "shopping cart"), 2, "shopping-cart would do"),
        (("add", "module", ""), 2, "For example"),
        (("add", "module", "a\nb"), 2, "a-b"),
        (("add", "module", "x" * 61), 2, "cannot be a term"),
        (("add", "modul", "x"), 2, "Did you mean module"),
        (("add", "module"), 2, "takes DIMENSION TERM"),
        (("add", "module", "x", "--merge"), 2, "rename"),
        (("rename", "module", "cart", "basket", "--description", "x"), 2, "add"),
        (("rename", "module", "crat", "basket"), 2, "Did you mean cart"),
        (("rename", "module", "cart", "cart"), 2, "has that name"),
        (("rename", "module", "cart", "stock"), 4, "--merge"),
        (("rename", "module", "cart", "basket", "--merge"), 2, "to merge into"),
        (("rename", "module", "unclassified", "basket"), 2, "never renamed"),
        (("rename", "module", "cart", "unclassified"), 2, "never listed"),
        (("list", "area", "module"), 2, "takes"),
        (("drop", "module", "cart"), 2, "list, add, rename"),
    ],
)
def test_refusals(cli: Cli, repo: Path, file: Path, args: tuple[str, ...], code: int, said: str) -> None:
    before = tree(repo)
    result = cli("taxonomy", *args)
    assert (result.code, said in result.err) == (code, True), result.err
    assert tree(repo) == before


def test_rename_rewrites_what_is_not_locked(cli: Cli, repo: Path, file: Path) -> None:
    one, two = new(cli, "One", "--module", "cart"), new(cli, "Two", "--module", "stock")
    done = locked(cli, repo, "Three", "--module", "cart")
    cli("graph", ok=True)
    before = record(repo, done).read_bytes(), record(repo, two).read_bytes()
    result = cli("taxonomy", "rename", "module", "cart", "basket", ok=True)
    assert one in result.out and two not in result.out + result.err
    assert f"Locked, so keeps cart: {done}." in result.err
    assert "module: basket\n" in record(repo, one).read_text()
    assert (record(repo, done).read_bytes(), record(repo, two).read_bytes()) == before
    assert file.read_text() == LISTS.replace("- cart ", "- basket ")
    assert cli("graph", "--check").code == 0
    assert cli("check", "--strict").code == 0
    assert counts(cli, "module") == {"basket": 1, "stock": 1, "cart": 1, "unclassified": 0}


def test_rename_in_json(cli: Cli, repo: Path, file: Path) -> None:
    one = new(cli, "One", "--module", "cart")
    data = cli("taxonomy", "rename", "module", "cart", "basket", "--json", ok=True).json["data"]
    assert data == {
        "dimension": "module",
        "old": "cart",
        "new": "basket",
        "bugs": [{"id": one, "changed": ["module"]}],
        "locked": [],
    }


def test_a_new_spelling_of_the_same_term(cli: Cli, repo: Path, file: Path) -> None:
    cli("taxonomy", "rename", "module", "cart", "Cart", ok=True)
    assert "  - Cart        # the basket\n" in file.read_text()


def test_merge(cli: Cli, repo: Path, file: Path) -> None:
    one = new(cli, "One", "--module", "cart")
    result = cli("taxonomy", "rename", "module", "cart", "stock", "--merge", ok=True)
    assert result.out.startswith("Merged module cart into stock, in 1 bug\n")
    assert "module: stock\n" in record(repo, one).read_text()
    assert file.read_text() == LISTS.replace("  - cart        # the basket\n", "")


def test_merge_mends_what_was_renamed_by_hand(cli: Cli, repo: Path, file: Path) -> None:
    one = new(cli, "One", "--module", "cart")
    file.write_text(LISTS.replace("- cart ", "- basket "))
    assert cli("taxonomy", "rename", "module", "cart", "goods").code == 2
    cli("taxonomy", "rename", "module", "cart", "basket", "--merge", ok=True)
    assert "module: basket\n" in record(repo, one).read_text()
    assert cli("check", "--strict").code == 0


def test_restricted_bugs_follow_untold(cli: Cli, repo: Path, file: Path) -> None:
    secret = new(cli, "Key leaks", "--security", "--module", "cart", "--priority", "P0", "--severity", "high")
    git(repo, "add", "-A")
    dry = cli("taxonomy", "rename", "module", "cart", "basket", "--dry-run")
    told = cli("taxonomy", "rename", "module", "cart", "basket")
    assert "module: basket\n" in record(repo, secret).read_text()
    for result in (dry, told):
        assert result.code == 0
        assert secret not in result.out + result.err and "leaks" not in result.out + result.err
    data = cli("taxonomy", "rename", "module", "basket", "cart", "--json").json["data"]
    assert data["bugs"] == []
    data = cli("taxonomy", "rename", "module", "cart", "basket", "--json", "--include-restricted").json["data"]
    assert data["bugs"] == [{"id": secret, "changed": ["module"]}]
    assert counts(cli, "module")["basket"] == 0
    unused = cli("taxonomy", "rename", "module", "stock", "goods")
    assert unused.err == told.err  # whether one uses the term is not told either


def test_all_or_nothing(cli: Cli, repo: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bugs = [new(cli, f"Bug {n}", "--module", "cart") for n in range(3)]
    before = tree(repo)
    real, calls = os.replace, []

    def full(source: Any, target: Any) -> None:
        if str(target).endswith("bug.md") and record(repo, bugs[1]).parent == Path(target).parent and not calls:
            calls.append(target)
            raise OSError(28, "No space left on device", str(target))
        real(source, target)

    monkeypatch.setattr(write.os, "replace", full)
    assert cli("taxonomy", "rename", "module", "cart", "basket").code == 5
    assert calls and tree(repo) == before


def test_a_link_is_not_written_through(cli: Cli, repo: Path, file: Path) -> None:
    other = repo / "words.yaml"
    file.rename(other)
    file.symlink_to("../words.yaml")
    for args in (("add", "module", "x"), ("rename", "module", "cart", "basket")):
        result = cli("taxonomy", *args)
        assert result.code == 4 and "is a link" in result.err
    assert other.read_text() == LISTS


def test_plural_keys_and_mappings_are_edited_as_they_are(cli: Cli, repo: Path, file: Path) -> None:
    file.write_text("modules:\n  cart: The basket\narea: [sales]\nowner: Ana  # kept\n")
    one = new(cli, "One", "--module", "cart")
    cli("taxonomy", "rename", "module", "cart", "basket", ok=True)
    cli("taxonomy", "add", "area", "stock", ok=True)
    assert file.read_text() == "modules:\n  basket: The basket\narea: [sales, stock]\nowner: Ana  # kept\n"
    assert "module: basket\n" in record(repo, one).read_text()
    assert rows(cli, "module")[0]["description"] == "The basket"


def test_a_proposal_is_held_to_the_same_names(cli: Cli, repo: Path, file: Path) -> None:
    result = cli("new", "One", "-c", "checkout", "--propose-term", "module=gift cards")
    assert result.code == 2 and "gift-cards would do" in result.err
