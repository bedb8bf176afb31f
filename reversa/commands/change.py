"""The one way in which commands change records: plan edits, gate them by the rules, write all or nothing, redraw."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reversa.commands import gate, graph
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace
from reversa.core import mirror
from reversa.core.body import region
from reversa.core.body_edit import replace_region
from reversa.core.bug import Bug
from reversa.core.document import Plain
from reversa.core.edit import Edit
from reversa.core.suggest import nearest
from reversa.errors import Refused, Surroundings, UsageError
from reversa.store import frontmatter, guard, write
from reversa.store.edit import splice
from reversa.store.raw import read_bytes
from reversa.store.registry import bug_from

_NOTHING: Mapping[Path, bytes] = {}

Rewrite = Callable[[str], str]
"""Changes a record's body; it gets and gives the text after the front matter."""


def in_turn(rewrites: Sequence[Rewrite]) -> Rewrite | None:
    """Give the rewrites of a body as one, each on what the one before left; None where there are none."""
    return (lambda body: functools.reduce(lambda text, rewrite: rewrite(text), rewrites, body)) if rewrites else None


@dataclass(frozen=True)
class Change:
    """A planned change of one record: the bug as it was and as it will be, bytes before and after, routes touched."""

    old: Bug
    new: Bug
    before: bytes
    after: bytes
    routes: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return self.before == self.after


@dataclass(frozen=True)
class Beside:
    """A file beside the records that changes together with them: where it is, bytes before and after."""

    path: Path
    before: bytes
    after: bytes


def refuse_locked(ws: Workspace, bug: Bug, hint: str = "") -> None:
    """Refuse to touch a locked bug or one that cannot be read as a record."""
    write.refuse_if_locked(ws.folder(bug), bug.id, hint=hint)
    guard.refuse_link(ws.layout.root / bug.path)
    if not bug.readable:
        raise Refused(f"{bug.id} cannot be read as a record.", f"reversa check {bug.id} says why.", kind="unreadable")


def plan(ws: Workspace, bug: Bug, edits: Sequence[Edit], day: str, *, body: Rewrite | None = None) -> Change:
    """Plan edits of one unlocked record: `updated` moves, the mirrors between markers are rendered anew.

    Edits that change nothing give an empty change, whose `updated` does not move. Raises Refused and Surroundings.
    """
    before = read(ws, bug)
    after = splice(before, edits) if edits else before
    fields = after
    if body is not None:
        after = _rewrite_body(after, body)
    written = after != fields
    if after == before:
        return Change(bug, bug, before, before, ())
    if bug.updated != day and not any(edit.route == ("updated",) for edit in edits):
        after = splice(after, [Edit("set", ("updated",), day)])
    return _mirrored(bug, before, after, written=written)


def plan_text(bug: Bug, before: bytes, after: bytes, day: str) -> Change:
    """Plan that an unlocked record becomes another text whole, as a person wrote it; `updated` and the mirrors follow.

    A text that is no record is planned as it is: the rules say what is wrong with it. Raises Refused.
    """
    if after == before:
        return Change(bug, bug, before, before, ())
    folder = bug.path.rpartition("/")[0]
    document = frontmatter.read(after)
    new = bug_from(folder, document, after, lock=bug.lock)
    if not new.readable:
        return Change(bug, new, before, after, ("body",))
    if new.updated == bug.updated != day:
        after = splice(after, [Edit("set", ("updated",), day)])
    return _mirrored(bug, before, after, written=document.body != bug.body)


def _mirrored(bug: Bug, before: bytes, after: bytes, *, written: bool) -> Change:
    """Finish a plan: the mirrors between markers are rendered anew."""
    folder = bug.path.rpartition("/")[0]
    after = _with_mirrors(after, bug_from(folder, frontmatter.read(after), after, lock=None))
    new = replace(bug_from(folder, frontmatter.read(after), after, lock=bug.lock), seal=bug.seal)
    return Change(bug, new, before, after, _changed_routes(bug, new, body=written))


def read(ws: Workspace, bug: Bug) -> bytes:
    """Read the record of a bug; raises Surroundings."""
    path = ws.layout.root / bug.path
    try:
        return read_bytes(str(path))
    except OSError as error:
        raise write.failure(error, path) from None


def _rewrite_body(data: bytes, body: Rewrite) -> bytes:
    document = frontmatter.read(data)
    head = document.text[: document.body_at]
    text = ("\ufeff" if document.bom else "") + head + body(document.body)
    return text.encode("utf-8")


def _with_mirrors(data: bytes, bug: Bug) -> bytes:
    """Render what stands between the marker comments; a record without markers keeps its bytes."""

    def rewrite(body: str) -> str:
        for name in mirror.REGIONS:
            if region(body, name) is not None:
                body = replace_region(body, name, mirror.render(name, bug))
        return body

    return _rewrite_body(data, rewrite)


def _changed_routes(old: Bug, new: Bug, *, body: bool) -> tuple[str, ...]:
    """Give the routes whose values differ, lists as a whole; `body` where text of the body was written too."""
    return (*_differences(old.data or {}, new.data or {}, ()), *(("body",) if body else ()))


