"""The mirror in the spec folder: per spec file, the bugs of all contexts that hit it."""

from __future__ import annotations

from typing import Any

from reversa.core.bug import Bug
from reversa.core.fields import STATUSES
from reversa.views.escape import markdown
from reversa.views.scene import References, Scene
from reversa.views.spec_matrix import is_gap, locator_link


def context(scene: Scene) -> dict[str, Any]:
    """Give a table a spec file, and the bugs that no specification covers."""
    links = References(scene)
    files: dict[str, list[tuple[str, Bug]]] = {}
    for bug in scene.bugs:
        for locator in scene.specs(bug):
            path, _, anchor = locator.partition("#")
            files.setdefault(path, []).append((anchor, bug))
    out = {
        "files": [
            {"name": locator_link(path, scene), "rows": [_row(anchor, bug, links) for anchor, bug in _ordered(hits)]}
            for path, hits in sorted(files.items())
        ],
        "gaps": [_row("", bug, links) for bug in scene.bugs if is_gap(bug)],
    }
    return out | {"links": links.definitions()}


def _ordered(hits: list[tuple[str, Bug]]) -> list[tuple[str, Bug]]:
    return sorted(hits, key=lambda hit: (hit[0], STATUSES.index(hit[1].status), hit[1].key))


def _row(anchor: str, bug: Bug, links: References) -> dict[str, str]:
    return {
        "section": markdown(anchor),
        "id": links(bug.key),
        "status": bug.status,
        "context": markdown(bug.context),
        "title": markdown(bug.title),
    }
