"""`reversa taxonomy`: the terms of area, module and feature, how often they are used, new ones and other names."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reversa.commands import change
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core.bug import Bug
from reversa.core.edit import Edit
from reversa.core.fields import UNCLASSIFIED
from reversa.core.suggest import hint
from reversa.core.taxonomy import DIMENSIONS, dimension_name, folded, new_term
from reversa.errors import Refused, Surroundings, UsageError
from reversa.store import guard, vocabulary, write
from reversa.store.raw import read_bytes
from reversa.store.settings import taxonomy_of


def list_terms(option: str | None, names: Sequence[str] = (), *, include_restricted: bool = False) -> Outcome:
    """Give the terms of some dimensions, all where none is named, with how many bugs use each and how many are open.

    Terms that bugs use and that no list holds come after the listed ones, `unclassified` last. Restricted bugs do not
    count unless they are included. Raises UsageError for an unknown dimension.
    """
    wanted = [dimension_name(name) for name in names] or list(DIMENSIONS)
    ws = open_workspace(option, full=False)
    bugs = [bug for bug in ws.registry.bugs if bug.readable and (include_restricted or not bug.restricted)]
    about = vocabulary.descriptions(_bytes(ws)) if ws.registry.taxonomy.present else {}
    rows: list[dict[str, Any]] = []
    for dimension in wanted:
        used = Counter(getattr(bug, dimension) for bug in bugs)
        unresolved = Counter(getattr(bug, dimension) for bug in bugs if bug.status in ("open", "active"))
        listed = ws.registry.taxonomy.terms.get(dimension, ())
        others = sorted(set(used) - set(listed) - {"", UNCLASSIFIED})
        for term in (*listed, *others, UNCLASSIFIED):
            rows.append(
                {
                    "dimension": dimension,
                    "term": term,
                    "description": about.get((dimension, term)) or None,
                    "bugs": used[term],
                    "open": unresolved[term],
                    "listed": term in listed,
                }
            )
    notes = [] if ws.registry.taxonomy.present else ["There is no readable taxonomy.yaml; bugs may use any term."]
    return Outcome({"terms": rows}, notes=notes)


def add_term(option: str | None, dimension: str, term: str, description: str = "", *, dry_run: bool = False) -> Outcome:
    """Add a term to a list of taxonomy.yaml, in the shape that the list has; no other line changes.

    Raises UsageError for a bad name, Refused for a term that is there or nearly there, Surroundings without a file.
    """
    dimension, term = dimension_name(dimension), new_term(term)
    with writing(option) as ws:
        before = _readable(ws)
        _refuse_known(ws, dimension, term)
        beside = _beside(ws, before, vocabulary.add_term(before, dimension, term, description))
        out = Outcome({"dimension": dimension, "term": term})
        return change.carry_out(ws, [], out, views=False, dry_run=dry_run, beside=beside)


def rename_term(
    option: str | None,
    dimension: str,
    old: str,
    new: str,
    *,
    merge: bool = False,
    include_restricted: bool = False,
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Give a term another name, in taxonomy.yaml and in every bug that is not locked, all or nothing.

    With `merge` the new name may be a term already: the old one goes, and its bugs follow. Locked bugs keep the old
    term and are listed. Of restricted bugs nothing is told unless they are included. Raises UsageError, Refused and
    Surroundings.
    """
    dimension = dimension_name(dimension)
    with writing(option) as ws:
        before = _readable(ws)
        listed = ws.registry.taxonomy.terms.get(dimension, ())
        users = [bug for bug in ws.registry.bugs if getattr(bug, dimension) == old and old]
        new = _new_name(ws, dimension, old, new, merge=merge)
        _refuse_unknown(ws, dimension, old, used=merge and any(not bug.restricted for bug in users))
        after = before
        if old in listed:
            after = (
                vocabulary.remove_term(before, dimension, old)
                if merge
                else vocabulary.rename_term(before, dimension, old, new)
            )
        future = replace(ws, registry=replace(ws.registry, taxonomy=taxonomy_of(after)))
        day = today()
        changes = [_change(future, bug, dimension, new, day) for bug in users if not bug.locked]
        told = [one for one in changes if include_restricted or not one.old.restricted]
        locked = [bug.id for bug in users if bug.locked and (include_restricted or not bug.restricted)]
        out = Outcome(
            {
                "dimension": dimension,
                "old": old,
                "new": new,
                "bugs": [{"id": one.old.id, "changed": list(one.routes)} for one in told],
                "locked": locked,
            },
            notes=_notes(ws, locked, old, include_restricted=include_restricted),
        )
        beside = _beside(ws, before, after) if after != before else None
        change.carry_out(future, changes, out, views=views, dry_run=dry_run, beside=beside)
        if dry_run:
            out.diff = change.diff(future, told, beside)
        return out


