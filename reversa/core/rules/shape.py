"""One walk over a record along the field table; the rules of identity, vocabulary and values read their hits here.

The table is compiled once into nodes, because a thousand records are walked in the time of a blink.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from reversa.core.bug import Bug
from reversa.core.document import FALSES, NULLS, TRUES, Plain, Route, filled, is_null
from reversa.core.fields import FRONT_MATTER, RENAMED_AWAY, UNCLASSIFIED, Field, Kind
from reversa.core.finding import Hit
from reversa.core.rules.engine import once
from reversa.core.rules.words import brief, day, near, one_typo

_OUTSIDE = {
    "status": "RV110",
    "phase": "RV112",
    "severity": "RV113",
    "priority": "RV114",
    "origin.type": "RV115",
    "visibility": "RV117",
    "reproduction.classification": "RV118",
    "change_set[].kind": "RV119",
    "change_risk.classification": "RV120",
    "spec_verdict": "RV121",
    "resolution_kind": "RV205",
    "traceability.root_cause.state": "RV206",
    "relationships[].type": "RV306",
    "relationships[].state": "RV307",
}
"""The code of a value outside its vocabulary, by route; RV123 elsewhere."""

_MISSING = {
    "display_number": "RV108",
    "title": "RV109",
    "status": "RV110",
    "phase": "RV112",
    "severity": "RV113",
    "priority": "RV114",
    "origin.type": "RV115",
    "visibility": "RV116",
    "reproduction.classification": "RV118",
    "change_set[].id": "RV143",
    "change_set[].kind": "RV119",
    "change_risk.classification": "RV120",
    "blocking[].kind": "RV123",
    "relationships[].type": "RV306",
    "relationships[].state": "RV307",
}
"""The code of a required key that is absent or null, by route; RV111 elsewhere."""

_EMPTY = {Kind.LIST: "[]", Kind.BOOL: "false", Kind.DATE: "YYYY-MM-DD", Kind.MAP: "and its keys"}

_OWN_RULES = ("schema_version", "id")
"""Keys whose rules look at them without this walk."""

_REQUIRED: dict[str, tuple[str, ...]] = {
    "": tuple(known.name for known in FRONT_MATTER.fields if not known.block and known.name not in _OWN_RULES),
    "origin": ("type", "external_ref"),
    "origin.external_ref": ("provider", "id"),
    "reproduction": ("classification", "rate", "suspected_triggers"),
    "traceability": ("specs", "affected_code", "root_cause", "reproduction_tests", "regression_tests"),
    "traceability.root_cause": ("state",),
    "traceability.root_cause.code_refs[]": ("file",),
    "blocking[]": ("kind",),
    "relationships[]": ("type", "state"),
    "change_set[]": ("id", "kind", "artifact"),
    "change_risk": ("classification",),
    "backports[]": ("version",),
    "closure": ("satisfied",),
}
"""The keys that a mapping must have (registry.md 3); `closure.policy` falls back to the README's."""

_COUNTED = re.compile(r"commit$|(?:^|_)versions?$|^merge$|^last_known_good$|^first_known_bad$")
_NUMBER = re.compile(
    r"[-+]?(?:0b[01_]+|0o[0-7]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))\Z|\.(?:nan|NaN|NAN)\Z"
)
"""What YAML 1.1 or 1.2 reads as a number, sexagesimal included."""

_TEXT, _ENUM, _MAP, _LIST, _ANY = Kind.TEXT, Kind.ENUM, Kind.MAP, Kind.LIST, Kind.ANY
_DATE, _BOOL, _INT = Kind.DATE, Kind.BOOL, Kind.INT
"""Looking a member up on an Enum costs a dozen times as much as a global, and a walk does it often."""

_INTEGER = re.compile(r"[0-9]{1,9}\Z")
_EXPECTED = {
    Kind.TEXT: "text",
    Kind.INT: "an integer without quotes",
    Kind.BOOL: "true or false without quotes",
    Kind.DATE: "a date",
    Kind.ENUM: "a word",
    Kind.MAP: "a mapping",
    Kind.LIST: "a list",
}


