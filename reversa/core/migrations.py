"""Shapes of forks and old versions that need a look before they are brought into the contract's, one class at a time.

Each class is a pure function from a record to edits. Where a shape cannot be turned without guessing, the class says
why it is left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from reversa.core import foreign
from reversa.core.bug import Bug, Registry, text_at
from reversa.core.document import Route, filled, get, items, show_route, simple
from reversa.core.edit import Edit
from reversa.core.fields import POLICIES, Kind, lookup
from reversa.core.foreign import ByHand
from reversa.core.rules.shape import hits
from reversa.core.translations import fold


@dataclass(frozen=True, slots=True)
class Migration:
    """A class of shapes: its name, what it changes, why, and the edits for a record, none where it does not apply.

    `plan` raises ByHand.
    """

    name: str
    does: str
    reason: str
    plan: Callable[[Bug, Registry], list[Edit]]


def _renamed(bug: Bug, wanted: Callable[[Route, Route], bool]) -> Iterator[tuple[Route, Route]]:
    """Yield the keys with another name in the contract: where each stands, and where it belongs."""
    for hit in hits(bug, "RV134"):
        names = tuple(str(hit.params["meant"]).split("."))
        target = names if len(hit.route) == 1 else (*hit.route[:-1], names[-1])
        if wanted(hit.route, target):
            yield hit.route, target


def _moved(bug: Bug, source: Route, target: Route, value: Any) -> list[Edit]:
    """Give the edits that move a key to its place; one that says something there already is never overwritten."""
    there, written = simple(get(bug.data, *target)), simple(get(bug.data, *source))
    if not filled(get(bug.data, *source)) or there == value:
        return [Edit("remove", source)]
    if filled(get(bug.data, *target)):
        if isinstance(there, list) and isinstance(value, list):
            return [*(Edit("add", target, item) for item in value if item not in there), Edit("remove", source)]
        raise ByHand(f"{show_route(source)} and {show_route(target)} both say something")
    if source[:-1] != target[:-1]:
        return [Edit("set", target, value), Edit("remove", source)]
    out = [Edit("remove", target)] if get(bug.data, *target) is not None else []
    out.append(Edit("rename", source, str(target[-1])))
    return out if value == written else [*out, Edit("set", target, value)]


def _as_written(bug: Bug, source: Route, target: Route) -> list[Edit]:
    """Move a key with its value; a single text becomes the only member of a list that belongs there."""
    value, known = simple(get(bug.data, *source)), lookup(target)
    if known is not None and known.kind is Kind.LIST and not isinstance(value, list):
        if isinstance(value, dict):
            raise ByHand(f"{show_route(source)} is a mapping, where {show_route(target)} is a list")
        value = [value]
    return _moved(bug, source, target, value)


def _keys(*targets: Route) -> Callable[[Bug, Registry], list[Edit]]:
    """Make a plan that moves all keys that belong at one of the targets."""

    def plan(bug: Bug, registry: Registry) -> list[Edit]:
        pairs = list(_renamed(bug, lambda _, target: target in targets))
        if len({target for _, target in pairs}) < len(pairs):
            raise ByHand(f"{' and '.join(show_route(source) for source, _ in pairs)} mean the same key")
        return [edit for source, target in pairs for edit in _as_written(bug, source, target)]

    return plan


def _dates(bug: Bug, registry: Registry) -> list[Edit]:
    out: list[Edit] = []
    for source, target in _renamed(bug, lambda _, target: target in (("created",), ("updated",))):
        if target == ("updated",):  # this very write moves it
            there = get(bug.data, *target)
            out += (
                [Edit("remove", source)] if filled(there) else _moved(bug, source, target, text_at(bug.data, *source))
            )
            continue
        text = text_at(bug.data, *source)
        if text and not foreign.day_of(text):
            raise ByHand(f"{show_route(source)} is no day")
        out += _moved(bug, source, target, foreign.day_of(text))
    return out


def _root_cause(bug: Bug, registry: Registry) -> list[Edit]:
    source, target = ("root_cause",), ("traceability", "root_cause")
    if source not in [found for found, _ in _renamed(bug, lambda *_: True)]:
        return []
    value = simple(get(bug.data, *source))
    return _moved(bug, source, target, foreign.cause(value) if filled(value) else value)


def _closure_policy(bug: Bug, registry: Registry) -> list[Edit]:
    out = []
    for source, target in _renamed(bug, lambda _, target: target == ("closure", "policy")):
        text = text_at(bug.data, *source)
        policy = next((known for known in (*POLICIES, registry.policy) if fold(known) == fold(text)), "")
        if text and not policy:
            raise ByHand(
                f"the bug would come under the policy {text}, which the README does not name: a person decides"
            )
        out += _moved(bug, source, target, policy)
    return out


def _relations(bug: Bug, registry: Registry) -> list[Edit]:
    return _entries(bug, ("relationships",), foreign.edge)


def _blocking(bug: Bug, registry: Registry) -> list[Edit]:
    return _entries(bug, ("blocking",), foreign.obstacle)


def _entries(bug: Bug, target: Route, entry: Callable[[Any], foreign.Data]) -> list[Edit]:
    pairs = list(_renamed(bug, lambda _, found: found == target))
    if len(pairs) > 1:
        raise ByHand(f"{' and '.join(show_route(source) for source, _ in pairs)} mean the same key")
    return [
        edit
        for source, _ in pairs
        for edit in _moved(bug, source, target, [entry(item) for item in simple(items(get(bug.data, *source)))])
    ]


def _verdict(bug: Bug, registry: Registry) -> list[Edit]:
    """Make the word of the mapping the value, and of what else it says an entry of `decisions`."""
    value = simple(get(bug.data, "spec_verdict"))
    if not isinstance(value, dict) or not value:
        return []
    entry = foreign.verdict(value)
    return [Edit("set", ("spec_verdict",), entry["value"]), Edit("add", ("decisions",), entry)]


def _change_risk(bug: Bug, registry: Registry) -> list[Edit]:
    value = simple(get(bug.data, "change_risk"))
    return [Edit("set", ("change_risk",), foreign.risk(value))] if isinstance(value, str) and value else []


def _single_texts(bug: Bug, registry: Registry) -> list[Edit]:
    out = []
    for hit in hits(bug, "RV130"):
        known, value = lookup(hit.route), get(bug.data, *hit.route)
        if known is None or known.item is None or known.item.kind is not Kind.TEXT or not isinstance(value, str):
            continue
        if re.search(r"[,;\n]", value):
            raise ByHand(f"{show_route(hit.route)} may be several texts in one")
        out += [Edit("set", hit.route, [str(value)] if filled(value) else [])]
    return out


_TRACE = "traceability"


def _rest(bug: Bug, registry: Registry) -> list[Edit]:
    """Rename in place what has another name and no class of its own."""

    def wanted(source: Route, target: Route) -> bool:
        inside = len(source) > 1 and source[:-1] == target[:-1]
        return inside and target[:2] not in ((_TRACE, "specs"), (_TRACE, "affected_code"))

    return [edit for source, target in _renamed(bug, wanted) for edit in _as_written(bug, source, target)]


MIGRATIONS: dict[str, Migration] = {
    migration.name: migration
    for migration in (
        Migration(
            "dates",
            "created_at and updated_at become created and updated, days without a time",
            "dates are compared as days under these names; the time of day stays in git alone",
            _dates,
        ),
        Migration(
            "root-cause",
            "a root_cause at the top goes to traceability.root_cause, its description to hypothesis",
            "no rule reads a cause at the top; one without a state comes out as hypothesized",
            _root_cause,
        ),
        Migration(
            "affected-code",
            "affected_code at the top and code_ref go to traceability.affected_code, a list",
            "no rule looks whether such code exists until it stands there",
            _keys((_TRACE, "affected_code")),
        ),
        Migration(
            "specs",
            "specs and spec_ref go to traceability.specs, a list",
            "closing asks for a locator there",
            _keys((_TRACE, "specs")),
        ),
        Migration(
            "tests",
            "reproduction_tests and regression_tests at the top go to traceability",
            "closing as fixed asks for regression tests there",
            _keys((_TRACE, "reproduction_tests"), (_TRACE, "regression_tests")),
        ),
        Migration(
            "closure-policy",
            "closure_policy goes to closure.policy",
            "from then on closing follows it; a policy that neither contract nor README names is left to a person",
            _closure_policy,
        ),
        Migration(
            "relations",
            "relations and related become relationships, with type and state where they have none",
            "an edge without a type comes out as related-to and proposed, which counts nowhere",
            _relations,
        ),
        Migration(
            "blocking",
            "blocked_by and blockers become entries of blocking",
            "an ID becomes an obstacle of kind bug, other text one from outside",
            _blocking,
        ),
        Migration(
            "spec-verdict",
            "a spec_verdict that is a mapping becomes its word; who decided and why goes to decisions",
            "the decision stays what it is; how it came in is not known, so it counts as delegated",
            _verdict,
        ),
        Migration(
            "change-risk",
            "a change_risk that is text becomes a mapping with its class and reasons",
            "the class decides whether the short route is open",
            _change_risk,
        ),
        Migration(
            "single-texts",
            "a text where a list of texts belongs becomes its only member",
            "tools that expect a list cannot use it",
            _single_texts,
        ),
        Migration(
            "renamed-keys",
            "other keys are given their names in the contract, in place",
            "the values stay as they are written",
            _rest,
        ),
    )
}
"""The classes in the order in which they are listed; each is carried out by itself."""
