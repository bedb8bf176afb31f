"""What can be named in a registry, for shell completion: from the names of folders, no record is opened."""

from __future__ import annotations

from pathlib import Path

from reversa.core.bug import read_id
from reversa.errors import ReversaError
from reversa.store import layout, walk
from reversa.store.tree import Disk, Tree


def bugs(option: str | None, *, locked: bool | None = None) -> list[str]:
    """Give the IDs of bugs, sorted; `locked` chooses those that hold DONE.md or do not. Empty without a registry."""
    tree = _tree(option)
    if tree is None:
        return []
    found = set()
    for context, is_context in walk.contexts(tree, []):
        for folder in walk.bug_folders(tree, context, []) if is_context else ():
            bug_id = read_id(folder.rpartition("/")[2])
            if bug_id and (locked is None or locked is walk.is_locked(tree, folder)):
                found.add(bug_id)
    return sorted(found)


def contexts(option: str | None) -> list[str]:
    """Give the names of the contexts, sorted; empty without a registry."""
    tree = _tree(option)
    return [] if tree is None else sorted(name for name, is_context in walk.contexts(tree, []) if name and is_context)


def terms(option: str | None, dimension: str) -> list[str]:
    """Give the terms of a dimension of the taxonomy; empty without a registry."""
    from reversa.store import settings

    tree = _tree(option)
    return [] if tree is None else [*settings.read_taxonomy(tree)[0].terms.get(dimension, ())]


def _tree(option: str | None) -> Tree | None:
    try:
        return Disk(layout.find(Path.cwd(), option).root)
    except (ReversaError, OSError):  # completion offers what it can and never complains
        return None
