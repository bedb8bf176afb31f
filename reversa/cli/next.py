"""`reversa next`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli import options
from reversa.cli.options import Color, IncludeRestricted, Json, Registry
from reversa.cli.output import Terminal
from reversa.cli.words import filters
from reversa.cli.worklist import next_lines


def next_(
    limit: Annotated[int, typer.Option("-n", "--limit", metavar="N", min=0, help="How many; 0 for all.")] = 10,
    phase: options.Phase = None,
    severity: options.Severity = None,
    priority: options.Priority = None,
    context: options.Context = None,
    area: options.Area = None,
    module: options.Module = None,
    feature: options.Feature = None,
    label: options.Label = None,
    blocked: options.Blocked = None,
    include_restricted: IncludeRestricted = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Say what to work on next, and what decided it.

    The order is: unblocked, priority, impact, severity, age. Impact is a triage heuristic over proven relations.
    """
    from reversa.commands import next as command

    terminal = Terminal(json=json, color=color)
    asked = filters(
        phase=phase,
        severity=severity,
        priority=priority,
        context=context,
        area=area,
        module=module,
        feature=feature,
        label=label,
        blocked=blocked,
        include_restricted=include_restricted,
    )
    out = command.next_bugs(registry, asked, limit, machine=json)
    if json:
        terminal.emit("next", out.data)
    else:
        terminal.lines(next_lines(out, terminal.columns, terminal.paint))
    return 0
