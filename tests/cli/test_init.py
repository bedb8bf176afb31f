"""`reversa init`."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversa.store.layout import shipped

from .conftest import Cli, git, new, tree


def test_it_makes_exactly_two_files(cli: Cli, empty: Path) -> None:
    result = cli("init", ok=True)
    assert set(tree(empty)) == {"_reversa_bugs/README.md", "_reversa_bugs/taxonomy.yaml"}
    assert (empty / "_reversa_bugs/taxonomy.yaml").read_bytes() == (shipped() / "taxonomy.yaml").read_bytes()
    assert "reversa new" in result.out and "hooks" in result.out and "agents" in result.out
    assert cli("check", "--strict").code == 0


def test_an_existing_registry_is_left_alone_and_described(cli: Cli, shop: Path) -> None:
    before = tree(shop)
    result = cli("init", "--policy", "package", ok=True)
    assert "21 bugs in 4 contexts" in result.out
    assert tree(shop) == before
    assert cli("init", "--json").json["data"]["created"] == []


@pytest.mark.parametrize("policy", ["package", "production-service", "the board: signs # it"])
def test_the_policy_is_what_the_registry_then_holds_to(cli: Cli, empty: Path, policy: str) -> None:
    cli("init", "--policy", policy, ok=True)
    bug = new(cli)
    assert cli("show", bug, "--json").json["data"]["closure"]["policy"] == policy
    assert cli("check", "--strict").code == 0


def test_the_language_is_written_down(cli: Cli, empty: Path) -> None:
    cli("init", "--lang", "pt", ok=True)
    assert "\nlanguage: pt" in (empty / "_reversa_bugs/README.md").read_text()
    assert cli("init", "--lang", "xx").code == 2


def test_terms_come_from_the_headings_of_the_specs_and_comments_stay(cli: Cli, empty: Path) -> None:
    folder = empty / "_reversa_sdd"
    folder.mkdir()
    (folder / "architecture.md").write_text("# Shop\n\n## 1. Sales\n\n### Cart & totals\n\n### Checkout\n\n## Stock\n")
    (folder / "domain.md").write_text("# Domain\n\n## Discount\n\n## Código de barras\n")
    cli("init", "--from-specs", ok=True)
    text = (empty / "_reversa_bugs/taxonomy.yaml").read_text()
    for term in ("sales", "stock", "cart-totals", "checkout", "discount", "codigo-de-barras"):
        assert f"- {term}\n" in text
    assert text.count("#") >= 3
    bug = new(cli, "x", "--area", "sales", "--module", "cart-totals", "--feature", "codigo-de-barras")
    assert cli("check", "--strict").code == 0 and bug


def test_specs_that_are_not_there_keep_the_starter_and_say_so(cli: Cli, empty: Path) -> None:
    result = cli("init", "--from-specs", ok=True)
    assert "architecture.md is not there" in result.err
    assert new(cli)


def test_the_spec_folder_of_the_state_file_counts(cli: Cli, empty: Path) -> None:
    (empty / ".reversa").mkdir()
    (empty / ".reversa/state.json").write_text('{"output_folder": "specs"}')
    (empty / "specs").mkdir()
    (empty / "specs/domain.md").write_text("# D\n\n## Refunds\n")
    cli("init", "--from-specs", ok=True)
    assert "- refunds\n" in (empty / "_reversa_bugs/taxonomy.yaml").read_text()


def test_it_stands_at_gits_root_from_a_subfolder(cli: Cli, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty / "a/b").mkdir(parents=True)
    monkeypatch.chdir(empty / "a/b")
    cli("init", ok=True)
    assert (empty / "_reversa_bugs/README.md").is_file()


def test_named_places(cli: Cli, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init", "--registry", "bugs-of-ours", ok=True)
    assert (empty / "bugs-of-ours/README.md").is_file()
    (empty / "reversa.toml").write_text('registry = "elsewhere"\n')
    cli("init", ok=True)
    assert (empty / "elsewhere/taxonomy.yaml").is_file()
    monkeypatch.setenv("REVERSA_REGISTRY", "third")
    cli("init", ok=True)
    assert (empty / "third/README.md").is_file()


def test_a_dry_run_makes_nothing(cli: Cli, empty: Path) -> None:
    result = cli("init", "--dry-run", ok=True)
    assert "+++ b/_reversa_bugs/README.md" in result.out and tree(empty) == {}


def test_a_file_in_the_way(cli: Cli, empty: Path) -> None:
    (empty / "_reversa_bugs").write_text("x")
    assert cli("init").code == 5
    assert (empty / "_reversa_bugs").read_text() == "x"


def test_a_failed_second_file_takes_the_first_back(cli: Cli, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = __import__("os").replace, []

    def flaky(source: object, target: object) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr("os.replace", flaky)
    assert cli("init").code == 5
    assert not (empty / "_reversa_bugs").exists()
    assert git(empty, "status", "--porcelain") == ""
