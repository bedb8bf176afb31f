"""`reversa release`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, Registry, report
from reversa.cli.output import Terminal
from reversa.report.text import safe


def release(
    bug: Annotated[str, typer.Argument(metavar="BUG", help="The bug to give back.")],
    by: Annotated[str, typer.Option("--by", "--claim", metavar="NAME", help="Who holds it.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Give it back whoever holds it.")] = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Give back a bug that next --claim took."""
    from reversa.commands.claim import release as command
    from reversa.core import lease

    terminal = Terminal(json=json, color=color)
    name = lease.holder("--by", by) if by else ""
    out = command(registry, bug, name, force=force, dry_run=dry_run)
    [done] = out.data["bugs"]
    lines = [safe(f"Released {done['id']}, held by {done['released']['by']}")] if done["released"] else []
    return report(terminal, "release", out, lines)
