"""The vocabulary is read leniently: every shape that people give it names the same terms."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.document import Plain
from reversa.core.taxonomy import DIMENSIONS, Taxonomy, from_data
from reversa.store.frontmatter import read_yaml


def read(text: str) -> Taxonomy:
    value, problem = read_yaml(text.encode())
    assert problem is None
    return from_data(value)


@pytest.mark.parametrize(
    "text",
    [
        "area: [sales, stock]",
        "area:\n- sales # money\n- stock\n",
        "areas: [sales, stock]",
        "area: {sales: money in, stock: ''}",
        "area:\n  sales:\n  stock: {owner: x}\n",
        "area:\n- sales: money in\n- stock:\n",
        "area: [sales]\nareas: [stock, sales]",
        "area:\nareas: [sales, stock]",
        "areas: {sales: x}\narea: [stock]",
        "area: ['sales', \"stock\", null, ~, '', [a], {}]",
    ],
)
def test_one_vocabulary_in_many_shapes(text: str) -> None:
    found = read(text)
    assert found.present
    assert set(found.terms["area"]) == {"sales", "stock"}
    assert len(found.terms["area"]) == 2
    assert found.terms["module"] == found.terms["feature"] == ()
    assert found.plurals == (("areas",) if "areas" in text else ())


def test_a_single_term_needs_no_list() -> None:
    assert read("area: sales\nmodule:\nfeature: ''").terms == {"area": ("sales",), "module": (), "feature": ()}


def test_terms_are_text_as_written() -> None:
    assert read("area: [no, 007, 1e3, true, 'null', 2026-01-01]").terms["area"] == (
        "no", "007", "1e3", "true", "null", "2026-01-01",
    )  # fmt: skip


def test_what_a_record_may_say() -> None:
    found = read("area: [sales]\nmodule: []")
    assert found.allows("area", "sales")
    assert not found.allows("area", "Sales")
    assert not found.allows("area", "")
    assert [found.allows(dimension, "unclassified") for dimension in DIMENSIONS] == [True] * 3
    assert not found.allows("module", "sales")
    assert not found.allows("feature", "sales")
    assert Taxonomy().allows("area", "anything")


@pytest.mark.parametrize("data", [None, [], "text", Plain(""), 3])
def test_what_is_no_mapping_is_no_taxonomy(data: Any) -> None:
    assert from_data(data) == Taxonomy()


RAW = st.recursive(
    st.text(max_size=5) | st.text(max_size=5).map(Plain) | st.sampled_from([Plain("null"), Plain("~"), Plain("")]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)
KEYS = st.sampled_from(["area", "areas", "module", "modules", "feature", "features", "extra"])


@given(st.dictionaries(KEYS, RAW))
def test_any_shape_is_read(data: dict[str, Any]) -> None:
    found = from_data(data)
    assert found.present
    assert set(found.terms) == set(DIMENSIONS)
    for terms in found.terms.values():
        assert all(isinstance(term, str) and term for term in terms)
        assert len(set(terms)) == len(terms)
