"""New values in YAML: plain only where every reader agrees, one line a text, the order of the contract."""

from __future__ import annotations

import re
from typing import Any

import frontmatter as python_frontmatter
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from reversa.core.document import simple
from reversa.core.edit import plain
from reversa.core.fields import FRONT_MATTER, Field, Kind, lookup
from reversa.store.frontmatter import read
from reversa.store.render_yaml import Unwritable, describe, document, entry, scalar, value

from .documents import TEXTS, VALUES

PLAIN = (
    "Discount applied twice", "src/cart.py::test_once", "BUG-20260715-A7K3", "1.2.3", "v1", "a:b", "x#y", "it's", "é",
    "🔓 open", "spec-gap", "a - b", "1/20 x", "12-30", "0x", "e3", "yes please", "a, b", "x [1]", "nulls", "\\",
    "_reversa_sdd/sales.md#discounts", "0o8", "1:2:x",
)  # fmt: skip

QUOTED = (
    "", " ", " a", "a ", "~", "null", "Null", "NULL", "nULL", "true", "True", "FALSE", "yes", "No", "ON", "off", "y",
    "N", "7e12345", "0012345", "1234567", "-1", "+1", "1_000", "0o17", "0x1F", "0b11", "017", "089", "12:30:45", "1.5",
    "1.", ".5", "1e3", ".inf", "-.Inf", ".NaN", "2026-08-01", "2026-08-01 10:00:00", "2026-08-10T19:26:00-03:00", "=",
    "<<", "---", "--- a", "...", "-", "- a", "? a", ": a", "a: b", "a:", "a #b", "#a", "&a", "*a", "!a", "|", ">", "'a",
    '"a', "%a", "@a", "`a", "[a", "]a", "{a", "}a", ",a", "a\nb", "a\tb", "a\rb", "\x00", "\x1b[0m", "a\x7f", "a\x85b",
    "a\u2028b", "a\u2029b", "\ufeffa", "a\ufffe",
)  # fmt: skip


def every_reader(text: str) -> list[Any]:
    """What readers of YAML 1.1, of 1.2 and reversa's own make of `k: <text>`."""
    source = f"k: {text}\n"
    own = simple((read(f"---\n{source}---\n".encode()).data or {}).get("k"))
    return [yaml.safe_load(source)["k"], YAML(typ="safe", pure=True).load(source)["k"], own]


@pytest.mark.parametrize("text", PLAIN)
def test_safe_text_stands_plain(text: str) -> None:
    assert scalar(text) == text
    assert every_reader(text) == [text] * 3


@pytest.mark.parametrize("text", QUOTED, ids=repr)
def test_doubtful_text_is_quoted_on_one_line(text: str) -> None:
    written = scalar(text)
    assert written[0] == written[-1] == '"'
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]", written)
    assert every_reader(written) == [text] * 3


@given(TEXTS)
def test_every_reader_gets_the_text_back(text: str) -> None:
    assert every_reader(scalar(text)) == [text] * 3
    assert yaml.safe_load(f"[{scalar(text, flow=True)}, 1]") == [text, 1]
    assert YAML(typ="safe", pure=True).load(f"{{k: {scalar(text, flow=True)}}}") == {"k": text}


@pytest.mark.parametrize("text", ["a, b", "a]", "a}b", "a:b", "a[b"])
def test_flow_style_quotes_more(text: str) -> None:
    assert scalar(text) == text
    assert scalar(text, flow=True) == f'"{text}"'


def test_half_a_surrogate_pair_is_named() -> None:
    with pytest.raises(Unwritable, match=r"U\+D800"):
        scalar("a\ud800b")


@pytest.mark.parametrize("key", ["commit", "merge_commit", "culprit_commit", "merge", "last_known_good", "rate"])
def test_commits_and_rates_are_always_quoted(key: str) -> None:
    field = Field(key, Kind.ANY, "")
    assert value("abcdef1", field) == '"abcdef1"'
    assert value(1234567, field) == '"1234567"'
    assert value({"x": {key: "abc"}}, FRONT_MATTER, 2) == f'  x:\n    {key}: "abc"'


