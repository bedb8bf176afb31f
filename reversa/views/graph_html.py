"""graph.html: one page without network: figures, the graph as SVG, what can be read off it, tables."""

from __future__ import annotations

from typing import Any

from reversa.core.bug import Bug
from reversa.core.fields import STATUSES
from reversa.views.escape import plain
from reversa.views.index import closing_date
from reversa.views.scene import Scene


def context(scene: Scene) -> dict[str, Any]:
    """Give all that the page shows as plain text; Jinja escapes it."""
    return {
        "title": plain(scene.context or ""),
        "bugs": len(scene.bugs),
        "newest": plain(scene.newest),
        "totals": [(status, sum(bug.status == status for bug in scene.bugs)) for status in STATUSES],
        "unresolved": [_row(bug, scene) for bug in scene.unresolved],
        "resolved": [_row(bug, scene) for bug in scene.resolved],
    }


def _row(bug: Bug, scene: Scene) -> dict[str, Any]:
    return {
        "id": bug.id,
        "href": scene.href(bug),
        "number": plain(scene.shown.number(bug)),
        "title": plain(bug.title),
        "status": bug.status,
        "priority": plain(bug.priority),
        "severity": plain(bug.severity),
        "date": plain(closing_date(bug)),
        "kind": plain(bug.resolution_kind),
    }
