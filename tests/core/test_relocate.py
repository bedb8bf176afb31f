"""Links of texts whose files move: they lead where they led, and nothing else of the text changes."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.edit import Edit
from reversa.core.relocate import Moves, refer, relink

MOVES = Moves({"reg/bugs/B1": "reg/shop/bugs/B1", "reg/intake": "reg/shop/intake"})
FILES = {
    "reg/bugs/B1/bug.md", "reg/bugs/B1/evidence/a b.png", "reg/bugs/B2/bug.md", "reg/intake/r.md", "reg/README.md",
    "src/a(1).py", "src/a.py",
}  # fmt: skip


def exists(path: str) -> bool:
    return any(name == path or name.startswith(f"{path}/") for name in FILES)


CASES = [
    ("[a](evidence/a%20b.png)", "[a](evidence/a%20b.png)"),
    ("[a](../../intake/r.md)", "[a](../../intake/r.md)"),
    ("[a](../../README.md#x)", "[a](../../../README.md#x)"),
    ("![a](<../../README.md> 'title')", "![a](<../../../README.md> 'title')"),
    ("[a](../../../src/a(1).py) [b](../../../src/)", "[a](../../../../src/a(1).py) [b](../../../../src/)"),
    ("[a](../B2/bug.md)", "[a](../../../bugs/B2/bug.md)"),
    ("[x]: ../../README.md 'y'", "[x]: ../../../README.md 'y'"),
    ("<a href='../../README.md'>[z](../../README.md)</a>", "<a href='../../../README.md'>[z](../../../README.md)</a>"),
    ("[a](../../gone.md) [b](#x) [c](https://x.y/z) [d](/etc) [e]()", None),
    ("```\n[a](../../README.md)\n```\n", None),
]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_links_of_a_file_that_moves(text: str, wanted: str | None) -> None:
    assert relink(text, "reg/bugs/B1/bug.md", MOVES, exists) == (text if wanted is None else wanted)


def test_links_of_a_file_that_stays() -> None:
    text = "[a](bugs/B1/bug.md) [b](bugs/B2/bug.md) [c](./intake/)"
    wanted = "[a](shop/bugs/B1/bug.md) [b](bugs/B2/bug.md) [c](shop/intake/)"
    assert relink(text, "reg/README.md", MOVES, exists) == wanted
    page = '<img src="bugs/B1/evidence/a%20b.png"> [a](bugs/B1/bug.md)'
    wanted = '<img src="shop/bugs/B1/evidence/a%20b.png"> [a](bugs/B1/bug.md)'
    assert relink(page, "reg/page.html", MOVES, exists, html=True) == wanted


@given(st.sampled_from(sorted(FILES)), st.sampled_from(sorted(FILES)), st.text(alphabet="a [](#\n`<", max_size=20))
def test_every_link_leads_to_the_moved_file(source: str, target: str, around: str) -> None:
    link = posixpath.relpath(target, posixpath.dirname(source)).replace(" ", "%20")
    text = f"see\n\n[x]({link})\n\n{around}"
    after = relink(text, source, MOVES, exists)
    found = after[after.index("(") + 1 :].split(")\n")[0].replace("%20", " ")
    assert posixpath.normpath(posixpath.join(posixpath.dirname(MOVES(source)), found)) == MOVES(target)
    assert after.endswith(f")\n\n{around}")


def test_front_matter_that_names_a_moved_file() -> None:
    data = {"a": ["reg/bugs/B1/x.md:3", "reg/bugs/B11/x.md"], "b": {"ref": "reg/intake/r.md#a"}, "c": "in reg/intake"}
    assert list(refer(data, MOVES)) == [
        Edit("set", ("a", 0), "reg/shop/bugs/B1/x.md:3"),
        Edit("set", ("b", "ref"), "reg/shop/intake/r.md#a"),
    ]
