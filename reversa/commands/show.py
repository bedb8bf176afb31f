"""`reversa show` and `list`: records for people and machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace
from reversa.core import alias, query
from reversa.core.body import section
from reversa.core.bug import Blocker, Bug
from reversa.core.fields import BODY_SECTIONS, UNCLASSIFIED
from reversa.core.record import row
from reversa.core.suggest import nearest
from reversa.core.taxonomy import DIMENSIONS
from reversa.errors import Refused, UsageError


def show(option: str | None, name: str) -> Outcome:
    """Give one record whole: normalised front matter, what is derived, the body's sections.

    A restricted bug that is named is shown whole (cli.md). Raises UsageError, and Refused for an unreadable record.
    """
    ws = open_workspace(option)
    bug = alias.resolve(ws.registry, name)
    if not bug.readable:
        raise Refused(f"{bug.id} cannot be read as a record.", f"reversa check {bug.id} says why.", kind="unreadable")
    data = row(bug, ws.registry, impact_of(ws).get(bug.key, 0), ws.path_of(bug))
    data["sections"] = sections(bug)
    return Outcome(data)


def sections(bug: Bug) -> dict[str, str]:
    """Give the contract's sections that the body holds, by title."""
    out = {}
    for title in BODY_SECTIONS:
        span = section(bug.body, title)
        if span is not None:
            out[title] = bug.body[span[0] : span[1]].split("\n", 1)[-1].strip("\r\n")
    return out


def impact_of(ws: Workspace) -> dict[str, int]:
    """Score the bugs as the views do, over valid and unrestricted ones."""
    from reversa.core import shown
    from reversa.core.rules.validity import errors, invalid

    return shown.of(ws.registry, invalid(errors(ws.registry))).impact


@dataclass(frozen=True, slots=True)
class Row:
    """A line of `list`; of a restricted bug only ID and number are there."""

    number: str
    id: str
    status: str
    priority: str = ""
    severity: str = ""
    phase: str = ""
    module: str = ""
    title: str = ""
    blocked_by: tuple[str, ...] = ()


@dataclass
class ListOutcome(Outcome):
    """The rows of `list`, with the counts that its footer tells; `hidden` are resolved bugs that were not asked for."""

    rows: list[Row] = field(default_factory=list)
    total: int = 0
    hidden: int = 0
    filtered: bool = False


def list_bugs(
    option: str | None, text: str, filters: query.Filters, sort: str, *, machine: bool = False
) -> ListOutcome:
    """List bugs; open and active ones unless a filter or `all` asks for more.

    Of a restricted bug nothing but its ID is given, unless `include_restricted`. `machine` fills `data` with whole
    records, which needs scores. Raises UsageError for an unknown context and a bad sort key.
    """
    scored = machine or sort == "impact"
    ws = open_workspace(option, full=scored)
    filters = checked(ws, filters)
    impact = impact_of(ws) if scored else {}
    found = query.sort(query.select(ws.registry, text, filters), sort, impact)
    if not filters.include_restricted:  # where one stands among the others would tell how urgent it is
        found.sort(key=lambda bug: (bug.restricted, bug.key if bug.restricted else ""))
    listed = {bug.path for bug in found}
    hidden = [bug for bug in ws.registry.bugs if bug.path not in listed]
    resolved = [bug for bug in hidden if bug.status == "resolved"]
    data: dict[str, Any] = {"bugs": [], "hidden": len(resolved)}
    secret = hidden_keys(ws, filters.include_restricted)
    if machine:
        data["bugs"] = [record_of(ws, bug, impact, filters.include_restricted, secret) for bug in found]
    shared = alias.shared_numbers(ws.registry)
    out = ListOutcome(data, total=len(ws.registry.bugs), hidden=len(resolved), filtered=len(resolved) != len(hidden))
    out.rows = [cells(ws, bug, shared, filters.include_restricted, secret) for bug in found]
    return out


def hidden_keys(ws: Workspace, include_restricted: bool) -> frozenset[str]:
    """Give the upper-case IDs of the restricted bugs, none where they are to be shown."""
    return frozenset(() if include_restricted else (bug.key for bug in ws.registry.bugs if bug.restricted))


def checked(ws: Workspace, filters: query.Filters) -> query.Filters:
    """Refuse contexts that are none and terms that neither the taxonomy nor any record knows."""
    contexts = tuple(alias.context(ws.registry.contexts, name, ws.registry.prefix) for name in filters.context)
    for dimension in DIMENSIONS:
        known = {*ws.registry.taxonomy.terms.get(dimension, ()), UNCLASSIFIED}
        known |= {getattr(bug, dimension) for bug in ws.registry.bugs if not bug.restricted}
        for term in getattr(filters, dimension):
            if term not in known:
                listed = sorted(known - {""})
                near = nearest(term, listed)
                meant = f"Did you mean {near[0]}? " if near else ""
                raise UsageError(
                    f"{term!r} is no {dimension} of this registry.", f"{meant}There are {', '.join(listed[:8])}."
                )
    return replace(filters, context=contexts)


def record_of(
    ws: Workspace, bug: Bug, impact: Mapping[str, int], include_restricted: bool, hidden: frozenset[str]
) -> dict[str, Any]:
    """Give a bug as machines see it in a list: the record without sections, of a restricted one only its ID."""
    if bug.restricted and not include_restricted:
        return {"id": bug.id, "restricted": True}
    if bug.veiled and not include_restricted:
        return {"id": bug.id, "unreadable": True}
    if not bug.readable:
        return {"id": bug.id, "unreadable": True, "context": bug.context, "path": ws.path_of(bug)}
    return row(bug, ws.registry, impact.get(bug.key, 0), ws.path_of(bug), hidden)


def cells(ws: Workspace, bug: Bug, shared: frozenset[int], include_restricted: bool, hidden: frozenset[str]) -> Row:
    """Give the line of a bug; `shared` are the numbers that several carry, `hidden` the IDs of restricted bugs."""
    number = "" if bug.number is None else f"{bug.number}{'*' if bug.number in shared else ''}"
    if bug.restricted and not include_restricted:
        return Row("", bug.id, "restricted")
    if not bug.readable:
        return Row("", bug.id, "unreadable", title="cannot be read; reversa check says why")
    blocked = tuple(_obstacle(blocker, hidden) for blocker in ws.registry.obstacles(bug))
    return Row(number, bug.id, bug.status, bug.priority, bug.severity, bug.phase, bug.module, bug.title, blocked)


def _obstacle(blocker: Blocker, hidden: frozenset[str]) -> str:
    if blocker.target in hidden:  # an edge to a restricted bug is no more told than the bug
        return "restricted"
    return blocker.target[-4:] if blocker.target else "external"
