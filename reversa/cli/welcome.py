"""What `reversa` alone says: where things stand, and the next useful command."""

from __future__ import annotations

from typing import Any

from reversa.cli.output import Terminal
from reversa.core.rules.engine import shown
from reversa.errors import Surroundings
from reversa.report.text import plural, safe

TITLE = 40
"""Characters of the most urgent bug's title; the line fits a terminal of 80 columns."""


def welcome(terminal: Terminal, registry: str | None, help_text: str) -> None:
    """Print five lines about the registry and the next command; outside one, the help and how to make one."""
    from reversa.commands.summary import summary

    try:
        out = summary(registry)
    except Surroundings as error:
        if terminal.json or registry:
            raise
        terminal.lines([help_text, "", f"{error.message} {error.hint}"])
        return
    data = out.data
    if terminal.json:
        terminal.emit("", data)
        return
    bug = out.first
    urgent = f"{bug.id} {bug.priority} {bug.severity}: {shown(bug.title, TITLE)}" if bug else "nothing is open"
    parts = {
        "registry": f"{data['registry']}: {plural(data['bugs'], 'bug')} in {plural(data['contexts'], 'context')}",
        "status": f"{data['open']} open, {data['active']} active, {data['resolved']} resolved",
        "waiting": _waiting(data),
        "first": urgent,
        "records": plural(data["errors"], "error") if data["errors"] else "no errors",
    }
    lines = [f"{name:<10}{safe(text)}" for name, text in parts.items()]
    terminal.lines([*lines, "", f"Next: {data['next']}"])
    terminal.say("reversa --help lists the commands.")


def _waiting(data: dict[str, Any]) -> str:
    """Say what waits for somebody, as far as anything does."""
    words = [f"{data['blocked']} blocked", f"{data['awaiting_human']} for a person"]
    words += [f"{data['held']} held by somebody"] if data["held"] else []
    words += [f"{plural(data['unconfirmed'], 'decision')} to confirm"] if data["unconfirmed"] else []
    return ", ".join(words)
