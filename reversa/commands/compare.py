"""`check --staged`, `--range` and `--all-history`: what commits bring, held against what was there before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from reversa.commands.check import CheckOutcome, judged, resolved
from reversa.commands.outcome import Outcome
from reversa.commands.scope import Options, scope_of
from reversa.commands.workspace import Workspace
from reversa.core.bug import Oddity, Registry, read_id
from reversa.core.finding import Finding, Severity
from reversa.core.printable import escaped
from reversa.core.rules.engine import Rule, Violation, identity, run
from reversa.core.rules.validity import of_severity
from reversa.errors import Surroundings, UsageError
from reversa.store import git, layout, revisions
from reversa.store.drift import Locks
from reversa.store.revisions import Commit, Listing
from reversa.store.snapshot import History


def staged(option: str | None, options: Options) -> CheckOutcome | None:
    """Check what will be committed, the index, against HEAD; None where no commit has a registry and none gets one.

    Raises UsageError as `check` does, and Surroundings where there is no git repository.
    """
    history = _history(option)
    if history is None:
        return None
    head = revisions.head(history.repo)
    before = _Moment(history, revisions.committed(history.repo, head))
    return _compared(_Step([before], _Moment(history, revisions.indexed(history.repo)), head), options)


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
    before, now = (_Moment(history, revisions.committed(history.repo, commit)) for commit in (base, tip))
    return _compared(_Step([before], now, tip, base), options)


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
            before, now = (_Moment(history, revisions.committed(history.repo, commit)) for commit in (base, tip))
            out.append(_compared(_Step([before], now, tip, base), options))
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


@dataclass
class _Moment:
    """A registry as a commit or the index has it."""

    history: History
    listing: Listing
    _found: list[Violation] | None = None

    @cached_property
    def workspace(self) -> Workspace:
        found, tree = self.history.load(self.listing)
        return Workspace(self.history.layout, found, tree)

    def found(self, rules: Mapping[str, Rule]) -> list[Violation]:
        """Give what rules say of it, once; seals are not computed."""
        if self._found is None:
            self._found = run(self.workspace.registry, None, rules)
        return self._found

    def broken_seals(self, rules: Mapping[str, Rule], folders: Collection[str]) -> list[Violation]:
        """Give the wrong seals of some folders."""
        sealed = self.history.with_seals(self.workspace.registry, self.listing, folders)
        return run(sealed, None, {code: rule for code, rule in rules.items() if code == "RV210"})


_LOCKS = ("RV210", "RV211", "RV213")
"""Rules about locked folders, which are asked of the step between two moments."""


@dataclass(frozen=True)
class _Step:
    """What led to a moment: the moments before it (of several parents, one each), and the newest commit of the way.

    A `base` makes it a way of several commits, as `Locks.changed` takes it.
    """

    befores: Sequence[_Moment]
    now: _Moment
    commit: str
    base: str = ""

    def violations(self, rules: Mapping[str, Rule]) -> tuple[Workspace, list[Violation], list[list[Violation]]]:
        """Give the registry after the step, what rules say of it, and what they said of each moment before it."""
        touched = self._touched()
        ws = replace(self.now.workspace, registry=self._with_locks(touched))
        locks = run(ws.registry, None, {code: rule for code, rule in rules.items() if code in _LOCKS})
        found = [*self.now.found(rules), *locks]
        return ws, found, [[*each.found(rules), *each.broken_seals(rules, touched)] for each in self.befores]

    def _touched(self) -> set[str]:
        """Give the bug folders in which a file differs, from git's root."""
        now, start = self.now.listing, self.now.history.start
        return {
            "/".join(path.split("/")[: _depth(path)])
            for before in self.befores
            for path in before.listing.keys() | now.keys()
            if path.startswith(start) and before.listing.get(path) != now.get(path)
        }

    def _with_locks(self, touched: Collection[str]) -> Registry:
        """Give the registry with seals, with what changed in locked folders, and with those that went away."""
        history, now = self.now.history, self.now
        locks = Locks(history)
        changes = [locks.changed(each.listing, now.listing, self.commit, self.base) for each in self.befores]
        drift = {
            f"{folder.removeprefix(history.start)}/bug.md": tuple(names)
            for folder, names in changes[0][0].items()
            if all(folder in drifted for drifted, _ in changes)
        }
        gone = [_bare(folder, history) for folder in changes[0][1] if all(folder in lost for _, lost in changes)]
        registry = history.with_seals(now.workspace.registry, now.listing, touched)
        bugs = (replace(bug, drift=drift.get(bug.path, ())) if bug.locked else bug for bug in registry.bugs)
        odd = [Oddity("RV213", path, {"value": path.rpartition("/")[2]}) for path in gone]
        return replace(registry, bugs=tuple(bugs), oddities=(*registry.oddities, *odd))


def _depth(path: str) -> int:
    """Give how many parts of a path name its bug's folder."""
    parts = path.split("/")
    return parts.index("bugs") + 2 if "bugs" in parts[:-2] else len(parts)


def _bare(folder: str, history: History) -> str:
    """Give the path of a folder that is gone without its slug: it may have said that it is restricted."""
    place, _, name = folder.removeprefix(history.start).rpartition("/")
    return f"{place}/{read_id(name) or name}"


_Violations = list[Violation]


def _split(found: Iterable[Violation], before: Sequence[_Violations]) -> tuple[_Violations, _Violations]:
    """Part violations into new and old ones: of those that share an identity, as many are old as one moment had."""
    had: Counter[tuple[str, str, str]] = Counter()
    said = set()
    for violations in before:
        had |= Counter(map(identity, violations))
        said |= {(identity(violation), violation.message()) for violation in violations}
    new: _Violations = []
    old: _Violations = []
    for violation in sorted(found, key=lambda each: (identity(each), each.message()) not in said):
        name = identity(violation)
        (old if had[name] else new).append(violation)
        had[name] -= had[name] > 0
    return new, old


def _compared(step: _Step, options: Options) -> CheckOutcome:
    scope = scope_of(step.now.workspace, options)
    ws, found, before = step.violations(scope.rules)
    kept, ignored = scope.sift(found)
    new, old = _split(kept, before)
    out = judged(ws, options, scope, new)
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
    known: dict[str, _Moment] = {"": _Moment(history, {})}
    errors = of_severity(Severity.ERROR)
    broken = []
    for commit in commits:
        parents = commit.parents or ("",)
        befores = [_moment(known, history, parent) for parent in parents]
        now = _moment(known, history, commit.name)
        ws, found, before = _Step(befores, now, commit.name).violations(errors)
        new, _ = _split(found, before)
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


def _moment(known: dict[str, _Moment], history: History, commit: str) -> _Moment:
    if commit not in known:
        if len(known) > _KEPT:
            for name in list(known)[1 : _KEPT // 2]:
                del known[name]
        known[commit] = _Moment(history, revisions.committed(history.repo, commit))
    return known[commit]
