"""Findings of an inspection report, and the bugs that are made of them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reversa.core.bug import Registry, text_at
from reversa.core.document import filled, get, items
from reversa.core.draft import Draft
from reversa.core.fields import SEVERITIES
from reversa.core.mirror import one_line
from reversa.core.naming import clean_title
from reversa.core.rules.locators import parse, trouble


@dataclass(frozen=True, slots=True)
class Finding:
    """An entry of a report's list of findings: `block` and `index` say where it stands, `line` counts from 1."""

    block: int
    index: int
    line: int
    id: str
    summary: str
    lens: str
    confidence: str
    severity: str
    evidence: tuple[str, ...]
    signals: tuple[str, ...]
    promoted_to: str


def finding(raw: Any, block: int, index: int, line: int) -> Finding:
    """Read an entry as it stands; what is missing is empty."""
    return Finding(
        block,
        index,
        line,
        text_at(raw, "finding_id"),
        text_at(raw, "summary"),
        text_at(raw, "lens"),
        text_at(raw, "confidence"),
        text_at(raw, "suspected_severity").lower(),
        tuple(filter(None, map(_observation, items(get(raw, "evidence"))))),
        tuple(str(item) for item in items(get(raw, "signals")) if isinstance(item, str) and filled(item)),
        text_at(raw, "promoted_to"),
    )


def _observation(item: Any) -> str:
    """Give a piece of evidence as one line: text as it is, `{ref, observation}` as `ref: observation`."""
    if isinstance(item, dict):
        return ": ".join(filter(None, (text_at(item, "ref"), text_at(item, "observation"))))
    return one_line(str(item)) if isinstance(item, str) and filled(item) else ""


def draft(found: Finding, context: str, report: str, registry: Registry) -> Draft:
    """Make a draft of a finding; `report` is the path of the report from the registry root.

    A piece of evidence that is nothing but a place in the specification or in the code is linked as one, too.
    """
    link = posixpath.relpath(report, f"{context}/bugs/BUG")
    facts = [f"{name} {value}" for name, value in (("lens", found.lens), ("confidence", found.confidence)) if value]
    notes = [f"- Finding {one_line(found.id)} of [{report}](<{link}>){_in_brackets(facts)}."]
    notes += [f"- Signals: {one_line('; '.join(found.signals))}."] if found.signals else []
    specs, code = _places(found.evidence, registry)
    return Draft(
        context,
        {
            "title": clean_title(found.summary),
            "severity": found.severity if found.severity in SEVERITIES else None,
            "origin": {"type": "inspection", "external_ref": None},
            "traceability": {"specs": specs, "affected_code": code},
        },
        {
            "Summary": one_line(found.summary),
            "Evidence": "\n".join(f"- {text}" for text in found.evidence) or "None yet.",
            "Agent Notes": "\n".join(notes),
        },
        key=found.id,
    )


def _in_brackets(facts: Sequence[str]) -> str:
    return f" ({one_line(', '.join(facts))})" if facts else ""


def _places(evidence: Sequence[str], registry: Registry) -> tuple[list[str], list[str]]:
    """Give the pieces of evidence that are locators and lead somewhere: those of the specification, those of code."""
    found = list(dict.fromkeys(_locators(evidence, registry)))
    prefix = f"{registry.spec_folder}/"
    return [each for each in found if each.startswith(prefix)], [each for each in found if not each.startswith(prefix)]


def _locators(evidence: Sequence[str], registry: Registry) -> Iterator[str]:
    for text in evidence:
        place = text.strip("`")
        locator = None if " " in place else parse(place)
        if locator is not None and not locator.test and "/" in locator.path and not trouble(place, registry):
            yield place
