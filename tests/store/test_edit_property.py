"""Random records and random edits: only the edited key's lines change, and what is read back is what was asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from reversa.core.document import Route, simple
from reversa.core.edit import Edit, apply
from reversa.errors import Refused
from reversa.store import edit as editor
from reversa.store import frontmatter
from reversa.store.edit import splice

from .documents import Record, edits, records, routes

BROAD = settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@BROAD
@given(records(), st.data())
def test_an_edit_changes_its_own_lines_and_nothing_else(record: Record, data: st.DataObject) -> None:
    before = record.to_bytes()
    document = frontmatter.read(before)
    assume(document.data is not None)
    old = simple(document.data)
    edit = data.draw(edits(old))
    try:
        wanted = apply(old, [edit])
    except Refused:
        with pytest.raises(Refused):
            splice(before, [edit])
        return
    try:
        after = splice(before, [edit])
    except Refused:
        # a deleted key whose blank lines would fall to the scalar above, which keeps them (`|+`, `>+`)
        assert edit.op == "remove"
        assert "+" in record.head + "".join(piece for _, piece in record.pieces)
        return
    assert simple(frontmatter.read(after).data) == wanted
    assert_rest_stands(record, after, str(edit.route[0]), list(old))


@settings(BROAD, max_examples=150)
@given(records(), st.data())
def test_edits_in_a_row_are_the_edits_one_by_one(record: Record, data: st.DataObject) -> None:
    before = record.to_bytes()
    document = frontmatter.read(before)
    assume(document.data is not None)
    current, planned = simple(document.data), []
    for _ in range(3):
        edit = data.draw(edits(current))
        try:
            current = apply(current, [edit])
        except Refused:
            continue
        planned.append(edit)
    try:
        together = splice(before, planned)
    except Refused:
        return
    after = before
    for edit in planned:
        after = splice(after, [edit])
    assert after == together
    assert simple(frontmatter.read(after).data) == current


@settings(BROAD, max_examples=150)
@given(records(), st.data())
def test_setting_what_is_there_changes_no_byte(record: Record, data: st.DataObject) -> None:
    before = record.to_bytes()
    document = frontmatter.read(before)
    assume(document.data is not None)
    old = simple(document.data)
    route = data.draw(st.sampled_from(routes(old)))
    assert splice(before, [Edit("set", route, at(old, route))]) == before


def at(data: Any, route: Route) -> Any:
    for step in route:
        data = data[step]
    return data


def assert_rest_stands(record: Record, after: bytes, key: str, keys: list[str]) -> None:
    """Compare with the pieces the record was made of: the generator, not the reader, knows where a key's lines are."""
    text = after.decode()
    assert text.startswith("\ufeff") == record.bom
    text = text.removeprefix("\ufeff")
    parts = [record.text(piece) for _, piece in record.pieces]
    head, tail = record.text(record.head), record.text(record.tail)
    if key in keys:
        names = [name for name, _ in record.pieces]
        index = names.index(key)
        assert text.startswith(head + "".join(parts[:index]))
        assert text.endswith("".join(parts[index + 1 :]) + tail)
        return
    assert text.endswith(tail)
    whole = head + "".join(parts)
    added = len(text) - len(tail) - len(whole)
    starts = [index for index in range(len(whole) + 1) if text.startswith(whole[:index])]
    assert any(text[index + added :] == whole[index:] + tail for index in starts)


def cases(data: Any) -> list[Edit]:
    """For every scalar a set, for every list an append and its removals, for every mapping a new key."""
    found = []
    for route in routes(data):
        value = at(data, route)
        if isinstance(value, list):
            found.append(Edit("add", route, "added: as text"))
            found.append(Edit("add", route, {"bug": "BUG-20260701-Q2R8", "type": "caused-by"}))
            found += [Edit("remove", (*route, index)) for index in range(len(value))]
            found += [Edit("remove", route, item) for item in value if item is not None]
        elif isinstance(value, dict):
            found.append(Edit("set", (*route, "added"), "a new: value"))
        else:
            found.append(Edit("set", route, "a new: value"))
            found.append(Edit("set", route, None))
    return found


@pytest.fixture
def no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "_whole", lambda *_: pytest.fail("a whole key was written anew"))


def edit_everything(registry: Path, every: int = 1) -> int:
    """Make every case (or each so many) of every record, check each, and count them."""
    edited = 0
    for file in sorted(registry.rglob("bug.md")):
        before = file.read_bytes()
        document = frontmatter.read(before)
        if document.data is None:
            continue
        old = simple(document.data)
        body = document.body.encode()
        for edit in cases(old)[::every]:
            after = splice(before, [edit])
            assert simple(frontmatter.read(after).data) == apply(old, [edit]), (file, edit)
            assert after.endswith(body)
            edited += 1
    return edited


@pytest.mark.usefixtures("no_fallback")
def test_values_of_the_example_registry_are_edited_by_fine_cuts() -> None:
    assert edit_everything(Path(__file__).resolve().parents[2] / "registry-example", every=5) > 500


@pytest.mark.usefixtures("no_fallback")
def test_every_value_of_real_registries_is_edited_by_fine_cuts(shared: Callable[..., Path]) -> None:
    assert edit_everything(shared("registries")) > 1000
