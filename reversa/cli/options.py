"""Options that several commands share, declared once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reversa.cli.output import Terminal
from reversa.core.fields import PRIORITIES, SEVERITIES
from reversa.report.text import safe

if TYPE_CHECKING:  # commands read YAML; --help must not wait for that
    from reversa.commands.decisions import Person
    from reversa.commands.outcome import Outcome

Registry = Annotated[
    str | None,
    typer.Option("--registry", metavar="DIR", help="The registry folder, or a folder that holds _reversa_bugs/."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Color = Annotated[str, typer.Option("--color", metavar="WHEN", help="auto, always or never.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the diff and change nothing.")]
NoViews = Annotated[bool, typer.Option("--no-views", help="Leave the views as they are.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="The person who decided, where a decision is needed.")]
Texts = list[str] | None
Phase = Annotated[Texts, typer.Option(help="A phase, such as diagnosing.")]
Severity = Annotated[Texts, typer.Option(help=f"{', '.join(SEVERITIES)}.")]
Priority = Annotated[Texts, typer.Option(help=f"{', '.join(PRIORITIES)}.")]
Context = Annotated[Texts, typer.Option("-c", "--context", help="A context.")]
Area = Annotated[Texts, typer.Option(help="An area.")]
Module = Annotated[Texts, typer.Option(help="A module.")]
Feature = Annotated[Texts, typer.Option(help="A feature.")]
Label = Annotated[Texts, typer.Option(help="A label.")]
Blocked = Annotated[bool | None, typer.Option("--blocked/--unblocked", help="Only what waits, or does not.")]
IncludeRestricted = Annotated[bool, typer.Option("--include-restricted", help="Show restricted bugs whole.")]


def here(path: Path) -> str:
    """Give a path from the working directory, so that it can be pasted; absolute where that is shorter to read."""
    relative = os.path.relpath(path)
    return safe(str(path) if relative.startswith("../../..") else relative)


def person(by: str) -> Person:
    """Give the person who decides: one who can be asked where a terminal is at both ends."""
    from reversa.commands.decisions import Person

    at_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
    return Person(by.strip(), _ask if at_terminal else None)


def _ask(question: str) -> str:
    question = safe(question)  # it names values of a record, which must not rewrite what the person reads
    return str(typer.prompt(question.rstrip(": "), default="", show_default=False, err=True))


def report(terminal: Terminal, command: str, outcome: Outcome, lines: list[str]) -> int:
    """Print the outcome of a writing command: its lines, the diff of a dry run, notes and changed views."""
    if terminal.json:
        data = {**outcome.data, "diff": outcome.diff} if outcome.diff is not None else outcome.data
        terminal.emit(command, data, outcome.findings, outcome.exit_code)
        return outcome.exit_code
    if outcome.diff is not None:
        terminal.raw(outcome.diff)
        terminal.say(*outcome.notes)
        terminal.say("Nothing was written (--dry-run).")
        return outcome.exit_code
    terminal.lines(lines)
    terminal.say(*outcome.notes)
    terminal.say(*view_lines(outcome.views))
    return outcome.exit_code


def written(outcome: Outcome) -> list[str]:
    """Say which bugs a command changed, and where; `updated` is not worth a word beside other keys."""
    return [
        f"Updated {bug['id']}: {', '.join(key for key in bug['changed'] if key != 'updated') or 'updated'}"
        for bug in outcome.data["bugs"]
        if bug["changed"]
    ]


def view_lines(paths: list[str]) -> list[str]:
    """Say which view files changed, one line a folder."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return [safe(f"Views redrawn in {folder}/: {', '.join(names)}.") for folder, names in folders.items()]
