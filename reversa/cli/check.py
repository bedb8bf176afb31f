"""`reversa check`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, IncludeRestricted, Json, Registry, here
from reversa.cli.output import Terminal
from reversa.report.text import check_lines


def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[CONTEXT|BUG]...", help="Show only these; all are checked.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    select: Annotated[str, typer.Option(metavar="CODES", help="Only these rules, such as RV3,RV231.")] = "",
    ignore: Annotated[str, typer.Option(metavar="CODES", help="Not these warnings.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Show each warning.")] = False,
    locked: Annotated[bool, typer.Option("--locked", help="Show warnings inside locked bugs too.")] = False,
    include_restricted: IncludeRestricted = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Check every rule; errors and warnings with positions."""
    from reversa.commands import check as command
    from reversa.commands.workspace import open_workspace

    terminal = Terminal(json=json, color=color)
    options = command.Options(
        tuple(names or ()),
        strict,
        _codes(select),
        _codes(ignore),
        everything or json,
        locked,
        include_restricted,
    )
    ws = open_workspace(registry, seals=True)
    out = command.check(ws, options)
    if json:
        terminal.emit("check", out.data, out.findings, out.exit_code)
        return out.exit_code
    terminal.lines(
        check_lines(
            out.data,
            out.errors,
            out.warnings,
            out.groups,
            columns=min(terminal.columns, 120),
            prefix=f"{here(ws.layout.root)}/",
            locked=locked,
            paint=terminal.paint,
        )
    )
    return out.exit_code


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in text.replace(" ", ",").split(",") if code.strip())