def _differences(old: Any, new: Any, route: tuple[str, ...]) -> Iterator[str]:
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        if not _same(old, new):
            yield ".".join(route)
        return
    for key in [*new, *(key for key in old if key not in new)]:
        if key not in old or key not in new:
            yield ".".join((*route, key))
        else:
            yield from _differences(old[key], new[key], (*route, key))


def _same(old: Any, new: Any) -> bool:
    """Whether two raw values are equal, their quotes included: `"7"` and `7` are two ways to write one text."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, dict) and isinstance(new, dict):
        return list(old) == list(new) and all(_same(old[key], new[key]) for key in old)
    return bool(old == new) and isinstance(old, Plain) == isinstance(new, Plain)


def carry_out(
    ws: Workspace,
    changes: Sequence[Change],
    out: Outcome,
    *,
    views: bool,
    dry_run: bool,
    beside: Beside | None = None,
    added: Mapping[Path, bytes] = _NOTHING,
) -> Outcome:
    """Gate planned changes, then show their diff or write them all and redraw the views.

    `out` gets what there is to say; `beside` and the new files `added` are written first and put back with the records.
    The caller holds the registry lock. Raises Refused and Surroundings.
    """
    gate.refuse_new_errors(ws, changes)
    out.notes += gate.new_warnings(ws, changes)
    if dry_run:
        out.diff = diff(ws, changes, beside) + "".join(
            added_diff(ws, path.relative_to(ws.layout.root).as_posix()) for path in added
        )
        return out
    with write.undisturbed(), write.add(added) as undo:
        store(ws, changes, beside)
        undo.pop_all()
    touched = [change.old.path.rpartition("/")[0] for change in changes if not change.is_empty]
    if views and touched:
        graph.redraw_into(out, ws.reread(touched))
    return out


def store(ws: Workspace, changes: Sequence[Change], beside: Beside | None = None) -> None:
    """Write all changes or none: a failed write puts the earlier ones back. The caller holds the registry lock."""
    done: list[Change] = []
    if beside is not None:
        guard.refuse_link(beside.path)
        write.replace(beside.path, beside.after, beside.before)
    try:
        for change in changes:
            if change.is_empty:
                continue
            write.refuse_if_locked(ws.folder(change.old), change.old.id)
            write.replace(ws.layout.root / change.old.path, change.after, change.before)
            done.append(change)
    except BaseException:  # an interrupt too: all or nothing holds whatever ends the writing
        _put_back(ws, done, beside)
        raise


def _put_back(ws: Workspace, done: Sequence[Change], beside: Beside | None) -> None:
    """Undo what was written; raises Surroundings naming what could not be undone."""
    files = [(change.old.id, ws.layout.root / change.old.path, change.before) for change in reversed(done)]
    files += [(beside.path.name, beside.path, beside.before)] if beside is not None else []
    stuck = []
    for name, path, before in files:
        try:
            write.put(path, before)
        except Surroundings:
            stuck.append(name)
    if stuck:
        raise Surroundings(
            f"A write failed, and these files, written before it, could not be put back: {', '.join(stuck)}.",
            "They hold the new values; git diff shows them.",
            kind="disk",
        )


def added_diff(ws: Workspace, path: str) -> str:
    """Say that a file of the registry, by its path from the root, is new, as git does of binaries: what is kept as
    evidence may be large, or a secret.
    """
    name = ws.layout.from_git_root(ws.layout.root / path)
    return f"diff --git a/{name} b/{name}\nnew file mode 100644\nBinary files /dev/null and b/{name} differ\n"


def diff(ws: Workspace, changes: Iterable[Change], beside: Beside | None = None) -> str:
    """Give the unified diff of planned changes."""
    first = file_diff(ws.layout.from_git_root(beside.path), beside.before, beside.after) if beside is not None else ""
    return first + "".join(file_diff(ws.git_path_of(change.old), change.before, change.after) for change in changes)


def check_term(ws: Workspace, dimension: str, term: str) -> None:
    """Refuse a value outside the taxonomy, naming the nearest terms and the ways out (exit 2)."""
    taxonomy = ws.registry.taxonomy
    if taxonomy.allows(dimension, term):
        return
    terms = taxonomy.terms.get(dimension, ())
    near = nearest(term, terms, limit=3, cutoff=45)
    ways = f"Nearest: {', '.join(near)}. " if near else _listed(terms)
    raise UsageError(
        f"{term!r} is no {dimension} of the taxonomy.",
        f"{ways}Use unclassified; a new bug can propose the term with --propose-term {dimension}={term}",
        kind="taxonomy",
    )


def _listed(terms: Sequence[str]) -> str:
    """Say which terms there are, as far as a line can."""
    if not terms:
        return "The list is empty. "
    more = f" and {len(terms) - 8} more" if len(terms) > 8 else ""
    return f"It has {', '.join(terms[:8])}{more}. "
