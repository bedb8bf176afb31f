"""The controlled vocabulary of area, module and feature (registry.md 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reversa.core.document import filled, items
from reversa.core.fields import UNCLASSIFIED

DIMENSIONS = ("area", "module", "feature")
PLURALS = {"areas": "area", "modules": "module", "features": "feature"}


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


def singular(text: str, key: str) -> str:
    """Rename a plural key in the text of `taxonomy.yaml`; the text as it is where that would make a key stand twice."""
    name = PLURALS[key]
    if _key(name).search(text):
        return text
    return _key(key).sub(lambda match: f"{match[1]}{name}{match[1]}{match[2]}", text, count=1)


def _key(name: str) -> re.Pattern[str]:
    return re.compile(rf"^([\"']?){re.escape(name)}\1([ \t]*:)(?=[ \t\r\n]|\Z)", re.MULTILINE)
