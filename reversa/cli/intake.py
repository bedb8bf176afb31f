"""`reversa intake`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, Registry, here, report
from reversa.cli.output import Terminal


def intake(
    context: Annotated[str, typer.Argument(help="A feature, module or use case, as with new -c.")],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Screenshots and other files of the report.")
    ] = None,
    text: Annotated[str, typer.Option(metavar="TEXT|@FILE|-", help="What was reported, in those words.")] = "",
    reporter: Annotated[str, typer.Option("--from", metavar="NAME", help="Who reported it.")] = "",
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Keep a report as it came, before there is a record: intake/report-<day>-<time>.md.

    The files are copied beside it, images shown in it. A TEXT of - is read from standard input. new --from-intake makes
    a record of it, or several, and the report names them. The checks of files are those of reversa evidence.
    """
    from reversa.commands import intake as command
    from reversa.store.files import text_option

    terminal = Terminal(json=json, color=color)
    out = command.take_in(
        registry, context, files or (), text_option(text, sys.stdin.buffer), reporter, dry_run=dry_run
    )
    lines = [
        f"Taken in: {here(out.file)}",
        f"Next: reversa new TITLE -c {out.data['context']} --from-intake {out.file.name}",
    ]
    return report(terminal, "intake", out, lines)
