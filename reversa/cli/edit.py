"""`reversa edit`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, NoViews, Registry, report, written
from reversa.cli.output import Terminal
from reversa.errors import Refused

_CHOICES = {"e": "edit", "d": "discard", "k": "keep"}


def edit(
    bug: Annotated[str, typer.Argument(metavar="BUG", help="The bug whose record to edit.")],
    draft: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a draft that was kept, instead of the record.")
    ] = None,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Edit a record in $VISUAL or $EDITOR; it is installed only if it adds no error.

    The editor gets a copy. A text that would add an error can be edited again, discarded or kept as a draft.
    """
    from reversa.commands import edit as command
    from reversa.store import editor

    terminal = Terminal(json=json, color=color)
    at_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stderr))
    if not at_terminal and not editor.named_editor():
        raise Refused(
            "There is no terminal for an editor.",
            f"Set EDITOR to a command that needs none, or use reversa update {bug} --section NAME=TEXT",
            kind="needs-terminal",
        )

    def choose(problems: Sequence[str]) -> str:
        terminal.say(*problems)
        try:
            answer = typer.prompt("(e)dit again, (d)iscard, or (k)eep the draft", default="e", err=True)
        except typer.Abort:
            return "keep"
        return _CHOICES.get(str(answer).strip().lower()[:1], "edit")

    tools = command.Tools(editor.run, choose if at_terminal and not json else None)
    out = command.edit(registry, bug, tools, draft=draft, views=not no_views, dry_run=dry_run)
    return report(terminal, "edit", out, written(out))
