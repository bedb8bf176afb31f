"""What `new`, `evidence` and `intake` do with files that are handed over: names and paths, and what to say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace
from reversa.store import leaks
from reversa.store.around import Expected
from reversa.store.attachments import Attachment

EVIDENCE = "evidence"
"""The folder of a bug's evidence."""

SECTION = "Evidence"
"""The section that lists it."""

_SHOWN = 5
"""How many suspicions are told one by one."""


def item(name: str, note: str = "") -> str:
    """Give the line that lists a file under `## Evidence`."""
    return f"- `{EVIDENCE}/{name}`{f': {note}' if note else ''}"


def with_files(ws: Workspace, names: Iterable[str]) -> Workspace:
    """Give the registry as the rules will see it when these files, by their paths from its root, are there."""
    paths = [f"{ws.layout.prefix}/{name}" for name in names]
    return replace(ws, registry=replace(ws.registry, around=Expected(ws.registry.around, paths)))


def rows(found: Iterable[Attachment], prefix: str = "") -> list[dict[str, Any]]:
    """Give the files for machines: what was handed over, its path in the folder, whether it was copied there."""
    return [{"file": str(one.source), "path": prefix + one.name, "copied": not one.there} for one in found]


def warn(out: Outcome, texts: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Say which files, by what they are called, look as if they held secrets and where; the same for machines.

    No secret is told. Without the package detect-secrets nothing is said.
    """
    told = []
    for name, data in texts.items():
        suspects, whole = leaks.suspicions(Path(name).name, data)
        told += [{"severity": "warning", "path": name, "line": one.line, "kind": one.kind} for one in suspects]
        if not whole:
            out.notes.append(f"Only the beginning of {name} was looked through for secrets.")
    out.notes += [f"{one['path']}:{one['line']} looks like a secret ({one['kind']})." for one in told[:_SHOWN]]
    if len(told) > _SHOWN:
        out.notes.append(f"There are {len(told) - _SHOWN} more such lines.")
    if told:
        out.notes.append("What git has seen once stays in its history: take secrets out before you commit.")
    return told
