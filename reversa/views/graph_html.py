"""graph.html: one page without network: figures, the graph as SVG, what can be read off it, tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reversa.core.bug import Bug, text_at
from reversa.core.fields import PHASES, SEVERITIES, STATUSES
from reversa.core.query import fold, rank
from reversa.core.record import delegated
from reversa.views.escape import plain
from reversa.views.graph_svg import bars, graph
from reversa.views.index import closing_date
from reversa.views.reading import prepare, readings
from reversa.views.scene import Scene

_BAR = 120


def context(scene: Scene) -> dict[str, Any]:
    """Give all that the page shows as plain text; Jinja escapes it."""
    unresolved = scene.unresolved
    return {
        "title": plain(scene.context or ""),
        "bugs": len(scene.bugs),
        "newest": plain(scene.newest),
        "totals": [(status, sum(bug.status == status for bug in scene.bugs)) for status in STATUSES],
        "blocked": sum(bool(scene.obstacles(bug)) for bug in unresolved),
        "urgent": sum(rank(("P0", "P1"), bug.priority) < 2 for bug in unresolved),
        "charts": {
            "severity": bars(_counts(unresolved, "severity", SEVERITIES), _BAR),
            "phase": bars(_counts(unresolved, "phase", PHASES), _BAR),
        },
        "graph": graph(scene),
        "readings": [prepare(reading, scene, lambda key: _ref(key, scene), plain) for reading in readings(scene)],
        "unresolved": [_row(bug, scene) for bug in unresolved],
        "resolved": [_row(bug, scene) for bug in scene.resolved],
    }


def _counts(bugs: list[Bug], name: str, known: tuple[str, ...]) -> list[tuple[str, int]]:
    counts = Counter(str(getattr(bug, name)) for bug in bugs)
    return sorted(counts.items(), key=lambda pair: (rank(known, pair[0]), pair[0]))


def _ref(key: str, scene: Scene) -> dict[str, str]:
    bug = scene.shown.by_key.get(key)
    return {"id": scene.shown.name(key), "href": scene.href(bug) if bug else "", "context": plain(scene.foreign(key))}


def _row(bug: Bug, scene: Scene) -> dict[str, Any]:
    place = " / ".join(dict.fromkeys(plain(term) for term in (bug.area, bug.module, bug.feature) if term))
    return {
        "id": bug.id,
        "href": scene.href(bug),
        "number": plain(scene.shown.number(bug)),
        "title": plain(bug.title),
        "status": bug.status,
        "phase": plain(bug.phase),
        "priority": plain(bug.priority),
        "severity": plain(bug.severity),
        "place": place,
        "impact": scene.shown.impact.get(bug.key, 0),
        "blockers": [
            {"id": plain(blocker.reason), "href": "", "context": ""}
            if blocker.kind == "external"
            else _ref(blocker.target, scene)
            for blocker in scene.obstacles(bug)
        ],
        "date": plain(closing_date(bug)),
        "kind": plain(bug.resolution_kind),
        "delegated": ", ".join(plain(text_at(entry, "what")) for entry in delegated(bug)),
        "find": fold(plain(" ".join((bug.id, f"#{bug.number}", bug.title, *bug.labels, place)))),
    }
