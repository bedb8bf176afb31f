"""Values in the shapes of forks and old versions, as the contract writes them; nothing is guessed."""

from __future__ import annotations

import re
from typing import Any

from reversa.core.bug import read_id
from reversa.core.document import filled
from reversa.core.fields import INVERSES, RELATION_STATES, RELATION_TYPES, RISKS, VERDICTS
from reversa.core.rules.words import day
from reversa.core.translations import meant

Data = dict[str, Any]


class ByHand(Exception):
    """A shape that only a person can turn into the contract's; the text says why."""


_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ][0-9:.,]+ ?(?:Z|[+-][0-9:]+)?)?\Z")
_RISK = re.compile(r"(\w+)(?:[\s:;,.(–—-]+(.*))?\Z", re.DOTALL)


def day_of(text: str) -> str:
    """Give the day of a date or a point in time, "" for what is neither."""
    match = _MOMENT.match(text)
    return match[1] if match and day(match[1]) else ""


def _take(entry: Data, *names: str) -> str:
    """Take the first filled text of several names out of a mapping."""
    for name in names:
        if isinstance(entry.get(name), str) and entry[name]:
            return str(entry.pop(name))
    return ""


def cause(value: Any) -> Data:
    """Give a root cause as a mapping; a text is its hypothesis, and one without a state is hypothesized."""
    if isinstance(value, list):
        raise ByHand("root_cause is a list")
    if not isinstance(value, dict):
        return {"state": "hypothesized", "hypothesis": value}
    names = {} if "hypothesis" in value else {"description": "hypothesis"}
    out = {str(names.get(key, key)): held for key, held in value.items()}
    if not filled(out.get("state")):
        out.pop("state", None)
        out = {"state": "hypothesized", **out}
    return out


def edge(item: Any) -> Data:
    """Give an edge with the keys of the contract; a bare ID is related-to and proposed."""
    rest = dict(item) if isinstance(item, dict) else {"bug": str(item or "")}
    end, type_ = _take(rest, "bug", "target", "id", "to", "with"), _take(rest, "type", "kind", "relation")
    state = _take(rest, "state", "status") or "proposed"
    if not read_id(end):
        raise ByHand(f"{end or 'an edge'} names no bug by its ID")
    type_ = type_ or "related-to"
    type_ = type_ if type_ in RELATION_TYPES else meant(("relationships", 0, "type"), type_) or type_
    if type_ not in RELATION_TYPES:
        inverse = type_ in INVERSES.values()
        raise ByHand(f"{type_} is {'an inverse: it belongs on the other bug' if inverse else 'no type of an edge'}")
    state = state if state in RELATION_STATES else meant(("relationships", 0, "state"), state) or state
    evidence = rest.pop("evidence", None) or []
    return {"bug": read_id(end), "type": type_, "state": state, "evidence": evidence, **rest}


def obstacle(item: Any) -> Data:
    """Give an entry of `blocking`: an ID is an obstacle of kind bug, any other text one from outside."""
    rest = dict(item) if isinstance(item, dict) else {"target": str(item or "")}
    end = _take(rest, "target", "bug", "id")
    rest.pop("kind", None)
    if read_id(end):
        return {"kind": "bug", "target": read_id(end), **rest}
    reason = _take(rest, "reason", "why") or end
    if not reason:
        raise ByHand("an obstacle names neither a bug nor a reason")
    return {"kind": "external", "reason": reason, "since": None, **rest}


def verdict(value: Data) -> Data:
    """Give the entry of `decisions` for a verdict that is a mapping; nothing that it says is left out.

    By which route the decision came in is not known: it counts as delegated until a person confirms it.
    """
    rest = dict(value)
    word = _take(rest, "verdict")
    if word not in VERDICTS:
        raise ByHand(f"its verdict is {word}, no word of the contract" if word else "it holds no verdict")
    by = _take(rest, "by", "decided_by", "approved_by", "author", "person", "who")
    moment = _take(rest, "on", "date", "decided_on", "decided_at", "approved_at", "at", "when")
    if moment and day_of(moment) != moment:
        rest["at"] = moment
    why = _take(rest, "reason", "rationale", "justification", "why", "note", "notes", "motivo", "justificativa")
    told = [*([why] if why else []), *(f"{key}: {_worded(held)}" for key, held in rest.items() if filled(held))]
    out: Data = {"what": "spec_verdict", "value": word}
    out |= {"by": by} if by else {}
    out |= {"on": day_of(moment)} if day_of(moment) else {}
    return {**out, "via": "delegated", "reason": "; ".join(told) or None}


def _worded(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_worded(held)}" for key, held in value.items())
    return ", ".join(map(_worded, value)) if isinstance(value, list) else str(value)


def risk(text: str) -> Data:
    """Give a class of risk that is text as a mapping; what stands behind the word is its reason."""
    match = _RISK.match(text.strip())
    head = match[1] if match else ""
    word = head if head in RISKS else meant(("change_risk", "classification"), head)
    if match is None or not word:
        raise ByHand(f"{text[:40]} is no class of risk: one of {', '.join(RISKS)}")
    why = " ".join((match[2] or "").split())
    why = why[:-1] if why.endswith(")") and "(" not in why else why
    return {"classification": word, "motivos": [why] if why else []}
