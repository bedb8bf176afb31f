"""3xx: how edges and obstacles name the other bug, and obstacles that stand in their own way (registry.md 2, 3)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry, read_id
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.standing import edges_of, obstacles_of, veiled


@rule(
    "RV310",
    Severity.WARNING,
    "blocked-by {value} is {state}, but blocking does not name it",
    mend='reversa update {suffix} --add "blocking=kind=bug,target={value}"',
    given=edges_of,
)
def not_blocking(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Proven blocked-by edge without an entry in blocking

    Whether a bug is blocked is read from `blocking` alone, so this one looks free to be worked on.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: blocked-by, state: supported, evidence: [The API is missing]}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8, type: blocked-by, state: supported, evidence: [The API is missing]}
    blocking:
      - {kind: bug, target: BUG-20260701-Q2R8}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    named = {blocker.target for blocker in bug.blockers if blocker.kind == "bug"}
    for relation in bug.relations:
        if relation.type == "blocked-by" and relation.proven and relation.target and relation.target not in named:
            yield Hit(
                ("relationships", relation.index, "bug"), {"value": read_id(relation.bug), "state": relation.state}
            )


def _trailing(text: str, registry: Registry) -> str:
    shown = veiled(text, registry)
    return text if shown == text else f"{shown}…"


@rule("RV311", Severity.WARNING, "{key} goes on after the ID: {value}", mend="write {target}")
def trailing_target(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Target is followed by other text

    The first 17 characters are read as the ID; other readers compare the whole text and find no such bug.

    ## Bad

    ```yaml
    relationships:
      - {bug: BUG-20260701-Q2R8-cart-loses-items, type: caused-by, state: proposed, evidence: []}
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
    for relation in bug.relations:
        if relation.target and len(relation.bug) > len(relation.target):
            params = {"value": _trailing(relation.bug, registry), "target": read_id(relation.bug)}
            yield Hit(("relationships", relation.index, "bug"), params)
    for blocker in bug.blockers:
        if blocker.target and len(blocker.text) > len(blocker.target):
            params = {"value": _trailing(blocker.text, registry), "target": read_id(blocker.text)}
            yield Hit(("blocking", blocker.index, "target"), params)


@rule(
    "RV312",
    Severity.WARNING,
    "the bug blocks itself",
    mend="reversa update {suffix} --remove 'blocking[{index}]'",
    given=obstacles_of,
)
def blocks_itself(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Bug blocks itself

    It would be blocked until it is resolved, and not be resolved while it is blocked.

    ## Bad

    ```yaml
    blocking:
      - {kind: bug, target: BUG-20260715-A7K3}
    ```

    ## Good

    ```yaml
    blocking:
      - {kind: external, reason: "Waiting for credentials", since: 2026-07-15}
    ```
    """
    for blocker in bug.blockers:
        if blocker.target and blocker.target == bug.key and blocker.kind != "external":
            yield Hit(("blocking", blocker.index, "target"), {"index": blocker.index, "value": blocker.text})
