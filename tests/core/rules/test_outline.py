"""The quick look at line starts sees what the careful reading of a body sees, or says that it cannot tell."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reversa.core.body import outline
from reversa.core.rules.outline import headings, line_at, quick_outline, section_of

from .examples import bug_of, standard_body

LINES = st.one_of(
    st.sampled_from(["# A", "## B", "###### C ##", "####### D", "#", "## ", "##\tE", "## F #", "# G\\#", "#H", "## #"]),
    st.sampled_from(
        ["```", "````", "```py", "``` `", "~~~", "~~~ `x", "```\r", "## I\r", "  ## J", "\t# K", "    # L"]
    ),
    st.sampled_from(
        ["- item", "  more", "- ```", "  ```", "1. # M", "- <!--", "<!-- a -->", "<!--", "-->", "x <!-- y"]
    ),
    st.sampled_from(["", "text", "| row |", "> # quoted", "*** ", "Title\n====="]),
    st.text(alphabet="#`~-* <!>a1.\t\r", max_size=8),
)


@settings(max_examples=1000)
@given(st.lists(LINES, max_size=14).map("\n".join))
def test_quick_and_careful_agree(body: str) -> None:
    quick = quick_outline(body)
    if quick is not None:
        assert [tuple(top) for top in quick] == [(h.level, h.title, h.start, h.end) for h in outline(body)]


@pytest.mark.parametrize("body", ["- ```\n  # x\n", "   ## x\n", "```a`b\n", "<!--\n# x\n-->\n", "x <!-- y\n"])
def test_what_takes_more_is_left_to_the_careful_reading(body: str) -> None:
    assert quick_outline(body) is None


def test_sections_and_lines() -> None:
    bug = bug_of({"_body": "# T\n\n## Summary\n\none\n\n```\n## Evidence\n```\n\n### Deeper\n\n## Evidence\n\ntwo\n"})
    assert [top.title for top in headings(bug)] == ["T", "Summary", "Evidence"]
    begin, text = section_of(bug, "Evidence")
    assert text == "\ntwo\n"
    assert bug.body[begin:] == text
    assert line_at(bug, headings(bug)[2].start) == bug.body_line + bug.body.split("\n").index("### Deeper") + 2
    assert section_of(bug, "Resolution") == (0, "")


def test_most_bodies_take_the_quick_way() -> None:
    assert quick_outline(standard_body("A title") + "```diff\n-  # old\n+# new\n```\n") is not None
