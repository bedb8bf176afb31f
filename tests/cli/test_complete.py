"""Completion: what it offers, and that real shells show it."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reversa.cli.app import COMMANDS
from reversa.cli.candidates import SOURCES, source_of
from reversa.cli.grammar import GRAMMAR

from .conftest import Cli

OPEN, LOCKED = "BUG-20260715-A7K3", "BUG-20260616-R6MZ"


def offered(cli: Cli, *words: str) -> list[str]:
    return [line.split("\t")[0] for line in cli("__complete", "--", *words, ok=True).out.splitlines()]


def parameters() -> list[tuple[str, str]]:
    return [
        (command, name) for command, params in GRAMMAR.items() for name, _, nature, _ in params if "flag" not in nature
    ]


@pytest.mark.parametrize(("command", "parameter"), parameters())
def test_every_parameter_says_what_completes_it(command: str, parameter: str) -> None:
    assert source_of(command, parameter) is not None


def test_the_table_names_no_parameter_that_is_gone() -> None:
    known = {name for pair in parameters() for name in (".".join(pair), pair[1])}
    assert set(SOURCES) - known == set()


CASES: list[tuple[list[str], set[str], set[str]]] = [
    (["up"], {"update"}, {"unlink"}),
    ([""], {"new", "check", "help", "migrate"}, set()),
    (["update", "--sev"], {"--severity"}, {"--set"}),
    (["update", OPEN, "--severity", ""], {"critical", "low"}, {"P0"}),
    (["update", OPEN, "--severity=h"], {"--severity=high"}, {"high"}),
    (["update", OPEN, "--severity", "low", "--s"], {"--set", "--section"}, {"--severity"}),
    (["update", "BUG-20260715"], {OPEN}, set()),
    (["update", "bug-"], {OPEN}, {LOCKED}),
    (["update", OPEN, "BUG"], set(), {OPEN}),
    (["show", "R6"], {"R6MZ"}, {LOCKED}),
    (["reopen", ""], {LOCKED}, {OPEN}),
    (["update", OPEN, "--set", "traceability.root"], {"traceability.root_cause.state="}, {"traceability.specs="}),
    (["update", OPEN, "--set", "phase=o"], {"phase=observing"}, {"observing"}),
    (["update", OPEN, "--set", "module="], {"module=unclassified", "module=cart"}, set()),
    (["update", OPEN, "--set", "security_suspected="], {"security_suspected=true"}, set()),
    (["update", OPEN, "--set", "i"], set(), {"id="}),
    (["update", OPEN, "--add", "l"], {"labels="}, {"title="}),
    (["update", OPEN, "--section", "Exp"], {"Expected Behavior="}, set()),
    (["new", "x", "-c", "c"], {"catalogue-search", "checkout"}, {"generated"}),
    (["new", "x", "--area", ""], {"unclassified"}, set()),
    (["new", "--evidence", ""], {":files"}, set()),
    (["close", OPEN, "--as", "d"], {"duplicate"}, {"fixed"}),
    (["link", OPEN, "re"], {"related-to", "regression-of"}, set()),
    (["link", OPEN, "caused-by", ""], {LOCKED}, {OPEN}),
    (["check", "ch"], {"checkout"}, set()),
    (["check", "--select", "RV101,RV10"], {"RV101,RV102"}, {"RV102"}),
    (["rules", "RV23"], {"RV231"}, {"RV101"}),
    (["taxonomy", ""], {"list", "add", "rename"}, set()),
    (["taxonomy", "rename", "mo"], {"module"}, set()),
    (["taxonomy", "rename", "module", ""], {"cart"}, set()),
    (["help", "che"], {"check"}, set()),
    (["migrate", "--class", ""], {"flat-layout", "renamed-keys"}, set()),
    (["verdict", OPEN, ""], {"spec-gap"}, set()),
    (["list", "--", "--all"], set(), {"--all"}),
    (["nothing", ""], set(), {"new"}),
]


@pytest.mark.parametrize(("words", "there", "absent"), CASES)
def test_what_is_offered(cli: Cli, shop: Path, words: list[str], there: set[str], absent: set[str]) -> None:
    found = offered(cli, *words)
    assert there <= set(found) and not absent & set(found), found
    assert len(found) == len(set(found))


def test_without_a_registry_words_are_offered_and_bugs_are_not(cli: Cli, empty: Path) -> None:
    assert offered(cli, "update", "") == []
    assert offered(cli, "list", "--status", "") == ["open", "active", "resolved"]


def test_a_registry_that_is_named_is_looked_into(cli: Cli, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop.parent)
    assert OPEN in offered(cli, "show", "--registry", str(shop), "")


def test_names_that_would_act_on_a_terminal_are_left_out(cli: Cli, shop: Path) -> None:
    (shop / "_reversa_bugs/evil\x1b[31m/bugs").mkdir(parents=True)
    assert not any("evil" in name for name in offered(cli, "graph", ""))


def test_a_restricted_bug_is_its_bare_id(cli: Cli, repo: Path) -> None:
    cli("new", "Leaky token", "-c", "checkout", "--security", ok=True)
    folder = next((repo / "_reversa_bugs/checkout/bugs").iterdir())
    folder.rename(folder.with_name(f"{folder.name}-leaky-token"))
    assert offered(cli, "show", "") == [folder.name[:17]]


@pytest.mark.parametrize(
    ("line", "piece", "expected"),
    [
        ("reversa update A7K3 --set severity=h", "h", ["high"]),
        ("reversa update A7K3 --set severity=", "=", ["critical", "high", "medium", "low"]),
        ("reversa update A7K3 --set 'severity=h", "'severity=h", ["severity=high"]),
        ("reversa update A7K3 --section 'Exp", "'Exp", ["Expected Behavior="]),
        ("reversa upd", "upd", ["update"]),
        ("reversa ", "", [*COMMANDS, "help"]),
    ],
)
def test_bash_replaces_a_piece_of_the_word(cli: Cli, shop: Path, line: str, piece: str, expected: list[str]) -> None:
    found = cli("__complete", line, piece, ok=True).out.splitlines()
    assert [text.split("\t")[0] for text in found] == expected


@pytest.fixture
def shell_env(shop: Path, cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `reversa-bugs` is this Python's, with a home of its own."""
    home = tmp_path_factory.mktemp("home")
    (home / "bin").mkdir()
    for name in ("reversa", "reversa-bugs"):
        (home / "bin" / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reversa "$@"\n')
        (home / "bin" / name).chmod(0o755)
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "PATH": path, "TERM": "dumb"}


