"""Edits to a record as data, and what they come to: the oracle that every splice is checked against."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from reversa.core.document import Route, show_route
from reversa.errors import Refused

Value: TypeAlias = "bool | int | str | list[Value] | dict[str, Value] | None"
"""What an edit writes: plain Python. Numbers read back as their text, for no reader of records types them."""

_EMPTY: tuple[Any, ...] = (None, "", [], {})
"""What gives way to a mapping or a list that has to stand in its place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to the front matter.

    `set` writes a value at a route and makes the missing mappings on the way; `add` appends to the list at the route
    (missing, null and empty start one; a single scalar becomes the first of two); `remove` without a value deletes the
    key or item at the route, with one the first equal item of the list at the route. `rewrite` writes the value anew
    although it reads as the same text, which gives or takes its quotes; `rename` gives the key at the route another
    name, and its value stays as it is written.
    """

    op: Literal["set", "add", "remove", "rewrite", "rename"]
    route: Route
    value: Value = None


@dataclass(frozen=True, slots=True)
class Step:
    """An edit brought down to one of the five things that can be done to a file, or to nothing.

    `replace`, `append`, `delete` and `rename` name a route that exists (`append` a list with members); `insert` names
    a key that its mapping, which has others, lacks.
    """

    kind: Literal["replace", "insert", "append", "delete", "rename", "nothing"]
    route: Route
    value: Value = None


def plain(value: Any) -> Any:
    """Give a value as it reads back from a file: numbers become their text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool) else str(value)


def settle(data: Any, edit: Edit) -> Step:
    """Bring an edit down to a single step over the data as `document.simple` gives it.

    Raises Refused (kind edit-refused) where the route runs through a text, or names what is not there.
    """
    if not edit.route:
        raise refusal(edit.route, "it names no key")
    if edit.op == "set":
        return _settle_set(data, edit.route, edit.value)
    if edit.op == "add":
        return _settle_add(data, edit.route, edit.value)
    if edit.op == "rename":
        return _settle_rename(data, edit.route, edit.value)
    if edit.op == "rewrite":
        step = _settle_set(data, edit.route, edit.value)
        return Step("replace", edit.route, edit.value) if step.kind == "nothing" else step
    return _settle_remove(data, edit.route, edit.value)


def apply(data: Any, edits: Iterable[Edit]) -> Any:
    """Give what the record holds after the edits, over the data as `document.simple` gives it; the data stays.

    Raises Refused (kind edit-refused) for an edit that has no meaning there.
    """
    out = deepcopy(data)
    for edit in edits:
        step = settle(out, edit)
        if step.kind == "nothing":
            continue
        holder = _at(out, step.route[:-1])
        last: Any = step.route[-1]
        if step.kind == "append":
            holder[last].append(plain(step.value))
        elif step.kind == "delete":
            del holder[last]
        elif step.kind == "rename":
            pairs = [(step.value if key == last else key, value) for key, value in holder.items()]
            holder.clear()
            holder.update(pairs)
        else:
            holder[last] = plain(step.value)
    return out


def refusal(route: Route, reason: str) -> Refused:
    """Make the refusal of an edit: which route, and why."""
    return Refused(f"{show_route(route) or 'The edit'} cannot be edited: {reason}.", kind="edit-refused")


def _at(data: Any, route: Route) -> Any:
    for step in route:
        data = data[step]
    return data


def _has(holder: Any, step: str | int) -> bool:
    if isinstance(step, int):
        return isinstance(holder, list) and 0 <= step < len(holder)
    return isinstance(holder, dict) and step in holder


def _settle_set(data: Any, route: Route, value: Value) -> Step:
    """Walk as far as the route exists; what is missing is nested into the value."""
    holder = data
    for depth, step in enumerate(route):
        if _has(holder, step):
            holder = holder[step]
            continue
        for missing in reversed(route[depth + 1 :]):
            if isinstance(missing, int):
                raise refusal(route, f"{show_route(route[: depth + 1])} has no item to change")
            value = {missing: value}
        if isinstance(step, int):
            raise refusal(route, f"{show_route(route[:depth])} has {_count(holder)}")
        if isinstance(holder, dict) and (holder or depth == 0):
            return Step("insert", route[: depth + 1], value)
        if holder not in _EMPTY:
            raise refusal(route, f"{show_route(route[:depth])} is {_shape(holder)}, not a mapping")
        return Step("replace", route[:depth], {step: value})
    return Step("nothing", route) if holder == plain(value) else Step("replace", route, value)


def _settle_add(data: Any, route: Route, value: Value) -> Step:
    holder = data
    for step in route:
        if not _has(holder, step):
            return _settle_set(data, route, [value])
        holder = holder[step]
    if holder in _EMPTY:
        return Step("replace", route, [value])
    if isinstance(holder, list):
        return Step("append", route, value)
    if isinstance(holder, dict):
        raise refusal(route, "it is a mapping, not a list")
    return Step("replace", route, [holder, value])


def _settle_remove(data: Any, route: Route, value: Value) -> Step:
    holder, parent = data, data
    for step in route:
        if not _has(holder, step):
            raise refusal(route, f"there is no {show_route(route)}")
        parent, holder = holder, holder[step]
    if value is not None:
        wanted = plain(value)
        members = holder if isinstance(holder, list) else [holder]
        if wanted not in members:
            raise refusal(route, f"it does not hold {wanted!r}")
        if len(members) == 1:
            return Step("replace", route, [])
        return Step("delete", (*route, members.index(wanted)))
    if len(parent) > 1:
        return Step("delete", route)
    if len(route) == 1:
        raise refusal(route, "it is the only key of the record")
    return Step("replace", route[:-1], [] if isinstance(parent, list) else {})


def _settle_rename(data: Any, route: Route, name: Value) -> Step:
    holder, parent = data, data
    for step in route:
        if not _has(holder, step):
            raise refusal(route, f"there is no {show_route(route)}")
        parent, holder = holder, holder[step]
    if not isinstance(name, str) or not isinstance(route[-1], str):
        raise refusal(route, "only a key has a name")
    if name == route[-1]:
        return Step("nothing", route)
    if name in parent:
        raise refusal(route, f"{show_route((*route[:-1], name))} is there already")
    return Step("rename", route, name)


def _count(holder: Any) -> str:
    if not isinstance(holder, list):
        return "no items"
    return "1 item" if len(holder) == 1 else f"{len(holder)} items"


def _shape(value: Any) -> str:
    return "a list" if isinstance(value, list) else "text" if isinstance(value, str) else "a boolean"
