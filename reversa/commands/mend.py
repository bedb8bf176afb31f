"""`reversa check --fix`: the safe fixes of all findings at once, each only where it brings about no other finding."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from reversa.commands import change, gate, graph
from reversa.commands.change import Change
from reversa.commands.findings import resolve_all, sort_key
from reversa.commands.outcome import Outcome
from reversa.commands.scope import Options, scope_of
from reversa.commands.workspace import Workspace, today, writing
from reversa.core import alias
from reversa.core.bug import Bug, Registry
from reversa.core.document import simple
from reversa.core.edit import Edit
from reversa.core.fixes import PERSONAL, Mend, fix_for
from reversa.core.rules.engine import Violation, run
from reversa.errors import Refused, ReversaError
from reversa.report.text import plural
from reversa.store import guard, settings, write
from reversa.store.edit import lost_comments
from reversa.store.raw import read_bytes

TAXONOMY = "taxonomy.yaml"

_PASSES = 5
"""How often what is left is looked at again: a fix may open the way for another one."""

_Key = tuple[str, str]
"""The path and code by which findings are counted."""


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A finding with what mends it."""

    violation: Violation
    mend: Mend
    turn: int

    @property
    def key(self) -> _Key:
        return _key(self.violation)


@dataclass(frozen=True)
class _Plan:
    """What a set of candidates comes to: changed records by path, the taxonomy before and after, the registry then."""

    changes: dict[str, Change]
    taxonomy: tuple[bytes, bytes] | None
    future: Registry

    @cached_property
    def counts(self) -> Counter[_Key]:
        """What all rules find then, by path and code."""
        return Counter(map(_key, run(self.future)))


@dataclass
class _Mender:
    """Plans fixes over one registry; records that the same candidates change are spliced once."""

    ws: Workspace
    day: str
    known: dict[tuple[str, tuple[_Candidate, ...]], Change] = field(default_factory=dict)
    plans: dict[tuple[_Candidate, ...], _Plan] = field(default_factory=dict)

    def plan(self, chosen: Sequence[_Candidate]) -> _Plan:
        """Plan the fixes one after the other; raises Refused where a record cannot be edited so."""
        if tuple(chosen) not in self.plans:
            self.plans[tuple(chosen)] = self._planned(chosen)
        return self.plans[tuple(chosen)]

    def _planned(self, chosen: Sequence[_Candidate]) -> _Plan:
        by_path: dict[str, list[_Candidate]] = {}
        taxonomy: list[_Candidate] = []
        for candidate in chosen:
            bug = candidate.violation.bug
            if bug is None:
                taxonomy.append(candidate)
            for path in dict.fromkeys([*([bug.path] if bug else []), *(path for path, _ in candidate.mend.others)]):
                by_path.setdefault(path, []).append(candidate)
        found = [self._change(bug, by_path[bug.path]) for bug in self.ws.registry.bugs if bug.path in by_path]
        changes = {done.old.path: done for done in found if not done.is_empty}
        now = tuple(changes[bug.path].new if bug.path in changes else bug for bug in self.ws.registry.bugs)
        return self._with_taxonomy(taxonomy, changes, replace(self.ws.registry, bugs=now))

    def _change(self, bug: Bug, mine: Sequence[_Candidate]) -> Change:
        name = bug.path, tuple(mine)
        if name not in self.known:
            edits = list(_ordered(bug.path, mine))
            texts = [c.mend.text for c in mine if c.mend.text and c.violation.bug and c.violation.bug.path == bug.path]
            self.known[name] = change.plan(
                self.ws, bug, edits, self.day, body=(lambda body: _through(texts, body)) if texts else None
            )
        return self.known[name]

    def _with_taxonomy(self, mine: Sequence[_Candidate], changes: dict[str, Change], future: Registry) -> _Plan:
        if not mine:
            return _Plan(changes, None, future)
        path = self.ws.layout.root / TAXONOMY
        guard.refuse_link(path)
        before = read_bytes(str(path))
        bom = "\ufeff" if before.startswith(b"\xef\xbb\xbf") else ""
        after = (bom + _through([c.mend.text for c in mine], before.decode("utf-8-sig"))).encode()
        vocabulary, oddities = settings.taxonomy_from(after)
        others = [odd for odd in future.oddities if odd.path != TAXONOMY]
        future = replace(future, taxonomy=vocabulary, oddities=(*others, *oddities))
        return _Plan(changes, (before, after) if after != before else None, future)


def _through(texts: Iterable[Any], text: str) -> str:
    for rewrite in texts:
        text = rewrite(text)
    return text


def _ordered(path: str, mine: Sequence[_Candidate]) -> Iterable[Edit]:
    """Give the edits of one record, turn by turn; what is taken away goes last and from the end, so no index moves."""
    for _, turn in groupby(mine, key=lambda candidate: candidate.turn):
        edits: list[Edit] = []
        for candidate in turn:
            bug = candidate.violation.bug
            own = candidate.mend.edits if bug is not None and bug.path == path else ()
            for edit in (*own, *(edit for other, edit in candidate.mend.others if other == path)):
                edits += [] if edit in edits else [edit]
        removals = [edit for edit in edits if edit.op == "remove"]
        yield from (edit for edit in edits if edit.op != "remove")
        yield from sorted(removals, key=lambda edit: edit.route, reverse=True)


def _key(violation: Violation) -> _Key:
    return violation.bug.path if violation.bug else violation.hit.path, violation.rule.code


