"""`reversa check`: every error and warning of the registry in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reversa.commands.findings import resolve_all, sort_key
from reversa.commands.outcome import Outcome
from reversa.commands.scope import Ignored, Options, scope_of
from reversa.commands.workspace import Workspace
from reversa.core.finding import Finding
from reversa.core.fixes import fix_for
from reversa.core.rules.engine import Violation

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

    `fixable` is the number of findings that --fix would mend; `ignored` what the configuration left out.
    """

    errors: Sequence[Finding] = ()
    warnings: Sequence[Finding] = ()
    groups: Sequence[Group] = ()
    fixable: int = 0
    ignored: Sequence[Ignored] = ()


def check(ws: Workspace, options: Options) -> CheckOutcome:
    """Validate the whole registry; names restrict only what is shown.

    Raises UsageError for a name that is neither context nor bug, and for codes that are no rules or are errors.
    """
    scope = scope_of(ws, options)
    found, ignored = scope.sift(ws.registry)
    errors = [v for v in found if v.is_error]
    open_ = [v for v in found if not v.is_error and not (v.bug and v.bug.locked)]
    inside = [v for v in found if not v.is_error and v.bug and v.bug.locked]
    shown = open_ + inside if options.locked else open_
    bugs = [bug for bug in ws.registry.bugs if scope.wanted is None or bug.path in scope.wanted[0]]
    data = {
        "bugs": len(bugs),
        "contexts": len({bug.context for bug in bugs}),
        "errors": len(errors),
        "warnings": len(shown),
        "hidden_locked": 0 if options.locked else len(inside),
    }
    out = CheckOutcome(data, exit_code=1 if errors or (options.strict and open_) else 0)

    def resolve(violations: list[Violation]) -> list[Finding]:
        return sorted(resolve_all(ws, violations, include_restricted=options.include_restricted), key=sort_key)

    out.errors = resolve(errors)
    if options.everything:
        out.warnings = resolve(shown)
    else:
        out.groups = [_group(code, shown, resolve) for code in sorted({v.rule.code for v in shown})]
    out.findings = [*out.errors, *out.warnings]
    out.ignored = ignored
    out.fixable = sum(1 for v in found if fix_for(v.rule.code, v.bug, ws.registry, v.hit, ws.past) is not None)
    return out


def _group(code: str, shown: list[Violation], resolve: Callable[[list[Violation]], list[Finding]]) -> Group:
    mine = [v for v in shown if v.rule.code == code]
    return Group(code, mine[0].rule.title, len(mine), tuple(resolve(mine[:EXAMPLES])))
