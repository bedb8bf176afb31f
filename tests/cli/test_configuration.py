"""`[check]` of the configuration: what is selected, what is left out and why, and what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli, new, record


def configure(repo: Path, text: str, name: str = "reversa.toml") -> None:
    (repo / name).write_text(text, "utf-8")


@pytest.fixture
def warned(cli: Cli, repo: Path) -> tuple[str, str]:
    """Give a bug in each of two contexts, both with a warning RV409."""
    first = cli("new", "One", "-c", "checkout", "--code", "nope.py:3", "--json", ok=True).json["data"]["id"]
    second = cli("new", "Two", "-c", "stock", "--code", "gone.py:3", "--json", ok=True).json["data"]["id"]
    return str(first), str(second)


def codes(cli: Cli, *args: str) -> list[tuple[str, str]]:
    return [(found["bug"], found["code"]) for found in cli("check", *args, "--json").json["findings"]]


def test_an_ignored_warning_is_left_out_and_its_reason_told(cli: Cli, repo: Path, warned: tuple[str, str]) -> None:
    assert (warned[0], "RV409") in codes(cli) and cli("check", "--strict").code == 1
    configure(repo, '[check]\nignore = {RV409 = "the sources live in another repository", RV408 = "none yet"}\n')
    assert "RV409" not in [code for _, code in codes(cli)]
    out = cli("check", "--strict", ok=True).out
    assert "2 warnings ignored by the configuration; --all says why." in out
    everything = cli("check", "--all", ok=True).out
    assert "RV409: 2 warnings ignored (the sources live in another repository)." in everything
    assert "RV408: ignores nothing and can go (none yet)." in everything


@pytest.mark.parametrize("name", ["reversa.toml", "pyproject.toml"])
def test_a_warning_is_ignored_in_one_context(cli: Cli, repo: Path, warned: tuple[str, str], name: str) -> None:
    table = "check" if name == "reversa.toml" else "tool.reversa.check"
    configure(repo, f'[{table}.per-context-ignore]\ncheckout = {{RV409 = "generated code"}}\n', name)
    found = codes(cli)
    assert (warned[0], "RV409") not in found and (warned[1], "RV409") in found
    assert "RV409 in checkout: 1 warning ignored (generated code)." in cli("check", "--all", ok=True).out


def test_the_selection_of_the_configuration_gives_way_to_the_option(
    cli: Cli, repo: Path, warned: tuple[str, str]
) -> None:
    configure(repo, '[check]\nselect = ["rv3", "RV403"]\n')
    assert codes(cli) == []
    assert (warned[0], "RV409") in codes(cli, "--select", "RV4")


def test_writers_do_not_warn_about_what_is_ignored(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    configure(repo, '[check]\nignore = {RV409 = "elsewhere"}\n')
    assert "RV409" not in cli("update", bug, "--code", "nope.py:3", ok=True).err
    assert "RV409" not in cli("new", "x", "-c", "checkout", "--code", "nope.py:3", ok=True).err


def test_fixes_leave_alone_what_is_ignored(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("priority: P2", "priority: p2"))
    code = next(code for found, code in codes(cli) if found == bug and code.startswith("RV1"))
    configure(repo, f'[check]\nignore = {{{code} = "as our tracker writes it"}}\n')
    cli("check", "--fix", ok=True)
    assert "priority: p2" in path.read_text()
    configure(repo, "")
    cli("check", "--fix", ok=True)
    assert "priority: P2" in path.read_text()


def test_errors_count_whatever_the_configuration_selects(cli: Cli, repo: Path) -> None:
    path = record(repo, new(cli))
    path.write_text(path.read_text().replace("status: open", "status: done"))
    configure(repo, '[check]\nselect = ["RV408"]\n')
    assert cli("check").code == 1 and "RV110" in cli("check").out
    assert cli("check", "--select", "RV408").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('ignore = {RV201 = "x"}', "errors cannot be ignored"),
        ('ignore = {RV2 = "x"}', "errors cannot be ignored"),
        ('ignore = {RV999 = "x"}', "RV999 is no rule"),
        ('ignore = {RV409 = ""}', "a reason for each rule"),
        ('ignore = ["RV409"]', "a reason for each rule"),
        ('select = "RV4"', "must be a list"),
        ('select = ["XX"]', "XX is no rule"),
        ("per-context-ignore = 3", "table by context"),
        ('per-context-ignore = {chekout = {RV409 = "x"}}', "Did you mean checkout?"),
        ('per-context-ignore = {checkout = {RV001 = "x"}}', "errors cannot be ignored"),
        ('ignored = {RV409 = "x"}', "Did you mean ignore?"),
    ],
)
def test_a_bad_entry_is_wrong_usage_that_names_file_and_key(cli: Cli, repo: Path, text: str, said: str) -> None:
    new(cli)
    configure(repo, f"[check]\n{text}\n")
    result = cli("check")
    assert result.code == 2 and said in result.err and "reversa.toml: " in result.err and "check." in result.err


def test_check_must_be_a_table(cli: Cli, repo: Path) -> None:
    configure(repo, "check = 1\n")
    result = cli("check")
    assert result.code == 2 and "[check]" in result.err
