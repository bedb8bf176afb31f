"""Real registries: every view against a second, independent reading of the files and computation of the scores."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from reversa.core import shown
from reversa.store import layout
from reversa.store import registry as store
from reversa.views.render import draw

from .built import TEMPLATES

EXAMPLE = Path(__file__).resolve().parents[2] / "registry-example" / "_reversa_bugs"
REF = re.compile(r"\[(BUG-\d{8}-\w{4})\]")
STATES = ("rejected", "proposed", "supported", "confirmed")
WEIGHTS = {"caused-by": 3, "blocked-by": 2, "regression-of": 4}


@dataclass
class Sample:
    """A registry drawn, and the front matter of its bugs read by PyYAML with all scalars as text."""

    views: dict[str, str]
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    contexts: dict[str, str] = field(default_factory=dict)
    invalid: set[str] = field(default_factory=set)
    restricted: set[str] = field(default_factory=set)

    @property
    def shown(self) -> dict[str, dict[str, Any]]:
        return {key: data for key, data in self.records.items() if key not in self.invalid | self.restricted}

    def of(self, context: str) -> dict[str, dict[str, Any]]:
        return {key: data for key, data in self.shown.items() if self.contexts[key] == context}

    def edges(self) -> set[tuple[str, str, str, str]]:
        """Give each edge once: of a symmetric one that both ends store, the better known copy, then the first."""
        best: dict[tuple[str, ...], tuple[str, str, str, str]] = {}
        for key, data in sorted(self.shown.items()):
            for entry in data.get("relationships") or []:
                target = entry["bug"][:17]
                if target in self.restricted:
                    continue
                symmetric = entry["type"] in ("related-to", "conflicts-with")
                pair = (entry["type"], *(sorted((key, target)) if symmetric else (key, target)))
                if pair not in best or STATES.index(entry["state"]) > STATES.index(best[pair][3]):
                    best[pair] = (key, entry["type"], target, entry["state"])
        return set(best.values())


@pytest.fixture(params=["registry-example", "package-22", "local-6"])
def sample(request: pytest.FixtureRequest, shared: Callable[..., Path]) -> Sample:
    root = EXAMPLE if request.param == "registry-example" else shared("registries", request.param)
    if not root.is_dir():
        pytest.skip(f"{root} is not here")
    sample = Sample({})
    paths = {}
    for file in sorted(root.glob("*/bugs/*/bug.md")):
        data = yaml.load(file.read_text("utf-8").split("\n---", 1)[0].removeprefix("---\n"), yaml.BaseLoader)
        key = data["id"][:17]
        sample.records[key], sample.contexts[key] = data, file.parents[2].name
        if data.get("visibility", "normal") not in ("normal", "internal"):
            sample.restricted.add(key)
        elif data.get("schema_version") != "1" or data.get("status") not in ("open", "active", "resolved"):
            sample.invalid.add(key)
            paths[file.relative_to(root).as_posix()] = ("RV100",)
    loaded = store.load(layout.layout_of(root))
    files = draw(
        loaded, shown.of(loaded, paths), template_folders=TEMPLATES, path_of=lambda bug: f"x/{root.name}/{bug.path}"
    )
    sample.views = {path.removeprefix(f"{root.name}/"): text.decode() for path, text in files.items()}
    return sample


def test_every_context_has_its_views(sample: Sample) -> None:
    drawn = {path.split("/")[0] for path in sample.views if "/generated/" in path}
    assert drawn == set(sample.contexts.values())


def same(given: Any, text: Any) -> bool:
    """Whether a value of the catalog is what the file says; what the catalog adds must be empty."""
    if isinstance(text, dict):
        extra = [given[key] for key in given if key not in text]
        return all(same(given[key], text[key]) for key in text) and all(empty(value) for value in extra)
    if isinstance(text, list):
        return len(given) == len(text) and all(map(same, given, text))
    if given is None or empty(given):
        return text in ("", "~", "null", "Null", "NULL")
    if isinstance(given, bool):
        return str(given).lower() == text.lower()
    return str(given) == text


def empty(value: Any) -> bool:
    return value in (None, []) or (isinstance(value, dict) and all(map(empty, value.values())))


def test_catalog_is_the_front_matter(sample: Sample) -> None:
    for context in set(sample.contexts.values()):
        rows = [json.loads(line) for line in sample.views[f"{context}/generated/catalog.jsonl"].splitlines()]
        assert [row["id"] for row in rows] == sorted(sample.of(context))
        for row in rows:
            data = sample.of(context)[row["id"]]
            for key, text in data.items():
                if key in ("id", "context"):
                    continue
                if key in ("relationships", "blocking"):
                    end = "bug" if key == "relationships" else "target"
                    text = [entry for entry in text if entry.get(end, "")[:17] not in sample.restricted]
                assert same(row[key], text), (row["id"], key)
            assert row["path"].startswith("x/") and row["path"].endswith("/bug.md")
            assert row["context"] == context
            assert row["done"] is (data["status"] == "resolved")


def scores(sample: Sample) -> dict[str, int]:
    """Compute the impact anew, straight from the contract's sentence."""
    status = {key: data["status"] for key, data in sample.shown.items()}
    points = {key: 0 for key in status if status[key] != "resolved"}
    related: dict[str, set[str]] = {key: set() for key in points}
    for source, kind, target, state in sorted(sample.edges()):
        if state not in ("supported", "confirmed") or source not in status or target not in status:
            continue
        if kind == "related-to":
            for one, other in ((source, target), (target, source)):
                if one in points:
                    related[one].add(other)
        if kind in WEIGHTS and target in points:
            points[target] += WEIGHTS[kind]
        elif kind == "regression-of" and source in points:
            points[source] += WEIGHTS[kind]
    return {key: points[key] + min(3, len(related[key])) for key in points}


