"""What `check` and its fixes look at: the records that are named, the rules that are chosen, what is ignored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reversa.commands.workspace import Workspace
from reversa.core import alias
from reversa.core.bug import Bug, Registry
from reversa.core.finding import Severity
from reversa.core.rules import RULES
from reversa.core.rules.engine import Rule, Violation, run
from reversa.core.suggest import hint, nearest
from reversa.errors import UsageError


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


class Ignore(NamedTuple):
    """An entry of the configuration: a rule or its beginning, the context it is for ("" for all), and the reason."""

    code: str
    context: str
    reason: str

    def covers(self, violation: Violation) -> bool:
        if self.context and violation.hit.path.split("/")[0] != self.context:
            bug = violation.bug
            if bug is None or bug.context != self.context:
                return False
        return violation.rule.code.startswith(self.code)


class Ignored(NamedTuple):
    """How many warnings an entry left out; 0 for one that has become needless."""

    entry: Ignore
    total: int


@dataclass(frozen=True)
class Scope:
    """The rules to run, the record paths and contexts to look at (None for all), and what to leave out."""

    rules: Mapping[str, Rule]
    wanted: tuple[frozenset[str], frozenset[str]] | None
    ignores: tuple[Ignore, ...]

    @property
    def is_whole(self) -> bool:
        """Whether all records are looked at, with all rules."""
        return self.wanted is None and len(self.rules) == len(RULES)

    def find(self, registry: Registry) -> list[Violation]:
        """Give the violations that count here."""
        return self.sift(run(registry, None, self.rules))[0]

    def sift(self, found: Iterable[Violation]) -> tuple[list[Violation], list[Ignored]]:
        """Give those of the rules' violations that count, and how many each entry of the configuration left out."""
        kept, counts = [], Counter[Ignore]()
        for violation in filter(self._belongs, found):
            entry = self._entry(violation)
            if entry is None:
                kept.append(violation)
            else:
                counts[entry] += 1
        return kept, [Ignored(entry, counts[entry]) for entry in self.ignores]

    def _entry(self, violation: Violation) -> Ignore | None:
        if violation.is_error:
            return None
        return next((entry for entry in self.ignores if entry.covers(violation)), None)

    def _belongs(self, violation: Violation) -> bool:
        """Whether a violation is about one of the records or contexts that arguments named."""
        if self.wanted is None:
            return True
        paths, contexts = self.wanted
        if violation.bug is not None:
            return violation.bug.path in paths
        return violation.hit.path.split("/")[0] in contexts


def scope_of(ws: Workspace, options: Options) -> Scope:
    """Give what to look at by arguments and configuration; --select goes before that of the configuration.

    Raises UsageError for a name that is neither context nor bug, for what is no rule, and for errors to be ignored.
    """
    return Scope(_rules(ws, options), _named(ws, options.names), tuple(ignores(ws)))


def ignores(ws: Workspace) -> Iterator[Ignore]:
    """Yield the entries of the configuration that leave warnings out; raises UsageError for what cannot be one."""
    checks = ws.layout.checks
    for code, reason in checks.ignore.items():
        _refuse_errors(RULES, (code,), f"{checks.file}: check.ignore: ")
        yield Ignore(code.upper(), "", reason)
    for context, rules in checks.per_context.items():
        where = f"{checks.file}: check.per-context-ignore: "
        if context not in ws.registry.contexts:
            known = [name for name in ws.registry.contexts if name]
            raise UsageError(f"{where}{context} is no context of this registry.", hint(context, known))
        for code, reason in rules.items():
            _refuse_errors(RULES, (code,), where)
            yield Ignore(code.upper(), context, reason)


def heeded(ws: Workspace, found: Sequence[Violation]) -> list[Violation]:
    """Give the violations that the configuration does not leave out."""
    entries = tuple(ignores(ws))
    return [violation for violation in found if not any(entry.covers(violation) for entry in entries)]


def _rules(ws: Workspace, options: Options) -> dict[str, Rule]:
    """Give the rules that --select, --ignore and the configuration's selection leave.

    The configuration selects among warnings: errors count whatever it says, since a pull request can change it.
    """
    checks = ws.layout.checks
    chosen = dict(RULES)
    if options.select or checks.select:
        where = "" if options.select else f"{checks.file}: check.select: "
        wanted = _codes(options.select or checks.select, where)
        kept = () if options.select else [code for code, rule in RULES.items() if rule.severity is Severity.ERROR]
        chosen = {code: rule for code, rule in RULES.items() if code.startswith(wanted) or code in kept}
    ignored = _refuse_errors(chosen, options.ignore, "")
    return {code: rule for code, rule in chosen.items() if code not in ignored}


def _refuse_errors(rules: Mapping[str, Rule], patterns: Sequence[str], where: str) -> set[str]:
    """Give the rules that patterns name; refuses (UsageError) when an error is among them."""
    starts = _codes(patterns, where)
    found = {code for code in rules if code.startswith(starts)}
    errors = sorted(code for code in found if RULES[code].severity is Severity.ERROR)
    if errors:
        raise UsageError(
            f"{where}{errors[0]} is an error, and errors cannot be ignored.", "Mend it; reversa rules explains it."
        )
    return found


def _codes(patterns: Sequence[str], where: str) -> tuple[str, ...]:
    """Give codes, or beginnings of codes such as RV3, in upper case; raises UsageError for what is no rule."""
    for pattern in patterns:
        if not any(known.startswith(pattern.upper()) for known in RULES):
            near = nearest(pattern, RULES)
            meant = f"Did you mean {near[0]}? " if near else ""
            raise UsageError(f"{where}{pattern} is no rule.", f"{meant}reversa rules lists them.", kind="unknown-rule")
    return tuple(pattern.upper() for pattern in patterns)


def _named(ws: Workspace, names: Sequence[str]) -> tuple[frozenset[str], frozenset[str]] | None:
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
