"""`reversa update --section` and `--append`: the body without a hand on the record."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from reversa.core.body import outline, section
from reversa.store.frontmatter import read

from .conftest import Cli, new, record


def body(repo: Path, bug: str) -> str:
    return read(record(repo, bug).read_bytes()).body


def text_of(repo: Path, bug: str, title: str) -> str:
    whole = body(repo, bug)
    span = section(whole, title)
    assert span is not None
    return whole[span[0] : span[1]].strip()


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))


def test_sections_from_text_file_and_standard_input(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    before = body(repo, bug)
    (repo / "steps.md").write_bytes(b"\xef\xbb\xbf1. open\r\n2. close\r\n")
    typed(monkeypatch, "It is taken twice.\n\n### Twice\n")
    result = cli(
        "update", bug, "--section", "steps-to-reproduce=@steps.md", "--section", "summary=-",
        "--append", "Agent Notes=- Do not touch the gateway.", "--severity", "low", "--json", ok=True,
    )  # fmt: skip
    assert result.json["data"]["bugs"] == [{"id": bug, "changed": ["severity", "body"]}]
    assert text_of(repo, bug, "Steps to Reproduce") == "1. open\n2. close"
    assert text_of(repo, bug, "Summary") == "It is taken twice.\n\n### Twice"
    assert text_of(repo, bug, "Agent Notes").endswith("- Do not touch the gateway.")
    assert [h.title for h in outline(body(repo, bug)) if h.level == 2] == [
        h.title for h in outline(before) if h.level == 2
    ]
    again = cli("update", bug, "--section", "Summary=It is taken twice.\n\n### Twice", ok=True)
    assert "holds that already" in again.err and again.out == ""


def test_a_missing_section_is_made_at_its_place(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("## Evidence\n\nNone yet.\n\n", ""))
    cli("update", bug, "--append", "Evidence=- `evidence/close.log`", ok=True)
    titles = [heading.title for heading in outline(body(repo, bug))]
    assert titles.index("Evidence") == titles.index("Steps to Reproduce") + 1


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--section", "Sumary=x"], 2, "Did you mean Summary?"),
        (["--section", "Summary"], 2, "not NAME=TEXT"),
        (["--section", "=x"], 2, "not NAME=TEXT"),
        (["--section", "Summary=@none.md"], 2, "no file"),
        (["--section", "Summary=-", "--append", "Evidence=-"], 2, "already"),
        (["--section", "Summary=## Evidence"], 2, "heading of level 2"),
        (["--append", "Summary=```"], 2, "never closes"),
    ],
)
def test_a_bad_section_changes_nothing(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], code: int, said: str
) -> None:
    bug = new(cli)
    before = record(repo, bug).read_bytes()
    typed(monkeypatch, "x")
    result = cli("update", bug, *args)
    assert result.code == code and said in result.err
    assert record(repo, bug).read_bytes() == before


def test_an_open_fence_in_the_record_is_not_written_into(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text() + "\n```\nlog\n")
    result = cli("update", bug, "--append", "Agent Notes=x")
    assert result.code == 4 and "never closed" in result.err
    cli("update", bug, "--section", "Agent Notes=x", ok=True)
    assert text_of(repo, bug, "Agent Notes") == "x"


def test_a_heading_inside_a_fence_is_no_section(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("update", bug, "--section", "Summary=```md\n## Evidence\n```", ok=True)
    cli("update", bug, "--append", "Evidence=- a.log", ok=True)
    assert text_of(repo, bug, "Summary") == "```md\n## Evidence\n```"
    assert text_of(repo, bug, "Evidence") == "- a.log"


def test_the_heading_follows_the_title_where_it_said_the_old_one(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Old title")
    assert "RV402" not in cli("update", bug, "--title", "Another title", ok=True).err
    assert outline(body(repo, bug))[0].title == "Another title"
    path = record(repo, bug)
    path.write_text(path.read_text().replace("# Another title", "# By hand"))
    assert "stays as it is" in cli("update", bug, "--title", "Third", ok=True).err
    assert outline(body(repo, bug))[0].title == "By hand"


def test_locked_bodies_stay(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    before = record(repo, bug).read_bytes()
    assert cli("update", bug, "--append", "Summary=x").code == 4
    assert record(repo, bug).read_bytes() == before


def test_a_dry_run_shows_the_diff_of_the_body(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    before = record(repo, bug).read_bytes()
    out = cli("update", bug, "--section", "Summary=Taken twice.", "--dry-run", ok=True).out
    assert "+Taken twice." in out and record(repo, bug).read_bytes() == before