@dataclass(slots=True)
class _Node:
    """A field made ready for the walk.

    `code` is what a value outside the vocabulary yields, `missing` what an absent one does, "" where it may be absent.
    `fine` and `any_text` let most values pass without a closer look; `counted` ones hold a commit or a version.
    """

    route: str
    known: Field
    kind: Kind
    code: str
    missing: str
    counted: bool
    fine: frozenset[str]
    any_text: bool
    required: frozenset[str]
    evidence: bool
    members: dict[str, _Node] = field(default_factory=dict)
    item: _Node | None = None


_NODES: dict[str, _Node] = {}


def _compile(known: Field, route: str = "", missing: str = "") -> _Node:
    counted = bool(_COUNTED.search(known.name))
    node = _NODES[route] = _Node(
        route,
        known,
        Kind.ANY if route in _OWN_RULES else known.kind,
        _OUTSIDE.get(route, "RV123"),
        missing,
        counted and route not in _OWN_RULES,
        frozenset(known.values),
        known.kind is _TEXT and not counted,
        frozenset(_REQUIRED.get(route, ())),
        route.endswith("evidence[]"),
    )
    for member in known.fields:
        step = f"{route}.{member.name}" if route else member.name
        code = _MISSING.get(step, "RV111") if member.name in node.required else ""
        node.members[member.name] = _compile(member, step, code)
    if known.item is not None:
        node.item = _compile(known.item, f"{route}[]")
    return node


_ROOT = _compile(FRONT_MATTER)
_LONGEST_KEY = 1 + max(len(name) for node in _NODES.values() for name in node.members)
_NAMES = frozenset(name for node in _NODES.values() for name in node.members)
"""Every key that is a contract key somewhere: such a key elsewhere is no typo."""


@dataclass(slots=True)
class _Found:
    """What a walk gathers; `elsewhere` are the routes whose value stands at the top under another name."""

    hits: dict[str, list[Hit]]
    elsewhere: frozenset[str]

    def add(self, code: str, route: Route, **params: Any) -> None:
        self.hits.setdefault(code, []).append(Hit(route, params))


@once
def flaws(bug: Bug) -> dict[str, list[Hit]]:
    """Walk over a record and give all that departs from the table, by code."""
    if bug.data is None:
        return {}
    out = _Found({}, frozenset(RENAMED_AWAY[name] for name in bug.data.keys() & RENAMED_AWAY.keys()))
    _mapping(_ROOT, dict(bug.data), (), out)
    return out.hits


def hits(bug: Bug, code: str) -> list[Hit]:
    """Give what the walk over a record found under a code."""
    return flaws(bug).get(code, [])


def _mapping(node: _Node, value: dict[str, Any], route: Route, out: _Found) -> None:
    members = node.members
    if not node.required <= value.keys():
        _missing(node, value, route, out)
    for name, held in value.items():
        member = members.get(name)
        if member is None:
            if members:
                _strange(node, name, held, (*route, name), out)
        elif isinstance(held, str):
            if held in NULLS and isinstance(held, Plain):
                if member.missing and not member.known.nullable:
                    out.add(member.missing, (*route, name), found="has no value", **_vocabulary(member))
            elif not member.any_text and held not in member.fine:  # most values are such texts and words
                _scalar(member, held, (*route, name), out)
        elif held or member.kind is not _LIST:
            _collection(member, held, (*route, name), out)


def _missing(node: _Node, value: dict[str, Any], route: Route, out: _Found) -> None:
    for name, absent in node.members.items():
        if (
            absent.missing
            and name not in value
            and absent.route not in out.elsewhere
            and not any(other in value for other in absent.known.renamed)
        ):
            out.add(absent.missing, (*route, name), found="is missing", **_vocabulary(absent))


def _strange(node: _Node, name: str, value: Any, route: Route, out: _Found) -> None:
    meant = _stranger(node.route, name) if len(name) <= _LONGEST_KEY else None
    if meant:
        hit = Hit(route, {"name": name, "meant": meant[1]}, at="key")
        out.hits.setdefault(meant[0], []).append(hit)
    if _COUNTED.search(name):
        _numbers(value, route, out)


