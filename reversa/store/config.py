"""The configuration: `reversa.toml` and `[tool.reversa]` of `pyproject.toml` (cli.md)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reversa.core.suggest import hint
from reversa.errors import Refused, UsageError
from reversa.store import git
from reversa.store.guard import inside

NAMES = ("pyproject.toml", "reversa.toml")
"""The files that may configure reversa, the weightiest last."""

VIEWS = ("committed", "ignored")

EVIDENCE_SIZE = 5_000_000
"""How many bytes a file may have that is copied in, where the configuration says nothing: every clone carries it."""

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) *([KMG]i?B|B)?", re.IGNORECASE)


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


def _path(value: Any) -> str:
    if "\0" in _text(value):
        raise ValueError("must be a path")
    return _text(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _size(value: Any) -> int:
    match = _SIZE.fullmatch(str(value).strip()) if isinstance(value, str | int) and value is not True else None
    size = int(float(match[1]) * _UNITS[(match[2] or "").lower()]) if match else 0
    if size < 1:
        raise ValueError('must be a size such as "5 MB"')
    return size


def size_shown(size: int) -> str:
    """Write a number of bytes as the configuration takes it and people read it, rounded up: a limit of it is enough."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            tenths = -(-size * 10 // factor)
            return f"{tenths // 10}{f'.{tenths % 10}' if tenths % 10 else ''} {unit}"
    return f"{size} B"


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
    Key(
        "registry",
        _path,
        "found by walking up",
        "The registry folder in this repository, from the folder of the file that names it.",
    ),
    Key("views", _views, '"committed"', "`committed` or `ignored`: whether the views are part of the repository."),
    Key("auto_views", _flag, "true", "Whether writing commands draw the views that changed."),
)
CHECK_KEYS = (
    Key("select", _codes, "all", "The warnings to look for; errors always count. `--select` goes before it."),
    Key("ignore", _reasons, "none", "Warnings that `check` leaves out, each with the reason; never errors."),
    Key("per-context-ignore", _by_context, "none", "The same for the bugs of one context."),
)
"""The keys of the `[check]` table."""

EVIDENCE_KEYS = (
    Key(
        "max_size",
        _size,
        f'"{size_shown(EVIDENCE_SIZE)}"',
        "What a file may have that `new --evidence`, `evidence add` or `intake` copies in.",
    ),
)
"""The keys of the `[evidence]` table."""

TABLES = {"check": CHECK_KEYS, "evidence": EVIDENCE_KEYS}


def settings_for(start: Path) -> dict[str, Any]:
    """Read `[tool.reversa]` of the nearest pyproject.toml that has it, then of the nearest reversa.toml, which wins.

    `registry` is made a path from the folder of the file that names it, `check` a `Checks`, `evidence` a mapping.
    Raises UsageError for a file that cannot be read, an unknown key and a value of the wrong kind, and Refused for a
    registry outside the repository.
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
    tables = {name: table.pop(name) for name in TABLES if name in table}
    out = _read(table, KEYS, file, "", others=tuple(TABLES))
    if out.get("registry"):
        out["registry"] = _within(file.parent / out["registry"], file)
    for name, inner in tables.items():
        if not isinstance(inner, dict):
            raise UsageError(f"{file}: {name} must be a table.", f"[{name}] or [tool.reversa.{name}] begins one.")
        out[name] = _read(inner, TABLES[name], file, f"{name}.")
    if "check" in out:
        read = out["check"]
        out["check"] = Checks(
            read.get("select", ()), read.get("ignore", {}), read.get("per-context-ignore", {}), str(file)
        )
    return out


def _within(registry: Path, file: Path) -> Path:
    """Give a configured registry back if it lies in the repository: a pull request must not move writes elsewhere."""
    base = git.root_above(file.parent) or file.parent
    if not inside(registry, base):
        raise Refused(
            f"{file}: registry leads outside {base}.",
            "Only --registry and REVERSA_REGISTRY may name a registry elsewhere.",
            kind="outside",
        )
    return registry


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