def test_scores(sample: Sample) -> None:
    expected = scores(sample)
    for context in set(sample.contexts.values()):
        for line in sample.views[f"{context}/generated/catalog.jsonl"].splitlines():
            row = json.loads(line)
            assert row["impact"] == expected.get(row["id"], 0)
        table = sample.views[f"{context}/generated/graph.md"].split("## Impact")[1]
        drawn = {match[2]: int(match[1]) for match in re.finditer(r"^\| (\d+) \| \[(BUG-[\w-]+)\]", table, re.M)}
        assert drawn == {key: value for key, value in expected.items() if sample.contexts[key] == context}


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ") and "BUG-" in line]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_matrix_has_every_edge_once_and_its_inverse(sample: Sample) -> None:
    declared: set[tuple[str, ...]] = set()
    derived: list[tuple[str, ...]] = []
    for context in set(sample.contexts.values()):
        for source, kind, target, place, state, _ in rows(sample.views[f"{context}/generated/matrix.md"]):
            one, other = source.strip("[]"), target.strip("[]")
            assert place == (sample.contexts[other] if other in sample.shown else "")
            if kind.endswith("(derived)"):
                derived.append((other, one, state))
            else:
                assert (one, kind, other, state) not in declared
                declared.add((one, kind, other, state))
    assert declared == sample.edges()
    expected = [(source, target, state) for source, _, target, state in sample.edges()]
    assert sorted(derived) == sorted(edge for edge in expected if edge[2] != "rejected" and edge[1] in sample.shown)


def test_graph_draws_every_edge_that_is_not_rejected(sample: Sample) -> None:
    for context in set(sample.contexts.values()):
        mine = sample.of(context)
        wanted = {edge for edge in sample.edges() if edge[3] != "rejected" and (edge[0] in mine or edge[2] in mine)}
        text = sample.views[f"{context}/generated/graph.md"]
        found = re.findall(r"^  (BUG_\w+) (<?-\.?->)\|([\w-]+)\| (BUG_\w+)$", text, re.M)
        drawn = {(source, kind, target, arrow.strip("<") == "-.->") for source, arrow, kind, target in found}
        assert drawn == {
            (source.replace("-", "_"), kind, target.replace("-", "_"), state == "proposed")
            for source, kind, target, state in wanted
        }
        page = sample.views[f"{context}/generated/graph.html"]
        tips = {tuple(found) for found in re.findall(r"<title>(BUG-[\w-]+) ([\w-]+) (BUG-[\w-]+) \((\w+)\)", page)}
        assert tips == wanted


def test_spec_pairs(sample: Sample) -> None:
    for context in set(sample.contexts.values()):
        text = sample.views[f"{context}/generated/spec-matrix.md"].split("## Addenda")[0]
        drawn = set()
        for name, *cells in rows(text):
            locator = re.match(r"\[?`(.*?)`", name)
            for status, cell in zip(("open", "active", "resolved"), cells, strict=True):
                drawn |= {(locator[1] if locator else "gap", key, status) for key in REF.findall(cell)}
        expected = set()
        for key, data in sample.of(context).items():
            for locator in data["traceability"].get("specs", []):
                expected.add((locator, key, data["status"]))
            if "spec-gap" in data.get("labels", []) or data.get("spec_verdict") == "spec-gap":
                expected.add(("gap", key, data["status"]))
        assert drawn == expected


def test_every_bug_is_where_it_belongs(sample: Sample) -> None:
    for context in set(sample.contexts.values()):
        index = sample.views[f"{context}/generated/index.md"]
        page = sample.views[f"{context}/generated/graph.html"]
        for key, data in sample.records.items():
            if sample.contexts[key] != context:
                continue
            if key in sample.restricted:
                assert index.count(key) == 1 and re.search(rf"^(BUG-[\w-]+, )*{key}", index, re.M)
                assert key not in page
            elif key in sample.invalid:
                assert f"- {key}: RV100\n" in index
                assert f'<tr data-id="{key}"' not in page
            else:
                assert len(re.findall(rf"[|-] .*?\[{key}\]\(\.\./bugs/{key}[^)]*/bug\.md\)", index)) >= 1
                assert page.count(f'<tr data-id="{key}" data-status="{data["status"]}"') == 1
                assert page.count(f'data-id="{key}" data-status="{data["status"]}"><title>') == 1


def test_mirror_names_every_hit(sample: Sample) -> None:
    text = sample.views.get("_reversa_sdd/traceability/bugs.md")
    if text is None:
        return
    for key, data in sample.shown.items():
        for locator in data["traceability"].get("specs", []):
            path, _, anchor = locator.partition("#")
            table = text.split(f"[`{path}`]")[1].split("\n## ")[0]
            assert re.search(rf"^\| {re.escape(anchor)} \| \[{key}\] \| {data['status']} ", table, re.M)
