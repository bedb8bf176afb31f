"""JSON from strangers: what json reads is read, every doubt is refused where it stands."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.strict_json import DEEPEST, values
from reversa.errors import UsageError

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(JSON, min_size=1, max_size=4), st.sampled_from([None, 1]), st.booleans())
def test_one_value_or_one_a_line(wanted: list[object], indent: int | None, escaped: bool) -> None:
    text = "\n".join(json.dumps(value, indent=indent, ensure_ascii=escaped) for value in wanted)
    assert values(text, "x") == wanted
    assert values(f"\r\n {text}\n\n", "x") == wanted


def test_a_fraction_keeps_its_text() -> None:
    assert values('{"a": 1.10, "b": 1e400}', "x") == [{"a": "1.10", "b": "1e400"}]


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ('{"a": 1,\n "a": 2}', "1:1", "twice"),
        ('[1]\n{"b": [NaN]}', "2:1", "no JSON number"),
        ("-Infinity", "1:1", "no JSON number"),
        ('{"a": 1} {"b": 2}', "1:10", "same line"),
        ('{"a": 1}\n{"b": \n}', "3:1", "expecting value"),
        ('{"a": "\\ud800"}', "1:1", "surrogate"),
        ('{"\\udc00": 1}', "1:1", "surrogate"),
        ('"a\nb"', "1:3", "control character"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "1:1", "deeper"),
        ("[" * 100_000, "1:1", "deeper"),
        ("9" * 5000, "1:1", "digits"),
        ("{'a': 1}", "1:2", "property name"),
    ],
)
def test_what_is_refused(text: str, where: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        values(text, "bugs.json")
    assert caught.value.message.startswith(f"bugs.json:{where} ") and reason in caught.value.message
    assert "\n" not in caught.value.message and len(caught.value.message) < 200


@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
def test_nothing_is_no_value(text: str) -> None:
    with pytest.raises(UsageError, match="holds no JSON value"):
        values(text, "standard input")
