"""JSON as strangers send it: one value or several in a row, every doubt refused with its line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from reversa.errors import UsageError

DEEPEST = 100
"""Deeper nesting is refused; no record of the contract passes 6."""

_BLANK = re.compile(r"[ \t\r\n]*")
_LONE = re.compile("[\ud800-\udfff]")


class _Doubt(ValueError):
    """A reason for which a value is refused that Python's reader would let pass."""


def values(text: str, source: str) -> list[Any]:
    """Give the JSON values of a text: one, or one a line and more (JSON Lines).

    A fraction stays the text it was. Raises UsageError, naming source, line and column, for what is not JSON, a key
    that stands twice in an object, NaN and infinity, half of a surrogate pair, and nesting deeper than DEEPEST.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=str, parse_constant=_no_number)
    out: list[Any] = []
    end, at = 0, _skip(text, 0)
    while at < len(text):
        if out and "\n" not in text[end:at]:
            raise _fault(text, at, source, "another value begins on the same line")
        try:
            value, end = decoder.raw_decode(text, at)
            _refuse_deep(value)
        except json.JSONDecodeError as error:
            raise _fault(text, error.pos, source, error.msg[:1].lower() + error.msg[1:]) from None
        except RecursionError:
            raise _fault(text, at, source, f"a value is nested deeper than {DEEPEST}") from None
        except ValueError as error:
            raise _fault(text, at, source, str(error)) from None
        out.append(value)
        at = _skip(text, end)
    if not out:
        raise UsageError(f"{source} holds no JSON value.")
    return out


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _fault(text: str, at: int, source: str, reason: str) -> UsageError:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return UsageError(f"{source}:{line}:{column} is no JSON that can be taken: {reason}.")


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise _Doubt(f"the key {key[:40]!r} stands twice in one object")
        out[key] = value
    return out


def _no_number(word: str) -> Any:
    raise _Doubt(f"{word} is no JSON number")


def _refuse_deep(value: Any) -> None:
    """Refuse nesting and text that could be written into no record."""
    rest = [(value, 1)]
    while rest:
        each, depth = rest.pop()
        if depth > DEEPEST:
            raise RecursionError
        if isinstance(each, str) and _LONE.search(each):
            raise _Doubt("a text holds half of a surrogate pair")
        if isinstance(each, dict):
            rest += [(text, depth) for text in each]
            rest += [(inner, depth + 1) for inner in each.values()]
        elif isinstance(each, list):
            rest += [(inner, depth + 1) for inner in each]
