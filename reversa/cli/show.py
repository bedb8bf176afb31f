"""`reversa show` and `reversa list`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli import options
from reversa.cli.options import Color, IncludeRestricted, Json, Registry, Texts
from reversa.cli.output import Terminal
from reversa.cli.tables import list_lines, show_lines
from reversa.cli.words import filters, one_of
from reversa.core.fields import STATUSES
from reversa.core.query import SORTS


def show(
    bug: Annotated[str, typer.Argument(help="ID, suffix (A7K3), or number (7).")],
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Show one bug whole."""
    from reversa.commands import show as command

    terminal = Terminal(json=json, color=color)
    out = command.show(registry, bug)
    if json:
        terminal.emit("show", out.data)
    else:
        terminal.lines(show_lines(out.data, min(terminal.columns, 100), terminal.paint))
    return 0


def list_(
    query: Annotated[str, typer.Argument(help="Part of an ID, title or label.")] = "",
    status: Annotated[Texts, typer.Option(help=f"{', '.join(STATUSES)}; repeatable, as all filters.")] = None,
    phase: options.Phase = None,
    severity: options.Severity = None,
    priority: options.Priority = None,
    context: options.Context = None,
    area: options.Area = None,
    module: options.Module = None,
    feature: options.Feature = None,
    label: options.Label = None,
    blocked: options.Blocked = None,
    locked: Annotated[bool | None, typer.Option("--locked/--unlocked", help="Only what is locked, or is not.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Resolved bugs too.")] = False,
    sort: Annotated[str, typer.Option(metavar="KEY", help=f"{', '.join(SORTS)}.")] = "priority",
    include_restricted: IncludeRestricted = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """List open and active bugs."""
    from reversa.commands import show as command

    terminal = Terminal(json=json, color=color)
    one_of("--sort", sort, SORTS)
    asked = filters(
        status=status,
        phase=phase,
        severity=severity,
        priority=priority,
        context=context,
        area=area,
        module=module,
        feature=feature,
        label=label,
        blocked=blocked,
        locked=locked,
        everything=everything,
        include_restricted=include_restricted,
    )
    out = command.list_bugs(registry, query, asked, sort, machine=json)
    if json:
        terminal.emit("list", out.data)
    else:
        terminal.lines(list_lines(out, terminal.columns, terminal.paint))
    return 0
