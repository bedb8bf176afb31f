"""`reversa graph`: draw the views; only files whose bytes change are written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from reversa.commands.findings import resolve_all
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace, open_workspace, writing
from reversa.core import alias, shown
from reversa.core.baseline import part
from reversa.core.rules.engine import Violation
from reversa.core.rules.validity import errors, invalid
from reversa.errors import ReversaError
from reversa.report.text import plural
from reversa.store import baseline
from reversa.store import files as store_files
from reversa.store.layout import shipped

GENERATED = "generated"


def graph(option: str | None, contexts: Sequence[str] = (), *, check: bool = False, dry_run: bool = False) -> Outcome:
    """Draw all views, or those of some contexts; with `check` nothing is written and stale files are listed.

    The exit code is 1 when records carry errors that no baseline knows or, with `check`, when a view is stale. Raises
    UsageError for an unknown context and Surroundings where a view cannot be written.
    """
    if check or dry_run:
        return _compare(open_workspace(option), contexts, check=check)
    with writing(option) as ws:
        found = errors(ws.registry)
        files = _draw(ws, invalid(found), _wanted(ws, contexts))
        written = _put(ws, files)
    return _told(ws, found, Outcome({"written": written, "unchanged": len(files) - len(written), "stale": []}))


def _compare(ws: Workspace, contexts: Sequence[str], *, check: bool) -> Outcome:
    """Compare the views with what would be drawn; a dry run gives the diff, a check the exit code."""
    found = errors(ws.registry)
    files = _draw(ws, invalid(found), _wanted(ws, contexts))
    now = {path: store_files.current(ws.layout, path) for path in files}
    stale = [path for path, data in files.items() if now[path] != data]
    out = _told(ws, found, Outcome({"written": [], "unchanged": len(files) - len(stale), "stale": stale}))
    if check:
        out.exit_code = 1 if stale else out.exit_code
    else:
        out.diff = "".join(file_diff(path, now[path] or b"", files[path]) for path in stale)
    return out


def _told(ws: Workspace, found: list[Violation], out: Outcome) -> Outcome:
    """Add what the errors of the records mean for the views."""
    faults = invalid(found)
    if faults:
        out.exit_code = 1 if part(found, baseline.read(ws.tree))[0] else 0
        out.findings = resolve_all(ws, found)
        carry, are = ("carry", "are") if len(faults) > 1 else ("carries", "is")
        out.notes.append(
            f"{plural(len(faults), 'bug')} {carry} errors and {are} listed by ID alone; reversa check shows them."
        )
    return out


def _wanted(ws: Workspace, contexts: Sequence[str]) -> list[str] | None:
    """Give the contexts that are named, None for all; raises UsageError for one without bugs."""
    known = sorted({bug.context for bug in ws.registry.bugs})
    return [alias.context(known, name, ws.registry.prefix) for name in contexts] or None


def redraw_into(out: Outcome, ws: Workspace, born: Collection[str] = ()) -> None:
    """Redraw after records were written, and say so in the outcome; a drawing that fails is a note, not a failure.

    The record is on disk by then: an error would make people and agents write it a second time.
    """
    try:
        out.views = redraw(ws, born)
    except ReversaError as error:
        out.notes.append(f"The record is written, but its views are not: {error.message} reversa graph draws them.")


def redraw(ws: Workspace, born: Collection[str] = ()) -> list[str]:
    """Draw anew the views of all contexts that have any; give the files that changed, from the project root.

    A record shows in the views of other contexts too (edges, starred numbers), so all are compared and few are written.
    Contexts that were `born` just now get views where others have them.
    """
    if not ws.layout.auto_views:
        return []
    drawn = {context for context in {bug.context for bug in ws.registry.bugs} if _generated(ws, context).is_dir()}
    if not drawn:
        return []
    drawn |= set(born)
    return _put(ws, _draw(ws, invalid(errors(ws.registry)), sorted(drawn)))


def _generated(ws: Workspace, context: str) -> Path:
    return ws.layout.root / context / GENERATED


def _draw(ws: Workspace, faults: dict[str, tuple[str, ...]], contexts: list[str] | None) -> dict[str, bytes]:
    """Draw the views of some contexts (None: of all) and the mirror, which shows all of them."""
    from reversa.views.render import draw

    files = draw(
        ws.registry,
        shown.of(ws.registry, faults),
        template_folders=template_folders(ws),
        path_of=ws.path_of,
        contexts=contexts,
        notes=store_files.notes(ws.layout, ws.registry.contexts),
        addenda=store_files.addenda(ws.layout),
    )
    if ws.layout.views == "ignored":
        files.update(_ignores(files))
    return dict(sorted(files.items()))


def _ignores(files: Iterable[str]) -> dict[str, bytes]:
    """Give a .gitignore beside all views, which ignores itself too; the mirror's folder may hold files of others."""
    out = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        own = folder.endswith(f"/{GENERATED}")
        out[f"{folder}/.gitignore"] = b"*\n" if own else f"/{name}\n/.gitignore\n".encode()
    return out


def template_folders(ws: Workspace) -> list[Path]:
    """Give where templates are looked for: the registry's own first, then ours."""
    return [*store_files.own_templates(ws.layout), shipped() / "templates"]


def _put(ws: Workspace, files: dict[str, bytes]) -> list[str]:
    written = []
    for path, data in files.items():
        if store_files.current(ws.layout, path) != data:
            store_files.put_view(ws.layout, path, data)
            written.append(path)
    return written
