"""`reversa migrate`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from reversa.cli.options import Color, DryRun, IncludeRestricted, Json, NoViews, Registry, report
from reversa.cli.output import Terminal
from reversa.errors import Refused, UsageError
from reversa.report.text import plural, safe

if TYPE_CHECKING:  # commands read YAML; --help must not wait for that
    from reversa.commands.outcome import Outcome


def migrate(
    name: Annotated[str, typer.Option("--class", metavar="NAME", help="Carry out this class.")] = "",
    context: Annotated[
        str, typer.Option("--context", "-c", metavar="NAME", help="The context that the flat layout goes to.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking, after a look at --dry-run.")] = False,
    include_restricted: IncludeRestricted = False,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Bring shapes of forks and old versions into the contract's, one class at a time.

    Alone it lists the classes that are there, with the reason and the command for each. With --class it shows the diff
    and asks; where nobody can be asked it takes --yes. Locked bugs are listed and left alone, and so is what only a
    person can turn.
    """
    from reversa.commands import migrate as command

    terminal = Terminal(json=json, color=color)
    if not name:
        if yes or dry_run:
            raise UsageError("migrate needs the name of a class.", "reversa migrate lists those that are there.")
        return _overview(terminal, command.classes(registry))

    def carry_out(*, dry_run: bool, seen: str | None = None) -> Outcome:
        return command.migrate(
            registry,
            name,
            context=context,
            include_restricted=include_restricted,
            views=not no_views,
            dry_run=dry_run,
            seen=seen,
        )

    reason = command.why(name)
    seen = None if yes or dry_run else _agreed(terminal, reason, carry_out(dry_run=True))
    out = carry_out(dry_run=dry_run, seen=seen)
    out.notes[:0] = [reason] if seen is None else []
    if out.diff is not None:
        terminal.say(*out.notes, *_held(out))
    lines = [f"Migrated {bug['id']}: {', '.join(bug['changed']) or 'restricted'}" for bug in out.data["bugs"]]
    code = report(terminal, "migrate", out, lines or ["Nothing to migrate."])
    terminal.say(*([] if out.diff is not None else _held(out)))
    return code


def _overview(terminal: Terminal, out: Outcome) -> int:
    if terminal.json:
        terminal.emit("migrate", out.data)
        return out.exit_code
    lines = []
    for row in out.data["classes"]:
        counts = [plural(row["bugs"], "bug")]
        counts += [f"{row['held']} left to a person"] if row["held"] else []
        counts += [f"{row['locked']} locked"] if row["locked"] else []
        lines += [f"{terminal.paint(row['class'], 'bold')}  {', '.join(counts)}", f"  {row['does']}"]
        lines += [f"  why: {row['reason']}", f"  {row['command']}", ""]
    terminal.lines(lines[:-1] or ["Nothing to migrate: no record has a shape of a fork or an old version."])
    return out.exit_code


def _held(out: Outcome) -> list[str]:
    return [safe(f"Left to a person: {row['id']}: {row['reason']}.") for row in out.data["held"]]


def _agreed(terminal: Terminal, reason: str, out: Outcome) -> str:
    """Show what a class would do and have a person agree to it; gives the diff that was agreed to."""
    name = out.data["class"]
    at_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
    if not at_terminal or terminal.json:
        raise Refused(
            f"{name} needs a look, and there is no terminal to ask at.",
            f"reversa migrate --class {name} --dry-run shows the diff; with --yes it is written.",
            kind="needs-yes",
        )
    terminal.raw(out.diff or "")
    terminal.say(reason, *out.notes, *_held(out))
    if out.data["bugs"] and not typer.confirm(f"Write this to {plural(len(out.data['bugs']), 'record')}?", err=True):
        raise Refused("Nothing was written.", kind="declined")
    return out.diff or ""
