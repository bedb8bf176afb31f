"""How people name a bug: ID, unique suffix, display number (registry.md 2), or the path of its folder."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reversa.core.bug import Bug, Registry, read_id
from reversa.core.suggest import nearest
from reversa.errors import Refused, UsageError

_NUMBER = re.compile(r"(?:#|BUG-)?0*([0-9]{1,9})\Z", re.IGNORECASE)
_SUFFIX = re.compile(r"[0-9A-Za-z]{4}\Z")


def resolve(registry: Registry, text: str) -> Bug:
    """Find the one bug that an alias names.

    Raises UsageError when there is none and Refused, listing the candidates, when there are several.
    """
    text = text.strip()
    if not text:
        raise UsageError("An empty text names no bug.", "reversa list --all shows them all.", kind="unknown-bug")
    found = _matches(registry, text)
    if len(found) == 1:
        return found[0]
    from reversa.core.rules.engine import shown  # brings all rules along, which listing and finding do not need

    if found:
        names = [f"{bug.id} ({_where(bug)})" for bug in found]
        raise Refused(
            f"{shown(text)} names {len(found)} bugs: {', '.join(names)}.",
            _which(found),
            kind="ambiguous",
            candidates=[bug.id for bug in found],
        )
    raise UsageError(
        f"There is no bug {shown(text, 60)} in this registry.", _suggest(registry, text), kind="unknown-bug"
    )


def _which(found: list[Bug]) -> str:
    """Say how to name one of several bugs; the folder of a restricted one is not told."""
    if len({bug.key for bug in found}) > 1:
        return "Use the full ID."
    folders = [_folder(bug) for bug in found if not bug.veiled]
    return f"Name one by its folder: {' or '.join(folders)}" if folders else "Their folders carry the same ID."


def _where(bug: Bug) -> str:
    if bug.veiled:
        return "restricted"
    number = "no number" if bug.number is None else f"number {bug.number}"
    return f"{number}, {bug.context or 'no context'}"


def _folder(bug: Bug) -> str:
    return bug.path.rpartition("/")[0]


def _matches(registry: Registry, text: str) -> list[Bug]:
    if "/" in text or "\\" in text:
        place = text.replace("\\", "/").rstrip("/").removesuffix("/bug.md")
        return [bug for bug in registry.bugs if f"/{place}".endswith(f"/{_folder(bug)}")]
    full = read_id(text.upper())
    if full:
        return [bug for bug in registry.bugs if bug.key == full]
    found: dict[str, Bug] = {}
    if _SUFFIX.match(text):
        found.update((bug.path, bug) for bug in registry.bugs if bug.key.endswith("-" + text.upper()))
    number = _NUMBER.match(text)
    if number:
        found.update((bug.path, bug) for bug in registry.bugs if bug.number == int(number[1]))
    return list(found.values())


def _suggest(registry: Registry, text: str) -> str:
    names = [name for bug in registry.bugs if bug.id for name in (bug.id, bug.id[-4:])]
    near = nearest(text, names, limit=3, cutoff=70)
    if near:
        return f"Did you mean {' or '.join(near)}? reversa list --all shows them all."
    return "reversa list --all shows them all."


def shared_numbers(registry: Registry) -> frozenset[int]:
    """Give the display numbers that more than one bug carries; they are shown with a star."""
    seen: set[int] = set()
    shared: set[int] = set()
    for bug in registry.bugs:
        if bug.number is not None:
            (shared if bug.number in seen else seen).add(bug.number)
    return frozenset(shared)


def context(known: Iterable[str], name: str, prefix: str) -> str:
    """Find the context that a name means, its case and a path before it aside; raises UsageError naming the nearest."""
    names = [context for context in known if context]
    wanted = name.rstrip("/").removeprefix(f"{prefix}/")
    for candidate in names:
        if candidate == wanted or candidate.casefold() == wanted.casefold():
            return candidate
    near = nearest(wanted, names)
    raise UsageError(
        f"There is no context {wanted!r} in this registry.",
        f"{f'Did you mean {near[0]}? ' if near else ''}Contexts: {', '.join(names) or 'none'}.",
        kind="unknown-context",
    )
