"""The baseline: the errors that a registry had when somebody decided to live with them, counted by fingerprint."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reversa.core.rules.engine import Violation, identity

PASSING = ("RV211", "RV213")
"""Errors about what is not committed yet, or came with the commits at hand: nobody decides to live with them."""


@dataclass(frozen=True, order=True)
class Entry:
    """Errors that are known: whose (a bug's ID, or a path), of which rule, under which fingerprint, how many."""

    owner: str
    code: str
    fingerprint: str
    count: int = 1


def fingerprint(violation: Violation) -> str:
    """Give what a violation is known by however lines move: 32 hexadecimal digits over its identity."""
    return hashlib.sha256("\0".join(identity(violation)).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def entries(violations: Iterable[Violation]) -> tuple[Entry, ...]:
    """Give the entries that the errors among violations come to, sorted."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for violation in violations:
        if violation.is_error and violation.rule.code not in PASSING:
            owner, code, _ = identity(violation)
            counts[owner, code, fingerprint(violation)] += 1
    return tuple(sorted(Entry(*names, count) for names, count in counts.items()))


def part(
    violations: Iterable[Violation], known: Iterable[Entry]
) -> tuple[list[Violation], list[Violation], tuple[Entry, ...]]:
    """Part violations into those that count and those that are known; and give the entries that nothing needs now."""
    left = {entry.fingerprint: entry for entry in known}
    counts = Counter({name: entry.count for name, entry in left.items()})
    new: list[Violation] = []
    old: list[Violation] = []
    for violation in violations:
        name = fingerprint(violation) if violation.is_error and left else ""
        (old if counts[name] > 0 else new).append(violation)
        if name:
            counts[name] -= 1
    unneeded = tuple(
        Entry(entry.owner, entry.code, name, counts[name]) for name, entry in sorted(left.items()) if counts[name] > 0
    )
    return new, old, tuple(sorted(unneeded))
