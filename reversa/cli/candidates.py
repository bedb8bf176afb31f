"""What may stand where on a command line: one table by parameter, for completion in every shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reversa.cli.grammar import GRAMMAR
from reversa.core import fields
from reversa.core.fields import BODY_SECTIONS, Field, Kind, walk
from reversa.report.formats import FORMATS


@dataclass(frozen=True, slots=True)
class Place:
    """Where the cursor is: the parameter's command, the words before it that are no options, the registry named."""

    command: str
    given: Sequence[str]
    registry: str | None


Source = Callable[[Place, str], Iterable[str]]
"""Gives candidates for a place and what stands there so far; those that do not fit are left out afterwards."""

FILES: Source = lambda place, typed: ()  # noqa: E731 - a marker: the shell knows files better
FREE: Source = lambda place, typed: ()  # noqa: E731 - a marker: only the person knows


def _words(*words: str) -> Source:
    return lambda place, typed: words


def _bugs_that(locked: bool | None) -> Source:
    """Give IDs, and to somebody who began otherwise the endings of IDs, which name a bug as well."""

    def found(place: Place, typed: str) -> list[str]:
        from reversa.commands import names

        ids = names.bugs(place.registry, locked=locked)
        if typed and not "BUG-".startswith(typed[:4].upper()):
            endings = Counter(bug[-4:] for bug in ids)
            return [ending for ending, count in endings.items() if count == 1]
        return [bug for bug in ids if bug not in place.given]

    return found


_bugs, _unlocked, _locked = _bugs_that(None), _bugs_that(locked=False), _bugs_that(locked=True)


def _contexts(place: Place, typed: str) -> list[str]:
    from reversa.commands import names

    return names.contexts(place.registry)


def _terms(dimension: str) -> Source:
    def found(place: Place, typed: str) -> list[str]:
        from reversa.commands import names

        return [*names.terms(place.registry, dimension), fields.UNCLASSIFIED]

    return found


def _several(source: Source) -> Source:
    """Complete the last of several words with commas between them."""

    def last(place: Place, typed: str) -> list[str]:
        before = typed[: typed.rfind(",") + 1]
        return [before + word for word in source(place, typed[len(before) :])]

    return last


def _codes(place: Place, typed: str) -> list[str]:
    from reversa.core.rules import RULES

    return sorted(RULES)


def _classes(place: Place, typed: str) -> list[str]:
    from reversa.commands.resettle import NAME
    from reversa.core.migrations import MIGRATIONS

    return [*MIGRATIONS, NAME]


def _sorts(place: Place, typed: str) -> Iterable[str]:
    from reversa.core.query import SORTS

    return SORTS


def _commands(place: Place, typed: str) -> list[str]:
    return [name for name in GRAMMAR if name]


_KEPT = ("id", "schema_version", "decisions")
"""Fields that no `--set` reaches."""


def _routes(*, lists: bool, scalars: bool) -> Source:
    """Complete a key route and, behind the sign `=`, its values where the vocabulary is closed."""

    def found(place: Place, typed: str) -> list[str]:
        route, equals, _ = typed.partition("=")
        if equals:
            known = dict(_settable(lists=lists, scalars=scalars)).get(route)
            return [f"{route}={value}" for value in _values(place, known)] if known else []
        return [f"{name}=" for name, _ in _settable(lists=lists, scalars=scalars)]

    return found


def _settable(*, lists: bool, scalars: bool) -> Iterable[tuple[str, Field]]:
    for route, known in walk():
        if "[]" in route or route in _KEPT or known.kind is Kind.MAP:
            continue
        if lists if known.kind is Kind.LIST else scalars:
            yield route, known


def _values(place: Place, known: Field) -> Iterable[str]:
    if known.taxonomy:
        return _terms(known.name)(place, "")
    if known.kind is Kind.BOOL:
        return ("true", "false")
    return (*known.values, *(("null",) if known.nullable else ()))


def _sections(place: Place, typed: str) -> list[str]:
    return [f"{name}=" for name in BODY_SECTIONS]


_DIMENSIONS = ("area", "module", "feature")


def _taxonomy_words(place: Place, typed: str) -> Iterable[str]:
    if len(place.given) == 1:
        return _DIMENSIONS
    is_old_name = place.given[0] == "rename" and len(place.given) == 2 and place.given[1] in _DIMENSIONS
    return _terms(place.given[1])(place, typed) if is_old_name else ()


_FREE = (
    "range_",
    *("by", "claim", "description", "evidence", "external", "finding", "label", "limit", "note", "query"),
    *("rate", "reason", "reporter", "term", "text", "title", "trigger"),
)
"""Parameters whose values only the person knows."""

SOURCES: dict[str, Source] = {
    "action": _words("list", "add", "rename"),
    "add": _routes(lists=True, scalars=False),
    "append": _sections,
    "area": _terms("area"),
    "assign": _routes(lists=True, scalars=True),
    "body": FILES,
    "bug": _unlocked,
    "bugs": _unlocked,
    "classification": _words(*fields.CLASSIFICATIONS),
    "code": FILES,
    "color": _words("auto", "always", "never"),
    "context": _contexts,
    "contexts": _contexts,
    "decisions.action": _words("list", "confirm"),
    "format_": _words("text", "json", *FORMATS),
    "hooks.action": _words("install", "uninstall", "status"),
    "draft": FILES,
    "duplicate_of": _bugs,
    "evidence.action": _words("add"),
    "feature": _terms("feature"),
    "files": FILES,
    "from_inspection": FILES,
    "from_intake": FILES,
    "from_json": FILES,
    "help.name": _commands,
    "ignore": _several(_codes),
    "kind": _words(*fields.RESOLUTION_KINDS),
    "lang": _words(*fields.LANGUAGES),
    "migrate.name": _classes,
    "module": _terms("module"),
    "names": lambda place, typed: [*_contexts(place, typed), *_bugs(place, typed)],
    "new.evidence": FILES,
    "origin": _words(*fields.ORIGINS),
    "phase": _words(*fields.PHASES),
    "policy": _words(*fields.POLICIES),
    "priority": _words(*fields.PRIORITIES),
    "propose_term": _words(*(f"{name}=" for name in _DIMENSIONS)),
    "registry": FILES,
    "regression_of": _bugs,
    "regression_test": FILES,
    "remove": _routes(lists=True, scalars=True),
    "reopen.bug": _locked,
    "reproduction_test": FILES,
    "rules.code": _codes,
    "seal.bugs": _locked,
    "section": _sections,
    "select": _several(_codes),
    "severity": _words(*fields.SEVERITIES),
    "shell": _words("bash", "zsh", "fish"),
    "show.bug": _bugs,
    "sort": _sorts,
    "source": _unlocked,
    "spec": FILES,
    "state": _words(*fields.RELATION_STATES),
    "status": _words(*fields.STATUSES),
    "target": _bugs,
    "test": FILES,
    "type_": _words(*fields.RELATION_TYPES),
    "unrestrict.visibility": _words("normal", "internal"),
    "verdict.value": _words(*fields.VERDICTS),
    "visibility": _words(*fields.VISIBILITIES),
    "words": _taxonomy_words,
    **dict.fromkeys(_FREE, FREE),
}
"""What completes a parameter: under `command.parameter` where one command differs, else under the parameter."""


def source_of(command: str, parameter: str) -> Source | None:
    """Give what completes a parameter of a command, None where the table does not know it."""
    return SOURCES.get(f"{command}.{parameter}") or SOURCES.get(parameter)
