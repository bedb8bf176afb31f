"""A registry at two moments of its history: what the rules say of the later one, parted into new and old."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reversa.commands.workspace import Workspace
from reversa.core.bug import Oddity, Registry, read_id
from reversa.core.rules.engine import Rule, Violation, identity, run
from reversa.store.drift import Locks
from reversa.store.revisions import Listing
from reversa.store.snapshot import History


@dataclass
class Moment:
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
class Step:
    """What led to a moment: the moments before it (of several parents, one each), and the newest commit of the way.

    A `base` makes it a way of several commits, as `Locks.changed` takes it.
    """

    befores: Sequence[Moment]
    now: Moment
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
            start + _folder(path[len(start) :])
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


def _folder(path: str) -> str:
    """Give the bug's folder that a file of the registry is in, or the file itself."""
    parts = path.split("/")
    return "/".join(parts[: parts.index("bugs") + 2]) if "bugs" in parts[:-2] else path


def _bare(folder: str, history: History) -> str:
    """Give the path of a folder that is gone without its slug: it may have said that it is restricted."""
    place, _, name = folder.removeprefix(history.start).rpartition("/")
    return f"{place}/{read_id(name) or name}"


_Violations = list[Violation]


def split(found: Iterable[Violation], before: Sequence[_Violations]) -> tuple[_Violations, _Violations]:
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
