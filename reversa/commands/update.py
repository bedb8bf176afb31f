"""`reversa update`: every field of the contract by its key route, gated by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from reversa.commands import change
from reversa.commands.decisions import (
    DECISIONS,
    Decision,
    Person,
    decision_entry,
    decision_line,
    refuse_relaxing,
    taken,
)
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import alias
from reversa.core.body import outline
from reversa.core.body_edit import (
    append_to_section,
    refuse_open,
    refuse_unfit,
    replace_section,
    retitle,
    section_name,
)
from reversa.core.bug import Bug, read_id, text_at
from reversa.core.document import Route, get, items, show_route, simple
from reversa.core.edit import Edit, apply
from reversa.core.fields import PHASES, lookup
from reversa.core.naming import clean_title
from reversa.core.routes import parse_route, parse_value
from reversa.core.taxonomy import DIMENSIONS
from reversa.errors import Refused, Surroundings, UsageError

_FIXED = {
    "id": "An ID never changes.",
    "schema_version": "The schema's version belongs to the tool.",
    "decisions": "Decisions are only ever added, by the commands that take them.",
}


@dataclass(frozen=True, slots=True)
class Request:
    """Assignments `ROUTE=VALUE` in the order they are carried out: sets, then additions, then removals.

    `sections` and `appends` are pairs of a section's name and a text, for the body.
    """

    sets: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    reason: str = ""
    sections: tuple[tuple[str, str], ...] = ()
    appends: tuple[tuple[str, str], ...] = ()


@dataclass
class _Plan:
    """The edits of one bug, what becomes of its body, the decisions among them, and what to say."""

    edits: list[Edit] = field(default_factory=list)
    rewrites: list[change.Rewrite] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def update(
    option: str | None,
    names: Sequence[str],
    request: Request,
    person: Person,
    *,
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Change fields and sections of one or more bugs, all or nothing.

    Raises UsageError for unknown routes, values and sections, Refused for locks, decisions without a person, and new
    errors.
    """
    if not (request.sets or request.adds or request.removes or request.sections or request.appends):
        raise UsageError("Nothing to update.", "For example: reversa update A7K3 --set phase=diagnosing")
    decided = _decide(option, names, request, person)
    day = today()
    with writing(option) as ws:
        changes, notes = [], []
        for bug in _bugs(ws, names):
            change.refuse_locked(ws, bug)
            plan = _plan(ws, bug, request)
            _record_decisions(plan, bug, decided.get(bug.path, {}), day, request.reason)
            done = change.plan(ws, bug, plan.edits, day, body=change.in_turn(plan.rewrites))
            refuse_relaxing(bug, done.new)
            changes.append(done)
            notes += plan.notes if not done.is_empty else [f"{bug.id} holds that already; nothing was written."]
        data = {"bugs": [{"id": done.old.id, "changed": list(done.routes)} for done in changes]}
        return change.carry_out(ws, changes, Outcome(data, notes=notes), views=views, dry_run=dry_run)


def _bugs(ws: Workspace, names: Sequence[str]) -> list[Bug]:
    found = {bug.path: bug for bug in (alias.resolve(ws.registry, name) for name in names)}
    return list(found.values())


def _decide(option: str | None, names: Sequence[str], request: Request, person: Person) -> dict[str, dict[str, str]]:
    """Have all decisions confirmed before the registry lock is taken: nobody waits for a person who types."""
    tops = {str(route[0]) for route in DECISIONS}
    given = (*request.sets, *request.adds, *request.removes)
    if not any(text.strip().startswith(top) for text in given for top in tops):
        return {}  # the usual case, and one reading of the registry less
    ws = open_workspace(option)
    out = {}
    for bug in _bugs(ws, names):
        change.refuse_locked(ws, bug)
        plan = _plan(ws, bug, request)
        if plan.decisions:
            what = " and ".join(sorted({decision.name for decision in plan.decisions}))
            out[bug.path] = person.decide(ws.registry, bug, what)
    return out


def _plan(ws: Workspace, bug: Bug, request: Request) -> _Plan:
    plan = _Plan()
    for text in request.sets:
        name, value = _assignment(text, "--set")
        _plan_set(ws, bug, plan, name, value)
    for text in request.adds:
        name, value = _assignment(text, "--add")
        route = _route(bug, name, plan)
        _refuse_fixed(route, value)
        item = _resolved(ws, route, parse_value(lookup(route), value, adding=True))
        if item not in _items_at(bug, plan, route):  # a list that holds it already stays as it is
            plan.edits.append(Edit("add", route, item))
    for text in request.removes:
        name, equals, value = text.partition("=")
        route = _route(bug, name, plan)
        _refuse_fixed(route, None)
        item = parse_value(lookup(route), value, adding=True) if equals else None
        if equals and item is None:
            raise UsageError(f"--remove {text!r} names no item.", f"--remove {name} removes the key itself.")
        held = _items_at(bug, plan, route)
        if equals and item not in held:
            listed = ", ".join(str(member) for member in held if isinstance(member, str)) or "nothing of that kind"
            raise UsageError(f"{name} of {bug.id} does not hold {value!r}.", f"It holds {listed}.")
        plan.edits.append(Edit("remove", route, item))
    _activate(bug, plan)
    plan.decisions = taken(simple(dict(bug.data or {})), simple(_data(bug, plan)))
    _plan_body(bug, plan, request)
    return plan


