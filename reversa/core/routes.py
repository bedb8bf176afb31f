"""Key routes and values as people type them, checked against the field table and the record at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from reversa.core.document import Route, items, mapping, show_route, simple
from reversa.core.edit import Value
from reversa.core.fields import FRONT_MATTER, RENAMED_AWAY, Field, Kind
from reversa.core.suggest import nearest
from reversa.errors import UsageError

_STEP = re.compile(r"\.?(?P<key>[^.\[\]]+)|\[(?P<item>[^\[\]]*)\]")
_PAIR = re.compile(r",\s*(?=[A-Za-z_][A-Za-z0-9_-]*=)")
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ID = re.compile(r"(BUG-[0-9]{8}-[0-9A-Za-z]{4})(?:-.*)?", re.IGNORECASE | re.DOTALL)
_WORDS: dict[str, Value] = {"null": None, "true": True, "false": False}


def parse_route(text: str, data: Any) -> Route:
    """Give the route that a text such as `a.b`, `change_set[0].purpose` or `relationships[BUG-…/type]` names.

    Raises UsageError for a key that neither the field table nor the record knows (with the nearest), and for an item
    that is not there or not the only one (with those that are).
    """
    route: Route = ()
    field: Field | None = FRONT_MATTER
    for key, selector in _steps(text):
        if selector is None:
            field = _into_key(text, route, field, data, key)
            route, data = (*route, key), mapping(data).get(key)
        else:
            index = _find_item(route, field, data, selector)
            route, data = (*route, index), items(data)[index]
            field = field.item if field else None
    return route


def _steps(text: str) -> list[tuple[str, str | None]]:
    """Take a route apart into keys and item selectors."""
    steps: list[tuple[str, str | None]] = []
    at = 0
    for match in _STEP.finditer(text):
        if match.start() != at or (match[0].startswith(".") and at == 0) or (match["item"] is not None and at == 0):
            break
        if match["key"] is not None and at > 0 and not match[0].startswith("."):
            break
        steps.append((match["key"] or "", match["item"]))
        at = match.end()
    if not steps or at != len(text):
        raise UsageError(
            f"{text!r} is no key route.", "Write it as a.b, change_set[0].purpose or change_set[CHG-001].purpose."
        )
    return steps


def _into_key(text: str, route: Route, field: Field | None, data: Any, key: str) -> Field | None:
    """Give the field of a key, None inside free-form blocks; refuses a key that nobody knows."""
    where = show_route(route)
    if isinstance(data, list) or (field is not None and field.kind is Kind.LIST):
        raise UsageError(f"{where} is a list, so a route has to say which item.", _items_hint(field, data, where))
    if key in mapping(data):
        return field.field(key) if field else None
    if field is None or field.kind is Kind.ANY:
        return None
    known = field.field(key)
    if known is not None:
        return known
    if not field.fields:
        raise UsageError(f"{where} holds no keys, so {text} names nothing.")
    raise UsageError(f"Unknown key {show_route((*route, key))}.", _key_hint(route, field, data, key))


def _key_hint(route: Route, field: Field, data: Any, key: str) -> str:
    renamed = {old: known.name for known in field.fields for old in known.renamed}
    if not route:
        renamed = RENAMED_AWAY | renamed
    near = renamed.get(key) or next(iter(nearest(key, [*(known.name for known in field.fields), *mapping(data)])), None)
    if near:
        return f"Did you mean {near if '.' in near else show_route((*route, near))}?"
    if not route:
        return "reversa schema lists the keys."
    return f"Known keys of {show_route(route)}: {', '.join(known.name for known in field.fields)}."


def _find_item(route: Route, field: Field | None, data: Any, selector: str) -> int:
    """Give the index of the item that a selector names, by position or by its key."""
    where = show_route(route)
    if not isinstance(data, list):
        if data is not None and simple(data) is not None:
            raise UsageError(f"{where} is no list, so [{selector}] names nothing in it.")
        data = []
    if selector.isdecimal():
        index = int(selector) if len(selector) < 10 else len(data)  # Python refuses to read 4,301 digits
        hits = [index] if index < len(data) else []
    else:
        wanted = _folded(selector)
        names = [_names(field, item) for item in data]
        hits = [index for index, name in enumerate(names) if wanted in map(_folded, name)]
    if len(hits) == 1:
        return hits[0]
    fault = "several items" if hits else "no item"
    raise UsageError(f"{where} has {fault} [{selector}].", _items_hint(field, data, where))


def _names(field: Field | None, item: Any) -> list[str]:
    """Give the texts by which an item can be named: its key, the parts of a key in two parts, a text itself."""
    if not isinstance(item, dict):
        return [str(item)]
    parts = field.item.key.split("/") if field and field.item and field.item.key else list(item)
    texts = [str(item[part]) for part in parts if isinstance(item.get(part), str)]
    if field and field.item and field.item.key:
        return ["/".join(_short_id(text) for text in texts), "/".join(texts), texts[0] if texts else ""]
    return texts


def _short_id(text: str) -> str:
    match = _ID.fullmatch(text)
    return match[1] if match else text


def _folded(text: str) -> str:
    head, slash, tail = text.partition("/")
    return (_short_id(head) + slash + tail).casefold()


def _items_hint(field: Field | None, data: Any, where: str) -> str:
    found = items(data)
    if not found:
        return f"{where} has no items."
    shown = []
    for index, item in enumerate(found[:12]):
        keyed = isinstance(item, dict) and field and field.item and field.item.key
        shown.append(f"[{_names(field, item)[0]}]" if keyed else f"[{index}]")
    return f"Items of {where}: {', '.join(shown)}{', …' if len(found) > 12 else ''}."


def parse_value(field: Field | None, text: str, *, adding: bool) -> Value:
    """Give the value that a text means for a field; with `adding`, for a new item of the list that it describes.

    A field of None, and free-form ones, take JSON, `true`, `false`, `null`, numbers and text.
    Raises UsageError in one sentence that says what is allowed.
    """
    if field is None or field.kind is Kind.ANY:
        return _free(text)
    if adding:
        if field.kind is not Kind.LIST:
            raise UsageError(f"{_name(field)} is no list, so nothing can be added to it.", "Set it instead.")
        item = field.item
        if item is None or item.kind is Kind.ANY:
            return _free(text)
        return _mapping(_named(item, field), text) if item.kind is Kind.MAP else _typed(_named(item, field), text)
    return _typed(field, text)


def _typed(field: Field, text: str) -> Value:
    if text.strip() == "null":
        if field.nullable:
            return None
        raise UsageError(f"{_name(field)} cannot be null.", "[] empties it." if field.kind is Kind.LIST else "")
    return _READERS[field.kind](field, text)


def _integer(field: Field, text: str) -> Value:
    if not _INT.fullmatch(text.strip()):
        raise UsageError(f"{_name(field)} is a whole number, not {text!r}.")
    return int(text)


def _boolean(field: Field, text: str) -> Value:
    value = _WORDS.get(text.strip().lower())
    if not isinstance(value, bool):
        raise UsageError(f"{_name(field)} is true or false, not {text!r}.")
    return value


def _date(field: Field, text: str) -> Value:
    day = text.strip()
    try:
        if not _DATE.fullmatch(day):
            raise ValueError
        date.fromisoformat(day)
    except ValueError:
        raise UsageError(f"{_name(field)} is a date such as 2026-07-15, not {text!r}.") from None
    return day


def _word(field: Field, text: str) -> Value:
    if text in field.values:
        return text
    near = next(iter(nearest(text, field.values)), None)
    allowed = ", ".join(field.values)
    hint = f"Did you mean {near}?" if near else ""
    raise UsageError(f"{_name(field)} is one of {allowed}; {text!r} is none of them.", hint)


def _list(field: Field, text: str) -> Value:
    item = _named(field.item or Field("", Kind.ANY, ""), field)
    stripped = text.strip()
    if stripped.startswith("["):
        members = _json(stripped)
        if isinstance(members, list):
            return [from_json(item, member) for member in members]
        if stripped.endswith("]") and not set(stripped) & set("{}\"'"):
            stripped = stripped[1:-1]
        else:
            raise UsageError(f"{_name(field)} begins like a JSON list but is none.")
    if item.kind is Kind.MAP:
        raise UsageError(
            f"{_name(field)} is a list of mappings, so setting it takes a JSON list.",
            f"To add one item: --add {field.name}={','.join(f'{f.name}=…' for f in item.fields[:3])}",
        )
    return [_typed(item, part.strip()) for part in stripped.split(",") if part.strip()]


def _mapping(field: Field, text: str) -> Value:
    """Read `k=v,k=v` or a JSON object; a comma that no `word=` follows is part of the value before it."""
    stripped = text.strip()
    if stripped.startswith("{"):
        value = _json(stripped)
        if not isinstance(value, dict):
            raise UsageError(f"{_name(field)} begins like a JSON object but is none.")
        return from_json(field, value)
    out: dict[str, Value] = {}
    for pair in _PAIR.split(stripped):
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or key in out:
            fault = f"has {key} twice" if equals else f"takes k=v,k=v or JSON, not {pair!r}"
            example = ",".join(f"{known.name}=…" for known in field.fields[:2])
            raise UsageError(f"{_name(field)} {fault}.", f"For example: {example}")
        out[key] = _typed(_member(field, key), value)
    return out


def _member(field: Field, key: str) -> Field:
    known = field.field(key)
    if known is not None:
        return _named(known, field)
    near = next(iter(nearest(key, [member.name for member in field.fields])), None)
    hint = f"Did you mean {near}?" if near else f"Its keys: {', '.join(member.name for member in field.fields)}."
    raise UsageError(f"{_name(field)} has no key {key!r}.", hint)


def _json(text: str) -> Any:
    """Read JSON; a fraction stays the text it was. None where the text is not JSON."""
    try:
        return json.loads(text, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None


def from_json(field: Field, value: Any) -> Value:
    """Give a JSON value as the field table types it; raises UsageError, naming the key, where it does not fit."""
    if field.kind is Kind.ANY:
        return value  # type: ignore[no-any-return]
    if isinstance(value, dict):
        if field.kind is not Kind.MAP:
            raise UsageError(f"{_name(field)} is no mapping.")
        return {key: from_json(_member(field, key), item) for key, item in value.items()}
    if isinstance(value, list):
        if field.kind is not Kind.LIST:
            raise UsageError(f"{_name(field)} is no list.")
        item = _named(field.item or Field("", Kind.ANY, ""), field)
        return [from_json(item, member) for member in value]
    if value is None:
        return _typed(field, "null")
    if field.kind in (Kind.MAP, Kind.LIST):
        raise UsageError(f"{_name(field)} is a {field.kind}, not {value!r}.")
    return _READERS[field.kind](field, value if isinstance(value, str) else json.dumps(value))


def _free(text: str) -> Value:
    stripped = text.strip()
    if stripped in _WORDS:
        return _WORDS[stripped]
    if stripped.startswith(("[", "{")):
        value = _json(stripped)
        if value is not None:
            return value  # type: ignore[no-any-return]
    return int(stripped) if _INT.fullmatch(stripped) else text


def _named(field: Field, parent: Field) -> Field:
    """Give a member a name to be called by in messages."""
    if field.name:
        return field
    return replace(field, name=parent.name)


def _name(field: Field) -> str:
    return field.name or "The value"


def _text(_: Field, text: str) -> Value:
    return text


def _anything(_: Field, text: str) -> Value:
    return _free(text)


_READERS: dict[Kind, Callable[[Field, str], Value]] = {
    Kind.TEXT: _text,
    Kind.INT: _integer,
    Kind.BOOL: _boolean,
    Kind.DATE: _date,
    Kind.ENUM: _word,
    Kind.MAP: _mapping,
    Kind.LIST: _list,
    Kind.ANY: _anything,
}
