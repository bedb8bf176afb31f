"""How rules are declared and run.

A rule is a generator over one bug (or over the registry) that yields hits. Its docstring is its manual page: the first
line is its title, `## Bad` and `## Good` hold YAML examples that the test suite runs. Codes never change meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from reversa.core.bug import Bug, Registry
from reversa.core.document import show_route
from reversa.core.finding import Hit, Severity
from reversa.core.printable import escaped

BugCheck = Callable[[Bug, Registry], Iterable[Hit]]
Given = Callable[[Bug], object]
RegistryCheck = Callable[[Registry], Iterable[tuple[Bug | None, Hit]]]
Owner = TypeVar("Owner", Bug, Registry)
Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its message templates; `scope` says whether it is asked per bug, per readable bug or once.

    `given` is a fact about a bug without which the rule has nothing to say: rules that share it are skipped together.
    """

    code: str
    severity: Severity
    message: str
    mend: str
    scope: Literal["record", "any", "registry"]
    check: Any
    doc: str
    given: Given | None = None

    @property
    def title(self) -> str:
        return self.doc.splitlines()[0].rstrip(".")


RULES: dict[str, Rule] = {}
"""All rules by code, filled by the decorator as the families are imported."""


def rule(
    code: str,
    severity: Severity,
    message: str,
    *,
    mend: str = "",
    scope: Literal["record", "any", "registry"] = "record",
    given: Given | None = None,
) -> Callable[[Any], Any]:
    """Register a rule; its templates are format strings over the hit's params, `{bug}`, `{suffix}` and `{key}`."""

    def register(check: Any) -> Any:
        if code in RULES:
            raise ValueError(f"rule {code} is declared twice")
        RULES[code] = Rule(code, severity, message, mend, scope, check, check.__doc__ or "", given)
        return check

    return register


def once(compute: Callable[[Owner], Fact]) -> Callable[[Owner], Fact]:
    """Compute a fact about a bug or a registry once and keep it there, as `cached_property` does.

    Several rules read their hits out of one walk; neither a bug nor a registry can be hashed for `functools.cache`.
    """
    slot = f"{compute.__module__}.{compute.__qualname__}"

    def kept(owner: Owner) -> Fact:
        store = owner.__dict__
        if slot not in store:
            store[slot] = compute(owner)
        fact: Fact = store[slot]
        return fact

    return kept


@dataclass(frozen=True, slots=True)
class Violation:
    """A hit with the rule and the bug it belongs to; `bug` is None for what concerns no single bug."""

    rule: Rule
    bug: Bug | None
    hit: Hit

    @property
    def is_error(self) -> bool:
        return self.rule.severity is Severity.ERROR

    def values(self) -> dict[str, Any]:
        """The values that the rule's templates may name."""
        name = self.bug.id if self.bug else ""
        return {
            "bug": name or "the bug",
            "suffix": name[-4:] or "BUG",
            "key": show_route(self.hit.route),
            **self.hit.params,
        }

    def message(self) -> str:
        return self.rule.message.format_map(_Shown(self.values()))

    def mend(self) -> str:
        """What mends it: the rule's template, or the hit's own under `instead` where that one would not fit."""
        template = str(self.hit.params.get("instead") or self.rule.mend)
        return template.format_map(_Shown(self.values()))


def identity(violation: Violation) -> tuple[str, str, str]:
    """Tell violations apart whatever moved: by the bug's ID (else the path), the rule and the top-level key.

    Wording, value and exact place are no part of it: mending half of an error changes them and is no new error. Where
    several violations share an identity, their number is what must not grow.
    """
    owner = violation.bug.key if violation.bug else ""
    path = violation.hit.path or (violation.bug.path if violation.bug else "")
    return owner or path, violation.rule.code, str(violation.hit.route[0]) if violation.hit.route else ""


class _Shown(dict[str, Any]):
    """Values made safe to show: control characters are never echoed raw, long text is cut."""

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        return shown(value, 120 if key in _FROM_THE_RECORD else 400) if isinstance(value, str) else value


_FROM_THE_RECORD = ("value", "title", "name")
"""Values that are somebody's text as it stands; the others were put together by a rule and are short by themselves."""


def shown(text: str, limit: int = 120) -> str:
    """Give text that is safe on a terminal: control, bidi and line-separator characters escaped, cut at `limit`."""
    out = escaped(text)
    return out if len(out) <= limit else out[: limit - 1] + "…"


def run(
    registry: Registry, bugs: Iterable[Bug] | None = None, rules: Mapping[str, Rule] | None = None
) -> list[Violation]:
    """Run all rules over a registry, or give what they say of some of its bugs; order is that of bugs, then codes.

    What a rule says of the registry as a whole belongs to a run over all of it.
    """
    chosen = RULES if rules is None else rules
    some = None if bugs is None else list(bugs)
    return [*_run(registry, chosen, some)]


def _by_given(rules: Iterable[Rule]) -> list[tuple[Given | None, list[Rule]]]:
    groups: dict[Given | None, list[Rule]] = {}
    for rule in rules:
        groups.setdefault(rule.given, []).append(rule)
    return list(groups.items())


def _run(registry: Registry, rules: Mapping[str, Rule], some: list[Bug] | None) -> Iterator[Violation]:
    ordered = [rules[code] for code in sorted(rules)]
    everywhere = _by_given(rule for rule in ordered if rule.scope == "any")
    records = _by_given(rule for rule in ordered if rule.scope != "registry")
    for bug in registry.bugs if some is None else some:
        found = [
            Violation(rule, bug, hit)
            for given, members in (records if bug.readable else everywhere)
            if given is None or given(bug)
            for rule in members
            for hit in rule.check(bug, registry)
        ]
        yield from sorted(found, key=lambda violation: violation.rule.code)
    wanted = None if some is None else {bug.path for bug in some}
    for rule in ordered:
        if rule.scope == "registry":
            for owner, hit in rule.check(registry):
                if wanted is None or (owner is not None and owner.path in wanted):
                    yield Violation(rule, owner, hit)
