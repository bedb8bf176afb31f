"""Streams, exit codes, JSON and colour: what cli.md promises of every command."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from reversa.cli.app import COMMANDS, GROUPS, GUESSES

from .conftest import DAY, Cli, new, record, tree

GOOD: dict[str, list[str]] = {
    "init": [],
    "new": ["x", "-c", "checkout"],
    "next": ["-n", "3"],
    "list": [],
    "show": ["A7K3"],
    "update": ["A7K3", "--priority", "P0"],
    "evidence": ["add", "A7K3", "README.md"],
    "intake": ["checkout", "README.md"],
    "edit": ["A7K3"],
    "link": ["A7K3", "related-to", "D5RK"],
    "unlink": ["A7K3", "caused-by", "T4WN"],
    "close": ["E5QA", "--as", "invalid", "--reason", "x"],
    "release": ["A7K3"],
    "check": [],
    "graph": [],
    "rules": [],
    "verdict": ["A7K3", "spec-gap", "--by", "Ana"],
    "decisions": [],
    "seal": ["R6MZ"],
    "taxonomy": ["list", "module"],
    "schema": [],
    "migrate": [],
    "hooks": ["status"],
    "completion": ["bash"],
}


@pytest.fixture(autouse=True)
def editor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `edit` find an editor that needs no terminal."""
    monkeypatch.setenv("EDITOR", "true")


PERSONAL = {"reopen": ["R6MZ"], "unrestrict": ["X2HT"], "renumber": ["A7K3"]}
"""Commands that need a person at a terminal, whatever they are given (tests/cli/test_decide.py)."""


def test_every_command_has_a_good_call_here() -> None:
    assert set(GOOD) | set(PERSONAL) == set(COMMANDS)


@pytest.mark.parametrize("command", PERSONAL)
def test_what_needs_a_person_is_refused_in_one_object(cli: Cli, shop: Path, command: str) -> None:
    result = cli(command, *PERSONAL[command], "--reason", "x", "--json")
    assert result.code == 4 and result.err == "" and result.out.count("\n") == 1
    assert list(result.json) == ["schema", "command", "ok", "data", "findings", "error"]


@pytest.mark.parametrize("command", GOOD)
def test_json_is_one_object_with_keys_in_order_and_no_talk(cli: Cli, shop: Path, command: str) -> None:
    result = cli(command, *GOOD[command], "--json")
    assert result.code == 0, result
    assert result.err == "" and result.out.count("\n") == 1 and "\x1b" not in result.out
    assert list(result.json) == ["schema", "command", "ok", "data", "findings"]
    assert (result.json["schema"], result.json["command"], result.json["ok"]) == ("reversa/1", command, True)


@pytest.mark.parametrize("command", GOOD)
def test_an_unknown_option_is_exit_2_with_an_error_object(cli: Cli, shop: Path, command: str) -> None:
    result = cli(command, *GOOD[command], "--json", "--no-such-option")
    assert result.code == 2 and result.json["ok"] is False
    assert {"kind", "message", "hint"} <= set(result.json["error"])


@pytest.mark.parametrize("command", sorted(GOOD.keys() - {"completion", "hooks", "init", "rules", "schema"}))
def test_outside_a_registry_is_exit_5_and_names_init(cli: Cli, empty: Path, command: str) -> None:
    result = cli(command, *GOOD[command])
    assert result.code == 5 and "reversa init" in result.err and result.out == ""
    result = cli(command, *GOOD[command], "--json")
    assert result.code == 5 and result.json["error"]["kind"] == "no-registry"


@pytest.mark.parametrize("command", GOOD)
def test_every_command_explains_itself(cli: Cli, empty: Path, command: str) -> None:
    out = cli(command, "--help", ok=True).out
    assert f"reversa {command}" in out and len(out.split("\n")) > 5


def test_help_shows_everyday_commands_in_groups_and_all_the_rest_on_request(cli: Cli, empty: Path) -> None:
    out = cli("--help", ok=True).out
    shown = [name for names in GROUPS.values() for name in names]
    assert len(shown) <= 14 and len(GROUPS) == 3
    assert all(f"  {name}" in out for name in shown) and "\n  schema" not in out
    assert max(map(len, out.split("\n"))) <= 80
    assert "schema" in cli("help", "--all", ok=True).out


@pytest.mark.parametrize("guess", GUESSES)
def test_guessed_verbs_are_answered_with_ours(cli: Cli, empty: Path, guess: str) -> None:
    result = cli(guess, "x")
    assert result.code == 2 and f"reversa {GUESSES[guess]}?" in result.err


