"""The record model: bugs, their edges and obstacles, and the registry that holds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from reversa.core.document import Plain, Problem, filled, get, is_null, items, mapping
from reversa.core.fields import VISIBILITIES
from reversa.core.taxonomy import Taxonomy

ID = re.compile(r"(BUG-[0-9]{8}-[0-9A-Za-z]{4})(?:-|\Z)")


def read_id(text: str) -> str:
    """Give the ID at the start of a text as written, or "" where there is none (registry.md 2)."""
    match = ID.match(text)
    return match[1] if match else ""


def text_at(data: Any, *route: str | int) -> str:
    """Give the scalar at a route as text; null, absent and collections are ""."""
    value = get(data, *route)
    return str(value) if isinstance(value, str) and not is_null(value) else ""


def true_at(data: Any, *route: str | int) -> bool:
    """Whether the plain scalar at a route is true."""
    value = get(data, *route)
    return isinstance(value, Plain) and value in ("true", "True", "TRUE")


@dataclass(frozen=True, slots=True)
class Relation:
    """A declared edge; `target` is the upper-case ID it points at, "" where the text holds none."""

    index: int
    bug: str
    target: str
    type: str
    state: str
    evidence: tuple[Any, ...]

    @property
    def proven(self) -> bool:
        """Whether it counts in scores, clusters and orders (registry.md 4)."""
        return self.state in ("supported", "confirmed")


@dataclass(frozen=True, slots=True)
class Blocker:
    """An entry of `blocking`; `target` is the upper-case ID of a blocking bug, else ""."""

    index: int
    kind: str
    text: str
    target: str
    reason: str


LOCK_NAME = "DONE.md"
"""The file whose presence locks a bug's folder (registry.md 7)."""


@dataclass(frozen=True, slots=True)
class Lock:
    """What a DONE.md says: the first ISO date in it, the kind it names and its seal; each "" where absent."""

    date: str
    kind: str
    seal: str


@dataclass(frozen=True)
class Bug:
    """One bug folder, read leniently: an unreadable record keeps the ID of its folder and has no data.

    `path` is that of `bug.md` from the registry root, with `/`; `folder` the folder's name; `context` "" for the flat
    layout; `files` the other files of the folder, relative to it, or None when they were not looked up; `seal` the
    seal computed over the folder now, "" when it was not needed; `drift` the files of a locked folder that are not as
    they were locked, `aged` those that commits changed long ago.
    """

    path: str
    folder: str
    context: str
    locked: bool
    data: Mapping[str, Any] | None
    body: str = ""
    problems: tuple[Problem, ...] = ()
    lock: Lock | None = None
    seal: str = ""
    body_line: int = 1
    maybe_restricted: bool = False
    says_visible: bool = False
    drift: tuple[str, ...] = ()
    aged: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        return self.data is not None

    @cached_property
    def id(self) -> str:
        """The ID as written, that of the folder for an unreadable record, or "" where neither has one."""
        return read_id(text_at(self.data, "id")) or read_id(self.folder)

    @cached_property
    def key(self) -> str:
        """The ID in upper case: how IDs are compared."""
        return self.id.upper()

    @cached_property
    def number(self) -> int | None:
        text = text_at(self.data, "display_number")
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None

    @cached_property
    def title(self) -> str:
        return text_at(self.data, "title")

    @cached_property
    def status(self) -> str:
        return text_at(self.data, "status")

    @property
    def phase(self) -> str:
        return text_at(self.data, "phase")

    @property
    def severity(self) -> str:
        return text_at(self.data, "severity")

    @property
    def priority(self) -> str:
        return text_at(self.data, "priority")

    @property
    def area(self) -> str:
        return text_at(self.data, "area")

    @property
    def module(self) -> str:
        return text_at(self.data, "module")

    @property
    def feature(self) -> str:
        return text_at(self.data, "feature")

    @property
    def created(self) -> str:
        return text_at(self.data, "created")

    @property
    def updated(self) -> str:
        return text_at(self.data, "updated")

    @property
    def labels(self) -> tuple[str, ...]:
        return self.texts("labels")

    @property
    def resolution_kind(self) -> str:
        return text_at(self.data, "resolution_kind")

    @property
    def satisfied(self) -> bool:
        return true_at(self.data, "closure", "satisfied")

    @property
    def security_suspected(self) -> bool:
        return true_at(self.data, "security_suspected")

    @property
    def verdict(self) -> str:
        """The verdict's word, also out of the mapping shape that is in real use (registry.md 3, "Filled")."""
        value = get(self.data, "spec_verdict")
        return text_at(value, "verdict") if isinstance(value, dict) else text_at(self.data, "spec_verdict")

    @property
    def cause_state(self) -> str:
        return text_at(self.data, "traceability", "root_cause", "state")

    @cached_property
    def visibility(self) -> str:
        """The visibility that holds: missing is normal, or restricted under suspicion; unknown is restricted."""
        if self.data is None:
            return "restricted" if self.maybe_restricted else "normal"
        value = self.data.get("visibility")
        if value is None or is_null(value):
            return "restricted" if self.security_suspected else "normal"
        return str(value) if isinstance(value, str) and value in VISIBILITIES else "restricted"

    @property
    def restricted(self) -> bool:
        return self.visibility == "restricted"

    @property
    def veiled(self) -> bool:
        """Whether nothing but its ID may be shown: restricted, or unreadable without saying that it may be seen."""
        return self.restricted or (self.data is None and not self.says_visible)

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        out = []
        for index, entry in enumerate(items(get(self.data, "relationships"))):
            bug = text_at(entry, "bug")
            evidence = tuple(item for item in items(get(entry, "evidence")) if filled(item))
            out.append(
                Relation(index, bug, read_id(bug).upper(), text_at(entry, "type"), text_at(entry, "state"), evidence)
            )
        return tuple(out)

    @cached_property
    def blockers(self) -> tuple[Blocker, ...]:
        out = []
        for index, entry in enumerate(items(get(self.data, "blocking"))):
            target = text_at(entry, "target")
            out.append(
                Blocker(index, text_at(entry, "kind"), target, read_id(target).upper(), text_at(entry, "reason"))
            )
        return tuple(out)

    def texts(self, *route: str) -> tuple[str, ...]:
        """Give the text members of a list at a route; null and nested members are left out."""
        return tuple(str(item) for item in items(get(self.data, *route)) if isinstance(item, str) and filled(item))

    def maps(self, *route: str) -> tuple[dict[str, Any], ...]:
        """Give the members of a list at a route as mappings; a member of another shape is an empty mapping."""
        return tuple(mapping(item) for item in items(get(self.data, *route)))


