"""`reversa evidence add`: files are copied into a bug's folder and listed in its record, all or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from reversa.commands import change
from reversa.commands.attached import EVIDENCE, SECTION, item, rows, warn, with_files
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import today, writing
from reversa.core import alias
from reversa.core.body import section
from reversa.core.body_edit import append_to_section, refuse_open, refuse_unfit
from reversa.core.edit import Edit
from reversa.errors import UsageError
from reversa.store import attachments, guard


def add(
    option: str | None,
    name: str,
    files: Sequence[Path],
    note: str = "",
    *,
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Copy files into the bug's `evidence/` and list each under `## Evidence`, with the note beside it.

    A file that is there already is not copied, one that is listed already not listed again. Data: `{bugs: [{id,
    changed}], files: [{file, path, copied}], secrets: [{severity, path, line, kind}]}`. Raises UsageError for what is
    no file, Refused for locks, links, sizes and what git ignores, Surroundings.
    """
    if not files:
        raise UsageError("No file was named.", "For example: reversa evidence add A7K3 close.txt")
    note = " ".join(note.split())
    refuse_unfit(item("file", note), "the note")
    day = today()
    with writing(option) as ws:
        bug = alias.resolve(ws.registry, name)
        change.refuse_locked(ws, bug)
        folder = ws.folder(bug) / EVIDENCE
        guard.refuse_link(folder)
        guard.refuse_outside(folder, ws.layout.root)
        found = attachments.take(ws.layout, folder, files)
        attachments.refuse_ignored(ws.layout, folder, found)
        unlisted = [one.name for one in found if not is_listed(bug.body, one.name)]
        copies = {folder / one.name: one.data for one in found if not one.there}
        edits = [Edit("set", ("updated",), day)] if copies else []
        body = partial(_listed, [item(one, note) for one in unlisted]) if unlisted else None
        planned = change.plan(ws, bug, edits, day, body=body)
        out = Outcome(
            {
                "bugs": [{"id": bug.id, "changed": list(planned.routes)}],
                "files": rows(found, f"{EVIDENCE}/"),
                "secrets": [],
            }
        )
        for one in found:
            if one.there:
                out.notes.append(f"{EVIDENCE}/{one.name} holds these bytes already; it was not copied.")
            if note and one.name not in unlisted:
                out.notes.append(f"{EVIDENCE}/{one.name} is listed already; reversa edit {bug.id[-4:]} adds the note.")
        place = bug.path.rpartition("/")[0]
        future = with_files(ws, [f"{place}/{EVIDENCE}/{one.name}" for one in found])
        change.carry_out(future, [planned], out, views=views, dry_run=dry_run, added=copies)
    # looked for when the lock is free: it takes seconds, and only warns
    out.data["secrets"] = warn(out, {f"{EVIDENCE}/{one.name}": one.data for one in found})
    return out


def is_listed(body: str, name: str) -> bool:
    """Whether the section Evidence names a file already."""
    span = section(body, SECTION)
    text = body[span[0] : span[1]] if span else ""
    return re.search(rf"(?<![\w./-]){EVIDENCE}/{re.escape(name)}(?![\w+-]|[./]\w)", text) is not None


def _listed(lines: Sequence[str], body: str) -> str:
    refuse_open(body, SECTION)
    return append_to_section(body, SECTION, "\n".join(lines))
