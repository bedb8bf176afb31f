"""Leases as values: durations, names, what is read from a file of anybody's, and which of them hold."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core import lease
from reversa.errors import UsageError

NOON = dt.datetime(2026, 8, 24, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("4h", 14400), (" 2d ", 172800), ("30d", 2592000), ("1m", 60)]
)
def test_terms(text: str, seconds: int) -> None:
    assert lease.term(text) == dt.timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "4", "h", "0h", "-1h", "31d", "4h30m", "4 h", "999999d", "1e3m", "²h"])
def test_no_terms(text: str) -> None:
    with pytest.raises(UsageError):
        lease.term(text)


def test_names() -> None:
    assert lease.holder("--claim", "  Ana \n Lopez ") == "Ana Lopez"
    for text in ("", " \t", "a\x1b[31m", "\u202eevil", "x" * 61):
        with pytest.raises(UsageError):
            lease.holder("--claim", text)


def test_a_lease_beyond_the_calendar_is_refused() -> None:
    from reversa.core.bug import Bug

    bug = Bug("a/bugs/b/bug.md", "BUG-20260701-AAAA", "a", False, None)
    with pytest.raises(UsageError):
        lease.take(bug, "ana", dt.timedelta(days=2), "", dt.datetime(9999, 12, 31, tzinfo=dt.UTC))


def test_what_is_stored_reads_back() -> None:
    one = lease.Lease("BUG-20260701-AAAA", "ana", NOON, "/somewhere")
    assert lease.read(json.loads(json.dumps(one.stored()))) == one


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["bug", "by", "until", "tree", "x"]), inner),
        max_leaves=8,
    )
)
def test_a_foreign_entry_is_no_lease_and_no_accident(entry: Any) -> None:
    found = lease.read(entry)
    assert found is None or (found.by.isprintable() and found.until.tzinfo is not None)


GOOD = {"bug": "BUG-20260701-AAAA", "by": "ana", "until": "2026-08-24T12:00:00+00:00", "tree": ""}


@pytest.mark.parametrize(
    "wrong",
    [
        {"bug": "BUG-1"},
        {"bug": "BUG-20260701-AAAA-slug"},
        {"by": ""},
        {"by": "a\nb"},
        {"by": "\ud800"},
        {"by": 7},
        {"until": "soon"},
        {"until": "0001-01-01T00:00:00+23:59"},
        {"tree": None},
    ],
)
def test_half_a_lease_is_none(wrong: dict[str, Any]) -> None:
    assert lease.read(GOOD) is not None
    assert lease.read({**GOOD, **wrong}) is None
