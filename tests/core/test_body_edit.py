"""Sections that get another text: they read back, and nothing outside them moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.body import outline, region, section
from reversa.core.body_edit import (
    UNWRITTEN,
    append_to_section,
    refuse_open,
    refuse_unfit,
    replace_section,
    retitle,
    section_name,
)
from reversa.core.fields import BODY_SECTIONS
from reversa.errors import Refused, UsageError

LINES = st.sampled_from(
    ["# T", "## Summary", "## Evidence", "## Other", "### Deep", "```", "~~~", "<!--", "-->", "- item", "  text", "",
     "## Resolution", "<!-- reversa:begin resolution -->", "<!-- reversa:end resolution -->", "é 中", "\u2028", "#",
     "===", "    # code"]
)  # fmt: skip
BODIES = st.builds(
    lambda lines, newline, last: newline.join(lines) + (newline if last else ""),
    st.lists(LINES, max_size=14),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
TEXTS = st.lists(LINES, max_size=5).map("\n".join)


def fits(text: str, title: str) -> bool:
    try:
        refuse_unfit(text, title)
    except UsageError:
        return False
    return True


@given(BODIES, st.sampled_from(["Summary", "Evidence", "Resolution"]), TEXTS)
def test_a_replaced_section_reads_back_and_nothing_else_moves(body: str, title: str, text: str) -> None:
    if not fits(text, title) or not is_closed(body):
        return
    span = section(body, title)
    new = replace_section(body, title, text)
    if span is None:
        assert is_inserted_into(body, new)
    else:
        assert new.startswith(body[: span[0]]) and new.endswith(body[span[1] :])
    found = section(new, title)
    assert found is not None
    content = new[found[0] : found[1]].replace("\r\n", "\n")
    assert content.rstrip().endswith(text.strip("\n").rstrip())
    assert replace_section(new, title, text) == new
    assert region(new, "resolution") is None or region(body, "resolution") is not None


def is_inserted_into(old: str, new: str) -> bool:
    """Whether a text is another one with something put into it at one place."""
    return any(new.startswith(old[:at]) and new.endswith(old[at:]) for at in range(len(old) + 1))


def is_closed(body: str) -> bool:
    return any(heading.title == "probe" for heading in outline(f"{body}\n\n# probe\n"))


@given(BODIES, st.sampled_from(["Summary", "Evidence", "Resolution", "Agent Notes"]), TEXTS)
def test_an_appended_text_is_the_sections_end_and_nothing_moves(body: str, title: str, text: str) -> None:
    if not text.strip() or not fits(text, title):
        return
    try:
        refuse_open(body, title)
    except Refused:
        return
    span = section(body, title)
    if span is None and not is_closed(body):
        return
    new = append_to_section(body, title, text)
    found = section(new, title)
    assert found is not None
    assert new[found[0] : found[1]].replace("\r\n", "\n").rstrip().endswith(text.strip("\n").rstrip())
    if span is not None:
        kept = body[: span[0] + len(body[span[0] : span[1]].rstrip())]
        assert new.startswith(kept) and new.endswith(body[span[1] :])


def test_a_placeholder_gives_way_to_the_first_text() -> None:
    body = f"# T\n\n## Summary\n\n{UNWRITTEN}\n\n## Evidence\n\nNone yet.\n"
    assert append_to_section(body, "Evidence", "- a") == f"# T\n\n## Summary\n\n{UNWRITTEN}\n\n## Evidence\n\n- a\n"
    assert "## Summary\n\nnow known\n\n## Evidence" in append_to_section(body, "Summary", "now known")


def test_what_the_tool_draws_in_a_section_is_kept_above_the_text() -> None:
    body = "## Resolution\n\nold\n\n<!-- reversa:begin resolution -->\n- x\n<!-- reversa:end resolution -->\n\n## Z\n"
    new = replace_section(body, "Resolution", "The cart counted twice.")
    assert new == (
        "## Resolution\n\n<!-- reversa:begin resolution -->\n- x\n<!-- reversa:end resolution -->\n\n"
        "The cart counted twice.\n\n## Z\n"
    )
    assert replace_section(new, "Resolution", "The cart counted twice.") == new


def test_a_missing_section_is_made_in_the_contracts_order() -> None:
    body = "# T\n"
    for title in reversed(BODY_SECTIONS):
        body = replace_section(body, title, f"of {title}")
    assert tuple(heading.title for heading in outline(body) if heading.level == 2) == BODY_SECTIONS
    assert "\n\n\n" not in body


def test_an_emptied_section_keeps_its_heading() -> None:
    assert replace_section("## Summary\n\na\n\n## Z\n", "Summary", "") == "## Summary\n\n## Z\n"
    assert section(replace_section("## Summary\na", "Summary", ""), "Summary") is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ok\n## Summary\n", "Line 2 of the text for Evidence is a heading of level 2"),
        ("# T", "heading of level 1"),
        ("ok\n\nResolution\n---\n", "Line 3 of the text for Evidence is a heading of level 2"),
        ("Two\nlines\n  ===", "Line 1 of the text for Evidence is a heading of level 1"),
        ("key: value\n-", "heading of level 2"),
        ("```\n# not a heading", "never closes"),
        ("<!-- open", "never closes"),
        ("a\x1b[31m", "U+001B"),
        ("a\x00", "U+0000"),
        ("<!-- reversa:begin resolution -->", "marker"),
        ("```\n<!-- reversa:end x -->\n```", "marker"),
    ],
)
def test_a_text_that_would_not_stay_in_its_section_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        refuse_unfit(text, "Evidence")
    assert said in caught.value.message


@pytest.mark.parametrize("text", ["### Deep\n", "```\n# code\n```", "- a\n  ```\n  ## b\n  ```", "a\tb\r\nc", ""])
def test_other_texts_are_taken(text: str) -> None:
    refuse_unfit(text, "Evidence")


def test_a_section_that_ends_in_an_open_fence_is_not_appended_to() -> None:
    with pytest.raises(Refused):
        refuse_open("## Evidence\n\n```\nlog\n", "Evidence")
    refuse_open("## Evidence\n\n```\nlog\n```\n", "Evidence")
    with pytest.raises(Refused, match="Bugs ends inside"):
        refuse_open("# T\n\n```\nlog\n", "Bugs")
    refuse_open("# T\n\n> ```\n> log\n", "Bugs")


def test_names_of_sections() -> None:
    body = "## summary\n\n## Open Questions\n"
    assert section_name("SUMMARY", body) == "summary"
    assert section_name("steps-to_reproduce", body) == "Steps to Reproduce"
    assert section_name("open questions", body) == "Open Questions"
    with pytest.raises(UsageError) as caught:
        section_name("Sumary", "")
    assert caught.value.hint == "Did you mean Summary?"


@given(BODIES, st.text(alphabet="ab #`", min_size=1, max_size=8))
def test_a_new_title_changes_the_first_heading_alone(body: str, title: str) -> None:
    first = next((heading for heading in outline(body) if heading.level == 1), None)
    new = retitle(body, title)
    if first is None:
        assert new == body
        return
    assert new.startswith(body[: first.start]) and new.endswith(body[first.end :])
    assert len(new.splitlines()) == len(body.splitlines())