def _without_harm(mender: _Mender, chosen: list[_Candidate], more: list[_Candidate]) -> list[_Candidate]:
    """Give those of `more` that mend what they should, on top of the chosen ones, and bring about nothing else.

    All are tried at once; where that does harm, each half by itself, down to single ones, which are dropped.
    """
    if not more:
        return []
    if _does_good(mender, chosen, more):
        return more
    if len(more) == 1:
        return []
    middle = len(more) // 2
    first = _without_harm(mender, chosen, more[:middle])
    return [*first, *_without_harm(mender, [*chosen, *first], more[middle:])]


def _does_good(mender: _Mender, chosen: list[_Candidate], more: list[_Candidate]) -> bool:
    try:
        before, after = mender.plan(chosen), mender.plan([*chosen, *more])
    except (Refused, UnicodeError, OSError):  # an edit that the record's form does not allow, a link
        return False
    if any(map(_goes_too_far, after.changes.values())):
        return False
    wanted = Counter(candidate.key for candidate in more)
    return all(after.counts[key] <= before.counts[key] - wanted[key] for key in after.counts | before.counts)


def _goes_too_far(done: Change) -> bool:
    """Whether a change touches what people decide, shows more of a bug, or loses a comment."""
    old, new = dict(done.old.data or {}), dict(done.new.data or {})
    decided = any(simple(old.get(key)) != simple(new.get(key)) for key in PERSONAL)
    return decided or (done.old.restricted and not done.new.restricted) or bool(lost_comments(done.before, done.after))


def mend(option: str | None, options: Options, *, views: bool = True, dry_run: bool = False) -> Outcome:
    """Carry out the safe fixes of the findings that the options choose, all or nothing.

    Data: `fixed` has an entry for each changed file, `{id, changed, codes}`. Raises UsageError, Refused, Surroundings.
    """
    with writing(option) as ws:
        scope = scope_of(ws, options)
        mender = _Mender(ws, today())
        chosen: list[_Candidate] = []
        for turn in range(_PASSES):
            now = mender.plan(chosen).future
            candidates = [*_candidates(ws, now, scope.find(now), turn)]
            more = _without_harm(mender, chosen, candidates)
            if not more:
                break
            chosen += more
        plan = mender.plan(chosen)
        out = _told(ws, chosen, plan, options)
        out.notes += _left(len(candidates) - len(more))
        gate.refuse_new_errors(ws, list(plan.changes.values()))
        if dry_run:
            out.diff = _diff(ws, plan, options)
            return out
        with write.undisturbed():
            _write(ws, plan)
        if views and plan.changes:
            graph.redraw_into(out, ws.reread([path.rpartition("/")[0] for path in plan.changes]))
    return out


def _left(count: int) -> list[str]:
    """Say why findings with a fix were left."""
    if not count:
        return []
    return [f"{plural(count, 'finding')} stayed: the fix would bring about another finding or lose something."]


def _candidates(ws: Workspace, registry: Registry, found: Iterable[Violation], turn: int) -> Iterable[_Candidate]:
    for violation in found:
        mend = fix_for(violation.rule.code, violation.bug, registry, violation.hit, ws.past)
        if mend is not None:
            yield _Candidate(violation, mend, turn)


def _told(ws: Workspace, chosen: Sequence[_Candidate], plan: _Plan, options: Options) -> Outcome:
    """Say what is mended: an entry for each changed file, and of a hidden bug that nobody named no more than its ID."""
    shown = _shown(ws, options)
    fixed: list[dict[str, Any]] = []
    for path, done in plan.changes.items():
        mine = [c for c in chosen if c.violation.bug and path in (c.violation.bug.path, *(p for p, _ in c.mend.others))]
        codes = sorted({c.violation.rule.code for c in mine})
        routes = list(done.routes) if shown(done.old) else []
        fixed.append({"id": done.old.id, "changed": routes, "codes": codes})
    if plan.taxonomy:
        keys = [str(c.violation.hit.params["singular"]) for c in chosen if c.violation.bug is None]
        fixed.append({"id": None, "changed": keys, "codes": ["RV027"]})
    out = Outcome({"fixed": fixed})
    mended = [candidate.violation for candidate in chosen]
    out.findings = sorted(resolve_all(ws, mended, include_restricted=options.include_restricted), key=sort_key)
    return out


def _shown(ws: Workspace, options: Options) -> Callable[[Bug], bool]:
    """Give whether a bug may be shown whole: not hidden, or named by itself (cli.md)."""
    named_ones = set()
    for name in options.names:
        with contextlib.suppress(ReversaError):  # a context
            named_ones.add(alias.resolve(ws.registry, name).path)
    return lambda bug: options.include_restricted or not bug.veiled or bug.path in named_ones


def _diff(ws: Workspace, plan: _Plan, options: Options) -> str:
    shown = _shown(ws, options)
    return change.diff(ws, [done for done in plan.changes.values() if shown(done.old)], _beside(ws, plan))


def _write(ws: Workspace, plan: _Plan) -> None:
    """Write the taxonomy and the records, all or nothing."""
    change.store(ws, list(plan.changes.values()), _beside(ws, plan))


def _beside(ws: Workspace, plan: _Plan) -> change.Beside | None:
    return change.Beside(ws.layout.root / TAXONOMY, *plan.taxonomy) if plan.taxonomy else None
