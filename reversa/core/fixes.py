"""The fixes that are safe without a look, one table by rule: what each does, as pure data.

A fix changes the form of a value and never what a person decided: verdict, waivers, decisions, closure and a wider
visibility are nobody's slip of the pen. `commands/mend.py` carries fixes out and drops one that would bring about
another finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reversa.core.body import outline
from reversa.core.bug import Bug, Registry
from reversa.core.document import FALSES, TRUES, Plain, get, items, simple
from reversa.core.edit import Edit
from reversa.core.fields import PHASES, SYMMETRIC, Kind, lookup
from reversa.core.finding import Hit
from reversa.core.rules.edges import facts_of
from reversa.core.rules.locators import parse
from reversa.core.taxonomy import singular
from reversa.core.translations import FINISHED, fold, meant

Past = Callable[[Bug], Iterable[Mapping[str, Any]]]
"""Gives the front matter that a record had in earlier commits, newest first."""

PERSONAL = ("id", "spec_verdict", "decisions", "closure", "resolution_kind", "post_fix_observation")
"""Keys that no fix touches: identity, and what people and `close` decide (registry.md 9)."""


@dataclass(frozen=True, slots=True)
class Mend:
    """What mends one finding: edits of its bug, edits of other records by path, and a new text.

    `text` changes the body of the bug, or the whole of the file that a finding without a bug points at.
    """

    edits: tuple[Edit, ...] = ()
    others: tuple[tuple[str, Edit], ...] = ()
    text: Callable[[str], str] | None = None


Plan = Callable[[Bug | None, Registry, Hit, Past], Mend | None]


@dataclass(frozen=True, slots=True)
class Fix:
    """A safe fix of a rule: what it does in words, and the function that gives it for a hit, None where it is none."""

    does: str
    plan: Plan


def _per_bug(plan: Callable[[Bug, Hit], Mend | None]) -> Plan:
    """Make a plan of a function that needs the bug and the hit alone."""
    return lambda bug, registry, hit, past: None if bug is None else plan(bug, hit)


def _set(hit: Hit, value: Any) -> Mend:
    return Mend((Edit("set", hit.route, value),))


def _word(bug: Bug, hit: Hit) -> Mend | None:
    value = get(bug.data, *hit.route)
    word = meant(hit.route, value) if isinstance(value, str) and hit.route[0] not in PERSONAL else ""
    return _set(hit, word) if word else None


def _phase(bug: Bug | None, registry: Registry, hit: Hit, past: Past) -> Mend | None:
    """Take the phase that the word means, or for a resolved bug the last one of the contract in its history."""
    if bug is None:
        return None
    if bug.status != "resolved" or fold(bug.phase) not in FINISHED:
        return _word(bug, hit)
    earlier = (str(simple(data.get("phase"))) for data in past(bug))
    last = next((phase for phase in earlier if phase in PHASES), "")
    return _set(hit, last) if last else None


_NUMBER = re.compile(r"(?:BUG-|#)0*([0-9]{1,9})", re.IGNORECASE)


def _display_number(bug: Bug, hit: Hit) -> Mend | None:
    match = _NUMBER.fullmatch(str(get(bug.data, *hit.route) or "").strip())
    return _set(hit, int(match[1])) if match else None


def _unquoted(bug: Bug, hit: Hit) -> Mend | None:
    """Take the quotes from an integer or a boolean."""
    value, known = get(bug.data, *hit.route), lookup(hit.route)
    if not isinstance(value, str) or isinstance(value, Plain) or known is None or hit.route[0] in PERSONAL:
        return None
    if known.kind is Kind.INT and re.fullmatch(r"0|[1-9][0-9]{0,8}", value):
        return Mend((Edit("rewrite", hit.route, int(value)),))
    if known.kind is Kind.BOOL and (value in TRUES or value in FALSES):
        return _set(hit, value in TRUES)
    return None


def _quoted(bug: Bug, hit: Hit) -> Mend:
    return Mend((Edit("rewrite", hit.route, str(get(bug.data, *hit.route))),))


def _version(bug: Bug, hit: Hit) -> Mend | None:
    return Mend((Edit("rewrite", hit.route, 1),))


def _copy(bug: Bug | None, registry: Registry, hit: Hit, past: Past) -> Mend | None:
    """Take the weaker copy of a symmetric edge away; the one that stays is given the evidence that only it had."""
    copies = facts_of(bug, registry).copies if bug is not None else []
    found = next(((copy, kept) for copy, kept in copies if copy.index == hit.route[1]), None)
    if bug is None or found is None or found[0].type not in SYMMETRIC:
        return None
    copy, kept = found
    if (copy.state == "rejected") != (kept.state == "rejected"):
        return None  # the two contradict each other
    if simple(_rest(bug, copy.index)) and _rest(bug, copy.index) != _rest(kept.owner, kept.relation.index):
        return None  # a key that no rule knows would be lost
    known = [simple(item) for item in items(get(kept.owner.data, "relationships", kept.relation.index, "evidence"))]
    theirs = [_seen_from_outside(bug, registry, item) for item in copy.evidence]
    missing = [item for item in theirs if item not in known]
    hidden = bug.veiled and not kept.owner.veiled
    if missing and (kept.owner.locked or hidden):
        return None
    route = ("relationships", kept.relation.index, "evidence")
    added = tuple((kept.owner.path, Edit("add", route, item)) for item in missing)
    return Mend((Edit("remove", ("relationships", copy.index)),), added)


_OWN_FOLDER = ("evidence/", "fix/", "debate/")


def _seen_from_outside(bug: Bug, registry: Registry, item: Any) -> Any:
    """Give a piece of evidence as another record can hold it: files of the bug's own folder from the project root."""
    item = simple(item)
    text = item.get("ref") if isinstance(item, dict) else item
    folder, locator = registry.folder_of(bug), parse(text) if isinstance(text, str) else None
    path = locator.path if locator else ""
    own = path.startswith(_OWN_FOLDER) or (path != "" and registry.around.exists(f"{folder}/{path}"))
    if not own:
        return item
    return {**item, "ref": f"{folder}/{text}"} if isinstance(item, dict) else f"{folder}/{text}"


