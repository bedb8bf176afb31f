"""`reversa link` and `unlink`: edges, each stored once, on the bug that declares it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reversa.commands import change
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, today, writing
from reversa.core import alias
from reversa.core.bug import Bug, Relation
from reversa.core.edit import Edit
from reversa.core.fields import INVERSES, RELATION_STATES, RELATION_TYPES, SYMMETRIC
from reversa.core.graph import duplicate_path
from reversa.core.suggest import hint
from reversa.errors import Refused, UsageError


def link(
    option: str | None,
    source: str,
    type_: str,
    target: str,
    *,
    state: str = "",
    evidence: Sequence[str] = (),
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Declare an edge on `source`, or raise the state and evidence of the one that it declares already.

    Raises Refused for self-edges, locks, cycles, copies and unproven states, UsageError for unknown words and bugs.
    """
    check_type(type_, "link", source, target)
    if state and state not in RELATION_STATES:
        raise UsageError(f"{state!r} is no state of a relationship.", f"One of {', '.join(RELATION_STATES)}.")
    proofs = [parse_evidence(text) for text in evidence]
    with writing(option) as ws:
        bug, other = alias.resolve(ws.registry, source), alias.resolve(ws.registry, target)
        _refuse_self(bug, other)
        change.refuse_locked(ws, bug, _other_end(bug, type_, other))
        edits, notes = plan_edge(ws, bug, type_, other, state, proofs)
        return _carry_out(ws, bug, edits, notes, views=views, dry_run=dry_run)


def plan_edge(
    ws: Workspace, bug: Bug, type_: str, other: Bug, state: str, proofs: Sequence[dict[str, Any]]
) -> tuple[list[Edit], list[str]]:
    """Plan the edits that declare an edge, or that raise the one that stands there."""
    known = next((edge for edge in bug.relations if edge.type == type_ and edge.target == other.key), None)
    back = next((edge for edge in other.relations if edge.type == type_ and edge.target == bug.key), None)
    if known is None and back is not None and type_ in SYMMETRIC:
        raise Refused(
            f"{other.id} declares {type_} {bug.id} already; a symmetric edge is stored once.",
            f"reversa link {other.id[-4:]} {type_} {bug.id[-4:]} --state STATE changes it there.",
            kind="already-there",
        )
    if known is None:
        state = state or "proposed"
        _refuse_unproven(state, len(proofs))
        _refuse_cycle(ws, bug, type_, other, state)
        entry: dict[str, Any] = {"bug": other.id, "type": type_, "state": state, "evidence": list(proofs)}
        return [Edit("add", ("relationships",), entry)], []
    return _raised(ws, bug, other, known, state, proofs)


def _raised(
    ws: Workspace, bug: Bug, other: Bug, known: Relation, state: str, proofs: Sequence[dict[str, Any]]
) -> tuple[list[Edit], list[str]]:
    if not proofs and state in ("", known.state):
        raise Refused(
            f"{bug.id} declares {known.type} {other.id} already ({known.state}).",
            "Give a --state or --evidence to change it.",
            kind="already-there",
        )
    _refuse_unproven(state or known.state, len(proofs) + len(known.evidence))
    if known.state == "rejected":
        _refuse_cycle(ws, bug, known.type, other, state or known.state)
    route = ("relationships", known.index)
    edits = [Edit("add", (*route, "evidence"), proof) for proof in proofs]
    if state and state != known.state:
        edits.append(Edit("set", (*route, "state"), state))
    return edits, [f"The edge was there as {known.state}; it was changed."]


