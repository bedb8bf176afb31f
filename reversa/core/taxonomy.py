"""The controlled vocabulary of area, module and feature (registry.md 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reversa.core.document import simple
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
    terms: dict[str, tuple[str, ...]] = {}
    for dimension in DIMENSIONS:
        plural = next((key for key, singular in PLURALS.items() if singular == dimension), "")
        value = data.get(dimension, data.get(plural))
        members = value if isinstance(value, (list, dict)) else []
        terms[dimension] = tuple(str(term) for term in members if isinstance(term, str) and simple(term) is not None)
    return Taxonomy(True, terms, tuple(key for key in PLURALS if key in data))