def _rest(bug: Bug, index: int) -> dict[str, Any]:
    """The keys of an edge that are not of the contract."""
    entry = get(bug.data, "relationships", index)
    known = ("bug", "type", "state", "evidence")
    return {key: value for key, value in entry.items() if key not in known} if isinstance(entry, dict) else {}


def _heading(bug: Bug, hit: Hit) -> Mend | None:
    """Make the first heading say the title."""

    def rewrite(body: str) -> str:
        first = next((heading for heading in outline(body) if heading.level == 1), None)
        if first is None:
            return body
        line = body[first.start : first.end]
        return body[: first.start] + f"# {title}" + line[len(line.rstrip("\r\n")) :] + body[first.end :]

    title = _one_line(bug.title)
    return Mend(text=rewrite) if title else None


_UNDERLINED = re.compile(r"\s*[^\n]*\n {0,3}=+[ \t]*\r?(?:\n|\Z)")


def _no_heading(bug: Bug, hit: Hit) -> Mend | None:
    """Put the title above a body that lacks its first heading and nothing else."""
    title = _one_line(bug.title)
    if not title or "## " in str(hit.params["value"]) or _UNDERLINED.match(bug.body):
        return None

    def rewrite(body: str) -> str:
        newline = "\r\n" if "\r\n" in body else "\n"
        return f"{newline}# {title}{newline}{'' if body.startswith(newline) else newline}{body}"

    return Mend(text=rewrite)


def _one_line(title: str) -> str:
    """The title as a heading can hold it, "" for one that would not read back as the same heading."""
    text = " ".join(title.split())
    return text if [heading.title for heading in outline(f"# {text}")] == [text] else ""


def _singular(bug: Bug | None, registry: Registry, hit: Hit, past: Past) -> Mend:
    return Mend(text=lambda text: singular(text, str(hit.params["key"])))


_TRANSLATED = "writes the word of the contract for its Portuguese or Spanish name or another spelling"
_WORD = Fix(_TRANSLATED, _per_bug(_word))

FIXES: dict[str, Fix] = {
    "RV027": Fix("renames the key, where the singular is not there as well", _singular),
    "RV103": Fix("takes the quotes away", _per_bug(_version)),
    "RV108": Fix("writes the number that BUG-008 or #8 holds", _per_bug(_display_number)),
    "RV110": Fix(f"{_TRANSLATED}; never resolved, which only close writes", _per_bug(_word)),
    "RV112": Fix(f"{_TRANSLATED}; a resolved bug gets the last phase that git knows of its record", _phase),
    "RV113": _WORD,
    "RV114": Fix("writes the P in capitals", _per_bug(_word)),
    "RV115": _WORD,
    "RV117": Fix("writes restricted for its other spellings, and never a word that shows more", _per_bug(_word)),
    "RV118": _WORD,
    "RV119": _WORD,
    "RV120": _WORD,
    "RV123": _WORD,
    "RV130": Fix("takes the quotes from a number, true or false", _per_bug(_unquoted)),
    "RV133": Fix("puts the value in quotes", _per_bug(_quoted)),
    "RV206": _WORD,
    "RV306": _WORD,
    "RV307": _WORD,
    "RV309": Fix(
        "takes the weaker copy of a symmetric edge away and moves its evidence to the one that stays; copies that"
        " contradict each other stay",
        _copy,
    ),
    "RV402": Fix("makes the heading say the title", _per_bug(_heading)),
    "RV403": Fix("puts the title above a body that lacks nothing else", _per_bug(_no_heading)),
}
"""The safe fix of each rule that has one."""


def fix_for(code: str, bug: Bug | None, registry: Registry, hit: Hit, past: Past) -> Mend | None:
    """Give what mends a finding safely; None where nothing does, and inside a lock."""
    fix = FIXES.get(code)
    if fix is None or (bug is not None and (bug.locked or not bug.readable)):
        return None
    return fix.plan(bug, registry, hit, past)
