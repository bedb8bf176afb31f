"""`reversa evidence`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, NoViews, Registry, report
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.report.text import safe

_ACTIONS = ("add",)


def evidence(
    action: Annotated[str, typer.Argument(metavar="add", help="What to do.")],
    bug: Annotated[str, typer.Argument(metavar="BUG", help="The bug.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="The files to copy in.")],
    note: Annotated[str, typer.Option(help="What they show, in a line; it stands beside each.")] = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Copy files into a bug's evidence/ and list them under ## Evidence.

    Refused are files over the limit ([evidence] max_size of the configuration), links that lead elsewhere, and what git
    ignores, with the git add -f that mends it. What looks like a secret is warned about where detect-secrets is
    installed, as with pip install "reversa[secrets]".
    """
    from reversa.commands import evidence as command

    terminal = Terminal(json=json, color=color)
    one_of("evidence", action, _ACTIONS)
    out = command.add(registry, bug, files, note, views=not no_views, dry_run=dry_run)
    changed = out.data["bugs"][0]
    lines = [safe(f"Added to {changed['id']}: {row['path']}") for row in out.data["files"] if row["copied"]]
    if changed["changed"] and not lines:
        lines = [f"Updated {changed['id']}: its evidence is listed"]
    elif not lines:
        out.notes.append(f"{changed['id']} has it all already; nothing was written.")
    return report(terminal, "evidence", out, lines)
