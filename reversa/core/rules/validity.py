"""Which errors a registry carries, and which bugs they make invalid (registry.md 5)."""

from __future__ import annotations

from collections.abc import Iterable

from reversa.core.bug import Registry
from reversa.core.finding import Severity
from reversa.core.rules.engine import RULES, Rule, Violation, run

HARMLESS = ("RV210", "RV211", "RV213")
"""A breach of a lock takes no bug out of the views."""


def of_severity(severity: Severity) -> dict[str, Rule]:
    """Give the rules of a severity by code."""
    return {code: rule for code, rule in RULES.items() if rule.severity is severity}


def errors(registry: Registry) -> list[Violation]:
    """Give every error of the registry."""
    return run(registry, None, of_severity(Severity.ERROR))


def invalid(found: Iterable[Violation]) -> dict[str, tuple[str, ...]]:
    """Give the codes of the errors that make bugs invalid, by record path."""
    out: dict[str, set[str]] = {}
    for violation in found:
        if violation.bug is not None and violation.is_error and violation.rule.code not in HARMLESS:
            out.setdefault(violation.bug.path, set()).add(violation.rule.code)
    return {path: tuple(sorted(codes)) for path, codes in out.items()}
