"""3xx: edges and obstacles between bugs (registry.md 3, 4, 5.4, 5.5, 5.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reversa.core.bug import Bug, Registry, Relation, read_id
from reversa.core.document import filled, get
from reversa.core.fields import INVERSES
from reversa.core.finding import Hit, Severity
from reversa.core.rules.edges import REMOVE, facts_of, instead
from reversa.core.rules.engine import rule
from reversa.core.rules.shape import flaws, hits
from reversa.core.rules.standing import edges_of, obstacles_of

_INVERSE_OF = {inverse: type_ for type_, inverse in INVERSES.items() if inverse != type_}


def _at(relation: Relation, member: str = "bug") -> tuple[str | int, ...]:
    return ("relationships", relation.index, member)


def _name(relation: Relation) -> str:
    """The other bug as commands take it: its ID without any text behind it."""
    return read_id(relation.bug) or relation.bug


def _says_something(item: Any) -> bool:
    """Whether a piece of evidence has a text in it; a mapping of nulls is none."""
    return any(filled(value) for value in item.values()) if isinstance(item, dict) else filled(item)


@rule(
    "RV301",
    Severity.ERROR,
    "the edge {type} points at the bug itself",
    mend="reversa unlink {suffix} {type} {suffix}",
    given=edges_of,
)
def self_edge(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Edge from a bug to itself

    Nothing can cause, block or repeat itself; mostly the wrong ID was pasted.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260715-A7K3, type: related-to, state: proposed, evidence: []}
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: related-to, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    for relation in facts_of(bug, registry).self_edges:
        params = {"type": relation.type or "without a type", "value": relation.bug}
        yield Hit(_at(relation), {**params, **instead(relation)})


@rule(
    "RV302",
    Severity.ERROR,
    "duplicate-of leads back to the bug: {path}",
    mend="reversa unlink one of these edges; the original is a duplicate of nothing",
    given=edges_of,
)
def duplicate_cycle(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Cycle of duplicates

    Each of these bugs says that another one is the original, so none is. Rejected edges are left out.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: duplicate-of, state: proposed, evidence: []}
    _others:
      - id: BUG-20260701-Q2R8
        relationships: [{bug: BUG-20260715-A7K3, type: duplicate-of, state: proposed, evidence: []}]
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: duplicate-of, state: proposed, evidence: []}
    _others:
      - id: BUG-20260701-Q2R8
        relationships: [{bug: BUG-20260715-A7K3, type: duplicate-of, state: rejected, evidence: [The other is older]}]
    ```
    """
    for relation, path in facts_of(bug, registry).cycles:
        yield Hit(_at(relation), {"path": " -> ".join(path), "value": _name(relation)})


@rule(
    "RV303",
    Severity.ERROR,
    "the edge {type} points at {value}, which is {problem}",
    mend="reversa unlink {suffix} {type} {name}  # or correct the ID",
    given=edges_of,
)
def dangling_edge(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Edge to a bug that is not in the registry

    The other bug was renamed by hand, never registered, or the ID has a slip. Unreadable and set-aside bugs count as
    present.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: proposed, evidence: []}
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    missing = [(relation, "not in this registry") for relation in facts_of(bug, registry).dangling]
    missing += [(relation, "no ID") for relation in bug.relations if not relation.target]
    for relation, problem in missing:
        if not isinstance(get(bug.data, "relationships", relation.index), str):  # RV306 speaks of edges that are text
            params = {"type": relation.type or "without a type", "value": relation.bug or '""', "problem": problem}
            yield Hit(_at(relation), {**params, "name": _name(relation), **instead(relation)})


