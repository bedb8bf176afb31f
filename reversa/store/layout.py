"""Where things are: the registry, the project around it, git's root, our own templates (registry.md 1)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from reversa.errors import Surroundings
from reversa.store import git
from reversa.store.config import EVIDENCE_SIZE, Checks, settings_for

NAME = "_reversa_bugs"
SPEC_FOLDER = "_reversa_sdd"


_NO_CHECKS = Checks()


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders that a command works with; `git_root` is None outside git."""

    root: Path
    project: Path
    git_root: Path | None
    spec_folder: str = SPEC_FOLDER
    language: str = ""
    views: str = "committed"
    auto_views: bool = True
    checks: Checks = _NO_CHECKS
    evidence_size: int = EVIDENCE_SIZE

    @property
    def prefix(self) -> str:
        """The registry's path from the project root."""
        return self.root.name

    def from_git_root(self, path: Path) -> str:
        """Give a path from git's root (the project root outside git), with `/`."""
        base = self.git_root or self.project
        return Path(os.path.relpath(path, base)).as_posix()


def find(start: Path, option: str | None = None, environ: Mapping[str, str] | None = None) -> Layout:
    """Find the registry: option, REVERSA_REGISTRY, reversa.toml, pyproject.toml, then walking up from `start`.

    The other settings are those that hold for `start`, or for a registry named by option or environment those that
    hold where it stands. Raises Surroundings when there is no registry and UsageError for a bad setting.
    """
    environ = os.environ if environ is None else environ
    start = start.absolute()
    named = option or environ.get("REVERSA_REGISTRY") or ""
    if named:
        root = _named(start / named, "--registry" if option else "REVERSA_REGISTRY")
        return layout_of(root, settings_for(root.parent))
    settings = settings_for(start)
    if settings.get("registry"):
        return layout_of(_named(settings["registry"], "registry in the configuration"), settings)
    return layout_of(_walk_up(start), settings)


def layout_of(root: Path, settings: Mapping[str, Any] | None = None) -> Layout:
    """Describe a registry folder that is known to exist."""
    root = _straight(root)
    project = root.parent
    settings = settings or {}
    state = _state(project)
    return Layout(
        root,
        project,
        git.root_above(root),  # not the project's: a registry may be a repository or a submodule of its own
        state.get("output_folder") or SPEC_FOLDER,
        state.get("doc_language") or "",
        settings.get("views", "committed"),
        settings.get("auto_views", True),
        settings.get("check", _NO_CHECKS),
        settings.get("evidence", {}).get("max_size", EVIDENCE_SIZE),
    )


def place_for_new(start: Path, option: str | None = None, environ: Mapping[str, str] | None = None) -> Path:
    """Say where `init` makes a registry: where one is named, else at git's root, else in `start`."""
    environ = os.environ if environ is None else environ
    start = start.absolute()
    named = option or environ.get("REVERSA_REGISTRY") or ""
    path = start / named if named else None
    if path is None:
        settings = settings_for(start)
        path = Path(settings["registry"]) if "registry" in settings else None
    if path is None:
        try:
            return _walk_up(start)
        except Surroundings:
            return (git.root_above(start) or start) / NAME
    return _straight(path / NAME if os.path.isdir(path / NAME) else path)


def _straight(path: Path) -> Path:
    """Make a path absolute and without `..`, which would make `parents` name folders that are not above it."""
    path = path.absolute()
    return Path(os.path.realpath(path)) if ".." in path.parts else path


def _named(path: Path, source: str) -> Path:
    for folder in (path / NAME, path):
        if os.path.isdir(folder):
            return _straight(folder)
    raise Surroundings(
        f"{source} names {path}, which is no folder.",
        "reversa init --registry with that path makes one there.",
        kind="no-registry",
    )


def _walk_up(start: Path) -> Path:
    stop = git.root_above(start)
    for folder in (start, *start.parents):
        if os.path.isdir(folder / NAME):
            return folder / NAME
        if folder.name == NAME and os.path.isdir(folder):
            return folder
        if folder == stop:
            break
    raise Surroundings(f"No {NAME}/ here or above.", "reversa init makes one.", kind="no-registry")


def _state(project: Path) -> dict[str, str]:
    """Read `.reversa/state.json` leniently: what is not there, not text or not usable is left out."""
    file = project / ".reversa" / "state.json"
    try:
        if not os.path.isfile(file):  # opening a pipe would wait for a writer
            return {}
        data = json.loads(file.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    found = {}
    for key in ("output_folder", "doc_language"):
        value = data.get(key)
        # lone surrogates and control characters are legal in JSON and fit into no file name that we would show
        if isinstance(value, str) and value.strip() and value.isprintable():
            found[key] = value.strip()
    folder = PurePosixPath(found.pop("output_folder", "."))
    if folder.parts and not folder.is_absolute() and ".." not in folder.parts:
        found["output_folder"] = folder.as_posix()
    return found


def shipped() -> Path:
    """Give the folder that holds our templates and starter taxonomy: in the package, else in the checkout."""
    packaged = Path(__file__).resolve().parent.parent / "_data"
    return packaged if packaged.is_dir() else packaged.parent.parent
