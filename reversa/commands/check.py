"""`reversa check`: every error and warning of the registry in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.commands.findings import resolve_all, sort_key
from reversa.commands.outcome import Outcome
from reversa.commands.scope import Ignored, Options, Scope, scope_of
from reversa.commands.workspace import Workspace
from reversa.core.finding import Finding
from reversa.core.fixes import fix_for
from reversa.core.rules.engine import Violation, run

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
    errors that were there before what is checked; `root` the registry.
    """

    errors: Sequence[Finding] = ()
    warnings: Sequence[Finding] = ()
    groups: Sequence[Group] = ()
    fixable: int = 0
    ignored: Sequence[Ignored] = ()
    debt: Sequence[Finding] = ()
    root: Path = Path()


def check(ws: Workspace, options: Options) -> CheckOutcome:
    """Validate the whole registry; names restrict only what is shown.

    Raises UsageError for a name that is neither context nor bug, and for codes that are no rules or are errors.
    """
    scope = scope_of(ws, options)
    found, ignored = scope.sift(run(ws.registry, None, scope.rules))
    out = judged(ws, options, scope, found)
    out.ignored = ignored
    out.fixable = sum(1 for v in found if fix_for(v.rule.code, v.bug, ws.registry, v.hit, ws.past) is not None)
    return out


def judged(ws: Workspace, options: Options, scope: Scope, found: Sequence[Violation]) -> CheckOutcome:
    """Give what violations come to: counted, resolved as far as the options show them, with the exit code."""
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
    }
    out = CheckOutcome(data, exit_code=1 if errors or (options.strict and open_) else 0, root=ws.layout.root)
    out.errors = resolved(ws, options, errors)
    if options.everything:
        out.warnings = resolved(ws, options, shown)
    else:
        out.groups = [_group(ws, options, code, shown) for code in sorted({v.rule.code for v in shown})]
    out.findings = [*out.errors, *out.warnings]
    return out


def resolved(ws: Workspace, options: Options, violations: Iterable[Violation]) -> list[Finding]:
    """Give violations as findings, sorted by where they are."""
    return sorted(resolve_all(ws, violations, include_restricted=options.include_restricted), key=sort_key)


def _group(ws: Workspace, options: Options, code: str, shown: Sequence[Violation]) -> Group:
    mine = [v for v in shown if v.rule.code == code]
    return Group(code, mine[0].rule.title, len(mine), tuple(resolved(ws, options, mine[:EXAMPLES])))