def _plan_body(bug: Bug, plan: _Plan, request: Request) -> None:
    """Plan what becomes of the body's sections; the heading follows the title where it said the old one."""
    title = text_at(_data(bug, plan), "title")
    first = next((heading.title for heading in outline(bug.body) if heading.level == 1), title)
    if title != bug.title and first.split() == bug.title.split():
        plan.rewrites.append(lambda body: retitle(body, title))
    elif title != bug.title and first.split() != title.split():
        plan.notes.append(f"The heading of {bug.id} is not its title and stays as it is.")
    for write, pairs in ((replace_section, request.sections), (_append, request.appends)):
        for name, text in pairs:
            section = section_name(name, bug.body)
            refuse_unfit(text, section)
            plan.rewrites.append(partial(_written, write, section, text))


def _written(write: Callable[[str, str, str], str], section: str, text: str, body: str) -> str:
    return write(body, section, text)


def _append(body: str, section: str, text: str) -> str:
    refuse_open(body, section)
    return append_to_section(body, section, text)


def _plan_set(ws: Workspace, bug: Bug, plan: _Plan, name: str, text: str) -> None:
    route = _route(bug, name, plan)
    _refuse_fixed(route, text)
    value = parse_value(lookup(route), text, adding=False)
    if route == ("title",):
        value = clean_title(str(value))
    if route[0] in DIMENSIONS and len(route) == 1:
        change.check_term(ws, str(route[0]), str(value))
    plan.edits.append(Edit("set", route, value))


def _activate(bug: Bug, plan: _Plan) -> None:
    """Make an open bug active when its phase goes beyond triaging, unless the command sets the status itself."""
    routes = {edit.route for edit in plan.edits}
    phase = text_at(_data(bug, plan), "phase")
    if ("phase",) in routes and ("status",) not in routes and bug.status == "open" and phase in PHASES[1:]:
        plan.edits.append(Edit("set", ("status",), "active"))
        plan.notes.append(f"{bug.id} is active now: {phase} is beyond triaging.")


_REFERENCES = {"relationships": "bug", "blocking": "target"}


def _resolved(ws: Workspace, route: Route, item: Any) -> Any:
    """Give a list item whose reference to a bug is an ID, by whatever alias it was typed."""
    key = _REFERENCES.get(str(route[0]), "")
    text = item.get(key) if isinstance(item, dict) and len(route) == 1 else None
    if not isinstance(text, str) or read_id(text):
        return item
    return {**item, key: alias.resolve(ws.registry, text).id}


def _route(bug: Bug, name: str, plan: _Plan) -> Route:
    """Parse a route against the record as earlier assignments of the same command leave it."""
    return parse_route(name, _data(bug, plan))


def _data(bug: Bug, plan: _Plan) -> dict[str, Any]:
    data = dict(bug.data or {})
    return apply(simple(data), plan.edits) if plan.edits else data


def _items_at(bug: Bug, plan: _Plan, route: Route) -> list[Any]:
    """Give the members of the list at a route as the plan leaves it, as plain Python."""
    return [simple(item) for item in items(get(_data(bug, plan), *route))]


def _assignment(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"{option} {text!r} is not ROUTE=VALUE.", f"For example: {option} reproduction.rate=3/20")
    return name.strip(), value


def _refuse_fixed(route: Route, value: str | None) -> None:
    top = str(route[0])
    if top in _FIXED:
        raise UsageError(f"{top} cannot be set. {_FIXED[top]}")
    if route == ("status",) and value == "resolved":
        raise Refused(
            "Only close makes a bug resolved.",
            "reversa close BUG --as KIND, which lists first what is missing.",
            kind="illegal-transition",
        )


def _record_decisions(plan: _Plan, bug: Bug, decided: dict[str, str], day: str, reason: str) -> None:
    """Append what was decided to `decisions`, and a line about it to Agent Notes."""
    if not plan.decisions:
        return
    if not decided:  # the record changed between the question and the lock
        raise Surroundings(
            f"{bug.id} was changed by someone else meanwhile.", "Run the command again.", kind="changed-meanwhile"
        )
    lines = []
    for decision in plan.decisions:
        what = show_route(decision.route)
        plan.edits.append(Edit("add", ("decisions",), decision_entry(what, decision.value, decided, day, reason)))
        lines.append(decision_line(f"{decision.name}: {_worded(decision.value)}", decided, day, reason))
    plan.rewrites.append(lambda body: append_to_section(body, "Agent Notes", "\n".join(lines)))


def _worded(value: Any) -> str:
    if value is None:
        return "taken back"
    return str(value.get("reason") or "yes") if isinstance(value, dict) else str(value)
