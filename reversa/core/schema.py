"""The JSON Schema of the front matter, generated from the field table."""

from __future__ import annotations

from typing import Any

from reversa.core.fields import FRONT_MATTER, Field, Kind

_TYPES = {Kind.INT: "integer", Kind.BOOL: "boolean", Kind.TEXT: "string", Kind.DATE: "string", Kind.ENUM: "string"}
_ID = r"^BUG-[0-9]{8}-[0-9A-Za-z]{4}(-.*)?$"
_PATTERNS = {
    "id": r"^BUG-[0-9]{8}-[0-9A-Za-z]{4}$",
    "relationships[].bug": _ID,
    "blocking[].target": _ID,
}
_REQUIRED_ITEMS = {"relationships[]": ["bug", "type", "state"], "blocking[]": ["kind"], "change_set[]": ["id", "kind"]}


def json_schema() -> dict[str, Any]:
    """Give the schema (JSON Schema 2020-12) of a normalised front matter; unknown keys are allowed everywhere."""
    schema = _of(FRONT_MATTER, "")
    required = [field.name for field in FRONT_MATTER.fields if not field.block]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The front matter of a bug.md, schema_version 1",
        **schema,
        "required": required,
    }


def _of(field: Field, route: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if field.doc:
        out["description"] = field.doc
    kind = _TYPES.get(field.kind)
    if kind:
        out["type"] = kind
    if route == "schema_version":
        out["const"] = 1
    if field.kind is Kind.DATE:
        out["format"] = "date"
        out["pattern"] = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
    if field.values:
        out["enum"] = list(field.values)
    if route in _PATTERNS:
        out["pattern"] = _PATTERNS[route]
    if field.kind is Kind.MAP:
        out["type"] = "object"
        prefix = f"{route}." if route else ""
        out["properties"] = {known.name: _of(known, prefix + known.name) for known in field.fields}
        if route in _REQUIRED_ITEMS:
            out["required"] = _REQUIRED_ITEMS[route]
    if field.kind is Kind.LIST:
        out["type"] = "array"
        item = _of(field.item, f"{route}[]") if field.item else {}
        out["items"] = {"anyOf": [item, {"type": "string"}]} if route.endswith("evidence") else item
    if field.nullable:
        _allow_null(out)
    elif field.block and "type" in out:  # an absent block is null in the normalised record, never in the file
        out["anyOf"] = [{"type": out.pop("type")}, {"type": "null"}]
    return out


def _allow_null(out: dict[str, Any]) -> None:
    if "enum" in out:
        out["enum"] = [*out["enum"], None]
    if "type" in out:
        out["type"] = [out["type"], "null"]
