"""Runs what the documentation shows.

A fenced block of the kind `console` holds lines that start with `$ `, each followed by what the command prints. The
word after `console` says where it runs:

    console example     in a copy of registry-example/ with a git history
    console empty       in an empty git repository
    console checkout    in a clone of this repository: not run here, its `make` targets must exist

Blocks of one place in one page share a folder, in order, so that a tour can be told; `fresh` after the word starts
anew. A command ends with exit code 0, or with the one that a trailing `# exit N` announces. `\\` continues a line.
Where output is shown it is compared: `…` in a line stands for anything, a line of `…` alone for any number of lines.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,})(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=indent)(?P=fence) *$", re.M | re.S
)
EXIT = re.compile(r"\s+# exit (\d+)$")
PLACES = ("example", "empty", "checkout")


@dataclass
class Command:
    """A command of a page, the exit code it should have, and the output that the page shows, if any."""

    line: int
    text: str
    code: int = 0
    shown: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Block:
    """A console block: its place, whether it starts anew, and its commands."""

    page: str
    line: int
    place: str
    fresh: bool
    commands: tuple[Command, ...]


def fences(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, info string and body of every fenced block."""
    for match in FENCE.finditer(text):
        indent = len(match["indent"])
        body = "\n".join(line[indent:] for line in match["body"].split("\n"))
        yield text.count("\n", 0, match.start()) + 1, match["info"].strip(), body.removesuffix("\n")


def blocks(page: Path) -> list[Block]:
    """Give the console blocks of a page; raises ValueError for one that does not say where it runs."""
    out = []
    for line, info, body in fences(page.read_text("utf-8")):
        words = info.split()
        if not words or words[0] != "console":
            continue
        if len(words) < 2 or words[1] not in PLACES or words[2:] not in ([], ["fresh"]):
            raise ValueError(
                f"{page.name}:{line}: a console block is one of {PLACES}, then perhaps fresh; not {info!r}"
            )
        out.append(Block(page.name, line, words[1], "fresh" in words, tuple(_commands(body, line))))
    return out


def _commands(body: str, start: int) -> Iterator[Command]:
    current: Command | None = None
    continued = False
    for number, line in enumerate(body.split("\n"), start + 1):
        if continued and current:
            current.text += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            if current:
                yield _finished(current)
            current = Command(number, line[2:])
        elif current:
            current.shown.append(line)
        else:
            raise ValueError(f"line {number}: output without a command: {line!r}")
        continued = current is not None and not current.shown and current.text.endswith("\\")
    if current:
        yield _finished(current)


def _finished(command: Command) -> Command:
    announced = EXIT.search(command.text)
    if announced:
        command.text, command.code = command.text[: announced.start()], int(announced[1])
    while command.shown and not command.shown[-1].strip():
        command.shown.pop()
    return command


COLUMNS = 80
"""The width of the reader's terminal; what the pages show fits it."""

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def run(command: Command, folder: Path, env: dict[str, str]) -> str:
    """Run a command as the reader would, at a terminal, and say what differs from the page; empty when nothing does."""
    code, printed = at_terminal(["bash", "-c", command.text], folder, env)
    if code != command.code:
        return f"exit code {code}, not {command.code}:\n{printed}"
    if command.shown and not matches(command.shown, printed):
        shown = "\n".join(command.shown)
        return f"the page shows\n{shown}\n\nit prints\n{printed}"
    return ""


def at_terminal(words: list[str], folder: Path, env: dict[str, str]) -> tuple[int, str]:
    """Run a program at a pseudo-terminal of COLUMNS columns; gives its exit code and what stood there, without colour.

    Whoever is asked something there gets the end of the input for an answer.
    """
    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    env = {name: value for name, value in env.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    env |= {"TERM": "xterm-256color", "GIT_PAGER": "cat", "PAGER": "cat"}
    with subprocess.Popen(
        words, cwd=folder, env=env, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
    ) as process:
        os.close(terminal)
        os.write(reader, b"\x04")
        out = b""
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError:  # Linux says so when nobody holds the other end any more
                break
            if not piece:
                break
            out += piece
    os.close(reader)
    return process.returncode, _ANSI.sub("", out.decode()).replace("\r\n", "\n").replace("^D\b\b", "")


def matches(shown: list[str], printed: str) -> bool:
    """Whether output is what a page shows, `…` standing for anything."""
    pattern = "".join(
        r"(?:[^\n]*\n)*" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", "[^\n]*") + r"[ \t]*\n"
        for line in shown
    )
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None
