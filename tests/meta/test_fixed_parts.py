"""The parts that are fixed: python-frontmatter reads, ruamel.yaml edits the taxonomy, Typer declares, Jinja2 draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import frontmatter
import pytest
import typer
from house import ROOT

from reversa.cli.app import app
from reversa.cli.boundary import run
from reversa.store import frontmatter as reader
from reversa.views.table import VIEWS


def test_records_are_read_through_python_frontmatter(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    real = frontmatter.parse

    def parse(text: str, *args: Any, **kwargs: Any) -> Any:
        calls.append(kwargs["handler"])
        return real(text, *args, **kwargs)

    monkeypatch.setattr(frontmatter, "parse", parse)
    assert reader.read(b"---\na: 1\n---\nbody\n").data == {"a": "1"}
    assert [type(handler) for handler in calls] == [reader.BugHandler]


def test_the_taxonomy_is_edited_through_ruamel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ruamel.yaml

    dumped: list[Any] = []
    real = ruamel.yaml.YAML.dump

    def dump(self: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        dumped.append(list(data))
        return real(self, data, *args, **kwargs)

    monkeypatch.setattr(ruamel.yaml.YAML, "dump", dump)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "_reversa_sdd").mkdir()
    (tmp_path / "_reversa_sdd/domain.md").write_text("# D\n\n## Refunds\n")
    assert run(["init", "--from-specs"]) == 0
    assert dumped == [["area", "module", "feature"]]


def test_commands_are_typers() -> None:
    assert isinstance(app, typer.Typer)


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_comes_from_its_template(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    shutil.copytree(ROOT / "registry-example", tmp_path / "shop")
    monkeypatch.chdir(tmp_path / "shop")
    own = tmp_path / "shop/_reversa_bugs/templates"
    own.mkdir()
    (own / VIEWS[name].template).write_text("from our own template\n")
    assert run(["graph"]) == 0
    drawn = list((tmp_path / "shop").rglob(Path(VIEWS[name].file).name))
    assert drawn and all("from our own template" in path.read_text() for path in drawn)
