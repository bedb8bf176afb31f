"""Where things are: the registry, the project around it, git's root, our own templates (registry.md 1)."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from reversa.core.suggest import hint
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

    The other settings are those that hold for `start`, or for a registry named by option or environment those that
    hold where it stands. Raises Surroundings when there is no registry and UsageError for a bad setting.
    """
    environ = os.environ if environ is None else environ
    start = start.absolute()
    named = option or environ.get("REVERSA_REGISTRY") or ""
    if named:
        root = _named(start / named, "--registry" if option else "REVERSA_REGISTRY")
        return layout_of(root, _settings(root.parent))
    settings = _settings(start)
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
    )


def place_for_new(start: Path, option: str | None = None, environ: Mapping[str, str] | None = None) -> Path:
    """Say where `init` makes a registry: where one is named, else at git's root, else in `start`."""
    environ = os.environ if environ is None else environ
    start = start.absolute()
    named = option or environ.get("REVERSA_REGISTRY") or ""
    path = start / named if named else None
    if path is None:
        settings = _settings(start)
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


def _settings(start: Path) -> dict[str, Any]:
    """Read `[tool.reversa]` of the nearest pyproject.toml that has it, then of the nearest reversa.toml, which wins.

    `registry` is made a path from the folder of the file that names it.
    """
    stop = git.root_above(start)
    folders = [start, *start.parents]
    folders = folders[: folders.index(stop) + 1] if stop in folders else folders
    found: dict[str, Any] = {}
    for name in ("pyproject.toml", "reversa.toml"):
        for folder in folders:
            table = _table(folder / name)
            if table is None:
                continue
            _check_settings(table, folder / name)
            if table.get("registry"):
                table["registry"] = folder / table["registry"]
            found.update(table)
            break
    return found


def _table(file: Path) -> dict[str, Any] | None:
    """Read our table of a configuration file; None where there is no such file or it is not about us."""
    if not os.path.isfile(file):
        return None
    data = b""
    try:
        data = file.read_bytes()
        parsed = tomllib.loads(data.decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
        if file.name == "pyproject.toml" and b"tool.reversa" not in data:  # other tools say better what is wrong
            return None
        raise UsageError(f"{file} cannot be read: {error}.") from None
    tool = parsed.pop("tool", {})
    table = tool.get("reversa") if isinstance(tool, dict) else None
    if not isinstance(table, (dict, type(None))):
        raise UsageError(f"{file}: tool.reversa must be a table.", "[tool.reversa] begins one.")
    if file.name == "pyproject.toml":
        return table
    return {**parsed, **(table or {})}


def _check_settings(table: Mapping[str, Any], file: Path) -> None:
    for key, value in table.items():
        if key not in _KEYS:
            from reversa.core.rules.engine import shown

            raise UsageError(f"{file}: unknown key {shown(key)}.", hint(key, _KEYS))
        if not isinstance(value, _KEYS[key]):
            raise UsageError(f"{file}: {key} must be {'true or false' if _KEYS[key] is bool else 'text'}.")
    if table.get("views", "committed") not in _VIEWS:
        raise UsageError(f'{file}: views is "committed" or "ignored".')


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
