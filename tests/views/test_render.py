"""Drawing: which files, whose templates, the same bytes under every hash seed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reversa.core.bug import Registry
from reversa.errors import UsageError
from reversa.views.render import HEADER, render_template
from reversa.views.table import VIEWS
from reversa.views.words import Words

from .built import TEMPLATES, bug, edge, registry, views

TESTS = Path(__file__).resolve().parents[1]


def test_every_view_starts_with_the_notice(small: Registry) -> None:
    for name, text in views(small).items():
        if not name.endswith(".jsonl"):
            assert text.startswith(f"{HEADER}\n"), name
        assert text.endswith("\n"), name
        assert "\n\n\n" not in text, name
        assert not [line for line in text.splitlines() if line.endswith("  ")], name


def test_every_view_has_a_template_of_its_own() -> None:
    for view in VIEWS.values():
        assert (TEMPLATES[0] / view.template).is_file()
    assert len({view.template for view in VIEWS.values()}) == len(VIEWS) == 7


def test_what_contexts_share_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that several contexts and views speak of is read once, the page's style and script rendered once."""
    from reversa.views import reading, render

    count = Counter[str]()

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def call(*arguments: Any) -> Any:
            count[name] += 1
            return real(*arguments)

        monkeypatch.setattr(module, name, call)

    for module, name in ((reading, "read"), (render, "_inline")):
        counted(module, name)
    names = [f"X{number:03d}" for number in range(12)]
    shops = [
        bug(name, f"shop-{name.lower()}", relationships=[edge(names[0])] if name > "X000" else []) for name in names
    ]
    apart = [bug("Y000", "shop-y", relationships=[edge("Y001", "caused-by")]), bug("Y001", "shop-y"), bug("Z000", "z")]
    drawn = views(registry(*shops, *apart))
    assert count == {"read": 2, "_inline": 1}
    pages = [text for name, text in drawn.items() if name.endswith("graph.html")]
    assert len(pages) == 14
    assert all("<style>" in page and "<script" in page for page in pages)


def test_some_views_of_some_contexts(small: Registry) -> None:
    assert list(views(small, names=["index"], contexts=["stock"])) == ["_reversa_bugs/stock/generated/index.md"]
    assert list(views(small, names=["mirror"])) == ["_reversa_sdd/traceability/bugs.md"]


def test_flat_layout_and_missing_spec_folder() -> None:
    flat = registry(bug("AAAA", "", relationships=[edge("BBBB")]), bug("BBBB", "later"))
    drawn = views(flat, names=["index", "matrix"])
    assert next(iter(drawn)) == "_reversa_bugs/generated/index.md"
    assert "](../bugs/BUG-20260715-AAAA/bug.md)" in drawn["_reversa_bugs/generated/index.md"]
    assert "]: ../later/bugs/BUG-20260715-BBBB/bug.md\n" in drawn["_reversa_bugs/generated/matrix.md"]
    assert "]: ../../bugs/BUG-20260715-AAAA/bug.md\n" in drawn["_reversa_bugs/later/generated/matrix.md"]
    bare = Registry(flat.bugs, flat.contexts, flat.taxonomy, flat.around)
    assert not [name for name in views(bare) if "traceability" in name]


def test_an_empty_registry_has_no_views() -> None:
    assert views(registry()) == {}


def test_notes_are_included_and_only_there() -> None:
    drawn = views(registry(bug("AAAA")), notes={"shop": "\n# Ours\n\nAsk *first*.\n\n"})
    assert drawn["_reversa_bugs/shop/generated/index.md"].endswith("\n## Notes\n\n# Ours\n\nAsk *first*.\n")
    assert [name for name, text in drawn.items() if "Ours" in text] == ["_reversa_bugs/shop/generated/index.md"]


def test_own_templates_win(tmp_path: Path) -> None:
    (tmp_path / "index.md.j2").write_text("{{ bugs }} in {{ title }}\n")
    (tmp_path / "graph.css.j2").write_text("body{color:red}")
    drawn = views(registry(bug("AAAA")), template_folders=[tmp_path, *TEMPLATES])
    assert drawn["_reversa_bugs/shop/generated/index.md"] == "1 in shop\n"
    assert "<style>body{color:red}</style>" in drawn["_reversa_bugs/shop/generated/graph.html"]


@pytest.mark.parametrize(
    ("template", "where"),
    [
        ("ok\n{{ nosuch }}\n", "index.md.j2:2"),
        ("{% for x in %}", "index.md.j2:1"),
        ("\n\n{{ bugs + 'x' }}", "index.md.j2:3"),
        ("{{ ''.__class__.__mro__ }}", "index.md.j2:1"),
        ("{{ statuses.append('x') }}", "index.md.j2:1"),
        ("{% include 'nosuch.j2' %}", "nosuch.j2"),
    ],
)
def test_a_template_that_fails_is_named(tmp_path: Path, template: str, where: str) -> None:
    (tmp_path / "index.md.j2").write_text(template)
    with pytest.raises(UsageError) as raised:
        views(registry(bug("AAAA")), template_folders=[tmp_path, *TEMPLATES], names=["index"])
    assert where in raised.value.message


def test_render_template(tmp_path: Path) -> None:
    (tmp_path / "x.md.j2").write_text("# {{ title }}\n")
    assert render_template("x.md.j2", {"title": "<b>"}, [tmp_path]) == "# <b>\n"


def test_unknown_language_is_english(small: Registry) -> None:
    assert views(small, lang="xx") == views(small)
    assert Words("xx").lang == "en"


def test_count_and_date_stand_where_they_may_alone(small: Registry) -> None:
    grown = registry(*small.bugs, bug("KKKK", "stock", updated="2026-12-31"))
    before, after = views(small), views(grown)
    changed = [name for name in before if before[name] != after[name]]
    names = ("catalog.jsonl", "graph.html", "graph.md", "index.md", "spec-matrix.md")
    assert changed == [name for name in before if "/stock/" in name and name.endswith(names)]
    dated = [name.rpartition("/")[2] for name, text in after.items() if "2026-12-31" in text]
    assert dated == ["catalog.jsonl", "index.md", "graph.html"]


DIGEST = """
import hashlib, json, sys
from views.conftest import *
from views.built import views
small_registry = small.__wrapped__() if hasattr(small, "__wrapped__") else small._get_wrapped_function()()
files = views(small_registry)
print(json.dumps({name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}))
"""


def test_same_bytes_under_every_hash_seed(small: Registry) -> None:
    here = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in views(small).items()}
    for seed in ("0", "1", "4242"):
        paths = os.pathsep.join((str(TESTS), str(TESTS.parent)))
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
        out = subprocess.run(
            [sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True
        )
        assert json.loads(out.stdout) == here
