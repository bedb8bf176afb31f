"""index.md: what there is to do in a context, what is done, what cannot be shown."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reversa.core.bug import Bug, text_at
from reversa.core.fields import PHASES, RESOLUTION_KINDS, STATUSES
from reversa.core.query import rank
from reversa.core.record import delegated
from reversa.views.escape import markdown
from reversa.views.scene import Scene


def context(scene: Scene) -> dict[str, Any]:
    """Give counts, tables and lists, with every text escaped for Markdown."""
    return {
        "title": markdown(scene.context or ""),
        "bugs": len(scene.bugs),
        "newest": markdown(scene.newest),
        "statuses": STATUSES,
        "phases": phases(scene.bugs),
        "totals": [sum(bug.status == status for bug in scene.bugs) for status in STATUSES],
        "unresolved": [_open(bug, scene) for bug in scene.unresolved],
        "kinds": [(markdown(kind), count) for kind, count in kinds(scene.resolved)],
        "resolved": [_resolved(bug, scene) for bug in scene.resolved],
        "decisions": decisions(scene),
        "restricted": sorted({entry.id for entry in scene.of_context(scene.shown.restricted)}),
        "invalid": [(entry.id, ", ".join(entry.codes)) for entry in scene.of_context(scene.shown.invalid)],
        "notes": scene.notes.strip(),
    }


def phases(bugs: list[Bug]) -> list[tuple[str, list[int]]]:
    """Count the bugs of each phase by status, in the order of the work; phases without bugs are left out."""
    counts = Counter((bug.phase, bug.status) for bug in bugs)
    found = sorted({phase for phase, _ in counts}, key=lambda phase: (rank(PHASES, phase), phase))
    return [(markdown(phase), [counts[phase, status] for status in STATUSES]) for phase in found]


def kinds(resolved: list[Bug]) -> list[tuple[str, int]]:
    """Count resolved bugs by kind, in the order of the contract."""
    counts = Counter(bug.resolution_kind for bug in resolved)
    return sorted(counts.items(), key=lambda pair: (rank(RESOLUTION_KINDS, pair[0]), pair[0]))


def closing_date(bug: Bug) -> str:
    """Give the day a bug was closed: the lock's first date, else `updated` (registry.md 7)."""
    return (bug.lock.date if bug.lock else "") or bug.updated


def inline(key: str, scene: Scene) -> str:
    """Give an ID as a Markdown link, bare where its bug is not shown."""
    bug = scene.shown.by_key.get(key)
    return f"[{bug.id}]({scene.href(bug)})" if bug else scene.shown.name(key)


def decisions(scene: Scene) -> list[dict[str, str]]:
    """Give the delegated decisions that nobody has confirmed yet."""
    return [
        {
            "bug": inline(bug.key, scene),
            **{name: markdown(text_at(entry, name)) for name in ("what", "value", "by", "on", "reason")},
        }
        for bug in scene.bugs
        for entry in delegated(bug)
    ]


def _open(bug: Bug, scene: Scene) -> dict[str, Any]:
    return {
        "number": scene.shown.number(bug),
        "id": inline(bug.key, scene),
        "priority": markdown(bug.priority),
        "severity": markdown(bug.severity),
        "place": " / ".join(markdown(term) or "–" for term in (bug.area, bug.module, bug.feature)),
        "title": markdown(bug.title),
        "blocked_by": ", ".join(
            markdown(found.reason) if found.kind == "external" else inline(found.target, scene)
            for found in scene.obstacles(bug)
        ),
    }


def _resolved(bug: Bug, scene: Scene) -> dict[str, Any]:
    return {
        "id": inline(bug.key, scene),
        "title": markdown(bug.title),
        "kind": markdown(bug.resolution_kind),
        "date": markdown(closing_date(bug)),
    }