def unlink(
    option: str | None, source: str, type_: str, target: str, *, views: bool = True, dry_run: bool = False
) -> Outcome:
    """Remove an edge from the bug that declares it; a symmetric one from whichever side that is.

    Raises UsageError where there is no such edge, Refused where its declarer is locked.
    """
    check_type(type_, "unlink", source, target)
    with writing(option) as ws:
        bug, other = alias.resolve(ws.registry, source), _resolve_target(ws, source, target)
        owner, key = bug, other
        found = _edges(bug, type_, other)
        if not found and type_ in SYMMETRIC:
            declarer = ws.registry.bug(other)
            if declarer is not None and declarer.readable:
                owner, key = declarer, bug.key
                found = _edges(declarer, type_, bug.key)
        if not found:
            raise UsageError(
                f"{bug.id} declares no {type_} edge to {key}.", f"reversa show {bug.id[-4:]} lists its edges."
            )
        change.refuse_locked(ws, owner)
        if len(found) > 1:
            places = ", ".join(f"relationships[{edge.index}] ({edge.state})" for edge in found)
            raise Refused(
                f"{owner.id} declares that edge {len(found)} times: {places}.",
                f"reversa update {owner.id[-4:]} --remove 'relationships[{found[-1].index}]'",
                kind="ambiguous",
            )
        edits = [Edit("remove", ("relationships", found[0].index), None)]
        return _carry_out(ws, owner, edits, [], views=views, dry_run=dry_run)


def _edges(bug: Bug, type_: str, target: str) -> list[Relation]:
    return [edge for edge in bug.relations if edge.type == type_ and edge.target == target]


def _resolve_target(ws: Workspace, source: str, target: str) -> str:
    """Give the key of the other end; a dangling edge can be removed by its ID as written."""
    bug = alias.resolve(ws.registry, source)
    written = target.strip().upper()
    if any(edge.target == written for edge in bug.relations):
        return written
    return alias.resolve(ws.registry, target).key


def _carry_out(ws: Workspace, bug: Bug, edits: list[Edit], notes: list[str], *, views: bool, dry_run: bool) -> Outcome:
    done = change.plan(ws, bug, edits, today())
    out = Outcome({"bugs": [{"id": bug.id, "changed": list(done.routes)}]}, notes=notes)
    return change.carry_out(ws, [done], out, views=views, dry_run=dry_run)


def check_type(type_: str, verb: str, source: str, target: str) -> None:
    """Refuse what is no relationship type; an inverse is answered with the direction that is stored."""
    if type_ in RELATION_TYPES:
        return
    for stored, inverse in INVERSES.items():
        if inverse == type_:
            raise UsageError(
                f"{type_} is an inverse; inverses are derived, never stored.",
                f"From the other end it is: reversa {verb} {target} {stored} {source}",
            )
    raise UsageError(f"{type_!r} is no relationship type.", hint(type_, RELATION_TYPES))


def parse_evidence(text: str) -> dict[str, Any]:
    """Read `REF=OBSERVATION`; raises UsageError."""
    ref, equals, observation = text.partition("=")
    if not equals or not ref.strip() or not observation.strip():
        raise UsageError(
            f"--evidence {text!r} is not REF=OBSERVATION.", 'For example: --evidence "evidence/close.txt=same stack"'
        )
    return {"ref": ref.strip(), "observation": observation.strip()}


def _refuse_self(bug: Bug, other: Bug) -> None:
    if bug.key == other.key:
        raise Refused(f"{bug.id} cannot be related to itself.", kind="self-edge")


def _refuse_unproven(state: str, evidence: int) -> None:
    if state in ("supported", "confirmed") and not evidence:
        raise Refused(
            f"A {state} relationship needs evidence.",
            "Add --evidence REF=OBSERVATION, or leave it proposed.",
            kind="evidence-missing",
        )


def _refuse_cycle(ws: Workspace, bug: Bug, type_: str, other: Bug, state: str) -> None:
    if type_ != "duplicate-of" or state == "rejected":
        return
    path = duplicate_path(ws.registry.graph, other.key, bug.key)
    if path:
        chain = " → ".join([bug.key, *path])
        raise Refused(
            f"That would close a circle of duplicates: {chain}.", "One of them must stay the original.", kind="cycle"
        )


def _other_end(bug: Bug, type_: str, other: Bug) -> str:
    """Say which other end can declare the edge of a locked bug."""
    if type_ in SYMMETRIC and not other.locked:
        return f"Declare it from the other end: reversa link {other.id[-4:]} {type_} {bug.id[-4:]}"
    return ""