def installed(name: str) -> None:
    if shutil.which(name) is None:
        assert not os.environ.get("CI"), f"{name} is missing: .ci/run installs it"
        pytest.skip(f"{name} is not installed")


class Shell:
    """An interactive shell at a pseudo-terminal, with our script read in."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        os.close(slave)
        self.seen = ""

    def type(self, text: str, until: str) -> str:
        """Type a text and give what the terminal showed up to an expected one; fails after half a minute."""
        os.write(self.master, text.encode())
        at = len(self.seen)
        while until not in re.sub("\x1b\\[[0-9;?]*[a-zA-Z]|\x07", "", self.seen[at:]):
            ready, _, _ = select.select([self.master], [], [], 30)
            assert ready, f"{until!r} did not come: {self.seen[at:]!r}"
            self.seen += os.read(self.master, 4096).decode(errors="replace")
        return self.seen[at:]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


START = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set enable-bracketed-paste off'; PS1=REA''DY; . ./script\n",
    ),
    "zsh": (["zsh", "-f", "-i"], "PS1=REA''DY; autoload -Uz compinit; compinit -u -D; . ./script\n"),
}
TYPED = [
    ("reversa upd", "reversa update "),
    ("reversa show BUG-20260715-A", f"show {OPEN} "),
    ("reversa show A7", "show A7K3 "),
    ("reversa update A7K3 --set phase=ob", "phase=observing "),
    ("reversa update A7K3 --severity=h", "--severity=high "),
    ("reversa update A7K3 --set closure.pol", "closure.policy="),
    ("reversa link A7K3 du", "duplicate-of "),
    ("reversa new x --evidence scr", "--evidence script "),
]


@pytest.mark.parametrize("name", START)
def test_a_shell_completes(cli: Cli, shop: Path, shell_env: dict[str, str], name: str) -> None:
    installed(name)
    Path("script").write_text(cli("completion", name, ok=True).out)
    command, start = START[name]
    shell = Shell(command, shell_env)
    try:
        shell.type(start, "READY")
        for text, expected in TYPED:
            shell.type(f"\x15{text}\t", expected)  # Ctrl-U empties the line first
    finally:
        shell.close()


def test_fish_completes(cli: Cli, shop: Path, shell_env: dict[str, str]) -> None:
    installed("fish")
    Path("script").write_text(cli("completion", "fish", ok=True).out)

    def reply(line: str) -> list[str]:
        command = ["fish", "-c", f"source script; complete -C '{line}'"]
        done = subprocess.run(command, env=shell_env, capture_output=True, text=True, check=True, timeout=60)
        return [text.split("\t")[0] for text in done.stdout.splitlines()]

    assert reply("reversa upd") == ["update"]
    assert OPEN in reply("reversa show BUG-")
    assert reply("reversa update A7K3 --severity h") == ["high"]
    assert reply("reversa update A7K3 --set phase=ob") == ["phase=observing"]
    assert "script" in reply("reversa new x --evidence scr")
