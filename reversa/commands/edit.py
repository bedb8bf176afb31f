"""`reversa edit`: a record in an editor, installed only when it adds no error, as visudo does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reversa.commands import change, gate
from reversa.commands.decisions import refuse_relaxing, taken
from reversa.commands.findings import resolve_all
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import alias
from reversa.core.bug import Bug
from reversa.core.document import get, simple
from reversa.core.finding import Finding
from reversa.errors import Refused, ReversaError, Surroundings, UsageError
from reversa.store import editor, guard, write

_RECORD = "bug.md"
"""The draft has the name of what it is a copy of: editors go by it."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The terminal's part: `launch` lets a person change a file, `choose` has problems shown and gives what to do now.

    `choose` gives "edit", "discard" or "keep"; None where nobody can be asked.
    """

    launch: Callable[[Path], None]
    choose: Callable[[Sequence[str]], str] | None = None


@dataclass(frozen=True, slots=True)
class _Problems:
    """What stands against a text: sentences, and the findings among them."""

    sentences: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def edit(
    option: str | None,
    name: str,
    tools: Tools,
    *,
    draft: Path | None = None,
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Let a person edit a copy of a record and install it when it adds no error; `draft` is a copy kept earlier.

    A draft of reversa's own is removed once it is installed, a file of somebody's stays. Raises UsageError and Refused
    for what is no draft, Refused when the text may not be installed, Surroundings when the record changed meanwhile;
    the draft is kept then, and the hint names it.
    """
    ws = open_workspace(option)
    bug = alias.resolve(ws.registry, name)
    _refuse_closed(ws, bug)
    before = change.read(ws, bug)
    if draft is not None:
        _refuse_no_draft(ws, draft)
    file = draft or editor.make_draft(_RECORD, before)
    try:
        if not _edited(ws, bug, before, file, tools):
            editor.remove_draft(file)
            return Outcome({"bugs": []}, notes=[f"{bug.id} stays as it is; nothing was written."])
        out = _install(option, bug, before, editor.read_draft(file), views=views, dry_run=dry_run)
    except ReversaError as error:
        if draft is None and _unchanged(file, before):
            editor.remove_draft(file)
        else:
            error.hint = f"{error.hint} Your text is kept: reversa edit {bug.id} --draft {file}".strip()
            error.details["draft"] = str(file)
        raise
    if draft is None or not dry_run:
        editor.remove_draft(file)
    return out


def _refuse_closed(ws: Workspace, bug: Bug) -> None:
    """Refuse a locked record and one behind a link; an unreadable one is what an editor is for."""
    write.refuse_if_locked(ws.folder(bug), bug.id)
    guard.refuse_link(ws.layout.root / bug.path)


def _refuse_no_draft(ws: Workspace, draft: Path) -> None:
    """Refuse what the registry itself holds: an editor on a record would bypass all that stands before a write."""
    if not draft.is_file():
        raise UsageError(f"{draft} is no file.", "A draft is a copy of the record that reversa edit kept.")
    if guard.inside(draft, ws.layout.root):
        raise Refused(f"{draft} is no draft: it lies in the registry.", "Copy it elsewhere first.", kind="no-draft")


def _unchanged(file: Path, before: bytes) -> bool:
    try:
        return editor.read_draft(file) == before
    except Surroundings:
        return True


def _edited(ws: Workspace, bug: Bug, before: bytes, file: Path, tools: Tools) -> bool:
    """Have a text edited until nothing stands against it; gives False where nothing is to be installed."""
    day = today()
    while True:
        tools.launch(file)
        after = editor.read_draft(file)
        if after == before:
            return False
        problems = _problems(ws, bug, before, after, day)
        if not problems.sentences:
            return True
        choice = tools.choose(problems.sentences) if tools.choose else "keep"
        if choice == "discard":
            return False
        if choice == "keep":
            more = f" (and {len(problems.sentences) - 1} more)" if len(problems.sentences) > 1 else ""
            raise Refused(
                f"This text cannot be installed: {problems.sentences[0].rstrip('.')}{more}.",
                kind="would-add-error",
                findings=[finding.to_json() for finding in problems.findings],
            )


def _problems(ws: Workspace, bug: Bug, before: bytes, after: bytes, day: str) -> _Problems:
    try:
        done = change.plan_text(bug, before, after, day)
        reserved = _reserved(bug, done.new, before)
    except Refused as refusal:
        return _Problems((refusal.message,))
    found = resolve_all(
        ws, gate.new_errors(ws, [done]), texts={bug.path: after}, include_restricted=True
    )  # the person has the record open
    told = [f"Line {finding.line}: {finding.message} ({finding.code})" for finding in found]
    return _Problems((*reserved, *told), tuple(found))


def _reserved(old: Bug, new: Bug, before: bytes) -> list[str]:
    """Say what a text changes that only a command of its own may change."""
    if not new.readable:
        return []
    if not old.readable:
        hidden = b"restricted" in before and not new.restricted
        return [f"{old.id} may be restricted, and making it visible is a person's decision."] if hidden else []
    refuse_relaxing(old, new)
    was, now = simple(dict(old.data or {})), simple(dict(new.data or {}))
    out = []
    if was.get("id") != now.get("id"):
        out.append("An ID never changes.")
    if was.get("decisions") != now.get("decisions"):
        out.append("Decisions are only ever added, by the commands that take them.")
    out += [f"{decision.name} is a person's decision; reversa update takes it." for decision in taken(was, now)]
    if get(now, "status") == "resolved" != get(was, "status"):
        out.append("Only reversa close makes a bug resolved.")
    return out


def _install(option: str | None, bug: Bug, before: bytes, after: bytes, *, views: bool, dry_run: bool) -> Outcome:
    with writing(option) as ws:
        current = next((known for known in ws.registry.bugs if known.path == bug.path), None)
        if current is None or change.read(ws, current) != before:
            raise Surroundings(
                f"{bug.id} was changed by someone else meanwhile.", "Nothing was written.", kind="changed-meanwhile"
            )
        _refuse_closed(ws, current)
        done = change.plan_text(current, before, after, today())
        out = Outcome({"bugs": [{"id": bug.id, "changed": list(done.routes)}]})
        return change.carry_out(ws, [done], out, views=views, dry_run=dry_run)
