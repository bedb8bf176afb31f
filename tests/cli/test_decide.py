"""A person's decisions: at a real terminal by typing the ID back, elsewhere refused or delegated (registry.md 9)."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reversa.commands.decided import confirm
from reversa.commands.decisions import Person
from reversa.errors import Surroundings
from reversa.store.frontmatter import read

from .conftest import DAY, Cli, git, new, record, tree


def data(cli: Cli, bug: str) -> Any:
    return cli("show", bug, "--json", ok=True).json["data"]


@dataclass(frozen=True)
class Said:
    code: int
    text: str


def at_terminal(repo: Path, *args: str, answer: str, day: str = DAY) -> Said:
    """Run `reversa` with a pseudo-terminal at all three streams and type one line."""
    master, slave = pty.openpty()
    env = {**os.environ, "REVERSA_TODAY": day, "TERM": "dumb", "USER": "ana", "LOGNAME": "ana"}
    command = [sys.executable, "-m", "reversa", *args]
    with subprocess.Popen(command, cwd=repo, env=env, stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        os.write(master, f"{answer}\n".encode())
        said = b""
        while piece := _piece(master):
            said += piece
    os.close(master)
    assert b"Traceback" not in said
    return Said(process.returncode, said.decode().replace("\r\n", "\n"))


def _piece(master: int) -> bytes:
    try:
        return os.read(master, 4096)
    except OSError:  # the other end is closed
        return b""


def closed(cli: Cli) -> str:
    bug = new(cli)
    cli("close", bug, "--as", "invalid", "--reason", "works as meant", ok=True)
    return bug


def lock(repo: Path, bug: str) -> Path:
    return record(repo, bug).with_name("DONE.md")


# --- reopen


def test_a_person_reopens_a_bug(cli: Cli, repo: Path) -> None:
    bug = closed(cli)
    git(repo, "add", "-A")
    assert git(repo, "commit", "-q", "-m", "closed") == ""
    said = at_terminal(repo, "reopen", bug, "--reason", "it came back", answer=bug)
    assert said.code == 0 and f"Reopened {bug}" in said.text, said
    assert not lock(repo, bug).exists()
    shown = data(cli, bug)
    assert (shown["status"], shown["resolution_kind"], shown["closure"]["satisfied"]) == ("active", None, False)
    entry = shown["decisions"][-1]
    assert (entry["what"], entry["via"], entry["reason"]) == ("lock", "terminal", "it came back")
    assert "it came back" in read(record(repo, bug).read_bytes()).body
    assert cli("check", ok=True).code == 0
    cli("update", bug, "--severity", "low", ok=True)


@pytest.mark.parametrize("answer", ["", "yes", "BUG-20260101-AAAA"])
def test_without_the_id_typed_back_nothing_changes(cli: Cli, repo: Path, answer: str) -> None:
    bug = closed(cli)
    before = tree(repo)
    said = at_terminal(repo, "reopen", bug, "--reason", "x", answer=answer)
    assert said.code == 4 and tree(repo) == before


def test_what_nobody_can_pass_on_is_refused_without_a_terminal(cli: Cli, repo: Path) -> None:
    bug = closed(cli)
    secret = cli("new", "Secret", "-c", "checkout", "--security", "--json", ok=True).json["data"]["id"]
    before = tree(repo)
    for command in (["reopen", bug], ["unrestrict", secret]):
        result = cli(*command, "--reason", "x", "--json")
        error = result.json["error"]
        assert result.code == 4 and error["kind"] == "needs-human"
        assert "reversa" not in error["hint"] and "--" not in error["hint"]
    assert tree(repo) == before


def test_reopening_asks_for_a_closed_bug_and_a_reason(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    assert cli("reopen", bug, "--reason", "x").code == 4
    assert cli("reopen", bug).code == 2 and cli("unrestrict", bug).code == 2
    assert "not restricted" in cli("unrestrict", bug, "--reason", "x").err


def test_a_dry_run_of_reopen_is_a_patch(cli: Cli, repo: Path) -> None:
    bug = closed(cli)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "closed")
    before = tree(repo)
    said = at_terminal(repo, "reopen", bug, "--reason", "x", "--dry-run", answer=bug)
    assert said.code == 0 and tree(repo) == before
    patch = said.text[said.text.index("--- a/") : said.text.index("Nothing was written")]
    (repo / "x.diff").write_text(patch)
    git(repo, "apply", "--check", "x.diff")


def test_a_reopening_that_cannot_be_written_leaves_both_files(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reversa.commands import change, reopen
    from reversa.commands.decisions import Person

    bug = closed(cli)
    before = tree(repo)

    def full(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(change, "store", full)
    with pytest.raises(KeyboardInterrupt):
        reopen.reopen(None, bug, Person("", lambda _: bug), "x")
    assert tree(repo) == before


# --- unrestrict


def test_a_person_makes_a_restricted_bug_visible(cli: Cli, repo: Path) -> None:
    bug = cli("new", "Secret", "-c", "checkout", "--security", "--json", ok=True).json["data"]["id"]
    said = at_terminal(repo, "unrestrict", bug, "--visibility", "internal", "--reason", "released", answer=bug)
    assert said.code == 0, said
    shown = data(cli, bug)
    assert shown["visibility"] == "internal" and shown["decisions"][-1]["what"] == "visibility"
    cli("graph", ok=True)
    assert "Secret" in (repo / "_reversa_bugs/checkout/generated/index.md").read_text()


# --- verdict, decisions


def test_a_delegated_verdict_waits_until_a_person_confirms_it(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    assert cli("verdict", bug, "spec-gap").code == 4
    cli("verdict", bug, "spec-gap", "--by", "Rui", "--reason", "no spec", ok=True)
    out = cli("decisions", ok=True).out
    assert f"{bug}  spec_verdict: spec-gap, by Rui on {DAY} (delegated): no spec" in out
    assert cli("decisions", "confirm", bug).code == 4
    said = at_terminal(repo, "decisions", "confirm", bug, answer=bug)
    assert said.code == 0 and "decided by Rui" in said.text, said
    assert "No decision waits" in cli("decisions", ok=True).out
    both = cli("decisions", "--all", "--json", ok=True).json["data"]["decisions"]
    assert [(row["via"], row["value"], row["pending"]) for row in both] == [
        ("delegated", "spec-gap", False),
        ("terminal", "spec-gap", False),
    ]
    assert "nothing" in cli("decisions", "confirm", bug, "--json").json["error"]["kind"]


def test_a_later_decision_of_a_person_settles_an_earlier_delegated_one(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("verdict", bug, "spec-gap", "--by", "Rui", ok=True)
    assert at_terminal(repo, "verdict", bug, "spec-correta", answer=bug).code == 0
    assert "No decision waits" in cli("decisions", ok=True).out


def test_supervised_registries_take_no_delegated_verdict(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    readme = repo / "_reversa_bugs/README.md"
    readme.write_text(readme.read_text() + "\n```yaml\ncontrol_mode: supervised\n```\n")
    text = readme.read_text().replace("control_mode: gated", "control_mode: supervised")
    readme.write_text(text)
    assert cli("verdict", bug, "spec-gap", "--by", "Rui").code == 4
    assert at_terminal(repo, "verdict", bug, "spec-gap", answer=bug.lower()).code == 0


def test_decisions_tell_nothing_of_a_restricted_bug(cli: Cli, repo: Path) -> None:
    bug = cli("new", "Secret", "-c", "checkout", "--security", "--json", ok=True).json["data"]["id"]
    cli("verdict", bug, "spec-gap", "--by", "Rui", "--reason", "hush", ok=True)
    for args in (["decisions"], ["decisions", "--all"], ["decisions", "--json"]):
        out = cli(*args, ok=True).out
        assert bug in out and "restricted" in out and "Rui" not in out and "hush" not in out and "spec" not in out
    assert "hush" in cli("decisions", "--include-restricted", ok=True).out


def test_wrong_usage(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    assert "Did you mean spec-gap?" in cli("verdict", bug, "spec-gab").err
    assert cli("decisions", "confirm").code == 2
    assert cli("decisions", "list", bug).code == 2
    assert cli("decisions", "konfirm").code == 2


# --- renumber


@pytest.fixture
def twins(cli: Cli, repo: Path) -> tuple[str, Path, Path]:
    """Give an ID that two folders carry, and both records; the second links to its evidence."""
    bug = new(cli)
    first = record(repo, bug)
    second = first.parents[2].parent / "stock/bugs" / f"{bug}-copied/bug.md"
    (second.parent / "evidence").mkdir(parents=True)
    (second.parent / "evidence/a.txt").write_text("x")
    second.write_text(first.read_text().replace("display_number: 1", "display_number: 2"))
    (second.parents[2] / "notes.md").write_text(f"See [log](bugs/{bug}-copied/evidence/a.txt).\n")
    return bug, first, second


def test_a_duplicate_gets_another_id(cli: Cli, repo: Path, twins: tuple[str, Path, Path]) -> None:
    bug, first, second = twins
    kept = first.read_bytes()
    refused = cli("renumber", bug, "--reason", "x")
    assert refused.code == 4 and f"stock/bugs/{bug}-copied" in refused.err
    said = at_terminal(repo, "renumber", f"_reversa_bugs/stock/bugs/{bug}-copied/", "--reason", "merge", answer=bug)
    assert said.code == 0, said
    assert first.read_bytes() == kept and not second.exists()
    [folder] = [path for path in second.parents[1].iterdir() if path.name.endswith("-copied")]
    fresh = folder.name.removesuffix("-copied")
    assert fresh.startswith(bug[:-4]) and fresh != bug and (folder / "evidence/a.txt").read_text() == "x"
    shown = data(cli, fresh)
    assert shown["id"] == fresh and f"was {bug}" in shown["decisions"][-1]["reason"]
    assert f"bugs/{fresh}-copied/evidence/a.txt" in (second.parents[2] / "notes.md").read_text()
    assert cli("check", ok=True).code == 0


def test_an_id_that_is_unique_stays(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("renumber", bug, "--reason", "x")
    assert result.code == 4 and "never changes" in result.err


def test_renumbering_is_refused_beside_a_lock(cli: Cli, repo: Path, twins: tuple[str, Path, Path]) -> None:
    bug, first, _ = twins
    first.with_name("DONE.md").write_text("closed\n")
    before = tree(repo)
    result = cli("renumber", f"stock/bugs/{bug}-copied", "--reason", "x")
    assert result.code == 4 and "locked" in result.err and tree(repo) == before


# --- seal


def unsealed(cli: Cli, repo: Path, text: str) -> tuple[str, Path]:
    bug = closed(cli)
    lock(repo, bug).write_bytes(text.encode())
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "locked")
    return bug, lock(repo, bug)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("# DONE\n\nData: 2026-08-01\nresolution_kind: invalid\n\nRead-only.\n", "resolution_kind: invalid\n"),
        ("# DONE\r\n\r\nData: 2026-08-01\r\n\r\nRead-only.\r\n", "Data: 2026-08-01\r\n"),
        ("Fechado em 2026-08-01", "Fechado em 2026-08-01\n"),
    ],
)
def test_a_seal_is_one_line_and_verifies(cli: Cli, repo: Path, text: str, head: str) -> None:
    bug, file = unsealed(cli, repo, text)
    cli("seal", bug, ok=True)
    after = file.read_bytes().decode()
    at = after.index("seal: sha256:")
    line = after[at : after.index("\n", at) + 1]
    assert after[:at].endswith(head) and after.replace(line, "") in (text, text + "\n")
    assert cli("check", ok=True).code == 0
    (file.parent / "late.txt").write_text("x")
    assert "RV211" in cli("check").out
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "late")
    assert "RV210" in cli("check").out
    again = file.read_bytes()
    assert "sealed already" in cli("seal", bug, ok=True).err and file.read_bytes() == again


def test_a_folder_that_changed_since_is_not_sealed(cli: Cli, repo: Path) -> None:
    bug, file = unsealed(cli, repo, "closed 2026-08-01\n")
    before = file.read_bytes()
    (file.parent / "late.txt").write_text("x")
    result = cli("seal", bug)
    assert result.code == 4 and "late.txt" in result.err and file.read_bytes() == before


def test_only_text_locks_are_sealed(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    assert cli("seal", bug).code == 4
    other, file = unsealed(cli, repo, "x")
    file.write_bytes("closed".encode("utf-16"))
    git(repo, "commit", "-qam", "utf-16")
    assert cli("seal", other).code == 4


def test_a_dry_run_of_seal(cli: Cli, repo: Path) -> None:
    bug, file = unsealed(cli, repo, "closed 2026-08-01\n")
    diff = json.loads(cli("seal", bug, "--dry-run", "--json", ok=True).out)["data"]["diff"]
    assert "+seal: sha256:" in diff and "seal" not in file.read_text()


@pytest.mark.parametrize("slip", [("spec-gap", "spec-correta"), ("by: Ana", "by: Eve")])
def test_what_was_read_out_is_what_is_confirmed(cli: Cli, repo: Path, slip: tuple[str, str]) -> None:
    """Somebody who changes the record while the person reads the question gets nothing confirmed."""
    bug = new(cli)
    cli("verdict", bug, "spec-gap", "--by", "Ana", ok=True)
    path = record(repo, bug)

    def ask(question: str) -> str:
        assert "spec-gap" in question and "Ana" in question
        path.write_text(path.read_text().replace(*slip))
        return bug

    with pytest.raises(Surroundings, match="changed by someone else"):
        confirm(None, [bug], Person("", ask), "")
    assert "terminal" not in path.read_text()


def test_a_question_cannot_be_rewritten_by_the_record(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("verdict", bug, "spec-gap", "--by", "Ana", ok=True)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("by: Ana", 'by: "Ana\\e[2K\\r\\u202eIs it you?"'))
    said = at_terminal(repo, "decisions", "confirm", bug, answer="no")
    assert "\x1b[2K" not in said.text and "\u202e" not in said.text and "\\u001b" in said.text
