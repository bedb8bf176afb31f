"""The normalised record: what `catalog.jsonl` and `--json` show of a bug (registry.md 10)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from reversa.core.bug import Bug, Registry, read_id, text_at
from reversa.core.document import FALSES, TRUES, get, is_null, items, simple
from reversa.core.fields import FRONT_MATTER, Field, Kind

_ANY_ID = re.compile(r"BUG-\d{8}-[0-9A-Za-z]{4}", re.IGNORECASE)
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_DERIVED = ("context", "path", "done", "is_blocked", "impact")
_ENDS = {"relationships": "bug", "blocking": "target"}


def tells(text: str, hidden: Collection[str]) -> bool:
    """Whether a text holds one of these upper-case IDs, as the path of a bug's addendum does."""
    return bool(hidden) and any(found.upper() in hidden for found in _ANY_ID.findall(text))


def leads(entry: Any, hidden: Collection[str]) -> bool:
    """Whether an entry of a list is, or holds beside others, a locator in which one of these IDs stands.

    A locator is a word with a slash, or a text of one word; an ID in a sentence is the writer's own text.
    """
    if isinstance(entry, dict):
        return any(isinstance(value, str) and leads(value, hidden) for value in entry.values())
    if not isinstance(entry, str) or not tells(entry, hidden):
        return False
    words = entry.split()
    return any(tells(word, hidden) for word in words if "/" in word or len(words) == 1)


def record(bug: Bug) -> dict[str, Any]:
    """Give the whole front matter: every key of the contract in the table's order, then the unknown ones as written.

    An absent key is null, an absent list `[]`; the four mappings that every record has show all their known keys.
    A value whose text does not fit its type stays text.
    """
    data = bug.data or {}
    out = {field.name: _top(data.get(field.name), field) for field in FRONT_MATTER.fields}
    out["id"] = bug.id or None
    out.update((key, simple(value)) for key, value in data.items() if key not in out)
    return out


def row(bug: Bug, registry: Registry, impact: int, path: str, hidden: Collection[str] = ()) -> dict[str, Any]:
    """Give the record with what is derived: context, path from the repository root, lock, obstacles, impact.

    `hidden` are the upper-case IDs of restricted bugs: entries of lists that name one as an edge, an obstacle or a
    spec, or lead into its folder or to its addendum, are left out. `is_blocked` is a fact about this bug and stays true
    for a hidden blocker.
    """
    out = record(bug)
    for key in _DERIVED:  # forks of the format store some of these; the derived value wins, at a fixed place
        out.pop(key, None)
    if hidden:
        out = {key: _open(value, hidden) for key, value in out.items()}
        for field in FRONT_MATTER.fields:
            if field.name in _ENDS:
                for name in (field.name, *field.renamed):
                    if name in out:
                        out[name] = _without(out[name], _ENDS[field.name], hidden)
        trace = out["traceability"]
        if isinstance(trace, dict) and isinstance(trace["specs"], list):
            trace["specs"] = [spec for spec in trace["specs"] if not tells(str(spec), hidden)]
    derived = (bug.context, path, bug.locked, registry.is_blocked(bug), impact)
    return {**out, **dict(zip(_DERIVED, derived, strict=True))}


def _open(value: Any, hidden: Collection[str]) -> Any:
    """Give a value without the entries of its lists that lead to a hidden bug."""
    if isinstance(value, dict):
        return {key: _open(item, hidden) for key, item in value.items()}
    if isinstance(value, list):
        return [_open(item, hidden) for item in value if not leads(item, hidden)]
    return value


def delegated(bug: Bug) -> list[dict[str, Any]]:
    """Give the decisions that came by delegation and that no later decision at a terminal confirms (registry.md 9)."""
    newest: dict[str, Any] = {}
    for entry in items(get(bug.data, "decisions")):
        newest[text_at(entry, "what")] = entry
    return [simple(entry) for entry in newest.values() if text_at(entry, "via") == "delegated"]


def _top(value: Any, field: Field) -> Any:
    if is_null(value):
        return _absent(field)
    typed = _typed(value, field)
    if field.block or not isinstance(typed, dict):
        return typed
    return {**{known.name: _absent(known) for known in field.fields}, **typed, **_lists(typed, field)}


def _absent(field: Field) -> Any:
    if field.block or field.nullable:
        return None
    if field.kind is Kind.MAP:
        return {known.name: _absent(known) for known in field.fields}
    return [] if field.kind is Kind.LIST else None


def _lists(typed: dict[str, Any], field: Field) -> dict[str, Any]:
    """Give `[]` for the null lists of a mapping that shows all its keys."""
    return {known.name: _absent(known) for known in field.fields if typed.get(known.name, "") is None}


def _typed(value: Any, field: Field | None) -> Any:
    if field is None or field.kind is Kind.ANY:
        return simple(value)
    if is_null(value):
        return None
    if field.kind is Kind.MAP and isinstance(value, dict):
        return {key: _typed(item, field.field(key)) for key, item in value.items()}
    if field.kind is Kind.LIST and isinstance(value, list):
        return [_typed(item, field.item) for item in value]
    if isinstance(value, (dict, list)):
        return simple(value)
    text = str(value)
    if field.kind is Kind.INT and _INTEGER.fullmatch(text):
        return int(text)
    if field.kind is Kind.BOOL and text in TRUES | FALSES:
        return text in TRUES
    return text


def _without(value: Any, member: str, hidden: Collection[str]) -> Any:
    """Drop the entries that name a hidden bug; a value that names none keeps its shape."""

    def names_hidden(entry: Any) -> bool:
        end = entry.get(member) if isinstance(entry, dict) else entry
        return isinstance(end, str) and read_id(end).upper() in hidden

    entries = value if isinstance(value, list) else [value]
    kept = [entry for entry in entries if not names_hidden(entry)]
    return value if len(kept) == len(entries) else kept