def test_a_misspelt_command(cli: Cli, empty: Path) -> None:
    assert "reversa check?" in cli("chekc").err
    assert "reversa --help" in cli("zzzzz").err


def test_reversa_alone_outside_a_registry(cli: Cli, empty: Path) -> None:
    assert "reversa init" in cli(ok=True).out


def test_a_defect_is_one_line_and_the_traceback_a_file(cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("reversa.store.registry.load", broken)
    result = cli("list")
    assert result.code == 3 and len(result.err.strip().split("\n")) == 1
    log = Path(result.err.split("The traceback is in ")[1].split(";")[0])
    assert "boom" in log.read_text()
    log.unlink()
    error = cli("list", "--json").json["error"]
    assert error["kind"] == "defect"
    Path(error["log"]).unlink()


def start(args: list[str], cwd: Path, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "reversa", *args],
        cwd=cwd,
        env={**os.environ, "REVERSA_TODAY": DAY, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_closed_pipe_is_exit_141_without_a_word(shop: Path) -> None:
    with start(["schema"], shop) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == b""


def test_a_c_locale_never_ends_in_a_traceback(shop: Path, cli: Cli) -> None:
    cli("update", "A7K3", "--title", "ação 中文", ok=True)
    process = start(["list"], shop, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    out, err = process.communicate()
    assert process.returncode == 0 and err == b"" and b"\\u4e2d" in out


def test_colour_follows_the_flags(cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in cli("list").out
    assert "\x1b" in cli("list", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in cli("list").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in cli("list").out
    assert "\x1b" not in cli("list", "--color", "never").out
    assert cli("list", "--color", "sometimes").code == 2


def at_terminal(args: list[str], cwd: Path, answer: str, question: str = "to confirm") -> tuple[int, str]:
    """Run a command with a real pseudo-terminal at both ends and type one answer."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "reversa", *args],
        cwd=cwd,
        env={**os.environ, "REVERSA_TODAY": DAY, "TERM": "xterm", "COLUMNS": "80"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        close_fds=True,
    )
    os.close(terminal)
    out, answered = b"", False
    while True:
        ready, _, _ = select.select([controller], [], [], 30)
        try:
            data = os.read(controller, 4096) if ready else b""
        except OSError:
            data = b""
        if not data:
            break
        out += data
        if question.encode() in out and not answered:
            os.write(controller, answer.encode() + b"\n")
            answered = True
    os.close(controller)
    return process.wait(), out.decode()


def test_a_decision_at_a_terminal_is_the_id_typed_back(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    code, out = at_terminal(["update", bug, "--set", "spec_verdict=spec-correta"], repo, "yes")
    assert code == 4 and "not typed back" in out
    assert cli("show", bug, "--json").json["data"]["spec_verdict"] is None
    code, out = at_terminal(["update", bug, "--set", "spec_verdict=spec-correta", "--by", "Ana"], repo, bug.lower())
    assert code == 0, out
    (decision,) = cli("show", bug, "--json").json["data"]["decisions"]
    assert (decision["by"], decision["via"]) == ("Ana", "terminal")


def test_a_migration_at_a_terminal_shows_its_diff_and_asks(cli: Cli, repo: Path) -> None:
    path = record(repo, new(cli))
    path.write_text(path.read_text().replace("created:", "created_at:"))
    before = tree(repo)
    code, out = at_terminal(["migrate", "--class", "dates"], repo, "n", "[y/N]")
    assert code == 4 and "+created: " in out and "Nothing was written." in out
    assert tree(repo) == before
    code, out = at_terminal(["migrate", "--class", "dates"], repo, "y", "[y/N]")
    assert code == 0 and "Write this to 1 record?" in out and "Migrated" in out
    assert "created_at" not in path.read_text()


def test_json_keeps_the_question_off_stdout(cli: Cli, repo: Path) -> None:
    result = cli("update", new(cli), "--set", "spec_verdict=spec-correta", "--json")
    assert json.loads(result.out)["error"]["kind"] == "needs-human"


def test_options_may_stand_before_the_command(cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.parent)
    assert cli("--registry", str(shop), "--json", "list", ok=True).json["command"] == "list"
    assert cli(f"--registry={shop}", "check", "--strict", ok=True)
    assert "schema" in cli("--help", "--all", ok=True).out


def test_help_of_a_command_and_help_as_json(cli: Cli, empty: Path) -> None:
    assert "--duplicate-of" in cli("help", "close", ok=True).out
    assert "new" in cli("help", "--json", ok=True).json["data"]["commands"]
    assert cli("help", "clsoe").code == 2


def test_colour_of_errors_follows_the_option_too(cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" in cli("show", "ZZZZ", "--color", "always").err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in cli("show", "ZZZZ", "--color=never").err


@pytest.mark.parametrize("command", ["init", "new", "update", "evidence", "intake", "link", "unlink", "close", "graph"])
def test_every_writer_has_a_dry_run_that_gives_the_diff_and_changes_nothing(cli: Cli, shop: Path, command: str) -> None:
    (shop / "_reversa_bugs/checkout/generated/index.md").write_text("x\n")
    stale = tree(shop)
    result = cli(command, *GOOD[command], "--dry-run", "--json")
    assert result.code == 0, result.out
    if command == "init":  # a registry is there: nothing would be made
        assert "diff" not in result.json["data"]
    else:
        assert result.json["data"]["diff"].startswith("--- ")
    assert tree(shop) == stale


def test_version_is_one_line(empty: Path) -> None:
    process = start(["--version"], empty)
    out, _ = process.communicate()
    assert process.returncode == 0 and out.startswith(b"reversa ") and out.count(b"\n") == 1


def test_arguments_that_are_no_text_are_refused(cli: Cli, shop: Path) -> None:
    for args in (["new", "a\udcffb", "-c", "x"], ["update", "A7K3", "--set", "title=a\udcff"], ["list", "a\0b"]):
        result = cli(*args)
        assert result.code == 2 and "not UTF-8" in result.err


def test_what_the_surroundings_refuse_is_exit_5(cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "x" * 5000
    assert cli("new", "x", "-c", "checkout", "--evidence", long).code in (2, 5)
    assert cli("init", "--registry", long).code == 5
    (shop / "reversa.toml").write_text("registry = " + "9" * 5000 + "\n")
    assert cli("list").code == 2

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    (shop / "reversa.toml").unlink()
    monkeypatch.setattr("reversa.store.registry.load", full)
    result = cli("list")
    assert result.code == 5 and "No space left" in result.err


def test_values_that_are_too_deep_or_too_long_are_refused(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    before = tree(repo)
    assert cli("update", bug, "--set", "data_impact=" + "[" * 500 + "1" + "]" * 500).code in (2, 4)
    assert cli("update", bug, "--set", f"labels[{'9' * 5000}]=x").code == 2
    assert tree(repo) == before


def test_closed_streams_are_no_defect(shop: Path) -> None:
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        command = f"{sys.executable} -m reversa update A7K3 --priority P0 --dry-run {closed}"
        done = subprocess.run(["bash", "-c", command], cwd=shop, capture_output=True, check=False)
        assert done.returncode == 0, (closed, done.stderr)


SLIPS = [
    ("lst", "Did you mean reversa list?"),
    ("help updat", "Did you mean reversa update?"),
    ("update A7K3 --sevrity high", "Did you mean --severity?"),
    ("next --limt 3", "Did you mean --limit?"),
    ("list --sort impct", "Did you mean impact?"),
    ("list --status opn", "Did you mean open?"),
    ("list -c chekout", "Did you mean checkout?"),
    ("list --area slaes", "Did you mean sales?"),
    ("graph chekout", "Did you mean checkout?"),
    ("show A7K4", "Did you mean A7K3?"),
    ("rules RV23", "Did you mean RV"),
    ("check --select RV2311", "Did you mean RV231?"),
    ("close A7K3 --as fixd", "Did you mean fixed?"),
    ("link 7 caused-bi 6", "Did you mean caused-by?"),
    ("taxonomy lst", "Did you mean list?"),
    ("evidence ad 7 x", "Did you mean add?"),
    ("verdict A7K3 spec-corecta", "Did you mean spec-correta?"),
    ("decisions confrm", "Did you mean confirm?"),
    ("new x -c y --origin gitlab", "Did you mean gitlab-issue?"),
    ("new x -c y --area slaes", "sales"),
    ("update 7 --set statu=active", "Did you mean status?"),
    ("update 7 --set severity=hihg", "Did you mean high?"),
    ("update 7 --section Sumary=x", "Did you mean Summary?"),
    ("migrate --class renamed", "renamed"),
    ("completion bsh", "Did you mean bash?"),
    ("init --lang pr", "One of en, pt, es."),
    ("list --color alway", "Did you mean always?"),
]


@pytest.mark.parametrize(("line", "meant"), SLIPS)
def test_a_slip_is_answered_with_what_was_meant(cli: Cli, shop: Path, line: str, meant: str) -> None:
    result = cli(*line.split())
    assert result.code == 2 and meant in result.err and len(result.err.splitlines()) == 2, result.err
