"""The controlled vocabulary of area, module and feature (registry.md 9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reversa.core.document import Route, filled, items
from reversa.core.fields import UNCLASSIFIED
from reversa.core.suggest import hint
from reversa.errors import UsageError

DIMENSIONS = ("area", "module", "feature")
PLURALS = {"areas": "area", "modules": "module", "features": "feature"}

TERM_LENGTH = 60
_TERM = re.compile(r"[^\W_](?:[\w.+/@-]*[^\W_])?|@[\w.+/-]*[^\W_]")
"""Letters and digits of any script, joined by what package names join them with."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The terms of each dimension; `present` is False where there is no readable file and nothing is checked."""

    present: bool = False
    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plurals: tuple[str, ...] = ()

    def allows(self, dimension: str, term: str) -> bool:
        """Whether a term may stand in a record; an empty list admits `unclassified` alone."""
        return not self.present or term == UNCLASSIFIED or term in self.terms.get(dimension, ())


def from_data(data: Any) -> Taxonomy:
    """Read raw YAML data leniently: plural keys, a mapping of term to description, extra keys."""
    if not isinstance(data, dict):
        return Taxonomy()
    terms: dict[str, list[str]] = {dimension: [] for dimension in DIMENSIONS}
    for key, value in data.items():
        dimension = PLURALS.get(key, key)
        if dimension in terms:
            terms[dimension] += _terms(value)
    found = {dimension: tuple(dict.fromkeys(members)) for dimension, members in terms.items()}
    return Taxonomy(True, found, tuple(key for key in PLURALS if key in data))


def _terms(value: Any) -> list[str]:
    """Give the terms of a list, a mapping or a single text; a member `term: description` names its term too."""
    members = list(value) if isinstance(value, dict) else items(value)
    named = [next(iter(term)) if isinstance(term, dict) and len(term) == 1 else term for term in members]
    return [str(term) for term in named if isinstance(term, str) and filled(term)]


def places(data: Any, dimension: str) -> Iterator[tuple[str, Route, bool]]:
    """Yield each term of a dimension with the route at which it stands and whether it stands there as a key."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if PLURALS.get(key, key) != dimension:
            continue
        if isinstance(value, dict):
            yield from ((term, (key, term), True) for term in value if filled(term))
        elif isinstance(value, list):
            for index, member in enumerate(value):
                if isinstance(member, dict) and len(member) == 1:
                    term = next(iter(member))
                    yield from [(term, (key, index, term), True)] if filled(term) else []
                elif isinstance(member, str) and filled(member):
                    yield str(member), (key, index), False
        elif isinstance(value, str) and filled(value):
            yield str(value), (key,), False


def dimension_name(text: str) -> str:
    """Read the name of a dimension, plural or not; raises UsageError."""
    name = text.strip().lower()
    name = PLURALS.get(name, name)
    if name not in DIMENSIONS:
        raise UsageError(f"{text!r} is no list of the taxonomy.", hint(text, DIMENSIONS), kind="taxonomy")
    return name


def new_term(text: str) -> str:
    """Check the name of a new term: words of any script without spaces; raises UsageError with one that would do."""
    term = text.strip()
    if term.casefold() == UNCLASSIFIED:
        raise UsageError(f"{UNCLASSIFIED} is always allowed and never listed.", kind="taxonomy")
    if not _TERM.fullmatch(term) or len(term) > TERM_LENGTH:
        kebab = "-".join(re.findall(r"[^\W_]+", term.lower()))[:TERM_LENGTH].strip("-")
        way = f"{kebab} would do." if kebab and kebab != UNCLASSIFIED else "For example: card-payment"
        raise UsageError(
            f"{term[:TERM_LENGTH]!r} cannot be a term: letters, digits and - . _ / + @, at most {TERM_LENGTH}.",
            way,
            kind="taxonomy",
        )
    return term


def folded(term: str) -> str:
    """Give a term without case and kind of separator: two terms that are the same then are one thing."""
    return re.sub(r"[\W_]+", "-", term.casefold())


def singular(text: str, key: str) -> str:
    """Rename a plural key in the text of `taxonomy.yaml`; the text as it is where that would make a key stand twice."""
    name = PLURALS[key]
    if _key(name).search(text):
        return text
    return _key(key).sub(lambda match: f"{match[1]}{name}{match[1]}{match[2]}", text, count=1)


def _key(name: str) -> re.Pattern[str]:
    return re.compile(rf"^([\"']?){re.escape(name)}\1([ \t]*:)(?=[ \t\r\n]|\Z)", re.MULTILINE)
