"""What `reversa` alone says: where things stand, and the next useful command."""

from __future__ import annotations

from reversa.cli.output import Terminal
from reversa.errors import Surroundings
from reversa.report.text import plural


def welcome(help_text: str) -> None:
    """Print a short summary of the registry; outside one, the help and how to make one."""
    from reversa.commands.workspace import open_workspace

    terminal = Terminal()
    try:
        ws = open_workspace(full=False)
    except Surroundings as error:
        terminal.lines([help_text, "", f"{error.message} {error.hint}"])
        return
    bugs = ws.registry.bugs
    counts = {status: sum(bug.status == status for bug in bugs) for status in ("open", "active", "resolved")}
    blocked = sum(bug.status != "resolved" and ws.registry.is_blocked(bug) for bug in bugs)
    lines = [
        f"{plural(len(bugs), 'bug')} in {plural(len({bug.context for bug in bugs}), 'context')} "
        f"({ws.layout.from_git_root(ws.layout.root)}).",
        f"{counts['open']} open, {counts['active']} active, {counts['resolved']} resolved; {blocked} blocked."
        + (
            f" {len(bugs) - sum(counts.values())} more: reversa check says why."
            if sum(counts.values()) < len(bugs)
            else ""
        ),
        "",
    ]
    lines.append("Next: reversa list" if counts["open"] + counts["active"] else 'Next: reversa new "TITLE" -c CONTEXT')
    lines.append("reversa --help lists the commands.")
    terminal.lines(lines)
