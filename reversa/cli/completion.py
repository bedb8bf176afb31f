"""`reversa completion`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli import shells
from reversa.cli.options import Color, Json
from reversa.cli.output import Terminal
from reversa.cli.words import one_of


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Print the script that lets a shell complete commands, options, bugs, contexts, key routes and values.

    bash: eval "$(reversa completion bash)" in ~/.bashrc. zsh: the same with zsh in ~/.zshrc, behind compinit.
    fish: reversa completion fish > ~/.config/fish/completions/reversa.fish.
    """
    terminal = Terminal(json=json, color=color)
    one_of("completion", shell, tuple(shells.SCRIPTS))
    if terminal.json:
        terminal.emit("completion", {"shell": shell, "script": shells.SCRIPTS[shell]})
    else:
        terminal.lines([shells.SCRIPTS[shell].strip("\n")])
    return 0
