"""The rules as pages: complete, and docs/rules.md is what the docstrings say today."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversa.core.rules import RULES
from reversa.report.manual import rule_page, rule_table, rules_markdown

ROOT = Path(__file__).resolve().parents[2]


def test_rules_md_is_current() -> None:
    assert (ROOT / "docs" / "rules.md").read_text("utf-8") == rules_markdown(), "make docs writes it anew"


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_page_says_all_that_a_rule_has(code: str) -> None:
    page = rule_page(RULES[code])
    assert page.startswith(f"{code} ({RULES[code].severity.value}): {RULES[code].title}\n")
    assert "\nBad:\n" in page
    assert "\nGood:\n" in page
    assert "```" not in page
    assert not any(line != line.rstrip() for line in page.split("\n"))


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_page_explains_the_keys_around_the_record(code: str) -> None:
    page = rule_page(RULES[code])
    around = "    _" in page
    assert (
        page.endswith("\n\nKeys that begin with _ are no part of the record: they describe what is around it.\n")
        is around
    )


def test_pieces_of_sentences_are_shown_as_an_ellipsis() -> None:
    for row in rule_table():
        assert not {"FOUND", "NEAR", "PROBLEM"} & set(row["message"].split() + row["mend"].split())
    assert "says   status …\n" in rule_page(RULES["RV110"])
    assert "mend   reversa update BUG --set status=…\n" in rule_page(RULES["RV110"])


def test_the_table_has_every_rule_in_order() -> None:
    table = rule_table()
    assert [row["code"] for row in table] == sorted(RULES)
    assert all(row["explanation"] and row["title"] and row["mend"] for row in table)
    assert not any("{" in row["message"].replace("{ref, observation}", "") for row in table)


def test_the_links_of_the_page_lead_to_its_headings() -> None:
    from reversa.store.around import heading_anchors

    page = rules_markdown()
    anchors = heading_anchors(page)
    links = [part.split(")")[0] for part in page.split("](#")[1:]]
    assert len(links) == len(RULES)
    assert set(links) <= anchors
