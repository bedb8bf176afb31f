"""What a record is made of before it is typed: raw values, key routes, spans, problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias


class Plain(str):
    """A scalar written without quotes; only such a scalar can mean null, true or false."""

    __slots__ = ()


Raw: TypeAlias = "str | dict[str, Raw] | list[Raw]"
"""A value as written: `Plain` or quoted `str`, mapping or list. No YAML type is ever resolved (registry.md 3)."""

Route: TypeAlias = tuple[str | int, ...]
"""Where a value stands: keys and list indexes from the top, e.g. `("relationships", 0, "state")`."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
TRUES = frozenset({"true", "True", "TRUE"})
FALSES = frozenset({"false", "False", "FALSE"})


def is_null(value: Any) -> bool:
    """Whether a raw value is null: absent, or one of the plain spellings of registry.md 3."""
    return value is None or (isinstance(value, Plain) and value in NULLS)


def simple(value: Any) -> Any:
    """Give a raw value as plain Python: null, true and false for plain scalars, else the text as written."""
    if isinstance(value, Plain):
        if value in NULLS:
            return None
        if value in TRUES:
            return True
        if value in FALSES:
            return False
        return str(value)
    if isinstance(value, dict):
        return {key: simple(item) for key, item in value.items()}
    if isinstance(value, list):
        return [simple(item) for item in value]
    return value


def get(data: Any, *route: str | int) -> Any:
    """Give the raw value at a route, or None when any step is absent or of another shape."""
    for step in route:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
            data = data[step]
        else:
            return None
    return data


def mapping(value: Any) -> dict[str, Any]:
    """Give a raw mapping, or an empty one where the value has another shape."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """Give a raw list; a single filled value is read as a list of one, null and absent as empty."""
    if isinstance(value, list):
        return value
    return [] if is_null(value) else [value]


def filled(value: Any) -> bool:
    """Whether a raw value is neither null nor empty (registry.md 3, "Filled")."""
    return not is_null(value) and value not in ("", [], {})


@dataclass(frozen=True, slots=True)
class Span:
    """Code-point offsets of a key and its value in the text of a record (BOM not counted)."""

    key_start: int
    key_end: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file cannot be read as a record, or reads with a blemish; line and column count from 1."""

    code: str
    line: int = 1
    column: int = 1
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A record taken apart: `text[yaml_at:yaml_end]` is the front matter, `text[body_at:]` the body.

    `data` is None when the file cannot be read as a record; `problems` then says why.
    """

    text: str
    data: dict[str, Any] | None
    yaml_at: int = 0
    yaml_end: int = 0
    body_at: int = 0
    bom: bool = False
    problems: tuple[Problem, ...] = ()

    @property
    def body(self) -> str:
        return self.text[self.body_at :]

    @property
    def newline(self) -> str:
        """The line ending of the first line, which edits keep."""
        first = self.text.find("\n")
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"


def show_route(route: Route) -> str:
    """Write a route as the command line does: `a.b[0].c`."""
    out = ""
    for step in route:
        out += f"[{step}]" if isinstance(step, int) else (f".{step}" if out else step)
    return out
