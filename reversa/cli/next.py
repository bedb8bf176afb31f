"""`reversa next`, with the leases of --claim."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from reversa.cli import options
from reversa.cli.options import Color, DryRun, IncludeRestricted, Json, Registry, report
from reversa.cli.output import Terminal
from reversa.cli.words import filters
from reversa.cli.worklist import next_lines
from reversa.core.query import Filters
from reversa.errors import UsageError
from reversa.report.text import safe


def next_(
    bug: Annotated[str, typer.Argument(metavar="[BUG]", help="With --claim: this bug instead of the first.")] = "",
    claim: Annotated[str, typer.Option(metavar="NAME", help="Take the first bug that nobody else holds.")] = "",
    term: Annotated[str, typer.Option("--for", metavar="TIME", help="How long: 30m, 4h (usual), 2d.")] = "",
    free: Annotated[bool, typer.Option("--free", help="Only what nobody holds.")] = False,
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
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Say what to work on next, and what decided it; with --claim NAME, take it.

    The order is: unblocked, priority, impact, severity, age. Impact is a triage heuristic over proven relations.
    --claim NAME takes a lease that all worktrees of this clone see until it ends; the same NAME renews it, and
    reversa release gives it back.
    """
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
    if claim:
        return _claim(terminal, registry, asked, claim, term, bug, dry_run=dry_run)
    _refuse_without_claim(bug, term, dry_run=dry_run)
    from reversa.commands import next as command

    out = command.next_bugs(registry, asked, limit, free=free, machine=json)
    if json:
        terminal.emit("next", out.data)
    else:
        terminal.lines(next_lines(out, terminal.columns, terminal.paint))
        terminal.say(*map(safe, out.notes))
    return 0


def _refuse_without_claim(bug: str, term: str, *, dry_run: bool) -> None:
    if bug:
        raise UsageError(
            f"next takes a bug only with --claim NAME, and {bug!r} came alone.",
            f"reversa show {shlex.quote(bug)}, or reversa next --claim NAME {shlex.quote(bug)}",
        )
    if term or dry_run:
        raise UsageError(f"{'--for' if term else '--dry-run'} goes with --claim NAME.")


def _claim(
    terminal: Terminal, registry: str | None, asked: Filters, by: str, term: str, bug: str, *, dry_run: bool
) -> int:
    from reversa.commands.claim import claim
    from reversa.core import lease

    name = lease.holder("--claim", by)
    length = lease.term(term) if term else lease.DEFAULT
    out = claim(registry, asked, name, length, name=bug, dry_run=dry_run)
    verb = "Renewed" if out.renewed else "Claimed"
    lines = [safe(f"{verb} {out.bug_id} for {name} until {out.end}{f': {out.title}' if out.title else ''}")]
    lines.append(
        safe(f"Next: reversa show {out.bug_id[-4:]}; reversa release {out.bug_id[-4:]} --by {shlex.quote(name)}")
    )
    return report(terminal, "next", out, lines)
