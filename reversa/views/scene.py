"""What a view is drawn from: the shown part of a registry, and where the view's own file will lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from reversa.core.bug import Blocker, Bug, Registry
from reversa.core.graph import Edge
from reversa.core.query import sort
from reversa.core.shown import Shown, Unshown
from reversa.views import escape


@dataclass(frozen=True)
class Scene:
    """One view of one context (`context` None: of the whole registry) at one place.

    `file` is the path of the view from the project root; `path_of` gives a record's path from the repository root;
    `addenda` are names of files in the spec folder's `addenda`.
    """

    registry: Registry
    shown: Shown
    context: str | None
    file: str
    path_of: Callable[[Bug], str]
    notes: str = ""
    addenda: Sequence[str] = ()

    @cached_property
    def bugs(self) -> list[Bug]:
        """The shown bugs of the context, by ID."""
        return [bug for bug in self.shown.bugs if self.context is None or bug.context == self.context]

    @cached_property
    def unresolved(self) -> list[Bug]:
        """The open and active bugs of the context, the most urgent first."""
        return sort(bug for bug in self.bugs if bug.status != "resolved")

    @cached_property
    def resolved(self) -> list[Bug]:
        """The resolved bugs of the context, by ID."""
        return [bug for bug in self.bugs if bug.status == "resolved"]

    @cached_property
    def edges(self) -> list[Edge]:
        """The edges that a bug of the context declares, or that another context's bug draws to one of its bugs."""
        mine = {bug.key for bug in self.bugs}
        return [edge for edge in self.shown.edges if edge.source in mine or edge.target in mine]

    @property
    def newest(self) -> str:
        """The newest `updated` of the bugs, "" where none reads as a date."""
        return max((bug.updated for bug in self.bugs if bug.updated[:4].isdigit()), default="")

    def of_context(self, unshown: Sequence[Unshown]) -> list[Unshown]:
        """Give those of the context."""
        return [entry for entry in unshown if self.context is None or entry.context == self.context]

    def link(self, path: str) -> str:
        """Give a plain path from the project root as a link from the view's own file."""
        steps, folder = path.split("/"), self.file.split("/")[:-1]
        shared = 0
        while shared < min(len(folder), len(steps) - 1) and folder[shared] == steps[shared]:
            shared += 1
        return escape.href("/".join([".."] * (len(folder) - shared) + steps[shared:]))

    def href(self, bug: Bug) -> str:
        """Give the link to a bug's record."""
        return self.link(f"{self.registry.folder_of(bug)}/bug.md")

    def foreign(self, key: str) -> str:
        """Give the context of a shown bug when it is another one than the view's, else ""."""
        bug = self.shown.by_key.get(key)
        return bug.context if bug and self.context is not None and bug.context != self.context else ""

    def context_of(self, key: str) -> str:
        """Give the context of a shown bug, "" for any other."""
        bug = self.shown.by_key.get(key)
        return bug.context if bug else ""

    def specs(self, bug: Bug) -> list[str]:
        """Give the locators of a bug, each once, without those that name a restricted bug's addendum."""
        found = bug.texts("traceability", "specs")
        return [locator for locator in dict.fromkeys(found) if not self.shown.tells(locator)]

    def obstacles(self, bug: Bug) -> list[Blocker]:
        """Give what blocks a bug now, restricted bugs left out."""
        return [found for found in self.registry.obstacles(bug) if found.target not in self.shown.hidden]


class References:
    """Markdown references to bugs: short in the text, the links once at the end of the file."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._used: dict[str, Bug] = {}

    def __call__(self, key: str) -> str:
        """Give an ID as a reference, bare where its bug is not shown."""
        bug = self._scene.shown.by_key.get(key)
        if bug is None:
            return self._scene.shown.name(key)
        self._used[key] = bug
        return f"[{bug.id}]"

    def definitions(self) -> list[str]:
        """Give the link of every reference that was made, sorted by ID."""
        return [f"[{bug.id}]: {self._scene.href(bug)}" for _, bug in sorted(self._used.items())]
