"""`reversa show` and `reversa list`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, IncludeRestricted, Json, Registry
from reversa.cli.output import Terminal
from reversa.cli.tables import list_lines, show_lines
from reversa.cli.words import one_of
from reversa.core.fields import PHASES, PRIORITIES, SEVERITIES, STATUSES
from reversa.core.query import SORTS, Filters

Texts = list[str] | None


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
    phase: Annotated[Texts, typer.Option(help="A phase, such as diagnosing.")] = None,
    severity: Annotated[Texts, typer.Option(help=f"{', '.join(SEVERITIES)}.")] = None,
    priority: Annotated[Texts, typer.Option(help=f"{', '.join(PRIORITIES)}.")] = None,
    context: Annotated[Texts, typer.Option("-c", "--context", help="A context.")] = None,
    area: Annotated[Texts, typer.Option(help="An area.")] = None,
    module: Annotated[Texts, typer.Option(help="A module.")] = None,
    feature: Annotated[Texts, typer.Option(help="A feature.")] = None,
    label: Annotated[Texts, typer.Option(help="A label.")] = None,
    blocked: Annotated[bool | None, typer.Option("--blocked/--unblocked", help="Only what waits, or does not.")] = None,
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
    for option, values, allowed in (
        ("--status", status, STATUSES),
        ("--phase", phase, PHASES),
        ("--severity", severity, SEVERITIES),
        ("--priority", priority, PRIORITIES),
        ("--sort", [sort], tuple(SORTS)),
    ):
        for value in values or ():
            one_of(option, value, allowed)
    filters = Filters(
        tuple(status or ()),
        tuple(phase or ()),
        tuple(severity or ()),
        tuple(priority or ()),
        tuple(context or ()),
        tuple(area or ()),
        tuple(module or ()),
        tuple(feature or ()),
        tuple(label or ()),
        blocked,
        locked,
        everything,
        include_restricted,
    )
    out = command.list_bugs(registry, query, filters, sort, machine=json)
    if json:
        terminal.emit("list", out.data)
    else:
        terminal.lines(list_lines(out, terminal.columns, terminal.paint))
    return 0
