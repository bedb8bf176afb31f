"""`reversa new`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, NoViews, Registry, here, report
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.core.fields import CLASSIFICATIONS, ORIGINS, PRIORITIES, SEVERITIES, UNCLASSIFIED


def new(
    title: Annotated[str, typer.Argument(help="The defect in one line.")],
    context: Annotated[str, typer.Option("-c", "--context", help="A feature, module or use case: its folder.")],
    severity: Annotated[str, typer.Option(help=f"The size of the damage: {', '.join(SEVERITIES)}.")] = "",
    priority: Annotated[str, typer.Option(help=f"The urgency: {', '.join(PRIORITIES)}.")] = "",
    area: Annotated[str, typer.Option(help="A term of taxonomy.yaml.")] = UNCLASSIFIED,
    module: Annotated[str, typer.Option(help="A term of taxonomy.yaml.")] = UNCLASSIFIED,
    feature: Annotated[str, typer.Option(help="A term of taxonomy.yaml.")] = UNCLASSIFIED,
    label: Annotated[list[str] | None, typer.Option(help="A label; repeatable.")] = None,
    spec: Annotated[list[str] | None, typer.Option(help="A spec locator path#anchor; repeatable.")] = None,
    code: Annotated[list[str] | None, typer.Option(help="Where it shows, path or path:line; repeatable.")] = None,
    test: Annotated[list[str] | None, typer.Option(help="A test that shows it; repeatable.")] = None,
    origin: Annotated[str, typer.Option(help="Where the report came from, such as github-issue.")] = "manual-report",
    external: Annotated[str, typer.Option(metavar="PROVIDER:ID", help="The report in another system.")] = "",
    classification: Annotated[str, typer.Option(help=f"How it reproduces: {', '.join(CLASSIFICATIONS)}.")] = "unknown",
    rate: Annotated[str, typer.Option(metavar="N/M", help="Failures over attempts.")] = "",
    trigger: Annotated[list[str] | None, typer.Option(help="What seems to bring it about; repeatable.")] = None,
    evidence: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="A file to copy in; repeatable.")] = None,
    visibility: Annotated[str, typer.Option(help="normal or internal; --security makes it restricted.")] = "normal",
    security: Annotated[bool, typer.Option("--security", help="Suspected security defect: restricted.")] = False,
    express: Annotated[bool, typer.Option("--express", help="The short route for a small, located defect.")] = False,
    regression_of: Annotated[str, typer.Option(metavar="BUG", help="The bug that came back.")] = "",
    body: Annotated[str, typer.Option(metavar="FILE|-", help="Markdown for the body's sections.")] = "",
    propose_term: Annotated[
        list[str] | None, typer.Option(metavar="FIELD=TERM", help="Propose a term for the taxonomy; repeatable.")
    ] = None,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Register a bug: one folder, all parts of a record."""
    from reversa.commands import new as command
    from reversa.store.files import given_text

    terminal = Terminal(json=json, color=color)
    one_of("--severity", severity, ("", *SEVERITIES))
    one_of("--priority", priority, ("", *PRIORITIES))
    one_of("--origin", origin, ORIGINS)
    one_of("--classification", classification, CLASSIFICATIONS)
    one_of("--visibility", visibility, ("normal", "internal"))
    request = command.NewBug(
        title,
        context,
        severity,
        priority,
        area,
        module,
        feature,
        tuple(label or ()),
        tuple(spec or ()),
        tuple(code or ()),
        tuple(test or ()),
        origin,
        external,
        classification,
        rate,
        tuple(trigger or ()),
        visibility,
        security,
        express,
        regression_of,
        tuple(evidence or ()),
        given_text(body, sys.stdin.buffer) if body else "",
        tuple(propose_term or ()),
    )
    out = command.new(registry, request, views=not no_views, dry_run=dry_run)
    lines = [f"Registered {out.bug_id} (number {out.data['display_number']}): {here(out.file)}"]
    if not out.restricted:
        lines.append(f"Next: reversa show {out.bug_id[-4:]}")
    return report(terminal, "new", out, lines)
