"""`reversa check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reversa.cli.options import Color, IncludeRestricted, Json, NoViews, Registry, here, report, view_lines
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.errors import UsageError
from reversa.report.formats import FORMATS
from reversa.report.text import check_lines, fixed_lines, plural, safe

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
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With what writes: show the diff alone.")] = False,
    staged: Annotated[bool, typer.Option("--staged", help="What will be committed; old errors do not fail.")] = False,
    range_: Annotated[str, typer.Option("--range", metavar="A..B", help="What commits bring, the same way.")] = "",
    pushed: Annotated[bool, typer.Option("--pushed", help="What git is about to push; for pre-push hooks.")] = False,
    all_history: Annotated[bool, typer.Option("--all-history", help="Which commits brought errors.")] = False,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Record today's errors; only others count from then on.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, github, gitlab, sarif or junit.")
    ] = "text",
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

    one_of("--format", format_, ("text", "json", *FORMATS))
    terminal = Terminal(json=json or format_ == "json", color=color)
    chosen = _codes(select), _codes(ignore)
    each = everything or terminal.json or format_ in FORMATS
    options = Options(tuple(names or ()), strict, *chosen, each, locked, include_restricted)
    modes = (fix, staged, range_, pushed, all_history, write_baseline)
    _refuse_together(modes, dry_run=dry_run, writes=fix or write_baseline)
    reporter = _Reporter(terminal, options, format_)
    if write_baseline:
        return _baseline(terminal, registry, dry_run=dry_run)
    if all_history:
        return _history(reporter, registry)
    if staged or range_ or pushed:
        return _compare(reporter, registry, range_, pushed=pushed)
    return _check(reporter, registry, fix=fix, views=not no_views, dry_run=dry_run)


def _refuse_together(modes: Sequence[object], *, dry_run: bool, writes: bool) -> None:
    if dry_run and not writes:
        raise UsageError("--dry-run goes with --fix and --write-baseline.", "reversa check alone changes nothing.")
    if sum(map(bool, modes)) > 1:
        names = "--fix, --staged, --range, --pushed, --all-history and --write-baseline"
        raise UsageError(f"{names} do not go together.", "Each looks at something else.")


def _baseline(terminal: Terminal, registry: str | None, *, dry_run: bool) -> int:
    from reversa.commands.check import write_baseline

    out = write_baseline(registry, dry_run=dry_run)
    path, count = safe(out.data["path"]), out.data["errors"]
    lines = [f"{path} holds {plural(count, 'error')} now ({out.data['added']} new, {out.data['removed']} gone)."]
    return report(terminal, "check", out, lines if count else [f"No errors, so there is no {path}."])


def _check(reporter: _Reporter, registry: str | None, *, fix: bool, views: bool, dry_run: bool) -> int:
    """Check the files on disk, mended first where that is asked for."""
    from reversa.commands import check as command
    from reversa.commands.workspace import open_workspace

    options = reporter.options
    mended = _mend(reporter.terminal, registry, options, views=views, dry_run=dry_run) if fix else {}
    if "diff" in mended:
        return 0
    out = command.check(open_workspace(registry, seals=True), options)
    out.data |= mended
    return reporter.report(out, fixable=0 if fix else out.fixable)


def _compare(reporter: _Reporter, registry: str | None, range_: str, *, pushed: bool) -> int:
    """Check what commits bring; of several branches that are pushed, up to the first with errors."""
    from reversa.commands import compare

    if pushed:
        found = compare.pushed(registry, sys.stdin, os.environ, reporter.options)
    else:
        take = (
            compare.ranged(registry, range_, reporter.options) if range_ else compare.staged(registry, reporter.options)
        )
        found = None if take is None else [take]
    if not found:
        return reporter.nothing()
    out = next((each for each in found if each.exit_code), found[-1])
    return reporter.report(out, debt=out.debt)


def _history(reporter: _Reporter, registry: str | None) -> int:
    from reversa.commands import compare
    from reversa.report.text import history_lines

    terminal = reporter.terminal
    if reporter.format in FORMATS:
        raise UsageError(f"--all-history has no format {reporter.format}.", "It takes --format text and json.")
    out = compare.all_history(registry, reporter.options)
    if out is None:
        terminal.say(_NOTHING)
        if terminal.json:
            terminal.emit("check", {"commits": 0, "broken": [], "errors": 0})
        return 0
    if terminal.json:
        terminal.emit("check", out.data, out.findings, out.exit_code)
    else:
        terminal.lines(history_lines(out.data, out.broken, terminal.paint))
    return out.exit_code


_NOTHING = "No commit here has a registry, so there is nothing to check."
"""A hook must not stop the commits of a branch that has none."""


@dataclass(frozen=True)
class _Reporter:
    """How the result of a check is written."""

    terminal: Terminal
    options: Options
    format: str

    def nothing(self) -> int:
        """Say that there is no registry, in the format that is asked for."""
        from reversa.commands.check import CheckOutcome

        self.terminal.say(_NOTHING)
        if self.terminal.json or self.format in FORMATS:
            counts = ("bugs", "contexts", "errors", "warnings", "hidden_locked", "baselined")
            return self.report(CheckOutcome(dict.fromkeys(counts, 0)))
        return 0

    def report(self, out: CheckOutcome, *, fixable: int = 0, debt: Sequence[Finding] | None = None) -> int:
        """Write a result and give the exit code."""
        if self.terminal.json:
            removable = [{"of": entry.owner, "code": entry.code, "count": entry.count} for entry in out.removable]
            self.terminal.emit("check", {**out.data, "removable": removable}, out.findings, out.exit_code)
        elif self.format in FORMATS:
            self._forge(out, new=debt is not None)
        else:
            self._text(out, fixable, debt)
        return out.exit_code

    def _text(self, out: CheckOutcome, fixable: int, debt: Sequence[Finding] | None) -> None:
        lines = check_lines(
            out.data,
            out.errors,
            out.warnings,
            out.groups,
            columns=min(self.terminal.columns, 120),
            prefix=f"{here(out.root)}/",
            locked=self.options.locked,
            fixable=fixable,
            ignored=out.ignored,
            reasons=self.options.everything,
            debt=debt,
            baselined=out.baselined,
            removable=len(out.removable),
            paint=self.terminal.paint,
        )
        self.terminal.lines(lines)

    def _forge(self, out: CheckOutcome, *, new: bool) -> None:
        """Write for a forge; GitHub's table goes where its runner says."""
        from reversa import __version__
        from reversa.core.rules import RULES
        from reversa.report import github
        from reversa.report.findings import Found
        from reversa.report.formats import render
        from reversa.report.text import tally
        from reversa.store import files

        said = tally(out.data, new=new)
        found = Found(out.errors, out.warnings, RULES, out.names, out.prefix, __version__, said)
        self.terminal.raw(render(self.format, found))
        place = os.environ.get("GITHUB_STEP_SUMMARY", "")
        if self.format == "github" and place:
            files.append(Path(place), github.summary(found))


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
