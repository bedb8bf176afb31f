"""`reversa close`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import By, Color, DryRun, Json, NoViews, Registry, person, report
from reversa.cli.output import Terminal
from reversa.core.fields import RESOLUTION_KINDS


def close(
    bug: Annotated[str, typer.Argument(metavar="BUG", help="The bug to close.")],
    kind: Annotated[str, typer.Option("--as", metavar="KIND", help=f"{', '.join(RESOLUTION_KINDS)}.")],
    duplicate_of: Annotated[str, typer.Option(metavar="BUG", help="The original of a duplicate.")] = "",
    evidence: Annotated[
        list[str] | None, typer.Option(metavar="REF=OBSERVATION", help="What proves the duplicate; repeatable.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why; written to the Resolution section.")] = "",
    by: By = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Close a bug and lock its folder, or list what is missing."""
    from reversa.commands import close as command

    terminal = Terminal(json=json, color=color)
    out = command.close(
        registry,
        bug,
        kind,
        person(by),
        duplicate_of=duplicate_of,
        evidence=tuple(evidence or ()),
        reason=reason,
        views=not no_views,
        dry_run=dry_run,
    )
    return report(
        terminal, "close", out, [f"Closed {out.data['bugs'][0]['id']} as {kind}; its folder is locked by DONE.md."]
    )