@pytest.mark.parametrize(
    ("route", "given_value", "written"),
    [
        ("created", "2026-08-01", "2026-08-01"),
        ("created", "2026-13-01", '"2026-13-01"'),
        ("created", "2026-08-01T10:00:00Z", '"2026-08-01T10:00:00Z"'),
        ("title", "2026-08-01", '"2026-08-01"'),
        ("display_number", 7, "7"),
        ("display_number", "7", "7"),
        ("display_number", "07", '"07"'),
        ("title", "7", '"7"'),
        ("express", True, "true"),
        ("express", "true", '"true"'),
        ("status", "open", "open"),
        ("spec_verdict", None, "null"),
        ("labels", [], "[]"),
        ("origin", {}, "{}"),
    ],
)
def test_the_field_decides_what_may_stand_plain(route: str, given_value: Any, written: str) -> None:
    assert value(given_value, describe((route,))) == written


def test_block_and_flow_style() -> None:
    content = {"bug": "B", "evidence": [{"ref": "a:1", "observation": "x, y"}, "t"], "none": None, "on": False}
    assert value([content], describe(("relationships",)), 4).split("\n") == [
        "    - bug: B",
        "      evidence:",
        "        - ref: a:1",
        "          observation: x, y",
        "        - t",
        "      none: null",
        '      "on": false',
    ]
    assert value(content, describe(("relationships", 0)), flow=True) == (
        '{bug: B, evidence: [{ref: "a:1", observation: "x, y"}, t], none: null, "on": false}'
    )
    assert value([{"a": "b"}], FRONT_MATTER, flow=True) == "[{a: b}]", "braces round a single pair too"


@given(VALUES, st.integers(0, 6), st.booleans())
def test_every_value_reads_back(content: Any, indent: int, flow: bool) -> None:
    written = value(content, FRONT_MATTER, indent + 1, flow)
    block = isinstance(content, dict | list) and content and not flow
    source = f"---\nk:{chr(10) if block else ' '}{written}\nlast: 1\n---\n"
    data = read(source.encode()).data
    assert data is not None, source
    assert simple(data) == {"k": plain(content), "last": "1"}
    assert block or "\n" not in written
    for line in written.split("\n"):
        assert not block or line.startswith(" " * (indent + 1))


def test_long_texts_are_not_folded() -> None:
    text = "word " * 400 + "end: x"
    assert "\n" not in value([text, {"k": text}], FRONT_MATTER, flow=True)
    assert value([text], FRONT_MATTER).count("\n") == 0


def test_entry() -> None:
    assert entry("labels", ["a"], describe(("labels",))) == "labels:\n  - a"
    assert entry("a: b", None, FRONT_MATTER, 2) == '  "a: b": null'


NEW = {
    "title": "It: breaks",
    "closure": {"satisfied": False, "policy": "local-software"},
    "status": "open",
    "id": "BUG-20260715-A7K3",
    "schema_version": 1,
    "own": {"commit": "1234567"},
    "labels": [],
    "updated": "2026-08-01",
    "express": True,
    "relationships": [{"type": "caused-by", "bug": "BUG-20260701-Q2R8"}],
    "spec_verdict": None,
}


def test_a_new_record_is_written_in_the_contract_s_order() -> None:
    assert document(NEW).split("\n") == [
        "schema_version: 1",
        "id: BUG-20260715-A7K3",
        'title: "It: breaks"',
        "status: open",
        "updated: 2026-08-01",
        "labels: []",
        "",
        "relationships:",
        "  - bug: BUG-20260701-Q2R8",
        "    type: caused-by",
        "",
        "spec_verdict: null",
        "",
        "express: true",
        "",
        "closure:",
        "  policy: local-software",
        "  satisfied: false",
        "own:",
        '  commit: "1234567"',
        "",
    ]


def test_a_new_record_is_the_same_to_other_readers() -> None:
    source = f"---\n{document(NEW)}---\n"
    assert simple(read(source.encode()).data) == plain(NEW)
    other = python_frontmatter.loads(source).metadata
    assert other["title"] == "It: breaks"
    assert other["own"] == {"commit": "1234567"}


def test_describe_knows_the_key_where_the_table_does_not() -> None:
    assert describe(("closure", "merge_commit")).name == "merge_commit"
    assert describe(("fork", "commits", 0)).name == "commits"
    assert describe(("created",)) is lookup(("created",))
