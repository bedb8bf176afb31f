"""Registries in memory out of the examples in the rules' docstrings.

An example is a piece of front matter laid over a complete record; keys that begin with `_` say what is around it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reversa.core.bug import Bug, Lock, Oddity, Registry
from reversa.core.document import Plain, Problem, simple
from reversa.core.fields import BODY_SECTIONS
from reversa.core.taxonomy import Taxonomy, from_data
from reversa.store import frontmatter
from reversa.store.around import heading_anchors
from reversa.store.registry import bug_from
from reversa.store.seal import parse_lock

ID = "BUG-20260715-A7K3"
FOLDER = f"{ID}-discount-applied-twice"
TITLE = "Discount applied twice"
BASE = f"""
schema_version: 1
id: {ID}
display_number: 7
title: {TITLE}
status: open
phase: triaging
severity: high
priority: P1
created: 2026-07-15
updated: 2026-07-16
origin: {{type: manual-report, external_ref: null}}
area: sales
module: checkout
feature: discount
labels: []
visibility: normal
security_suspected: false
reproduction: {{classification: deterministic, rate: "10/10", suspected_triggers: []}}
blocking: []
relationships: []
traceability: {{specs: [], affected_code: [], root_cause: null, reproduction_tests: [], regression_tests: []}}
spec_verdict: null
change_set: []
closure: {{policy: local-software, satisfied: false}}
resolution_kind: null
"""
SPEC = "_reversa_sdd/sales.md"


class Files:
    """An Around over a mapping of path to content; folders are there as soon as a file is."""

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        self.files = dict(files or {})

    def exists(self, path: str) -> bool:
        path = path.rstrip("/")
        return bool(path) and any(name == path or name.startswith(f"{path}/") for name in self.files)

    def anchors(self, path: str) -> frozenset[str] | None:
        return heading_anchors(self.files[path]) if path in self.files else None

    def lines(self, path: str) -> int | None:
        return self.files[path].count("\n") if path in self.files else None


def raw(text: str) -> Any:
    """Read YAML as records are read: no scalar is resolved."""
    value, problem = frontmatter.read_yaml(text.encode())
    assert problem is None, problem
    return value


def emit(value: Any, indent: str = "") -> str:
    """Write raw data as block YAML that reads back the same: plain scalars plain, all others quoted."""
    if isinstance(value, dict):
        lines = (f"{indent}{json.dumps(key, ensure_ascii=False)}:{_after(item, indent)}" for key, item in value.items())
        return "".join(lines) if value else ""
    lines = (f"{indent}-{_after(item, indent)}" for item in value)
    return "".join(lines)


def _after(value: Any, indent: str) -> str:
    if isinstance(value, Plain):
        return f" {value}\n"
    if isinstance(value, str):
        return f" {json.dumps(value, ensure_ascii=False)}\n"
    if not value:
        return " {}\n" if isinstance(value, dict) else " []\n"
    return "\n" + emit(value, indent + "  ")


def merged(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Lay one mapping over another, mappings within mappings too."""
    out = dict(base)
    for key, value in over.items():
        below = out.get(key)
        out[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) and value else value
    return out


def _without(data: dict[str, Any], routes: Iterable[str]) -> dict[str, Any]:
    for route in routes:
        *steps, last = route.split(".")
        at = data
        for step in steps:
            at = at[step]
        del at[last]
    return data


def standard_body(title: str) -> str:
    """Give a body with every section of the contract."""
    return f"# {title}\n\n" + "".join(f"## {name}\n\nSomething is known here.\n\n" for name in BODY_SECTIONS)


def record(example: Mapping[str, Any]) -> bytes:
    """Give the bytes of the record that an example describes."""
    if "_text" in example:
        return str(example["_text"]).encode()
    over = {key: value for key, value in example.items() if not key.startswith("_")}
    data = _without(merged(raw(BASE), over), example.get("_without", ()))
    if "_nested" in example:
        depth = int(example["_nested"])
        data["nested"] = Plain("[" * depth + "]" * depth)
    title = data.get("title")
    body = example.get("_body", standard_body(str(title) if isinstance(title, str) else ""))
    body += "x" * int(example.get("_padding", 0))
    mark = "\ufeff" if "_bom" in example else ""
    return f"{mark}---\n{emit(data)}---\n\n{body}".encode(str(example.get("_encoding", "utf-8")))


def bug_of(example: Mapping[str, Any], folder: str = FOLDER) -> Bug:
    """Give the bug that an example describes."""
    lock: Lock | None = None
    if simple(example.get("_locked")) is True:
        lock = Lock("", "", "")
    if "_done" in example:
        lock = parse_lock(str(example["_done"]).encode())
    data = record(example)
    folder = f"checkout/bugs/{example.get('_folder', folder)}"
    bug = bug_from(folder, frontmatter.read(data), data, lock=lock)
    found = {key: tuple(map(str, example.get(f"_{key}", ()))) for key in ("drift", "aged")}
    return replace(bug, seal=str(example.get("_seal", "")), **found)


def registry_of(example: Mapping[str, Any]) -> Registry:
    """Give the registry that an example describes; the bug it is about comes first in `bugs`."""
    others = [bug_of(other, f"{other['id']}-other") for other in example.get("_others", ())]
    aside = [bug_of(other, f"{other['id']}-aside") for other in example.get("_set_aside", ())]
    files = example.get("_files", {})
    files = {str(name): "" for name in files} if isinstance(files, list) else dict(files)
    oddities = [
        Oddity(str(odd["code"]), str(odd["path"]), {k: v for k, v in odd.items() if k not in ("code", "path")})
        for odd in example.get("_oddities", ())
    ]
    return Registry(
        (bug_of(example), *others),
        ("checkout",),
        from_data(example["_taxonomy"]) if "_taxonomy" in example else Taxonomy(),
        Files(files),
        policy=str(example.get("_policy", "local-software")),
        control_mode=str(example.get("_control_mode", "gated")),
        set_aside=tuple(aside),
        oddities=tuple(oddities),
    )


def unreadable(folder: str = FOLDER, code: str = "RV004") -> Bug:
    """Give a bug whose record could not be read."""
    return Bug(
        f"checkout/bugs/{folder}/bug.md",
        folder,
        "checkout",
        False,
        None,
        problems=(Problem(code, params={"problem": "broken"}),),
    )
