"""A bug before it has an ID: what its reporter knows, and the front matter that comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reversa.core.fields import FRONT_MATTER, UNCLASSIFIED
from reversa.core.taxonomy import DIMENSIONS


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of a new bug.

    `fields` are values of the front matter as the field table types them, an absent one is not known; `sections` texts
    of the body by title; `key` is how other drafts of the same call name it; `proposals` are terms for the taxonomy by
    dimension.
    """

    context: str
    fields: Mapping[str, Any]
    sections: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    proposals: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return str(self.fields.get("title") or "")

    @property
    def is_express(self) -> bool:
        return self.fields.get("express") is True

    @property
    def is_restricted(self) -> bool:
        """Whether it will be restricted: it says so, or it may be a security defect (registry.md 3)."""
        return self.fields.get("security_suspected") is True or self.fields.get("visibility") == "restricted"


_ASSUMED = {"severity": "medium", "priority": "P2"}
"""What a reporter need not say; Agent Notes says that nobody did (cli.md)."""


def front_matter(draft: Draft, bug_id: str, number: int, day: str, policy: str) -> dict[str, Any]:
    """Give the whole front matter of a new bug in the table's order, with what is not known at its default."""
    given = {name: value for name, value in draft.fields.items() if value is not None}
    fixed = {"schema_version": 1, "id": bug_id, "display_number": number, "created": day, "updated": day}
    standard: dict[str, Any] = {
        "schema_version": 1,
        "id": bug_id,
        "display_number": number,
        "title": "",
        "status": "open",
        "phase": "triaging",
        **_ASSUMED,
        "created": day,
        "updated": day,
        "origin": {"type": "manual-report", "external_ref": None},
        **dict.fromkeys(DIMENSIONS, UNCLASSIFIED),
        "labels": [],
        "visibility": "normal",
        "security_suspected": False,
        "reproduction": {"classification": "unknown", "rate": None, "suspected_triggers": []},
        "blocking": [],
        "relationships": [],
        "traceability": {
            "specs": [],
            "affected_code": [],
            "root_cause": None,
            "reproduction_tests": [],
            "regression_tests": [],
        },
        "spec_verdict": None,
        "change_set": [],
        "closure": {"policy": policy, "satisfied": False},
        "resolution_kind": None,
    }
    out = {name: _over(value, given.get(name)) for name, value in standard.items()}
    out.update(
        (known.name, given[known.name]) for known in FRONT_MATTER.fields if known.name in given.keys() - out.keys()
    )
    if draft.is_restricted:
        out["visibility"] = "restricted"
    if out["phase"] != "triaging" and "status" not in given:
        out["status"] = "active"  # a phase beyond triaging makes a bug active, as `update` has it
    return {**out, **fixed}


def _over(standard: Any, given: Any) -> Any:
    """Put what is given in place of what is standard, key by key inside a mapping."""
    if given is None:
        return standard
    if isinstance(standard, dict) and isinstance(given, dict):
        known = {name: value for name, value in given.items() if value is not None}
        return {**standard, **known}
    return given


def assumed(draft: Draft) -> list[str]:
    """Name what was assumed because nobody said it, such as `severity medium`."""
    return [f"{name} {value}" for name, value in _ASSUMED.items() if not draft.fields.get(name)]


def agent_notes(draft: Draft) -> list[str]:
    """Give the lines that the registration itself adds to Agent Notes."""
    words = assumed(draft)
    lines = [f"- Assumed at registration, not said by the reporter: {' and '.join(words)}."] if words else []
    return lines + [f"- Proposed for the taxonomy: {name} `{term}`." for name, term in draft.proposals.items()]
