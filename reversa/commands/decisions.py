"""A person's decisions: who takes them, by which route, and how they are recorded (registry.md 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reversa.core.body_edit import append_to_section
from reversa.core.bug import Bug, Registry
from reversa.core.document import Route, get, show_route
from reversa.core.edit import Edit
from reversa.core.mirror import one_line
from reversa.errors import Refused

OPEN_MODES = ("gated", "autonomous")
"""The control modes in which a decision may be passed on by somebody else."""

DECISIONS: dict[Route, str] = {
    ("spec_verdict",): "The spec verdict",
    ("post_fix_observation", "waived"): "Waiving the observation",
    ("closure", "post_fix_observation", "waived"): "Waiving the observation",
}
"""Routes whose value is a person's decision, and its name (registry.md 9)."""

Ask = Callable[[str], str]
"""Puts a question to a person at a terminal and gives the answer."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision that a change contains: its name, where it stands and what it will be."""

    name: str
    route: Route
    value: Any


def taken(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Decision]:
    """Give the decisions whose value a change of front matter changes: a parent set or removed whole counts too."""
    return [
        Decision(name, route, get(after, *route))
        for route, name in DECISIONS.items()
        if get(before, *route) != get(after, *route)
    ]


def refuse_relaxing(old: Bug, new: Bug) -> None:
    """Refuse (kind needs-human) to make a restricted bug visible."""
    if old.restricted and not new.restricted:
        raise Refused(
            f"{old.id} is restricted; making it visible is a person's decision.",
            "Ask whoever answers for security to decide at a terminal.",
            kind="needs-human",
        )


@dataclass(frozen=True, slots=True)
class Person:
    """Who takes a person's decisions: `ask` is None where there is no terminal, `by` a name given on the way."""

    by: str = ""
    ask: Ask | None = None

    def decide(self, registry: Registry, bug: Bug, what: str) -> dict[str, str]:
        """Have a decision about a bug confirmed and give who took it and by which route (registry.md 9).

        At a terminal the ID is typed back; elsewhere a name is required. Raises Refused with kind needs-human.
        """
        if self.ask is not None:
            return self._typed_back(self.ask, bug, what)
        if registry.control_mode not in OPEN_MODES:  # an unknown mode is no permission
            raise Refused(
                f"{what} is a person's decision, and the control mode of this registry is {registry.control_mode}.",
                f"Ask whoever answers for {bug.id} to decide at a terminal.",
                kind="needs-human",
            )
        if not self.by:
            raise Refused(
                f"{what} is a person's decision.",
                f"Ask whoever answers for {bug.id}, then record the answer with --by and that person's name.",
                kind="needs-human",
            )
        return {"by": self.by, "via": "delegated"}

    def insist(self, bug: Bug, what: str) -> dict[str, str]:
        """Have confirmed at a terminal what nobody may pass on; raises Refused with kind needs-human elsewhere."""
        if self.ask is None:
            raise Refused(
                f"{what} is a person's decision, which nobody can pass on.",
                f"Ask whoever answers for {bug.id} to take it at a terminal.",
                kind="needs-human",
            )
        return self._typed_back(self.ask, bug, what)

    def _typed_back(self, ask: Ask, bug: Bug, what: str) -> dict[str, str]:
        answer = ask(f"{what} is a person's decision. Type {bug.id} to confirm: ")
        if answer.strip().upper() != bug.key:
            raise Refused("The ID was not typed back; nothing was written.", kind="needs-human")
        return {"by": self.by or _who(), "via": "terminal"}


def recorded(
    name: str, route: Route, value: Any, decided: Mapping[str, str], day: str, reason: str
) -> tuple[list[Edit], Callable[[str], str]]:
    """Give what records a decision: the edit that appends to `decisions`, and a line for Agent Notes."""
    line = decision_line(f"{name}: {value}", decided, day, reason)
    entry = decision_entry(show_route(route), value, decided, day, reason)
    return [Edit("add", ("decisions",), entry)], lambda body: append_to_section(body, "Agent Notes", line)


def decision_entry(what: str, value: Any, decided: Mapping[str, str], day: str, reason: str) -> dict[str, Any]:
    """Give the entry of `decisions` for what a person decided (registry.md 9)."""
    entry = {"what": what, "value": value, "by": one_line(decided["by"]), "on": day, "via": decided["via"]}
    return {**entry, "reason": one_line(reason) or None}


def decision_line(what: str, decided: Mapping[str, str], day: str, reason: str) -> str:
    """Give the line of the body that tells of a decision; free text cannot leave its line."""
    via = " (delegated)" if decided["via"] == "delegated" else ""
    why = f": {one_line(reason).rstrip('.')}" if reason.strip() else ""
    return f"- {day}: {one_line(what)}, decided by {one_line(decided['by'])}{via}{why}."


def _who() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
