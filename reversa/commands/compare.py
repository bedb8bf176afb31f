"""`check --staged`, `--range` and `--all-history`: what commits bring, held against what was there before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reversa.commands.check import CheckOutcome, judged, resolved
from reversa.commands.outcome import Outcome
from reversa.commands.scope import Options, scope_of
from reversa.commands.step import Moment, Step, split
from reversa.core.baseline import part
from reversa.core.finding import Finding, Severity
from reversa.core.printable import escaped
from reversa.core.rules.validity import of_severity
from reversa.errors import Surroundings, UsageError
from reversa.store import baseline, git, layout, revisions
from reversa.store.revisions import Commit
from reversa.store.snapshot import History


def staged(option: str | None, options: Options) -> CheckOutcome | None:
    """Check what will be committed, the index, against HEAD; None where no commit has a registry and none gets one.

    Raises UsageError as `check` does, and Surroundings where there is no git repository.
    """
    history = _history(option)
    if history is None:
        return None
    head = revisions.head(history.repo)
    before = Moment(history, revisions.committed(history.repo, head))
    return _compared(Step([before], Moment(history, revisions.indexed(history.repo)), head), options)


def ranged(option: str | None, spec: str, options: Options) -> CheckOutcome | None:
    """Check what the commits `A..B` bring, against what A and B have in common; an empty B is HEAD.

    Raises UsageError where they are no commits.
    """
    history = _history(option)
    if history is None:
        return None
    first, dots, last = spec.replace("...", "..").partition("..")
    if not dots or not first:
        raise UsageError(f"{spec!r} is no range.", "Write A..B, such as origin/main..HEAD.")
    start, tip = (revisions.resolve(history.repo, name) for name in (first, last or "HEAD"))
    base = revisions.merge_base(history.repo, start, tip)
    if not base:
        raise Surroundings(
            f"The histories of {escaped(first)} and {escaped(last or 'HEAD')} do not meet in this clone.",
            "Fetch the whole history; actions/checkout does with fetch-depth: 0.",
            kind="git",
        )
    before, now = (Moment(history, revisions.committed(history.repo, commit)) for commit in (base, tip))
    return _compared(Step([before], now, tip, base), options)


def pushed(
    option: str | None, stdin: Iterable[str], environ: Mapping[str, str], options: Options
) -> list[CheckOutcome] | None:
    """Check what a push brings, a result for each branch: from the variables of pre-commit, else as git tells a hook.

    git writes a line `LOCAL-REF COMMIT REMOTE-REF COMMIT` for each; what it deletes brings nothing. Raises UsageError
    for another text.
    """
    history = _history(option)
    if history is None:
        return None
    out = []
    for tip, there in _pushes(stdin, environ):
        tip = revisions.resolve(history.repo, tip)
        base = _published(history.repo, tip, there)
        if base != tip:
            before, now = (Moment(history, revisions.committed(history.repo, commit)) for commit in (base, tip))
            out.append(_compared(Step([before], now, tip, base), options))
    return out


def _pushes(stdin: Iterable[str], environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the commits that are pushed, each with what the remote has there, "" where nothing is known."""
    if "PRE_COMMIT" in environ:
        yield environ.get("PRE_COMMIT_TO_REF") or "HEAD", environ.get("PRE_COMMIT_FROM_REF", "")
        return
    for line in filter(str.strip, stdin):
        words = line.split()
        if len(words) != 4:
            raise UsageError(
                f"{escaped(line.strip())!r} is no line of a pre-push hook.",
                "git runs --pushed with LOCAL-REF COMMIT REMOTE-REF COMMIT; reversa check --range A..B takes commits.",
            )
        if words[1].strip("0"):
            yield words[1], words[3] if words[3].strip("0") else ""


def _published(repo: Path, tip: str, there: str) -> str:
    """Give the newest commit below a tip that the remote has, or "" where it has none of them."""
    if there and revisions.is_here(repo, there):
        return revisions.merge_base(repo, there, tip)
    return revisions.published(repo, tip)


def _history(option: str | None) -> History | None:
    """Find the registry, here or in what HEAD or the index has where its folder is gone."""
    try:
        found = layout.find(Path.cwd(), option)
    except Surroundings:
        lost = None if option else _lost(Path.cwd())
        if option:
            raise
        return lost
    if found.git_root is None:
        raise Surroundings(f"{found.root} is in no git repository.", "reversa check alone needs none.", kind="git")
    return History(found, found.git_root)


def _lost(start: Path) -> History | None:
    """Find the registry whose folder is gone: deleting it is a change of locked folders too."""
    repo = git.root_above(start)
    if repo is None:
        return None
    paths = [*revisions.committed(repo, revisions.head(repo)), *revisions.indexed(repo)]
    roots = sorted(
        {path.partition(f"{layout.NAME}/")[0] for path in paths if f"/{layout.NAME}/" in f"/{path}"}, key=len
    )
    return History(layout.layout_of(repo / roots[0] / layout.NAME), repo) if roots else None


def _compared(step: Step, options: Options) -> CheckOutcome:
    scope = scope_of(step.now.workspace, options)
    ws, found, before = step.violations(scope.rules)
    kept, ignored = scope.sift(found)
    known = baseline.read(ws.tree)
    counting, baselined, unneeded = part(kept, known)
    new, old = split(counting, [part(violations, known)[0] for violations in before])
    out = judged(ws, options, scope, new, baselined, unneeded)
    out.debt = resolved(ws, options, [violation for violation in old if violation.is_error])
    out.data["debt"] = [finding.to_json() for finding in out.debt]
    out.ignored = ignored
    return out


class Broken(NamedTuple):
    """A commit that brought errors."""

    commit: Commit
    errors: Sequence[Finding]


@dataclass
class HistoryOutcome(Outcome):
    """What each commit brought; `broken` has those with errors, oldest first."""

    broken: Sequence[Broken] = ()


def all_history(option: str | None, options: Options) -> HistoryOutcome | None:
    """Say of each commit that touches the registry which errors it brought, merges against all their parents.

    Data: `{commits, broken: [{commit, day, subject, errors}], errors}`. None where no commit has a registry.
    """
    history = _history(option)
    if history is None:
        return None
    commits = revisions.commits(history.repo, "HEAD", paths=[history.prefix]) if revisions.head(history.repo) else []
    known: dict[str, Moment] = {"": Moment(history, {})}
    errors = of_severity(Severity.ERROR)
    broken = []
    for commit in commits:
        parents = commit.parents or ("",)
        befores = [_moment(known, history, parent) for parent in parents]
        now = _moment(known, history, commit.name)
        ws, found, before = Step(befores, now, commit.name).violations(errors)
        new, _ = split(found, before)
        if new:
            broken.append(Broken(commit, resolved(ws, options, new)))
    count = sum(len(each.errors) for each in broken)
    listed = [
        {**each.commit._asdict(), "parents": list(each.commit.parents), "errors": [e.to_json() for e in each.errors]}
        for each in broken
    ]
    out = HistoryOutcome({"commits": len(commits), "broken": listed, "errors": count}, exit_code=1 if broken else 0)
    out.findings = [finding for each in broken for finding in each.errors]
    out.broken = broken
    return out


_KEPT = 64
"""How many moments are kept: a side branch rarely begins farther back, and what is gone is read again."""


def _moment(known: dict[str, Moment], history: History, commit: str) -> Moment:
    if commit not in known:
        if len(known) > _KEPT:
            for name in list(known)[1 : _KEPT // 2]:
                del known[name]
        known[commit] = Moment(history, revisions.committed(history.repo, commit))
    return known[commit]