def _collection(node: _Node, value: Any, route: Route, out: _Found) -> None:
    kind = node.kind
    if kind is _ANY:
        if node.counted:
            _numbers(value, route, out)
    elif kind is _MAP and isinstance(value, dict):
        _mapping(node, value, route, out)
    elif kind is _LIST and isinstance(value, list) and node.item is not None:
        _list(node.item, value, route, out)
    elif kind is _ENUM:
        out.add(node.code, route, found=f"is {brief(value)}", **_vocabulary(node))
    else:
        _mismatch(node, value, route, out)


def _list(item: _Node, value: list[Any], route: Route, out: _Found) -> None:
    for index, held in enumerate(value):
        step = (*route, index)
        if isinstance(held, dict) and item.kind is _MAP:
            _mapping(item, held, step, out)
            if item.evidence and not (filled(held.get("ref")) or filled(held.get("observation"))):
                out.add("RV130", step, found="a mapping", expected="{ref, observation} or text", value=brief(held))
        elif isinstance(held, (dict, list)):
            _collection(item, held, step, out)
        elif is_null(held):
            out.add("RV130", step, found="nothing", expected=_EXPECTED[item.kind], value="")
        elif not item.any_text and not item.evidence:
            _scalar(item, held, step, out)


def _scalar(node: _Node, value: str, route: Route, out: _Found) -> None:
    kind = node.kind
    if kind is _TEXT or (kind is _ANY and node.counted):
        if isinstance(value, Plain) and _NUMBER.match(value):
            out.add("RV133", route, value=str(value))
    elif kind is _ENUM:
        words = {**_vocabulary(node), "value": value, "near": near(value, node.known.values)}
        out.add(node.code, route, found=f"is {brief(value)}, which is none of {words['values']}", **words)
    elif kind is _DATE:
        if day(value) is None:
            out.add("RV131", route, value=brief(value))
    elif kind is _BOOL:
        if not isinstance(value, Plain) or (value not in TRUES and value not in FALSES):
            _mismatch(node, value, route, out)
    elif kind is _INT:
        if not _INTEGER.match(value) and node.route == "display_number":
            out.add("RV108", route, found=f"is {brief(value)}, which is no integer", value=value)
        elif not _INTEGER.match(value) or not isinstance(value, Plain):
            _mismatch(node, value, route, out)
    elif kind is _MAP or kind is _LIST:
        _mismatch(node, value, route, out)


def _mismatch(node: _Node, value: Any, route: Route, out: _Found) -> None:
    found = brief(value) if isinstance(value, (dict, list)) else f"the text {_as_written(value)}"
    out.add("RV130", route, found=found, expected=_EXPECTED[node.kind], value=brief(value))


def _as_written(value: str) -> str:
    return brief(value) if isinstance(value, Plain) or not value else f'"{brief(value)}"'


def _numbers(value: Any, route: Route, out: _Found) -> None:
    """Look for plain numbers in a block without a fixed shape that holds commits or versions."""
    if isinstance(value, Plain):
        if _NUMBER.match(value):
            out.add("RV133", route, value=str(value))
    elif isinstance(value, dict):
        for name, held in value.items():
            _numbers(held, (*route, name), out)
    elif isinstance(value, list):
        for index, held in enumerate(value):
            _numbers(held, (*route, index), out)


def _vocabulary(node: _Node) -> dict[str, str]:
    return {"values": ", ".join(node.known.values), "near": "VALUE", "value": "", "empty": _empty(node.known)}


def _empty(known: Field) -> str:
    """Say what stands at a key when there is nothing to say."""
    if known.nullable:
        return "null"
    return UNCLASSIFIED if known.taxonomy else _EMPTY.get(known.kind, "VALUE")


@lru_cache(maxsize=4096)
def _stranger(route: str, name: str) -> tuple[str, str] | None:
    """Say whether an unknown key of a mapping is a known renaming or a typo, and of what."""
    node = _NODES[route]
    if not route and name in RENAMED_AWAY:
        return "RV134", RENAMED_AWAY[name]
    for member in node.members.values():
        if name in member.known.renamed:
            return "RV134", member.route.replace("[]", "")
    if name in _NAMES:
        return None
    meant = next((known for known in node.members if one_typo(name, known)), None)
    return ("RV135", meant) if meant else None
