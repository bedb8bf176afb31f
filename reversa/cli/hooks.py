"""`reversa hooks`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, Registry, here, report
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.errors import UsageError
from reversa.report.text import safe

_ACTIONS = ("install", "uninstall", "status")

_DONE = {
    "installed": "installed",
    "renewed": "renewed",
    "chained": "installed; the hook that was there runs first",
    "restored": "taken away; the hook that was there before is back",
    "removed": "taken away",
    "": "as it was",
}

_STATES = {
    "installed": "installed",
    "chained": "installed; runs the hook that was there first",
    "behind": "installed; pre-commit runs it",
    "foreign": "somebody else's, without reversa",
    "not-executable": "installed, but git does not run it: it is not executable",
    "absent": "not installed",
}


def hooks(
    action: Annotated[str, typer.Argument(metavar="install|uninstall|status", help="What to do.")],
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Install, remove or show the hooks of plain git.

    pre-commit, pre-merge-commit and pre-push check what is about to be committed or pushed; post-merge and post-rewrite
    draw the views. A hook that is there already is kept and runs first; uninstall puts it back. With core.hooksPath set
    by somebody else, as husky does, nothing is changed, and what to add is printed. Users of pre-commit take the hooks
    reversa-check and reversa-check-push instead.
    """
    from reversa.commands import hooks as command

    terminal = Terminal(json=json, color=color)
    one_of("hooks", action, _ACTIONS)
    if dry_run and action != "install":
        raise UsageError("--dry-run goes with hooks install.")
    if action == "status":
        out = command.status()
        rows = [(row["name"], _STATES[row["state"]]) for row in out.data["hooks"]]
        setting = [safe(f"core.hooksPath is {out.data['setting']}")] if out.data["setting"] else []
    else:
        out = command.install(registry, dry_run=dry_run) if action == "install" else command.uninstall()
        rows = [(row["name"], _DONE[row["done"]]) for row in out.data["hooks"]]
        setting = []
    width = max((len(name) for name, _ in rows), default=0)
    lines = [
        safe(f"Hooks in {here(Path(out.data['folder']))}:"),
        *setting,
        *(f"  {name:<{width}}  {text}" for name, text in rows),
    ]
    return report(terminal, "hooks", out, lines)
