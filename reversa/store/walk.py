"""Which folders of a registry are contexts and bugs: names alone, no record is opened."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import LOCK_NAME, Oddity
from reversa.store.tree import Tree

_CONTEXT_CHILDREN = ("bugs", "intake", "inspections")


def contexts(tree: Tree, oddities: list[Oddity]) -> Iterator[tuple[str, bool]]:
    """Yield folders that hold bugs or may: the flat layout as "", then each child; True for a context."""

    def matters(name: str) -> bool:  # anything else at the root is ignored without a word
        return name in _CONTEXT_CHILDREN or (not name.startswith(("_", ".")) and _like_context(tree, name))

    names = tree.folders("", oddities, matters)
    if "bugs" in names:
        yield "", True
    for name in names:
        if name not in _CONTEXT_CHILDREN and _like_context(tree, name):
            yield name, not name.startswith(("_", "."))


def _like_context(tree: Tree, name: str) -> bool:
    """Whether a folder has a context's children; one that is closed to us may have them, and is asked for bugs."""
    return any(tree.is_folder(f"{name}/{child}") for child in _CONTEXT_CHILDREN)


def bug_folders(tree: Tree, context: str, oddities: list[Oddity]) -> Iterator[str]:
    """Yield the folders below a context's `bugs/` by their paths from the root, sorted; most of them hold a bug."""
    base = f"{context}/bugs" if context else "bugs"
    if tree.leads_out(base):
        oddities.append(Oddity("RV015", base))
        return
    for name in tree.folders(base, oddities):
        if not name.startswith("."):  # a folder under construction, or left by a killed process
            yield f"{base}/{name}"


def is_locked(tree: Tree, folder: str) -> bool:
    """Whether a bug's folder holds DONE.md: its presence is the lock, whatever it says."""
    return tree.holds(f"{folder}/{LOCK_NAME}")
