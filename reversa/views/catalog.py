"""catalog.jsonl: one line a bug, for machines."""

from __future__ import annotations

import json
from typing import Any

from reversa.core.record import row
from reversa.views import escape
from reversa.views.scene import Scene


def context(scene: Scene) -> dict[str, Any]:
    """Give the rows as lines of JSON, sorted by ID."""
    shown = scene.shown
    rows = (
        row(bug, scene.registry, shown.impact.get(bug.key, 0), scene.path_of(bug), shown.hidden) for bug in scene.bugs
    )
    return {"lines": [escape.json_line(json.dumps(entry, ensure_ascii=False)) for entry in rows]}
