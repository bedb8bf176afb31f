"""`reversa graph`: draw the views; only files whose bytes change are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reversa.commands.check import invalid
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace
from reversa.core import shown
from reversa.errors import UsageError
from reversa.report.text import plural
from reversa.store import files as store_files
from reversa.store import write
from reversa.store.layout import shipped

GENERATED = "generated"


def graph(option: str | None, contexts: Sequence[str] = (), *, check: bool = False, dry_run: bool = False) -> Outcome:
    """Draw all views, or those of some contexts; with `check` nothing is written and stale files are listed.

    The exit code is 1 when records carry errors or, with `check`, when a view is stale. Raises UsageError for an
    unknown context and Surroundings where a view cannot be written.
    """
    ws = open_workspace(option)
    known = sorted({bug.context for bug in ws.registry.bugs})
    wanted = [name.rstrip("/").removeprefix(f"{ws.registry.prefix}/") for name in contexts]
    for name in wanted:
        if name not in known:
            listed = ", ".join(context or "(no context)" for context in known) or "none"
            raise UsageError(f"{name} is no context with bugs.", f"Contexts: {listed}.")
    faults = invalid(ws)
    files = _draw(ws, faults)
    if wanted:
        files = {path: data for path, data in files.items() if _context_of(ws, path) in (None, *wanted)}
    if check or dry_run:
        stale = [path for path, data in files.items() if store_files.current(ws.layout, path) != data]
        out = Outcome({"written": [], "unchanged": len(files) - len(stale), "stale": stale})
        out.exit_code = 1 if faults or (stale and check) else 0
    else:
        with write.locked(ws.layout):
            written = _put(ws, files)
        out = Outcome({"written": written, "unchanged": len(files) - len(written), "stale": []})
        out.exit_code = 1 if faults else 0
    if faults:
        carry, are = ("carry", "are") if len(faults) > 1 else ("carries", "is")
        out.notes.append(
            f"{plural(len(faults), 'bug')} {carry} errors and {are} listed by ID alone; reversa check shows them."
        )
    return out


def redraw(ws: Workspace, born: str | None = None) -> list[str]:
    """Draw anew the views of all contexts that have any; give the files that changed, from the project root.

    A record shows in the views of other contexts too (edges, starred numbers), so all are compared and few are written.
    A context that was `born` just now gets views where others have them.
    """
    if not ws.layout.auto_views:
        return []
    drawn = {context for context in {bug.context for bug in ws.registry.bugs} if _generated(ws, context).is_dir()}
    if not drawn:
        return []
    drawn |= {born} if born is not None else set()
    files = _draw(ws, invalid(ws))
    return _put(ws, {path: data for path, data in files.items() if _context_of(ws, path) in (None, *drawn)})


def _generated(ws: Workspace, context: str) -> Path:
    return ws.layout.root / context / GENERATED


def _context_of(ws: Workspace, path: str) -> str | None:
    """Give the context that a view's path belongs to; None for the mirror, which shows all contexts."""
    head = f"{ws.registry.prefix}/"
    if not path.startswith(head):
        return None
    return path[len(head) :].rpartition(f"{GENERATED}/")[0].rstrip("/")


def _draw(ws: Workspace, faults: dict[str, tuple[str, ...]]) -> dict[str, bytes]:
    from reversa.views.render import draw

    files = draw(
        ws.registry,
        shown.of(ws.registry, faults),
        template_folders=template_folders(ws),
        path_of=ws.path_of,
        notes=store_files.notes(ws.layout, ws.registry.contexts),
        addenda=store_files.addenda(ws.layout),
    )
    if ws.layout.views == "ignored":
        folders = {path.rpartition("/")[0] for path in files if f"/{GENERATED}/" in path}
        files.update((f"{folder}/.gitignore", b"*\n") for folder in folders)
    return dict(sorted(files.items()))


def template_folders(ws: Workspace) -> list[Path]:
    """Give where templates are looked for: the registry's own first, then ours."""
    own = ws.layout.root / "templates"
    return [*([own] if own.is_dir() else []), shipped() / "templates"]


def _put(ws: Workspace, files: dict[str, bytes]) -> list[str]:
    written = []
    for path, data in files.items():
        if store_files.current(ws.layout, path) != data:
            store_files.put_view(ws.layout, path, data)
            written.append(path)
    return written
