"""`reversa check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reversa.cli.options import Color, IncludeRestricted, Json, NoViews, Registry, here, view_lines
from reversa.cli.output import Terminal
from reversa.errors import UsageError
from reversa.report.text import check_lines, fixed_lines

if TYPE_CHECKING:  # commands read YAML; --help must not wait for that
    from reversa.commands.check import CheckOutcome
    from reversa.commands.scope import Options
    from reversa.core.finding import Finding


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
    staged: Annotated[bool, typer.Option("--staged", help="What will be committed; old errors do not fail.")] = False,
    range_: Annotated[str, typer.Option("--range", metavar="A..B", help="What commits bring, the same way.")] = "",
    pushed: Annotated[bool, typer.Option("--pushed", help="What git is about to push; for pre-push hooks.")] = False,
    all_history: Annotated[bool, typer.Option("--all-history", help="Which commits brought errors.")] = False,
    no_views: NoViews = False,
    include_restricted: IncludeRestricted = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Check every rule; errors and warnings with positions.

    --fix mends what a rule marks as safe: the form of a value, never what a person decides, and nothing inside a lock.
    `reversa rules CODE` says what the fix of a rule does; --select and --ignore choose among them, and so do the names.

    --staged checks the index, not the files on disk, and fails for errors that HEAD does not have; --range does the
    same for commits, --pushed for those that git tells a hook. All hold locked folders against what was locked.
    """
    from reversa.commands.scope import Options

    terminal = Terminal(json=json, color=color)
    chosen = _codes(select), _codes(ignore)
    options = Options(tuple(names or ()), strict, *chosen, everything or json, locked, include_restricted)
    _refuse_together(fix=fix, dry_run=dry_run, staged=staged, range_=range_, pushed=pushed, all_history=all_history)
    if all_history:
        return _history(terminal, registry, options)
    if staged or range_ or pushed:
        return _compare(terminal, registry, options, range_, pushed=pushed)
    return _check(terminal, registry, options, fix=fix, views=not no_views, dry_run=dry_run)


def _refuse_together(*, fix: bool, dry_run: bool, **moments: object) -> None:
    named = [name for name, given in moments.items() if given]
    if dry_run and not fix:
        raise UsageError("--dry-run goes with --fix.", "reversa check alone changes nothing.")
    if len(named) + fix > 1:
        raise UsageError(
            "--fix, --staged, --range, --pushed and --all-history do not go together.", "Each looks at something else."
        )


def _check(terminal: Terminal, registry: str | None, options: Options, *, fix: bool, views: bool, dry_run: bool) -> int:
    """Check the files on disk, mended first where that is asked for."""
    from reversa.commands import check as command
    from reversa.commands.workspace import open_workspace

    mended = _mend(terminal, registry, options, views=views, dry_run=dry_run) if fix else {}
    if "diff" in mended:
        return 0
    ws = open_workspace(registry, seals=True)
    out = command.check(ws, options)
    out.data |= mended
    return _report(terminal, out, options, fixable=0 if fix else out.fixable)


def _compare(terminal: Terminal, registry: str | None, options: Options, range_: str, *, pushed: bool) -> int:
    """Check what commits bring; of several branches that are pushed, up to the first with errors."""
    from reversa.commands import compare

    if pushed:
        found = compare.pushed(registry, sys.stdin, os.environ, options)
    else:
        one = compare.ranged(registry, range_, options) if range_ else compare.staged(registry, options)
        found = None if one is None else [one]
    if not found:
        return _nothing(terminal, {"bugs": 0, "contexts": 0, "errors": 0, "warnings": 0, "hidden_locked": 0})
    out = next((each for each in found if each.exit_code), found[-1])
    return _report(terminal, out, options, debt=out.debt)


def _history(terminal: Terminal, registry: str | None, options: Options) -> int:
    from reversa.commands import compare
    from reversa.report.text import history_lines

    out = compare.all_history(registry, options)
    if out is None:
        return _nothing(terminal, {"commits": 0, "broken": [], "errors": 0})
    if terminal.json:
        terminal.emit("check", out.data, out.findings, out.exit_code)
    else:
        terminal.lines(history_lines(out.data, out.broken, terminal.paint))
    return out.exit_code


def _nothing(terminal: Terminal, data: dict[str, Any]) -> int:
    """A hook must not stop the commits of a branch that has no registry."""
    terminal.say("No commit here has a registry, so there is nothing to check.")
    if terminal.json:
        terminal.emit("check", data, [])
    return 0


def _report(
    terminal: Terminal,
    out: CheckOutcome,
    options: Options,
    *,
    fixable: int = 0,
    debt: Sequence[Finding] | None = None,
) -> int:
    if terminal.json:
        terminal.emit("check", out.data, out.findings, out.exit_code)
        return out.exit_code
    lines = check_lines(
        out.data,
        out.errors,
        out.warnings,
        out.groups,
        columns=min(terminal.columns, 120),
        prefix=f"{here(out.root)}/",
        locked=options.locked,
        fixable=fixable,
        ignored=out.ignored,
        reasons=options.everything,
        debt=debt,
        paint=terminal.paint,
    )
    terminal.lines(lines)
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
