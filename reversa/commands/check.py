"""`reversa check`: every error and warning of the registry in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reversa.commands.findings import resolve_all, sort_key
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace
from reversa.core import alias
from reversa.core.bug import Bug
from reversa.core.finding import Finding, Severity
from reversa.core.fixes import fix_for
from reversa.core.rules import RULES
from reversa.core.rules.engine import Rule, Violation, run
from reversa.errors import UsageError

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

    `fixable` is the number of findings that --fix would mend.
    """

    errors: Sequence[Finding] = ()
    warnings: Sequence[Finding] = ()
    groups: Sequence[Group] = ()
    fixable: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """What to check and to show; `everything` shows each warning instead of groups."""

    names: tuple[str, ...] = ()
    strict: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    everything: bool = False
    locked: bool = False
    include_restricted: bool = False


def check(ws: Workspace, options: Options) -> CheckOutcome:
    """Validate the whole registry; names restrict only what is shown.

    Raises UsageError for a name that is neither context nor bug, and for codes that are no rules or are errors.
    """
    wanted = named(ws, options.names)
    rules = chosen_rules(options)
    found = [v for v in run(ws.registry, None, rules) if wanted is None or belongs(v, wanted)]
    errors = [v for v in found if v.is_error]
    open_ = [v for v in found if not v.is_error and not (v.bug and v.bug.locked)]
    inside = [v for v in found if not v.is_error and v.bug and v.bug.locked]
    shown = open_ + inside if options.locked else open_
    bugs = [bug for bug in ws.registry.bugs if wanted is None or bug.path in wanted[0]]
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
    out.fixable = sum(1 for v in found if fix_for(v.rule.code, v.bug, ws.registry, v.hit, ws.past) is not None)
    return out


def _group(code: str, shown: list[Violation], resolve: Callable[[list[Violation]], list[Finding]]) -> Group:
    mine = [v for v in shown if v.rule.code == code]
    return Group(code, mine[0].rule.title, len(mine), tuple(resolve(mine[:EXAMPLES])))


def belongs(violation: Violation, wanted: tuple[frozenset[str], frozenset[str]]) -> bool:
    """Whether a violation is about one of the records or contexts that arguments named."""
    paths, contexts = wanted
    if violation.bug is not None:
        return violation.bug.path in paths
    return violation.hit.path.split("/")[0] in contexts


def named(ws: Workspace, names: Sequence[str]) -> tuple[frozenset[str], frozenset[str]] | None:
    """Give the record paths and contexts that arguments name, or None for all."""
    if not names:
        return None
    bugs: list[Bug] = []
    contexts = set()
    for name in names:
        wanted = name.rstrip("/").removeprefix(f"{ws.registry.prefix}/").casefold()
        context = next((known for known in ws.registry.contexts if known and known.casefold() == wanted), "")
        if context:
            contexts.add(context)
            bugs += [bug for bug in ws.registry.bugs if bug.context == context]
        else:
            bugs.append(_bug(ws, name))
    return frozenset(bug.path for bug in bugs), frozenset(contexts)


def _bug(ws: Workspace, name: str) -> Bug:
    try:
        return alias.resolve(ws.registry, name)
    except UsageError as error:
        try:
            alias.context(ws.registry.contexts, name, ws.registry.prefix)
        except UsageError as other:
            hint = f"{other.hint} {error.hint}"
        raise UsageError(f"{name} is neither a bug nor a context of this registry.", hint, kind="unknown-bug") from None


def chosen_rules(options: Options) -> dict[str, Rule]:
    """Give the rules that --select and --ignore leave; raises UsageError for what is no rule and for errors."""
    chosen = dict(RULES)
    if options.select:
        chosen = {code: rule for code, rule in RULES.items() if _matches(code, options.select)}
    if options.ignore:
        ignored = {code for code in chosen if _matches(code, options.ignore)}
        errors = sorted(code for code in ignored if RULES[code].severity is Severity.ERROR)
        if errors:
            raise UsageError(
                f"{errors[0]} is an error, and errors cannot be ignored.", "Mend it; reversa rules explains it."
            )
        chosen = {code: rule for code, rule in chosen.items() if code not in ignored}
    return chosen


def _matches(code: str, patterns: Sequence[str]) -> bool:
    """Whether a code is one of the given codes or starts with one of the given prefixes such as RV3."""
    for pattern in patterns:
        if not any(known.startswith(pattern.upper()) for known in RULES):
            raise UsageError(f"{pattern} is no rule.", "reversa rules lists them.", kind="unknown-rule")
    return code.startswith(tuple(pattern.upper() for pattern in patterns))
