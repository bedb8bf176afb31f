"""Find and order bugs: what `list` and `next` choose from."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reversa.core.bug import Bug, Registry
from reversa.core.fields import PRIORITIES, SEVERITIES


@dataclass(frozen=True, slots=True)
class Filters:
    """What a bug must be; within one field any of the values will do, an empty tuple asks nothing.

    `all` shows resolved bugs too; asking for a status or for locks does so by itself.
    """

    status: tuple[str, ...] = ()
    phase: tuple[str, ...] = ()
    severity: tuple[str, ...] = ()
    priority: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    area: tuple[str, ...] = ()
    module: tuple[str, ...] = ()
    feature: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    blocked: bool | None = None
    locked: bool | None = None
    all: bool = False
    include_restricted: bool = False


_FIELDS = ("phase", "severity", "priority", "area", "module", "feature")


def fold(text: str) -> str:
    """Give a text without case and accents, for comparing."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def select(registry: Registry, query: str = "", filters: Filters | None = None) -> list[Bug]:
    """Give the bugs that match, in the registry's order; resolved ones only when asked for.

    The query is a substring of ID, title or a label. Of a restricted bug nothing but ID, context, status and lock may
    answer, unless `include_restricted`: a search must not tell what is in it.
    """
    filters = filters or Filters()
    needle = fold(query.strip())
    return [bug for bug in registry.bugs if _wanted(bug, registry, filters) and _matches(bug, needle, filters)]


def _wanted(bug: Bug, registry: Registry, filters: Filters) -> bool:
    if filters.status and bug.status not in filters.status:
        return False
    if bug.status == "resolved" and not (filters.all or filters.status or filters.locked):
        return False
    if filters.context and bug.context not in filters.context:
        return False
    if filters.locked is not None and bug.locked is not filters.locked:
        return False
    asked = [name for name in _FIELDS if getattr(filters, name)]
    if bug.restricted and not filters.include_restricted:
        return not asked and not filters.label and filters.blocked is None
    if any(getattr(bug, name) not in getattr(filters, name) for name in asked):
        return False
    if filters.label and not set(filters.label) & set(bug.labels):
        return False
    return filters.blocked is None or registry.is_blocked(bug) is filters.blocked


def _matches(bug: Bug, needle: str, filters: Filters) -> bool:
    if not needle:
        return True
    hidden = bug.restricted and not filters.include_restricted
    texts = (bug.id,) if hidden else (bug.id, bug.title, *bug.labels)
    return any(needle in fold(text) for text in texts)


def rank(values: tuple[str, ...], value: str) -> int:
    """Give the place of a word in a vocabulary, case-blind; an unknown word comes last."""
    folded = [known.casefold() for known in values]
    return folded.index(value.casefold()) if value.casefold() in folded else len(values)


def urgency(bug: Bug) -> tuple[int, int, int, str, str]:
    """The usual order of open bugs: priority, severity, number, then ID and path so that nothing is left to chance."""
    return rank(PRIORITIES, bug.priority), rank(SEVERITIES, bug.severity), *_number(bug)


def _number(bug: Bug) -> tuple[int, str, str]:
    return 10**9 if bug.number is None else bug.number, bug.key, bug.path


SORTS = ("id", "number", "priority", "severity", "created", "updated", "impact")
"""The sort keys; dates and impact put the newest and the highest first."""


def sort(bugs: Iterable[Bug], key: str = "priority", impact: Mapping[str, int] | None = None) -> list[Bug]:
    """Order bugs by a key of SORTS; ties are broken by urgency, then ID. `impact` is by upper-case ID."""
    scores = impact or {}
    rising: dict[str, Callable[[Bug], Any]] = {
        "id": lambda bug: (bug.key, bug.path),
        "number": _number,
        "severity": lambda bug: rank(SEVERITIES, bug.severity),
        "impact": lambda bug: -scores.get(bug.key, 0),
    }
    usual = sorted(bugs, key=urgency)
    if key in ("created", "updated"):
        return sorted(usual, key=lambda bug: str(getattr(bug, key)), reverse=True)
    return sorted(usual, key=rising[key]) if key in rising else usual
