"""What can be named in a registry, for shell completion: from the names of folders, no record is opened."""

from __future__ import annotations

from pathlib import Path

from reversa.core.bug import read_id
from reversa.errors import ReversaError
from reversa.store import layout, walk


def bugs(option: str | None, *, locked: bool | None = None) -> list[str]:
    """Give the IDs of bugs, sorted; `locked` chooses those that hold DONE.md or do not. Empty without a registry."""
    root = _root(option)
    if root is None:
        return []
    found = set()
    for context, is_context in walk.contexts(root, []):
        for folder in walk.bug_folders(root, context, []) if is_context else ():
            bug_id = read_id(folder.rpartition("/")[2])
            if bug_id and (locked is None or locked is walk.is_locked(root, folder)):
                found.add(bug_id)
    return sorted(found)


def contexts(option: str | None) -> list[str]:
    """Give the names of the contexts, sorted; empty without a registry."""
    root = _root(option)
    return [] if root is None else sorted(name for name, is_context in walk.contexts(root, []) if name and is_context)


def terms(option: str | None, dimension: str) -> list[str]:
    """Give the terms of a dimension of the taxonomy; empty without a registry."""
    from reversa.store import settings

    root = _root(option)
    return [] if root is None else [*settings.read_taxonomy(root)[0].terms.get(dimension, ())]


def _root(option: str | None) -> Path | None:
    try:
        return layout.find(Path.cwd(), option).root
    except (ReversaError, OSError):  # completion offers what it can and never complains
        return None