def _change(ws: Workspace, bug: Bug, dimension: str, new: str, day: str) -> change.Change:
    change.refuse_locked(ws, bug)
    return change.plan(ws, bug, [Edit("set", (dimension,), new)], day)


def _beside(ws: Workspace, before: bytes, after: bytes) -> change.Beside:
    return change.Beside(ws.layout.root / vocabulary.NAME, before, after)


def _bytes(ws: Workspace) -> bytes:
    path = ws.layout.root / vocabulary.NAME
    try:
        return read_bytes(str(path))
    except OSError as error:
        raise write.failure(error, path) from None


def _readable(ws: Workspace) -> bytes:
    """Read the file that is to be edited; refuses one that is missing, a link, or no taxonomy."""
    path = ws.layout.root / vocabulary.NAME
    if not path.exists():
        raise Surroundings(
            f"There is no {ws.layout.from_git_root(path)}.",
            "Write one with three lists, area, module and feature; until then bugs may use any term.",
            kind="no-taxonomy",
        )
    guard.refuse_link(path)
    fault = next((oddity for oddity in ws.registry.oddities if oddity.code == "RV026"), None)
    if fault is not None:
        raise Refused(
            f"{vocabulary.NAME}:{fault.line} cannot be read: {fault.params.get('reason')}.",
            "Correct it by hand; reversa check says when it is read again.",
            kind="unreadable",
        )
    return _bytes(ws)


def _refuse_known(ws: Workspace, dimension: str, term: str, *, beside: str = "") -> None:
    """Refuse a term that the list holds, or that differs from one of its terms in case or separators alone."""
    for known in ws.registry.taxonomy.terms.get(dimension, ()):
        if known != beside and folded(known) == folded(term):
            nearly = "" if known == term else f" as {known!r}"
            names = f"{shlex.quote(beside)} {shlex.quote(known)}"
            way = f"reversa taxonomy rename {dimension} {names} --merge" if beside else "Use that one."
            raise Refused(f"{term!r} is a {dimension} already{nearly}.", way, kind="duplicate-term")


def _new_name(ws: Workspace, dimension: str, old: str, new: str, *, merge: bool) -> str:
    """Check the new name of a term: one that is free, or with `merge` one that is listed."""
    if old == new:
        raise UsageError(f"{old!r} has that name.", kind="taxonomy")
    if merge:
        listed = ws.registry.taxonomy.terms.get(dimension, ())
        if new not in listed:
            raise UsageError(
                f"{new!r} is no {dimension} of the taxonomy to merge into.", hint(new, listed), kind="taxonomy"
            )
        return new
    new = new_term(new)
    _refuse_known(ws, dimension, new, beside=old)
    return new


def _refuse_unknown(ws: Workspace, dimension: str, old: str, *, used: bool) -> None:
    """Refuse to rename what is no term; with a merge a word that only bugs use will do."""
    listed = ws.registry.taxonomy.terms.get(dimension, ())
    if old in listed or (used and old != UNCLASSIFIED):
        return
    if old == UNCLASSIFIED:
        raise UsageError(f"{UNCLASSIFIED} is always allowed and never renamed.", kind="taxonomy")
    raise UsageError(
        f"{old!r} is no {dimension} of the taxonomy.", hint(old, listed, "The list is empty."), kind="taxonomy"
    )


def _notes(ws: Workspace, locked: Sequence[str], old: str, *, include_restricted: bool) -> list[str]:
    notes = []
    if locked:
        keep = "keeps" if len(locked) == 1 else "keep"
        notes.append(f"Locked, so {keep} {old}: {', '.join(locked)}.")
    if not include_restricted and any(bug.restricted for bug in ws.registry.bugs):
        notes.append("Restricted bugs that use it follow too, and are not listed without --include-restricted.")
    return notes
