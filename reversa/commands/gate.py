"""The rules over records as they would be: a new error refuses a change, an old one does not, a warning is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reversa.commands.findings import resolve_all
from reversa.commands.scope import heeded
from reversa.commands.workspace import Workspace
from reversa.core.bug import Bug
from reversa.core.finding import Severity
from reversa.core.rules.engine import Violation, identity, run
from reversa.core.rules.validity import of_severity
from reversa.errors import Refused

if TYPE_CHECKING:
    from reversa.commands.change import Change

SUMMARY = 3
"""How many new warnings a note names."""

ERROR_RULES = of_severity(Severity.ERROR)

WARNING_RULES = of_severity(Severity.WARNING)


def new_errors(ws: Workspace, changes: Iterable[Change]) -> list[Violation]:
    """Give the errors that the changed records would carry and do not carry now."""
    changes = [change for change in changes if not change.is_empty]
    if not changes:
        return []
    news = {change.old.path: change.new for change in changes}
    bugs = tuple(news.get(bug.path, bug) for bug in ws.registry.bugs)
    future = replace(ws.registry, bugs=bugs)
    had = Counter(map(identity, run(ws.registry, [change.old for change in changes], ERROR_RULES)))
    added = []
    for violation in run(future, list(news.values()), ERROR_RULES):
        name = identity(violation)
        if had[name]:
            had[name] -= 1
        else:
            added.append(violation)
    return added


def new_warnings(ws: Workspace, changes: Iterable[Change]) -> list[str]:
    """Say which warnings the changed records carry that they did not carry before, a sentence a bug."""
    changes = [change for change in changes if not change.is_empty]
    if not changes:
        return []
    news = {change.old.path: change.new for change in changes}
    bugs = tuple(news.get(bug.path, bug) for bug in ws.registry.bugs)
    had = Counter(map(identity, run(ws.registry, [change.old for change in changes], WARNING_RULES)))
    found: dict[str, list[Violation]] = {path: [] for path in news}
    for violation in run(replace(ws.registry, bugs=bugs), list(news.values()), WARNING_RULES):
        if violation.bug is not None and not had[identity(violation)]:
            found[violation.bug.path].append(violation)
    return [note for path, bug in news.items() for note in warning_note(ws, bug, found[path])]


def warning_note(ws: Workspace, bug: Bug, found: Sequence[Violation]) -> list[str]:
    """Give the sentence that names new warnings of a bug, or nothing where there are none."""
    found = heeded(ws, found)
    if not found:
        return []
    named = dict.fromkeys(f"{v.rule.title} ({v.rule.code})" for v in found)
    shown = "; ".join(list(named)[:SUMMARY]) + ("; and more" if len(named) > SUMMARY else "")
    return [f"check will warn about {bug.id}: {shown}."]


def refuse_new_errors(ws: Workspace, changes: Sequence[Change]) -> None:
    """Refuse changes that would add an error to a record; an old error elsewhere in it blocks nothing."""
    added = new_errors(ws, changes)
    if not added:
        return
    texts = {change.old.path: change.after for change in changes}
    findings = resolve_all(ws, added, texts=texts)
    first = findings[0]
    more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
    raise Refused(
        f"This would add an error to {first.bug}: {first.message} ({first.code}{more}).",
        f"Nothing was written; reversa rules {first.code} explains the rule.",
        kind="would-add-error",
        findings=[finding.to_json() for finding in findings],
    )
