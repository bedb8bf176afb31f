"""`reversa check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reversa.cli.options import Color, IncludeRestricted, Json, NoViews, Registry, here, view_lines
from reversa.cli.output import Terminal
from reversa.errors import UsageError
from reversa.report.text import check_lines, fixed_lines

if TYPE_CHECKING:  # commands read YAML; --help must not wait for that
    from reversa.commands.scope import Options


def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[CONTEXT|BUG]...", help="Show only these; all are checked.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    select: Annotated[str, typer.Option(metavar="CODES", help="Only these rules, such as RV3,RV231.")] = "",
    ignore: Annotated[str, typer.Option(metavar="CODES", help="Not these warnings.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Show each warning.")] = False,
    locked: Annotated[bool, typer.Option("--locked", help="Show warnings inside locked bugs too.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is safe to mend, then check.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --fix: print the diff and change nothing.")] = False,
    no_views: NoViews = False,
    include_restricted: IncludeRestricted = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Check every rule; errors and warnings with positions.

    --fix mends what a rule marks as safe: the form of a value, never what a person decides, and nothing inside a lock.
    `reversa rules CODE` says what the fix of a rule does; --select and --ignore choose among them, and so do the names.
    """
    from reversa.commands import check as command
    from reversa.commands.scope import Options
    from reversa.commands.workspace import open_workspace

    terminal = Terminal(json=json, color=color)
    options = Options(
        tuple(names or ()),
        strict,
        _codes(select),
        _codes(ignore),
        everything or json,
        locked,
        include_restricted,
    )
    if dry_run and not fix:
        raise UsageError("--dry-run goes with --fix.", "reversa check alone changes nothing.")
    mended = _mend(terminal, registry, options, views=not no_views, dry_run=dry_run) if fix else {}
    if "diff" in mended:
        return 0
    ws = open_workspace(registry, seals=True)
    out = command.check(ws, options)
    if json:
        terminal.emit("check", {**out.data, **mended}, out.findings, out.exit_code)
        return out.exit_code
    terminal.lines(
        check_lines(
            out.data,
            out.errors,
            out.warnings,
            out.groups,
            columns=min(terminal.columns, 120),
            prefix=f"{here(ws.layout.root)}/",
            locked=locked,
            fixable=0 if fix else out.fixable,
            ignored=out.ignored,
            reasons=everything,
            paint=terminal.paint,
        )
    )
    return out.exit_code


def _mend(terminal: Terminal, registry: str | None, options: Options, *, views: bool, dry_run: bool) -> dict[str, Any]:
    """Carry out the safe fixes and say so; with a dry run show the diff instead. Gives what JSON tells of it."""
    from reversa.commands.mend import mend

    out = mend(registry, options, views=views, dry_run=dry_run)
    data: dict[str, Any] = out.data
    if out.diff is None:
        terminal.say(*fixed_lines(data["fixed"], out.findings, done=True), *out.notes, *view_lines(out.views))
        return data
    data["diff"] = out.diff
    if terminal.json:
        terminal.emit("check", data, out.findings)
    else:
        terminal.raw(out.diff)
        terminal.say(*fixed_lines(data["fixed"], out.findings, done=False), "Nothing was written (--dry-run).")
    return data


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in text.replace(" ", ",").split(",") if code.strip())
