"""`reversa graph`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, Registry, report
from reversa.cli.output import Terminal
from reversa.report.text import plural, safe


def graph(
    contexts: Annotated[list[str] | None, typer.Argument(metavar="[CONTEXT]...", help="Only these contexts.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when a view is stale.")] = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Draw the views of all contexts; with --check only compare them."""
    from reversa.commands import graph as command

    terminal = Terminal(json=json, color=color)
    out = command.graph(registry, tuple(contexts or ()), check=check, dry_run=dry_run)
    if json or out.diff is not None:
        return report(terminal, "graph", out, [])
    written, stale, unchanged = out.data["written"], out.data["stale"], out.data["unchanged"]
    if check or dry_run:
        lines = [*(f"differs  {safe(path)}" for path in stale)]
        verb = "is missing or stale" if len(stale) == 1 else "are missing or stale"
        lines.append(
            f"{plural(len(stale), 'view')} {verb}, {unchanged} current. reversa graph draws them."
            if stale
            else f"All {plural(unchanged, 'view')} are current."
        )
    else:
        lines = [
            *(f"wrote  {safe(path)}" for path in written),
            f"{plural(len(written), 'view')} written, {unchanged} unchanged.",
        ]
    terminal.lines(lines)
    terminal.say(*out.notes)
    return out.exit_code
