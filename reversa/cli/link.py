"""`reversa link` and `reversa unlink`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, NoViews, Registry, report
from reversa.cli.output import Terminal
from reversa.core.fields import RELATION_STATES, RELATION_TYPES

Source = Annotated[str, typer.Argument(metavar="A", help="The bug that declares the edge.")]
Type = Annotated[str, typer.Argument(metavar="TYPE", help=f"{', '.join(RELATION_TYPES)}.")]
Target = Annotated[str, typer.Argument(metavar="B", help="The other bug.")]


def link(
    source: Source,
    type_: Type,
    target: Target,
    state: Annotated[str, typer.Option(help=f"{', '.join(RELATION_STATES)}; a new edge is proposed.")] = "",
    evidence: Annotated[
        list[str] | None, typer.Option(metavar="REF=OBSERVATION", help="What proves it; repeatable.")
    ] = None,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Declare that A is TYPE B, or raise the state of that edge."""
    from reversa.commands import link as command

    terminal = Terminal(json=json, color=color)
    out = command.link(
        registry,
        source,
        type_,
        target,
        state=state,
        evidence=tuple(evidence or ()),
        views=not no_views,
        dry_run=dry_run,
    )
    return report(terminal, "link", out, [f"Linked {out.data['bugs'][0]['id']} {type_} {target}"])


def unlink(
    source: Source,
    type_: Type,
    target: Target,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Remove the edge A TYPE B."""
    from reversa.commands import link as command

    terminal = Terminal(json=json, color=color)
    out = command.unlink(registry, source, type_, target, views=not no_views, dry_run=dry_run)
    return report(terminal, "unlink", out, [f"Removed {type_} {target} from {out.data['bugs'][0]['id']}"])