class Around(Protocol):
    """What the pure core may ask about the files around the registry; paths are from the project root, with `/`."""

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there."""

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there."""

    def anchors(self, path: str) -> frozenset[str] | None:
        """The heading anchors of a Markdown file as GitHub makes them, or None where there is no such file."""

    def lines(self, path: str) -> int | None:
        """The number of lines of a file, or None where there is no such file."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something about a folder or a file of the registry that is no record: a code, where, and what to say."""

    code: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    line: int = 1


@dataclass(frozen=True)
class Registry:
    """All that is known of a registry at one moment.

    `bugs` are sorted by ID, then path. `prefix` is the registry folder's path from the project root, `spec_folder` the
    output folder of `.reversa/state.json`. `set_aside` are bugs under names that start with `_` or `.`: they count for
    uniqueness and references alone (registry.md 1).
    """

    bugs: tuple[Bug, ...]
    contexts: tuple[str, ...]
    taxonomy: Taxonomy
    around: Around
    prefix: str = "_reversa_bugs"
    policy: str = "local-software"
    control_mode: str = "gated"
    language: str = ""
    spec_folder: str = "_reversa_sdd"
    has_spec_folder: bool = False
    set_aside: tuple[Bug, ...] = ()
    oddities: tuple[Oddity, ...] = ()

    @cached_property
    def by_key(self) -> dict[str, list[Bug]]:
        """All bugs that carry an ID, set-aside ones included; more than one is a duplicate."""
        out: dict[str, list[Bug]] = {}
        for bug in (*self.bugs, *self.set_aside):
            if bug.key:
                out.setdefault(bug.key, []).append(bug)
        return out

    @cached_property
    def graph(self) -> Any:
        """The relationship graph, built when first asked for: networkx is a tenth of a second to import."""
        from reversa.core.graph import build

        return build(self)

    def bug(self, key: str) -> Bug | None:
        """Give the first bug with an upper-case ID, or None."""
        found = self.by_key.get(key)
        return found[0] if found else None

    def is_blocked(self, bug: Bug) -> bool:
        """Whether a bug waits for something: an external entry, or a bug that is not resolved (registry.md 3)."""
        return any(True for _ in self.obstacles(bug))

    def obstacles(self, bug: Bug) -> Iterator[Blocker]:
        """Yield the entries of `blocking` that hold now."""
        for blocker in bug.blockers:
            if blocker.kind == "external":
                yield blocker
            elif blocker.target:
                target = self.bug(blocker.target)
                if target is None or target.status != "resolved":
                    yield blocker

    def policy_of(self, bug: Bug) -> str:
        """The closure policy that holds for a bug: its own, else the README's."""
        return text_at(bug.data, "closure", "policy") or self.policy

    def folder_of(self, bug: Bug) -> str:
        """The path of a bug's folder from the project root."""
        return f"{self.prefix}/{bug.path.rsplit('/', 1)[0]}"
