"""How tests make bugs and registries in memory, and draw them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reversa.core import shown
from reversa.core.bug import Bug, Lock, Registry
from reversa.core.taxonomy import Taxonomy
from reversa.store.frontmatter import read
from reversa.views.render import draw

TEMPLATES = [Path(__file__).resolve().parents[2] / "templates"]


class Nowhere:
    """Surroundings in which there is no file."""

    def exists(self, path: str) -> bool:
        return False

    def anchors(self, path: str) -> frozenset[str] | None:
        return None

    def lines(self, path: str) -> int | None:
        return None


def bug(suffix: str, context: str = "shop", slug: str = "", day: str = "20260715", **front: Any) -> Bug:
    """Make a bug whose front matter is read like any other; values are JSON, so null, true and numbers are plain."""
    key = f"BUG-{day}-{suffix}"
    values = {
        "schema_version": 1,
        "id": key,
        "display_number": None,
        "title": f"Title of {suffix}",
        "status": "open",
        "phase": "triaging",
        "severity": "medium",
        "priority": "P2",
        "created": "2026-07-15",
        "updated": "2026-07-15",
        "visibility": "normal",
        **front,
    }
    text = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
    text = re.sub("[\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", text)
    document = read(f"---\n{text}---\n\n# Title\n".encode())
    assert document.data is not None, document.problems
    folder = f"{key}-{slug}" if slug else key
    lock = Lock("2026-08-01", "", "") if values["status"] == "resolved" else None
    path = f"{context}/bugs/{folder}/bug.md" if context else f"bugs/{folder}/bug.md"
    return Bug(path, folder, context, lock is not None, document.data, lock=lock)


def edge(suffix: str, kind: str = "related-to", state: str = "confirmed", day: str = "20260715") -> dict[str, Any]:
    evidence = [{"ref": "evidence/log.txt", "observation": f"seen with {suffix}"}] if state != "proposed" else []
    return {"bug": f"BUG-{day}-{suffix}", "type": kind, "state": state, "evidence": evidence}


def registry(*bugs: Bug, **more: Any) -> Registry:
    ordered = tuple(sorted(bugs, key=lambda found: (found.key, found.path)))
    contexts = tuple(sorted({found.context for found in bugs}))
    return Registry(ordered, contexts, Taxonomy(), Nowhere(), has_spec_folder=True, **more)


def views(whole: Registry, invalid: Mapping[str, tuple[str, ...]] | None = None, **more: Any) -> dict[str, str]:
    """Draw everything; the texts by path from the project root."""
    files = draw(
        whole,
        shown.of(whole, invalid or {}),
        template_folders=more.pop("template_folders", TEMPLATES),
        path_of=lambda found: f"repo/{whole.prefix}/{found.path}",
        **more,
    )
    return {path: data.decode() for path, data in files.items()}
