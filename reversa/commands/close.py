"""`reversa close`: the only way to resolved; a checklist first, then both files or neither."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reversa.commands import change, gate, graph, link
from reversa.commands.decisions import Person, decision_entry, decision_line
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace, open_workspace, today, writing
from reversa.core import alias
from reversa.core.body_edit import append_to_section
from reversa.core.bug import LOCK_NAME, Bug, Lock
from reversa.core.closure import Condition, conditions
from reversa.core.edit import Edit
from reversa.core.fields import POLICIES, RESOLUTION_KINDS
from reversa.core.mirror import one_line
from reversa.core.rules.engine import Violation, run
from reversa.core.suggest import hint
from reversa.errors import Refused, UsageError
from reversa.store import files, git, seal, write
from reversa.store.layout import shipped


def close(
    option: str | None,
    name: str,
    kind: str,
    person: Person,
    *,
    duplicate_of: str = "",
    evidence: Sequence[str] = (),
    reason: str = "",
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Close a bug when everything that its policy and kind ask for is there.

    Raises Refused with `checklist` when something is missing, when the bug is locked or carries an error; UsageError.
    """
    _check_usage(kind, duplicate_of, reason)
    proofs = [link.parse_evidence(text) for text in evidence]
    decided = _decide(option, name, kind, person)
    day = today()
    with writing(option) as ws:
        bug = alias.resolve(ws.registry, name)
        change.refuse_locked(ws, bug, f"It is closed already; reversa show {bug.id[-4:]}" if bug.satisfied else "")
        _refuse_errors(ws, bug)
        edits = _extra_edits(ws, bug, kind, duplicate_of, proofs) + _decision_edits(decided, reason, day)
        edits += _addendum_edits(ws, bug, kind)
        reasoned = _with_reason(reason, kind, decided, day)
        draft = change.plan(ws, bug, edits, day, body=reasoned)
        _refuse_unfinished(ws, draft.new, kind, human=bool(decided), day=day)
        refuse_unsealable(ws, bug)
        planned = change.plan(ws, bug, [*edits, *_closing_edits(kind)], day, body=reasoned)
        locked = replace(planned, new=replace(planned.new, locked=True, lock=Lock(day, kind, "")))
        gate.refuse_new_errors(ws, [locked])
        out = Outcome({"bugs": [{"id": bug.id, "changed": list(planned.routes)}]})
        out.notes += gate.warning_note(ws, planned.new, run(ws.registry, [planned.new], gate.WARNING_RULES))
        if dry_run:
            out.diff = change.diff(ws, [planned]) + _lock_diff(ws, bug, day, kind)
            return out
        with write.undisturbed():
            _write(ws, planned, day, kind)
        if views:
            graph.redraw_into(out, ws.reread([bug.path.rpartition("/")[0]]))
    return out


def _check_usage(kind: str, duplicate_of: str, reason: str) -> None:
    if kind not in RESOLUTION_KINDS:
        raise UsageError(f"{kind!r} is no resolution kind.", hint(kind, RESOLUTION_KINDS))
    if duplicate_of and kind != "duplicate":
        raise UsageError("--duplicate-of goes with --as duplicate alone.")


def _decide(option: str | None, name: str, kind: str, person: Person) -> dict[str, str]:
    """Have a closing under a policy of other text confirmed by a person, before the lock is taken."""
    if kind != "fixed":
        return {}
    ws = open_workspace(option, full=False)
    bug = alias.resolve(ws.registry, name)
    if ws.registry.policy_of(bug) in POLICIES:
        return {}
    change.refuse_locked(ws, bug)
    if any(not item.done for item in conditions(bug, ws.registry, kind, human=True)):
        return {}  # the checklist refuses it first: nobody is asked in vain
    return person.decide(ws.registry, bug, f"Closing under the policy {ws.registry.policy_of(bug)!r}")


def _refuse_errors(ws: Workspace, bug: Bug) -> None:
    """A record with any error is not closed; a missing lock (RV204) is what this command mends."""
    errors = [v for v in run(ws.registry, [bug], gate.ERROR_RULES) if v.rule.code != "RV204"]
    finishing = {"RV201", "RV202", "RV231", "RV232", "RV233"}
    errors = [v for v in errors if v.rule.code not in finishing]  # the checklist says these better
    if errors:
        raise Refused(
            f"{bug.id} carries an error and cannot be closed: {_worded(errors[0])} ({errors[0].rule.code}).",
            f"reversa check {bug.id[-4:]} shows {'it' if len(errors) == 1 else f'all {len(errors)}'}.",
            kind="has-errors",
        )
    if bug.status == "resolved" and not bug.satisfied:
        return
    if bug.status not in ("open", "active", "resolved"):
        raise Refused(f"{bug.id} has no status that close knows.", f"reversa update {bug.id[-4:]} --set status=open")


def _worded(error: Violation) -> str:
    """Word an error; of a restricted bug no value is told."""
    return error.rule.title if error.bug is None or error.bug.veiled else error.message()


def _extra_edits(ws: Workspace, bug: Bug, kind: str, duplicate_of: str, proofs: list[dict[str, Any]]) -> list[Edit]:
    if kind != "duplicate" or not duplicate_of:
        return []
    other = alias.resolve(ws.registry, duplicate_of)
    if other.key == bug.key:
        raise Refused(f"{bug.id} cannot be a duplicate of itself.", kind="self-edge")
    known = next((e for e in bug.relations if e.type == "duplicate-of" and e.target == other.key), None)
    if known is not None and known.state == "confirmed" and not proofs:
        return []
    edits, _ = link.plan_edge(ws, bug, "duplicate-of", other, "confirmed", proofs)
    return edits


