"""Sections and regions of a body: where they are, and that nothing else moves when they change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.body import headings, outline, region, section
from reversa.core.body_edit import append_to_section, replace_region
from reversa.core.fields import BODY_SECTIONS
from reversa.errors import Refused


def titles(body: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in outline(body)]


def test_outline_gives_places() -> None:
    body = "\n# T\n\n## A  \r\ntext\n### B ##\n"
    found = outline(body)
    assert [(h.level, h.title, h.line) for h in found] == [(1, "T", 2), (2, "A", 4), (3, "B", 6)]
    assert [body[h.start : h.end] for h in found] == ["# T\n", "## A  \r\n", "### B ##\n"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# a", [(1, "a")]),
        ("#a\n#\n####### b\n    # c\n   ## d", [(1, ""), (2, "d")]),
        ("## a #\n## b#\n## # c ###", [(2, "a"), (2, "b#"), (2, "# c")]),
        ("```\n# no\n```\n# a", [(1, "a")]),
        ("~~~ sh\n# no\n```\n# no\n~~~\n# a", [(1, "a")]),
        ("````md\n```\n# no\n```\n# no\n`````\n# a", [(1, "a")]),
        ("```\n# no\n``` not closed by words\n# no", []),
        ("```a`b```\n# a", [(1, "a")]),
        ("    ```\n# a", [(1, "a")]),
        ("```\n# no\n    ```\n# no\n  ```  \n# a", [(1, "a")]),
        ("```\r\n# no\r\n```\r\n# a\r\n", [(1, "a")]),
        ("1. x\n\n   ```\n   # no\n   ```\n# a", [(1, "a")]),
        ("- ```\n  # no\n  ```\n# a", [(1, "a")]),
        ("- ```\n  # no\n\n# a", [(1, "a")]),
        ("- x\n  - ```js\n    # no\n    ```\n  ## in a list\n# a", [(1, "a")]),
        ("- # in a list\n\ntext\n# a", [(1, "a")]),
        ("* * *\n  # a", [(1, "a")]),
        ("> ```\n> # no\n> ```\n# a", [(1, "a")]),
        ("<!-- # no -->\n# a", [(1, "a")]),
        ("<!--\n# no\n```\n-->\n# a", [(1, "a")]),
        ("```\n<!--\n```\n# a", [(1, "a")]),
        ("text <!-- \n# a", [(1, "a")]),
        ("", []),
    ],
)
def test_outline_sees_headings_alone(body: str, expected: list[tuple[int, str]]) -> None:
    assert titles(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# a\n\nb\n---\n\n  c\nd \n ===  ", [(1, "a", 1), (2, "b", 3), (1, "c\nd", 6)]),
        ("a\n-", [(2, "a", 1)]),
        ("a\n\n---\n", []),
        ("- a\n---\n> b\n---\n[c]: d\n---", []),
        ("```\na\n---\n```\n<!--\na\n---\n-->", []),
        ("    a\n---", []),
        ("# a\n---\n***\n---", [(1, "a", 1)]),
        ("a\n- - -\na | b\n--- | ---", []),
        ("- x\n  # in a list", []),
    ],
)
def test_headings_of_both_styles(body: str, expected: list[tuple[int, str, int]]) -> None:
    assert [(heading.level, heading.title, heading.line) for heading in headings(body)] == expected


def test_section_runs_to_the_next_heading_of_its_level_or_above() -> None:
    body = "# T\n\n## Summary\n\none\n\n### Detail\n\ntwo\n\n## Evidence\n\nthree\n# Other\n"
    assert section(body, "Evidence") is not None
    span = section(body, "Summary")
    assert span is not None
    assert body[slice(*span)] == "\none\n\n### Detail\n\ntwo\n\n"
    assert body[slice(*(section(body, "Evidence") or (0, 0)))] == "\nthree\n"
    assert section(body, "Detail") is None, "a third-level heading is no section"
    assert section(body, "summary") is None, "titles are exact"


def test_the_first_of_two_sections_counts() -> None:
    body = "## A\n1\n## A\n2\n"
    assert body[slice(*(section(body, "A") or (0, 0)))] == "1\n"


BEGIN, END = "<!-- reversa:begin trace -->\n", "<!-- reversa:end trace -->\n"


def test_region() -> None:
    body = f"x\n{BEGIN}old\n{END}y\n"
    span = region(body, "trace")
    assert span is not None
    assert body[slice(*span)] == "old\n"
    assert replace_region(body, "trace", "new\nlines") == f"x\n{BEGIN}new\nlines\n{END}y\n"
    assert replace_region(body, "trace", "") == f"x\n{BEGIN}{END}y\n"


def test_region_keeps_line_endings() -> None:
    body = f"x\n{BEGIN}old\n{END}y".replace("\n", "\r\n")
    assert replace_region(body, "trace", "a\nb\n") == f"x\n{BEGIN}a\nb\n{END}y".replace("\n", "\r\n")


@pytest.mark.parametrize(
    "body",
    [
        "",
        BEGIN,
        END,
        END + BEGIN,
        BEGIN + BEGIN + END,
        BEGIN + END + BEGIN + END,
        f"```\n{BEGIN}{END}```\n",
        f"{BEGIN}```\n{END}",
        "text " + BEGIN + END,
        (BEGIN + END).replace("trace", "other"),
    ],
)
def test_no_single_pair_is_no_region(body: str) -> None:
    assert region(body, "trace") is None
    with pytest.raises(Refused, match="trace"):
        replace_region(body, "trace", "x")


APPENDED = [
    ("a section with text", "## Summary\n\nfoo\n\n## Evidence\n", "## Summary\n\nfoo\n\nX\n\n## Evidence\n"),
    ("an empty section", "## Summary\n\n## Evidence\n", "## Summary\n\nX\n\n## Evidence\n"),
    ("no blank lines", "## Summary\nfoo\n## Evidence\n", "## Summary\nfoo\n\nX\n\n## Evidence\n"),
    ("nothing between", "## Summary\n## Evidence\n", "## Summary\n\nX\n\n## Evidence\n"),
    ("the last section", "## Summary\n\nfoo\n", "## Summary\n\nfoo\n\nX\n"),
    ("no final newline", "## Summary\n\nfoo", "## Summary\n\nfoo\n\nX"),
    ("a bare heading", "## Summary", "## Summary\n\nX"),
    ("trailing spaces", "## Summary\n\nfoo  \n   \n## E\n", "## Summary\n\nfoo  \n\nX\n   \n## E\n"),
    ("a fence with a heading", "## Summary\n```\n## E\n```\n", "## Summary\n```\n## E\n```\n\nX\n"),
    ("a missing first", "\n# T\n\n## Evidence\n\ne\n", "\n# T\n\n## Summary\n\nX\n\n## Evidence\n\ne\n"),
    ("an empty body", "", "## Summary\n\nX\n"),
    ("a body without sections", "# T\n", "# T\n\n## Summary\n\nX\n"),
]


@pytest.mark.parametrize(("body", "expected"), [case[1:] for case in APPENDED], ids=[case[0] for case in APPENDED])
def test_append(body: str, expected: str) -> None:
    assert append_to_section(body, "Summary", "X") == expected
    if "\n" in body:
        with_crlf = append_to_section(body.replace("\n", "\r\n"), "Summary", "X")
        assert with_crlf == expected.replace("\n", "\r\n")


def test_a_list_goes_on_without_a_blank_line() -> None:
    body = "## Agent Notes\n\n- a\n- b\n\n## Z\n"
    assert append_to_section(body, "Agent Notes", "- c\n") == "## Agent Notes\n\n- a\n- b\n- c\n\n## Z\n"
    assert (
        append_to_section("## Agent Notes\n- a\n## Z\n", "Agent Notes", "- c") == "## Agent Notes\n- a\n- c\n\n## Z\n"
    )
    assert append_to_section("## Agent Notes\n\na\n", "Agent Notes", "- c") == "## Agent Notes\n\na\n\n- c\n"


def test_a_missing_section_stands_in_the_contract_s_order() -> None:
    body = "# T\n\n## Summary\n\ns\n\n## Traceability\n\nt\n\n## Own\n\no\n\n## Agent Notes\n\nn\n"
    made = append_to_section(body, "Resolution", "r")
    assert made == body.replace("## Own", "## Resolution\n\nr\n\n## Own")
    assert append_to_section(body, "Mine", "m") == body + "\n## Mine\n\nm\n"


def test_sections_made_in_any_order_end_up_in_the_contract_s() -> None:
    body = "# T\n"
    for title in sorted(BODY_SECTIONS):
        body = append_to_section(body, title, f"about {title}")
    assert [title for _, title in titles(body)[1:]] == list(BODY_SECTIONS)


BODIES = st.lists(
    st.sampled_from(
        ["# T", "## Summary", "## Evidence", "## Agent Notes", "text", "", "", "- item", "```", "~~~", "   ", "<!--",
         "-->", "1. x", "  - y", "    code", "### Sub", "> q"]
    ),
    max_size=14,
)  # fmt: skip


@given(BODIES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(["Summary", "Evidence", "Resolution"]))
def test_appending_only_ever_inserts(lines: list[str], newline: str, final: bool, title: str) -> None:
    body = newline.join(lines) + (newline if final else "")
    after = append_to_section(body, title, "- APPENDED")
    added = len(after) - len(body)
    places = [at for at in range(len(body) + 1) if after == body[:at] + after[at : at + added] + body[at:]]
    assert any("- APPENDED" in after[at : at + added] for at in places)
    assert not body or after.endswith("\n") == body.endswith("\n")
    if "\r\n" in body:
        assert "\n" not in after.replace("\r\n", "")


def test_a_line_of_many_list_items_takes_no_quadratic_time() -> None:
    body = "- " * 200_000 + "x\n\n## Summary\n"
    assert [heading.title for heading in outline(body)] == ["Summary"]
