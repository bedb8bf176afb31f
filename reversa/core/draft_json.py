"""Drafts from JSON in the shape of `show --json`: what a new bug may bring along, and what only its life can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from reversa.core.body_edit import refuse_unfit, section_name, unmarked
from reversa.core.draft import Draft
from reversa.core.fields import BODY_SECTIONS, FRONT_MATTER, Field
from reversa.core.naming import clean_title
from reversa.core.printable import escaped
from reversa.core.routes import from_json
from reversa.core.suggest import nearest
from reversa.errors import UsageError

_GIVEN_ANEW = ("schema_version", "id", "display_number", "created", "updated", "path", "done", "is_blocked", "impact")
"""Keys of the shape that every new bug gets for itself; what is written there is not taken over."""

_WAYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "status": (lambda value: value == "resolved", "reversa close resolves a bug"),
    "done": (lambda value: value not in (None, False), "reversa close locks a bug"),
    "resolution_kind": (lambda value: value is not None, "reversa close writes it"),
    "spec_verdict": (lambda value: value is not None, "a person gives it with reversa verdict"),
    "decisions": (bool, "decisions are recorded when they are made"),
    "closure": (lambda value: isinstance(value, dict) and value.get("satisfied") is True, "reversa close writes it"),
}
"""What a new bug cannot have, and how a bug comes by it."""


def documents(values: Sequence[Any], source: str) -> list[tuple[str, dict[str, Any]]]:
    """Give the objects of bugs in JSON values, each with its name for messages; raises UsageError.

    An array is taken apart; the envelope that `--json` prints is opened, so that its output can be handed over as is.
    """
    found = list(_opened(values))
    out = []
    for number, value in enumerate(found, 1):
        name = source if len(found) == 1 else f"bug {number} of {source}"
        if not isinstance(value, dict):
            raise UsageError(f"{name} is no JSON object.", "Each bug is an object as reversa show --json prints one.")
        out.append((name, value))
    if not out:
        raise UsageError(f"{source} holds no bug.")
    return out


def _opened(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from value
        elif isinstance(value, dict) and str(value.get("schema", "")).startswith("reversa/") and "data" in value:
            data = value["data"]
            yield from data["bugs"] if isinstance(data, dict) and isinstance(data.get("bugs"), list) else [data]
        else:
            yield value


def draft(name: str, value: Mapping[str, Any], context: str) -> Draft:
    """Make a draft of an object; `context` is where it belongs unless it says so itself.

    Raises UsageError, beginning with `name`, for unknown keys and values, and for what a new bug cannot have.
    """
    try:
        return _draft(value, context)
    except UsageError as error:
        raise UsageError(f"{name}: {error.message}", error.hint, kind=error.kind) from None


def _draft(value: Mapping[str, Any], context: str) -> Draft:
    _refuse_unknown(value)
    _refuse_grown(value)
    fields: dict[str, Any] = {}
    for known in FRONT_MATTER.fields:
        given = value.get(known.name)
        if given is not None and given != [] and known.name not in (*_GIVEN_ANEW, "decisions"):
            fields[known.name] = from_json(known, _without_nulls(known, given))
    _refuse_grown(fields)  # once more as the record would have it: "true" is a way to write true
    if not isinstance(value.get("title"), str):
        raise UsageError("the title is missing.", "Say what goes wrong in one line.")
    fields["title"] = clean_title(value["title"])
    where = value.get("context") or context
    if not isinstance(where, str) or not where:
        raise UsageError("it does not say its context.", "Add the key context, or give all of them one with -c CONTEXT")
    identity = value.get("id")
    if identity is not None and not isinstance(identity, str):
        raise UsageError("id is no text.", "It is the name by which relationships of the same call name this bug.")
    return Draft(where, fields, _sections(value.get("sections")), key=(identity or "").strip())


def _refuse_grown(value: Mapping[str, Any]) -> None:
    """Refuse what only a bug's life brings."""
    for key, (has, way) in _WAYS.items():
        if has(value.get(key)):
            raise UsageError(f"a new bug has no {key} {_brief(value[key])}.", f"Leave it out; {way}.")


def _without_nulls(known: Field, value: Any) -> Any:
    """Leave out nulls where the table has none: the shape shows every key, what is not known included."""
    if isinstance(value, list) and known.item is not None:
        return [_without_nulls(known.item, each) for each in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, each in value.items():
        member = known.field(name)
        if each is not None or member is None or member.nullable:
            out[name] = each if member is None else _without_nulls(member, each)
    return out


def _refuse_unknown(value: Mapping[str, Any]) -> None:
    known = [*(field.name for field in FRONT_MATTER.fields), "context", "sections", *_GIVEN_ANEW]
    for key in value:
        if key not in known:
            near = nearest(key, known)
            raise UsageError(
                f"unknown key {_brief(key)}.",
                f"Did you mean {near[0]}?" if near else "reversa schema lists the keys; text belongs into sections.",
            )


def _sections(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise UsageError("sections is no object of texts.", f"Its keys: {', '.join(BODY_SECTIONS)}.")
    out: dict[str, str] = {}
    for name, text in value.items():
        title = section_name(name, "")
        if title in out:
            raise UsageError(f"sections has {title} twice.")
        text = unmarked(text.replace("\r\n", "\n")).strip("\n")
        refuse_unfit(text, title)
        if text.strip():
            out[title] = text
    return out


def _brief(value: Any) -> str:
    text = escaped(value if isinstance(value, str) else str(value))
    return text if len(text) <= 40 else text[:39] + "…"
