"""Where things are: the registry, the project around it, git's root, our own templates (registry.md 1)."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.errors import Surroundings, UsageError
from reversa.store import git

NAME = "_reversa_bugs"
SPEC_FOLDER = "_reversa_sdd"
_KEYS: Mapping[str, type] = {"registry": str, "views": str, "auto_views": bool}
_VIEWS = ("committed", "ignored")


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

    Raises Surroundings when there is none and UsageError for a named one that does not exist or a bad setting.
    """
    environ = os.environ if environ is None else environ
    settings, where = _settings(start)
    named = option or environ.get("REVERSA_REGISTRY") or ""
    if named:
        root = _named(start / named, "--registry" if option else "REVERSA_REGISTRY")
    elif settings.get("registry"):
        root = _named(where / settings["registry"], "registry in the configuration")
    else:
        root = _walk_up(start)
    return layout_of(root, settings)


def layout_of(root: Path, settings: Mapping[str, Any] | None = None) -> Layout:
    """Describe a registry folder that is known to exist."""
    root = root.absolute()
    project = root.parent
    settings = settings or {}
    state = _state(project)
    return Layout(
        root,
        project,
        git.root_above(project),
        state.get("output_folder") or SPEC_FOLDER,
        state.get("doc_language") or "",
        settings.get("views", "committed"),
        settings.get("auto_views", True),
    )


def place_for_new(start: Path, option: str | None = None, environ: Mapping[str, str] | None = None) -> Path:
    """Say where `init` makes a registry: where one is named, else at git's root, else in `start`."""
    environ = os.environ if environ is None else environ
    settings, where = _settings(start)
    named = option or environ.get("REVERSA_REGISTRY") or ""
    if named:
        path = start / named
    elif settings.get("registry"):
        path = where / settings["registry"]
    else:
        try:
            return _walk_up(start)
        except Surroundings:
            return (git.root_above(start) or start) / NAME
    return path / NAME if (path / NAME).is_dir() else path


def _named(path: Path, source: str) -> Path:
    if (path / NAME).is_dir():
        return path / NAME
    if path.is_dir():
        return Path(os.path.normpath(path.absolute()))
    raise Surroundings(
        f"{source} names {path}, which is no folder.", "reversa init makes a registry there.", kind="no-registry"
    )


def _walk_up(start: Path) -> Path:
    start = start.absolute()
    stop = git.root_above(start)
    for folder in (start, *start.parents):
        if (folder / NAME).is_dir():
            return folder / NAME
        if folder.name == NAME and folder.is_dir():
            return folder
        if folder == stop:
            break
    raise Surroundings(f"No {NAME}/ here or above.", "reversa init makes one.", kind="no-registry")


def _settings(start: Path) -> tuple[dict[str, Any], Path]:
    """Read `[tool.reversa]` of the nearest reversa.toml, else of the nearest pyproject.toml that has it."""
    start = start.absolute()
    stop = git.root_above(start)
    folders = [start, *start.parents]
    folders = folders[: folders.index(stop) + 1] if stop in folders else folders
    for name in ("reversa.toml", "pyproject.toml"):
        for folder in folders:
            file = folder / name
            if not file.is_file():
                continue
            table = _table(file)
            if table is not None:
                _check_settings(table, file)
                return table, folder
    return {}, start


def _table(file: Path) -> dict[str, Any] | None:
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if file.name == "pyproject.toml":  # not ours to judge; other tools say it better
            return None
        raise UsageError(f"{file} cannot be read: {error}.") from None
    tool = data.get("tool")
    table = tool.get("reversa") if isinstance(tool, dict) else None
    if table is None and file.name == "reversa.toml":
        table = {key: value for key, value in data.items() if key != "tool"}
    return table if isinstance(table, dict) else None


def _check_settings(table: Mapping[str, Any], file: Path) -> None:
    for key, value in table.items():
        if key not in _KEYS:
            from rapidfuzz import process

            near = process.extractOne(key, list(_KEYS), score_cutoff=60)
            hint = f"Did you mean {near[0]}?" if near else f"Known keys: {', '.join(_KEYS)}."
            raise UsageError(f"{file}: unknown key {key}.", hint)
        if not isinstance(value, _KEYS[key]):
            raise UsageError(f"{file}: {key} must be {'true or false' if _KEYS[key] is bool else 'text'}.")
    if table.get("views", "committed") not in _VIEWS:
        raise UsageError(f'{file}: views is "committed" or "ignored".')


def _state(project: Path) -> dict[str, str]:
    """Read `.reversa/state.json` leniently: what is not there or not text is left out."""
    try:
        data = json.loads((project / ".reversa" / "state.json").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    found = {key: data[key] for key in ("output_folder", "doc_language") if isinstance(data.get(key), str)}
    folder = Path(found.get("output_folder", ""))
    if folder.is_absolute() or ".." in folder.parts:
        del found["output_folder"]
    return found


def shipped() -> Path:
    """Give the folder that holds our templates and starter taxonomy: in the package, else in the checkout."""
    packaged = Path(__file__).resolve().parent.parent / "_data"
    return packaged if packaged.is_dir() else packaged.parent.parent
