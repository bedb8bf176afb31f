"""`reversa seal`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, Registry, report
from reversa.cli.output import Terminal


def seal(
    bugs: Annotated[list[str], typer.Argument(metavar="BUG...", help="One or more locked bugs.")],
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Add a seal to locks that have none.

    The seal line is all that changes in DONE.md. The folder must be as it was committed.
    """
    from reversa.commands.sealing import add_seals

    terminal = Terminal(json=json, color=color)
    out = add_seals(registry, bugs, dry_run=dry_run)
    return report(terminal, "seal", out, [f"Sealed {entry['id']}" for entry in out.data["bugs"]])
