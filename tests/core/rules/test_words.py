"""Guesses about wrong words, against a library that computes distances."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from reversa.core.fields import PHASES, PRIORITIES, RISKS
from reversa.core.rules.words import brief, day, near, one_typo

SHORT = st.text(alphabet="abc", min_size=3, max_size=7)


@given(SHORT, SHORT)
def test_one_typo_is_a_distance_of_one(text: str, word: str) -> None:
    assert one_typo(text, word) == (OSA.distance(text, word) == 1)


@pytest.mark.parametrize(("text", "word"), [("mr", "pr"), ("idx", "id"), ("by", "b"), ("title", "title")])
def test_short_words_and_equal_ones_are_no_typos(text: str, word: str) -> None:
    assert not one_typo(text, word)


@pytest.mark.parametrize(
    ("text", "known", "meant"),
    [
        ("p1", PRIORITIES, "P1"),
        ("Awaiting Human", PHASES, "awaiting-human"),
        ("awaiting_human", PHASES, "awaiting-human"),
        ("patchin", PHASES, "patching"),
        ("media", RISKS, "média"),
        ("closed", PHASES, "VALUE"),
    ],
)
def test_near(text: str, known: tuple[str, ...], meant: str) -> None:
    assert near(text, known) == meant


@given(st.dates())
def test_a_day_is_read_as_written(date: datetime.date) -> None:
    assert day(date.isoformat()) == date


@pytest.mark.parametrize("text", ["2026-02-30", "2026-2-3", "2026-07-15T10:00", "20260715", "", "２０２６-07-15"])
def test_what_is_no_day(text: str) -> None:
    assert day(text) is None


def test_brief() -> None:
    assert [brief(value) for value in ({}, ["x"], "", "word")] == ["a mapping", "a list", '""', "word"]
