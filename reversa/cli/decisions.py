"""`reversa decisions`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from reversa.cli.options import (
    Color,
    DryRun,
    IncludeRestricted,
    Json,
    NoViews,
    Registry,
    person,
    report,
    written,
)
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.errors import UsageError
from reversa.report.text import safe

_ACTIONS = ("list", "confirm")


def decisions(
    action: Annotated[str, typer.Argument(metavar="[list|confirm]", help="What to do.")] = "list",
    bugs: Annotated[list[str] | None, typer.Argument(metavar="[BUG]...", help="With confirm: which bugs.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List confirmed ones and those of people too.")] = False,
    reason: Annotated[str, typer.Option(help="With confirm: why.")] = "",
    include_restricted: IncludeRestricted = False,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """List decisions that were passed on for a person, or confirm them at a terminal.

    What an agent or a script records with --by is delegated until a person confirms it: the ID is typed back.
    """
    from reversa.commands import decided as command

    terminal = Terminal(json=json, color=color)
    one_of("decisions", action, _ACTIONS)
    if action == "list":
        if bugs or reason or dry_run:
            raise UsageError("decisions takes bugs, --reason and --dry-run only with confirm.")
        out = command.decisions(registry, everything=everything, include_restricted=include_restricted)
        return report(terminal, "decisions", out, _lines(out.data["decisions"], everything=everything))
    if not bugs:
        raise UsageError("decisions confirm needs a bug.", "reversa decisions lists those that wait.")
    out = command.confirm(registry, bugs, person(""), reason, views=not no_views, dry_run=dry_run)
    return report(terminal, "decisions", out, written(out))


def _lines(rows: list[dict[str, Any]], *, everything: bool) -> list[str]:
    if not rows:
        return ["No decision is recorded." if everything else "No decision waits for a person."]
    return [safe(_line(row)) for row in rows]


def _line(row: dict[str, Any]) -> str:
    if "what" not in row:
        return f"{row['bug']}  restricted"
    value = "taken back" if row["value"] is None else row["value"]
    state = "delegated" if row["pending"] else row["via"]
    lock = ", locked" if row["locked"] else ""
    why = f": {row['reason']}" if row["reason"] else ""
    return f"{row['bug']}  {row['what']}: {value}, by {row['by']} on {row['on']} ({state}{lock}){why}"