@rule(
    "RV304",
    Severity.ERROR,
    "a blocking entry points at {value}, which is {problem}",
    mend="reversa update {suffix} --remove 'blocking[{index}]'  # or correct the ID",
    given=obstacles_of,
)
def dangling_blocker(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Blocked by a bug that is not in the registry

    Nobody can resolve a bug that does not exist, so this one would stay blocked for ever.

    ## Bad

    ```yaml
    blocking:
      - {kind: bug, target: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    blocking:
      - {kind: bug, target: BUG-20260701-Q2R8}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    for blocker in bug.blockers:
        asked = blocker.kind == "bug" or (blocker.kind != "external" and blocker.text)
        if asked and blocker.target not in registry.by_key:
            problem = "not in this registry" if blocker.target else "no ID"
            params = {"value": blocker.text or '""', "problem": problem, "index": blocker.index}
            yield Hit(("blocking", blocker.index, "target"), params)


@rule(
    "RV305",
    Severity.ERROR,
    "the edge {type} to {value} is {state}, but has no evidence",
    mend="reversa link {suffix} {type} {value} --state {state} --evidence REF=OBSERVATION",
    given=edges_of,
)
def unproven_edge(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Supported or confirmed edge without evidence

    Such edges decide what is worked on first, so each says what proves it.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: confirmed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    relationships:
      - bug: BUG-20260701-Q2R8
        type: caused-by
        state: confirmed
        evidence: [{ref: "src/cart.py:88", observation: Gone with the fix of the other bug}]
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    for relation in bug.relations:
        if relation.proven and not any(map(_says_something, relation.evidence)):
            params = {"type": relation.type or "without a type", "value": _name(relation), "state": relation.state}
            yield Hit(_at(relation, "evidence"), {**params, **instead(relation)})


@rule("RV306", Severity.ERROR, "{key} {found}", mend="{hint}", given=edges_of)
def unknown_type(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Type of an edge is missing or unknown

    An edge without a meaning counts nowhere. Inverses such as `causes` are derived and stored in no record.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: causes, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    for hit in hits(bug, "RV306"):
        meant = _INVERSE_OF.get(str(hit.params["value"]))
        hint = f"declare {meant} on the other bug; this inverse is derived" if meant else "one of {values}"
        yield Hit(hit.route, {**hit.params, "hint": hint.format_map(hit.params)})
    for relation in bug.relations:
        if isinstance(get(bug.data, "relationships", relation.index), str):
            params = {"found": "is missing, the edge is plain text", "hint": "write {bug, type, state, evidence}"}
            yield Hit(("relationships", relation.index), {**params, "value": ""})


@rule("RV307", Severity.ERROR, "{key} {found}", mend="write one of: {values}", given=flaws)
def unknown_state(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """State of an edge is missing or unknown

    The state decides whether the edge counts, so an edge with an unknown one would count by accident.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: likely, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    yield from hits(bug, "RV307")


@rule(
    "RV308",
    Severity.WARNING,
    "the edge {type} to {value} is rejected, but does not say why",
    mend="reversa link {suffix} {type} {value} --state rejected --evidence REF=OBSERVATION",
    given=edges_of,
)
def rejected_without_evidence(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Rejected edge without evidence

    A rejected edge stays as history; without the reason the same guess is made again.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: rejected, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: caused-by, state: rejected, evidence: [Fails without the other bug as well]}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    for relation in bug.relations:
        if relation.state == "rejected" and not any(map(_says_something, relation.evidence)):
            params = {"type": relation.type or "without a type", "value": _name(relation)}
            yield Hit(_at(relation, "evidence"), {**params, **instead(relation)})


@rule(
    "RV309",
    Severity.WARNING,
    "the edge {type} to {value} is stored already{where}",
    mend=REMOVE,
    given=edges_of,
)
def stored_twice(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Edge is stored twice

    Each edge is stored once, on the bug that declares it; the other end of a symmetric one is derived. Of copies the
    one that is known best stays; the others are named by their place, as `unlink` would take away all.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: related-to, state: proposed, evidence: []}
    _others:
      - id: BUG-20260701-Q2R8
        relationships: [{bug: BUG-20260715-A7K3, type: related-to, state: proposed, evidence: []}]
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: related-to, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    for relation, first in facts_of(bug, registry).copies:
        where = "" if first.owner is bug else f" on {first.owner.id}"
        params = {"type": relation.type, "value": _name(relation), "where": where, "index": relation.index}
        yield Hit(_at(relation), params)
