"""The configuration: `reversa.toml` and `[tool.reversa]` of `pyproject.toml` (cli.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reversa.core.suggest import hint
from reversa.errors import UsageError
from reversa.store import git

NAMES = ("pyproject.toml", "reversa.toml")
"""The files that may configure reversa, the weightiest last."""

VIEWS = ("committed", "ignored")


@dataclass(frozen=True, slots=True)
class Checks:
    """What `[check]` says: rules to select, rules to ignore with the reason, the same by context, and where it says so.

    Rules are codes or their beginnings, such as RV4; whether there are such rules is for whoever runs them to say.
    """

    select: tuple[str, ...] = ()
    ignore: Mapping[str, str] = field(default_factory=dict)
    per_context: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    file: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the configuration: how its value is read and what it does (docs/configuration.md)."""

    name: str
    read: Callable[[Any], Any]
    default: str
    doc: str


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _views(value: Any) -> str:
    if _text(value) not in VIEWS:
        raise ValueError('is "committed" or "ignored"')
    return _text(value)


def _codes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(code, str) and code.strip() for code in value):
        raise ValueError('must be a list of rules, such as ["RV3", "RV408"]')
    return tuple(code.strip() for code in value)


def _reasons(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(why, str) and why.strip() for why in value.values()):
        raise ValueError('must give a reason for each rule, such as {RV408 = "the specs live elsewhere"}')
    return {code.strip(): " ".join(why.split()) for code, why in value.items()}


def _by_context(value: Any) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict):
        raise ValueError('must be a table by context, such as {checkout = {RV408 = "the specs live elsewhere"}}')
    return {context: _reasons(rules) for context, rules in value.items()}


KEYS = (
    Key("registry", _text, "found by walking up", "The registry folder, from the folder of the file that names it."),
    Key("views", _views, '"committed"', "`committed` or `ignored`: whether the views are part of the repository."),
    Key("auto_views", _flag, "true", "Whether writing commands draw the views that changed."),
)
CHECK_KEYS = (
    Key("select", _codes, "all", "The rules that `check` runs; `--select` goes before it."),
    Key("ignore", _reasons, "none", "Warnings that `check` leaves out, each with the reason; never errors."),
    Key("per-context-ignore", _by_context, "none", "The same for the bugs of one context."),
)
"""The keys of the `[check]` table."""


def settings_for(start: Path) -> dict[str, Any]:
    """Read `[tool.reversa]` of the nearest pyproject.toml that has it, then of the nearest reversa.toml, which wins.

    `registry` is made a path from the folder of the file that names it, `check` a `Checks`. Raises UsageError for a
    file that cannot be read, an unknown key and a value of the wrong kind.
    """
    stop = git.root_above(start)
    folders = [start, *start.parents]
    folders = folders[: folders.index(stop) + 1] if stop in folders else folders
    found: dict[str, Any] = {}
    for name in NAMES:
        for folder in folders:
            table = _table(folder / name)
            if table is not None:
                found.update(_settings(table, folder / name))
                break
    return found


def _table(file: Path) -> dict[str, Any] | None:
    """Read our table of a configuration file; None where there is no such file or it is not about us."""
    if not os.path.isfile(file):
        return None
    data = b""
    try:
        data = file.read_bytes()
        import tomllib

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


def _settings(table: dict[str, Any], file: Path) -> dict[str, Any]:
    checks = table.pop("check", None)
    out = _read(table, KEYS, file, "", others=("check",))
    if out.get("registry"):
        out["registry"] = file.parent / out["registry"]
    if checks is not None:
        if not isinstance(checks, dict):
            raise UsageError(f"{file}: check must be a table.", "[check] or [tool.reversa.check] begins one.")
        read = _read(checks, CHECK_KEYS, file, "check.")
        out["check"] = Checks(
            read.get("select", ()), read.get("ignore", {}), read.get("per-context-ignore", {}), str(file)
        )
    return out


def _read(
    table: Mapping[str, Any], keys: tuple[Key, ...], file: Path, prefix: str, others: tuple[str, ...] = ()
) -> dict[str, Any]:
    known = {key.name: key for key in keys}
    out = {}
    for name, value in table.items():
        if name not in known:
            from reversa.core.rules.engine import shown

            raise UsageError(f"{file}: unknown key {prefix}{shown(name)}.", hint(name, (*known, *others)))
        try:
            out[name] = known[name].read(value)
        except ValueError as error:
            raise UsageError(f"{file}: {prefix}{name} {error}.") from None
    return out
