"""`reversa check`: every error and warning of the registry in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.commands.findings import resolve_all, sort_key
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.scope import Ignored, Options, Scope, scope_of
from reversa.commands.workspace import Workspace, open_workspace
from reversa.core.baseline import Entry, entries, part
from reversa.core.bug import Bug
from reversa.core.finding import Finding
from reversa.core.fixes import fix_for
from reversa.core.rules.engine import Violation, run
from reversa.store import baseline, files, guard, lock, write

EXAMPLES = 2
"""How many findings stand as examples beside a group of warnings."""


@dataclass(frozen=True)
class Group:
    """Warnings of one code: how many there are and the first of them."""

    code: str
    title: str
    count: int
    examples: tuple[Finding, ...]


@dataclass
class CheckOutcome(Outcome):
    """`errors` and `warnings` are resolved; `groups` is filled instead of `warnings` where they are only counted.

    `fixable` is the number of findings that --fix would mend; `ignored` what the configuration left out; `debt` the
    errors that were there before what is checked; `baselined` those that the baseline knows, `removable` its entries
    that nothing needs any more. `root` is the registry, `prefix` its path from git's root, and `names` the bugs as
    (context, ID), of hidden ones no context.
    """

    errors: Sequence[Finding] = ()
    warnings: Sequence[Finding] = ()
    groups: Sequence[Group] = ()
    fixable: int = 0
    ignored: Sequence[Ignored] = ()
    debt: Sequence[Finding] = ()
    root: Path = Path()
    baselined: Sequence[Finding] = ()
    removable: Sequence[Entry] = ()
    names: Sequence[tuple[str, str]] = ()
    prefix: str = ""


def check(ws: Workspace, options: Options) -> CheckOutcome:
    """Validate the whole registry; names restrict only what is shown.

    Raises UsageError for a name that is neither context nor bug, and for codes that are no rules or are errors.
    """
    scope = scope_of(ws, options)
    found, ignored = scope.sift(run(ws.registry, None, scope.rules))
    counting, baselined, unneeded = part(found, baseline.read(ws.tree))
    out = judged(ws, options, scope, counting, baselined, unneeded)
    out.ignored = ignored
    out.fixable = sum(1 for v in found if fix_for(v.rule.code, v.bug, ws.registry, v.hit, ws.past) is not None)
    return out


def judged(
    ws: Workspace,
    options: Options,
    scope: Scope,
    found: Sequence[Violation],
    baselined: Sequence[Violation],
    unneeded: Sequence[Entry],
) -> CheckOutcome:
    """Give what violations come to: counted, resolved as far as the options show them, with the exit code.

    The baselined ones do not count; entries that nothing needs are told of where all was looked at.
    """
    errors = [v for v in found if v.is_error]
    open_ = [v for v in found if not v.is_error and not (v.bug and v.bug.locked)]
    inside = [v for v in found if not v.is_error and v.bug and v.bug.locked]
    shown = open_ + inside if options.locked else open_
    bugs = [bug for bug in ws.registry.bugs if scope.wanted is None or bug.path in scope.wanted[0]]
    data: dict[str, Any] = {
        "bugs": len(bugs),
        "contexts": len({bug.context for bug in bugs}),
        "errors": len(errors),
        "warnings": len(shown),
        "hidden_locked": 0 if options.locked else len(inside),
        "baselined": len(baselined),
    }
    out = CheckOutcome(data, exit_code=1 if errors or (options.strict and open_) else 0, root=ws.layout.root)
    out.names = [(bug.context if _tells(bug, options) else "", bug.id or bug.folder) for bug in bugs]
    out.prefix = ws.layout.from_git_root(ws.layout.root)
    out.errors = resolved(ws, options, errors)
    out.baselined = resolved(ws, options, baselined)
    out.removable = unneeded if scope.is_whole else ()
    if options.everything:
        out.warnings = resolved(ws, options, shown)
    else:
        out.groups = [_group(ws, options, code, shown) for code in sorted({v.rule.code for v in shown})]
    out.findings = [*out.errors, *out.warnings]
    return out


def _tells(bug: Bug, options: Options) -> bool:
    return options.include_restricted or not bug.veiled


def resolved(ws: Workspace, options: Options, violations: Iterable[Violation]) -> list[Finding]:
    """Give violations as findings, sorted by where they are."""
    return sorted(resolve_all(ws, violations, include_restricted=options.include_restricted), key=sort_key)


def _group(ws: Workspace, options: Options, code: str, shown: Sequence[Violation]) -> Group:
    mine = [v for v in shown if v.rule.code == code]
    return Group(code, mine[0].rule.title, len(mine), tuple(resolved(ws, options, mine[:EXAMPLES])))


def write_baseline(option: str | None, *, dry_run: bool = False) -> Outcome:
    """Record today's errors in baseline.json, so that from now on only others count; without errors the file goes.

    Data: `{path, errors, added, removed}`. Raises Refused for a link in its place, Surroundings.
    """
    ws = open_workspace(option, seals=True)
    path = ws.layout.root / baseline.NAME
    guard.refuse_link(path)
    with lock.locked(ws.layout):
        before = files.current(ws.layout, f"{ws.layout.prefix}/{baseline.NAME}")
        known = baseline.readable(ws.tree)
        found = entries(run(ws.registry))
        after = baseline.text(found)
        data: dict[str, Any] = {
            "path": ws.layout.from_git_root(path),
            "errors": sum(entry.count for entry in found),
            "added": len(set(found) - set(known)),
            "removed": len(set(known) - set(found)),
        }
        out = Outcome(data)
        if dry_run:
            out.diff = file_diff(data["path"], before or b"", after)
        elif before is not None and not after:
            write.take_away(path, before)
        elif after != (before or b""):
            write.replace(path, after, before)
    return out
