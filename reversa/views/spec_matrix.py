"""spec-matrix.md: which sections of the specification bugs hit, where there is none, which addenda are in force."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from reversa.core.bug import Bug
from reversa.core.fields import STATUSES
from reversa.views.escape import code, href, markdown
from reversa.views.scene import References, Scene

_ADDENDUM = re.compile(r"bug-(BUG-\d{8}-[0-9A-Za-z]{4})-v(\d{1,9})\.md", re.ASCII)
SPEC_GAP = "spec-gap"


def context(scene: Scene) -> dict[str, Any]:
    """Give a row a locator, the row of spec gaps, the bugs that name no section, and the addenda."""
    links = References(scene)
    hits: dict[str, list[Bug]] = {}
    for bug in scene.bugs:
        for locator in scene.specs(bug):
            hits.setdefault(locator, []).append(bug)
    gaps = [bug for bug in scene.bugs if is_gap(bug)]
    named = {bug.key for bugs in hits.values() for bug in bugs} | {bug.key for bug in gaps}
    out = {
        "title": markdown(scene.context or ""),
        "rows": [(locator_link(locator, scene), cells(bugs, links)) for locator, bugs in sorted(hits.items())],
        "gap": cells(gaps, links),
        "silent": [links(bug.key) for bug in scene.bugs if bug.key not in named],
        "addenda": [_addendum(bug, name, scene, links) for bug, name in addenda(scene)],
    }
    return out | {"links": links.definitions()}


def is_gap(bug: Bug) -> bool:
    """Whether no specification defines the behaviour, by label or by verdict."""
    return SPEC_GAP in bug.labels or bug.verdict == SPEC_GAP


def cells(bugs: Iterable[Bug], links: References) -> list[str]:
    """Give links to bugs by status."""
    listed = list(bugs)
    return [", ".join(links(bug.key) for bug in listed if bug.status == status) for status in STATUSES]


def locator_link(locator: str, scene: Scene) -> str:
    """Give a locator as a link where it reads as a path, else as text."""
    path, _, anchor = locator.partition("#")
    if not re.fullmatch(r"[^\s:]+\.\w+", path) or path.startswith("/") or ".." in path.split("/"):
        return code(locator)
    target = scene.link(path) + (f"#{href(anchor)}" if anchor else "")
    return f"[{code(locator)}]({target})"


def addenda(scene: Scene) -> list[tuple[Bug, str]]:
    """Give the newest addendum of each bug of the context; older ones are no longer in force."""
    mine = {bug.key: bug for bug in scene.bugs}
    newest: dict[str, tuple[int, str]] = {}
    for name in sorted(scene.addenda):
        match = _ADDENDUM.fullmatch(name)
        if match and match[1].upper() in mine:
            key = match[1].upper()
            newest[key] = max(newest.get(key, (-1, "")), (int(match[2]), name))
    return [(mine[key], name) for key, (_, name) in sorted(newest.items())]


def _addendum(bug: Bug, name: str, scene: Scene, links: References) -> dict[str, str]:
    path = f"{scene.registry.spec_folder}/addenda/{name}"
    return {"link": f"[{code(name)}]({scene.link(path)})", "bug": links(bug.key), "status": bug.status}