def _addendum_edits(ws: Workspace, bug: Bug, kind: str) -> list[Edit]:
    """Make the bug's newest addendum its locator where a gap in the specification stood open (registry.md 8)."""
    gap = kind == "fixed" and "spec-gap" in bug.labels and bug.verdict == "spec-gap"
    if not gap or bug.texts("traceability", "specs"):
        return []
    own = re.compile(rf"bug-{re.escape(bug.id)}-v\d+\.md\Z", re.IGNORECASE)
    mine = [name for name in files.addenda(ws.layout) if own.match(name)]
    if not mine:
        return []
    newest = max(mine, key=lambda name: (int(re.findall(r"\d+", name)[-1]), name))
    return [Edit("add", ("traceability", "specs"), f"{ws.layout.spec_folder}/addenda/{newest}")]


def _decision_edits(decided: dict[str, str], reason: str, day: str) -> list[Edit]:
    if not decided:
        return []
    return [Edit("add", ("decisions",), decision_entry("closure", "confirmed", decided, day, reason))]


def _with_reason(reason: str, kind: str, decided: dict[str, str], day: str) -> change.Rewrite | None:
    """Give what is added to the Resolution: the reason, and who confirmed the closing where a person did."""
    if decided:
        text = decision_line(f"Closing as {kind}", decided, day, reason)
    elif reason.strip():
        text = f"Closed as {kind}: {one_line(reason)}"
    else:
        return None
    return lambda body: append_to_section(body, "Resolution", text)


def _refuse_unfinished(ws: Workspace, bug: Bug, kind: str, *, human: bool, day: str) -> None:
    items = conditions(bug, ws.registry, kind, human=human, today=day)
    if bug.status == "resolved" and bug.resolution_kind and bug.resolution_kind != kind:
        raise Refused(
            f"{bug.id} is resolved as {bug.resolution_kind}; close finishes it with the same kind.",
            f"reversa close {bug.id[-4:]} --as {bug.resolution_kind}",
            kind="illegal-transition",
        )
    missing = [item for item in items if not item.done]
    if missing:
        count = f"{len(missing)} of the {len(items)} things" if len(items) > 1 else "the one thing"
        raise Refused(
            f"Not yet: {bug.id} lacks {count} that {_asker(ws, bug, kind)} asks of {_what(kind)}.",
            "Nothing was written.",
            kind="unfinished",
            checklist=[_shown(item) for item in items],
        )


def _asker(ws: Workspace, bug: Bug, kind: str) -> str:
    policy = ws.registry.policy_of(bug)
    return "the contract" if kind != "fixed" else policy if policy in POLICIES else f"the policy {policy!r}"


def _what(kind: str) -> str:
    return "a fix" if kind == "fixed" else f"a closing as {kind}"


def _shown(item: Condition) -> dict[str, object]:
    return {"item": item.item, "done": item.done, "detail": item.detail, "command": item.command}


def refuse_unsealable(ws: Workspace, bug: Bug) -> None:
    """A seal must verify on a fresh clone: evidence that git ignores would be missing there."""
    if ws.layout.git_root is None:
        return
    folder = ws.folder(bug)
    why, where = seal.uncoverable(folder, git.tracked_or_addable(folder))
    if why:
        raise Refused(f"{where} of {bug.id} {why}.", "A seal over the rest would be wrong.", kind="unsealable")
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]
    ignored = [name for name in git.ignored(folder, names) if not name.rpartition("/")[2].startswith(".")]
    if ignored:
        path = f"{ws.layout.from_git_root(folder)}/{ignored[0]}"
        raise Refused(
            f"git ignores {ignored[0]} of {bug.id}: the seal would not verify on another clone.",
            f"git add -f {path}",
            kind="ignored-evidence",
        )


def _closing_edits(kind: str) -> list[Edit]:
    return [
        Edit("set", ("status",), "resolved"),
        Edit("set", ("closure", "satisfied"), True),
        Edit("set", ("resolution_kind",), kind),
    ]


def _lock_text(bug_id: str, day: str, kind: str, sealed: str) -> bytes:
    from reversa.views.render import render_template

    context = {"id": bug_id, "date": day, "kind": kind, "seal": sealed}
    return render_template("done.md.j2", context, [shipped() / "templates"]).encode()


def _lock_diff(ws: Workspace, bug: Bug, day: str, kind: str) -> str:
    path = ws.git_path_of(bug).removesuffix("bug.md") + LOCK_NAME
    return file_diff(path, b"", _lock_text(bug.id, day, kind, "(computed when it is written)"))


def _write(ws: Workspace, planned: change.Change, day: str, kind: str) -> None:
    """Write bug.md, then DONE.md sealed over the folder as it is then; a failed second write undoes the first."""
    bug, folder = planned.old, ws.folder(planned.old)
    change.store(ws, [planned])
    try:
        names = seal.covered(folder, in_git=ws.layout.git_root is not None)
        sealed = seal.compute(folder, names)
        write.replace(folder / LOCK_NAME, _lock_text(bug.id, day, kind, sealed), None)
    except BaseException as error:  # an interrupt too: both files or neither
        if not os.path.lexists(folder / LOCK_NAME) and not planned.is_empty:
            write.put(ws.layout.root / bug.path, planned.before)
        raise write.failure(error, folder) if isinstance(error, OSError) else error from None
