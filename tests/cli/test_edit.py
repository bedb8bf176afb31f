"""`reversa edit`: a text from an editor is installed whole when it adds no error, and kept when it does."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from reversa.core.body import outline
from reversa.store.frontmatter import read

from .conftest import Cli, git, new, record


def with_editor(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Make EDITOR a program that changes `text` of the file that it is given."""
    program = folder / "ed.py"
    program.write_text(
        "import sys, pathlib\nfile = pathlib.Path(sys.argv[1])\ntext = file.read_bytes().decode()\n"
        f"{script}\nfile.write_bytes(text.encode())\n"
    )
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {program}")


@pytest.fixture
def drafts(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder in which drafts are made."""
    folder = tmp_path_factory.mktemp("drafts")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_an_edited_record_is_installed(cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli, "Old")
    monkeypatch.setenv("REVERSA_TODAY", "2026-09-02")
    with_editor(monkeypatch, drafts, "text = text.replace('severity: medium', 'severity: high') + '\\nBy hand.\\n'")
    result = cli("edit", bug, ok=True)
    assert result.out == f"Updated {bug}: severity, body\n"
    data = read(record(repo, bug).read_bytes())
    assert data.data is not None and data.data["severity"] == "high" and data.data["updated"] == "2026-09-02"
    assert data.body.endswith("\nBy hand.\n")
    assert [path.name for path in drafts.iterdir()] == ["ed.py"]


def test_nothing_changed_writes_nothing(cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    before = record(repo, bug).read_bytes()
    with_editor(monkeypatch, drafts, "pass")
    assert "nothing was written" in cli("edit", bug, ok=True).err
    assert record(repo, bug).read_bytes() == before and [path.name for path in drafts.iterdir()] == ["ed.py"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("text.replace('schema_version: 1', 'schema_version: 9')", "schema_version"),
        ("text.replace('title:', 'title: [', 1)", "Line"),
        ("text.replace('id: BUG-', 'id: BUG-2', 1)", "An ID never changes"),
        ("text.replace('status: open', 'status: resolved')", "Only reversa close"),
        ("text.replace('spec_verdict: null', 'spec_verdict: spec-gap')", "person's decision"),
        (
            "text.replace('closure:', 'decisions: [{what: x, value: y, by: me}]\\nclosure:')",
            "Decisions",
        ),
        ("'no record at all'", "Line 1"),
        ("text + '\\n<<<<<<< a\\n=======\\n>>>>>>> b\\n'", "conflict"),
    ],
)
def test_a_text_with_a_new_error_is_kept_as_a_draft(
    cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch, change: str, said: str
) -> None:
    bug = new(cli)
    before = record(repo, bug).read_bytes()
    with_editor(monkeypatch, drafts, f"text = {change}")
    result = cli("edit", bug, "--json")
    error = result.json["error"]
    assert result.code == 4 and said in error["message"]
    assert record(repo, bug).read_bytes() == before
    draft = Path(error["draft"])
    assert draft.read_bytes() != before and str(draft) in error["hint"]
    with_editor(monkeypatch, drafts, f"text = {before.decode()!r} + 'mended'")
    cli("edit", bug, "--draft", str(draft), ok=True)
    assert record(repo, bug).read_bytes().endswith(b"mended") and not draft.exists()


def test_an_unreadable_record_can_be_mended(
    cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = new(cli)
    path = record(repo, bug)
    good = path.read_text()
    path.write_text(good.replace("title:", "title: [", 1))
    with_editor(monkeypatch, drafts, f"text = {good!r}")
    cli("edit", bug, ok=True)
    assert path.read_text() == good


def test_a_restricted_bug_is_not_made_visible(
    cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = cli("new", "Secret", "-c", "checkout", "--security", "--json", ok=True).json["data"]["id"]
    with_editor(monkeypatch, drafts, "text = text.replace('visibility: restricted', 'visibility: normal')")
    result = cli("edit", bug)
    assert result.code == 4 and "restricted" in result.err and "Secret" not in result.err


def test_somebody_elses_change_meanwhile_is_not_lost(
    cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bug = new(cli)
    path = record(repo, bug)
    with_editor(
        monkeypatch,
        drafts,
        f"pathlib.Path({str(path)!r}).write_bytes(text.encode() + b'theirs')\ntext += 'mine'",
    )
    result = cli("edit", bug, "--json")
    assert result.code == 5 and result.json["error"]["kind"] == "changed-meanwhile"
    assert path.read_bytes().endswith(b"theirs")
    assert Path(result.json["error"]["draft"]).read_bytes().endswith(b"mine")


def test_locked_bugs_have_no_editor(cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    with_editor(monkeypatch, drafts, "raise SystemExit(9)")
    assert cli("edit", bug).code == 4 and [path.name for path in drafts.iterdir()] == ["ed.py"]


def test_an_editor_that_fails(cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    with_editor(monkeypatch, drafts, "raise SystemExit(9)")
    result = cli("edit", bug)
    assert result.code == 5 and "ended with 9" in result.err
    assert [path.name for path in drafts.iterdir()] == ["ed.py"]


def test_without_terminal_and_editor(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    result = cli("edit", bug)
    assert result.code == 4 and "EDITOR" in result.err


def test_a_dry_run_shows_the_diff(cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    before = record(repo, bug).read_bytes()
    with_editor(monkeypatch, drafts, "text += 'By hand.\\n'")
    assert "+By hand." in cli("edit", bug, "--dry-run", ok=True).out
    assert record(repo, bug).read_bytes() == before and [path.name for path in drafts.iterdir()] == ["ed.py"]


@pytest.mark.parametrize("answer", ["d", "e", "k"])
def test_at_a_terminal_one_is_asked(
    cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """The editor breaks the record first and mends it when it is called again."""
    bug = new(cli)
    git(repo, "add", "-A")
    before = record(repo, bug).read_bytes()
    with_editor(
        monkeypatch,
        drafts,
        "text = text.replace('title: [', 'title:') + 'mended' if 'title: [' in text"
        " else text.replace('title:', 'title: [', 1)",
    )
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "reversa", "edit", bug]
    env = {**os.environ, "TMPDIR": str(drafts)}
    with subprocess.Popen(command, cwd=repo, env=env, stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        os.write(master, f"{answer}\n".encode())
        said = b""
        while piece := _piece(master):
            said += piece
    os.close(master)
    data, kept = record(repo, bug).read_bytes(), list(drafts.glob("reversa-edit-*/bug.md"))
    assert b"(e)dit again" in said and b"Traceback" not in said
    expected = {"d": (before, 0, 0), "e": (before + b"mended", 0, 0), "k": (before, 4, 1)}[answer]
    assert (data, process.returncode, len(kept)) == expected
    assert not kept or str(kept[0]).encode() in said.replace(b"\r\n", b"")


def _piece(master: int) -> bytes:
    try:
        return os.read(master, 4096)
    except OSError:  # the other end is closed
        return b""


def test_the_heading_is_read_from_the_text(cli: Cli, repo: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli, "Old")
    with_editor(monkeypatch, drafts, "text = text.replace('# Old', '# New').replace('title: Old', 'title: New')")
    cli("edit", bug, ok=True)
    assert outline(read(record(repo, bug).read_bytes()).body)[0].title == "New"


@pytest.mark.parametrize(("script", "changed"), [("pass", False), ("text += '\\nBy hand.\\n'", True)])
def test_a_file_of_somebodys_own_stays(
    cli: Cli,
    repo: Path,
    drafts: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    changed: bool,
) -> None:
    bug = new(cli)
    own = tmp_path_factory.mktemp("reversa-edit-mine") / "mine.md"
    beside = own.with_name("beside.md")
    beside.write_text("mine too")
    own.write_bytes(record(repo, bug).read_bytes())
    with_editor(monkeypatch, drafts, script)
    cli("edit", bug, "--draft", str(own), ok=True)
    assert own.is_file() and beside.read_text() == "mine too"
    assert record(repo, bug).read_bytes().endswith(b"By hand.\n") is changed


def test_what_lies_in_the_registry_is_no_draft(
    cli: Cli, shop: Path, drafts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_editor(monkeypatch, drafts, "text += 'x'")
    before = {path: path.read_bytes() for path in (shop / "_reversa_bugs").rglob("*") if path.is_file()}
    for path in before:
        result = cli("edit", "A7K3", "--draft", str(path))
        assert result.code == 4 and "lies in the registry" in result.err
    assert cli("edit", "A7K3", "--draft", str(shop / "gone.md")).code == 2
    assert {path: path.read_bytes() for path in before} == before
