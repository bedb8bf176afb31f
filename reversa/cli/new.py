"""`reversa new`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reversa.cli.options import Color, DryRun, Json, NoViews, Registry, here, report
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.core.fields import CLASSIFICATIONS, ORIGINS, PRIORITIES, SEVERITIES, UNCLASSIFIED
from reversa.errors import UsageError
from reversa.report.text import safe

if TYPE_CHECKING:
    from reversa.commands.outcome import Outcome


def new(
    title: Annotated[str, typer.Argument(help="The defect in one line.", show_default=False)] = "",
    context: Annotated[str, typer.Option("-c", "--context", help="A feature, module or use case: its folder.")] = "",
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
    from_intake: Annotated[
        str, typer.Option(metavar="REPORT", help="The report it came of, which will name the bug.")
    ] = "",
    from_json: Annotated[
        str, typer.Option(metavar="FILE|-", help="Many at once: JSON as `show --json` prints it, an array, or lines.")
    ] = "",
    from_inspection: Annotated[
        Path | None, typer.Option(metavar="REPORT", help="Many at once: the findings of an inspection report.")
    ] = None,
    finding: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="With --from-inspection: this finding only; repeatable.")
    ] = None,
    write_back: Annotated[
        bool, typer.Option("--write-back", help="With --from-inspection: note the bugs in it as promoted_to.")
    ] = False,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Register a bug: one folder, all parts of a record. Or many at once, all or nothing."""
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
        from_intake,
    )
    many = _Many(from_json, from_inspection, tuple(finding or ()), write_back)
    many.refuse_unfit(rest=replace(request, context="") != command.NewBug("", ""))
    if many.option:
        out = many.register(registry, context, views=not no_views, dry_run=dry_run)
        return report(terminal, "new", out, [_line(bug) for bug in out.data["bugs"]])
    _refuse_missing(title, context)
    made = command.new(registry, request, views=not no_views, dry_run=dry_run)
    lines = [f"Registered {made.bug_id} (number {made.data['display_number']}): {here(made.file)}"]
    if not made.restricted:
        lines.append(f"Next: reversa show {made.bug_id[-4:]}")
    return report(terminal, "new", made, lines)


def _refuse_missing(title: str, context: str) -> None:
    if not title:
        raise UsageError("Missing argument TITLE.", 'Say what goes wrong: reversa new "Total is wrong" -c checkout')
    if not context:
        raise UsageError("Missing option -c CONTEXT.", "It is the feature, module or use case that the bug shows in.")


def _line(bug: Mapping[str, Any]) -> str:
    name = f"  from {safe(bug['key'])}" if bug["key"] else ""
    return f"Registered {bug['id']} (number {bug['display_number']}): {bug['path']}{name}"


@dataclass(frozen=True, slots=True)
class _Many:
    """The options for many bugs at once."""

    json: str
    inspection: Path | None
    findings: tuple[str, ...]
    write_back: bool

    @property
    def option(self) -> str:
        return "--from-json" if self.json else "--from-inspection" if self.inspection else ""

    def refuse_unfit(self, *, rest: bool) -> None:
        """Refuse options that do not go together; `rest` says whether there are any of a single bug."""
        if (self.findings or self.write_back) and self.inspection is None:
            raise UsageError(f"{'--finding' if self.findings else '--write-back'} goes with --from-inspection REPORT.")
        if self.json and self.inspection:
            raise UsageError("Either --from-json or --from-inspection.")
        if self.option and rest:
            raise UsageError(
                f"With {self.option} all that is known of a bug stands in the file.", "Only -c CONTEXT goes with it."
            )

    def register(self, registry: str | None, context: str, *, views: bool, dry_run: bool) -> Outcome:
        from reversa.commands import many
        from reversa.store.files import given_text

        if self.inspection is not None:
            return many.from_inspection(
                registry,
                self.inspection,
                self.findings,
                context,
                write_back=self.write_back,
                views=views,
                dry_run=dry_run,
            )
        name = "standard input" if self.json == "-" else self.json
        text = given_text(self.json, sys.stdin.buffer)
        return many.from_json(registry, text, name, context, views=views, dry_run=dry_run)
