"""Edits of taxonomy.yaml: the list says what it should afterwards, and every other byte is what it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.taxonomy import DIMENSIONS
from reversa.errors import Refused
from reversa.store import vocabulary
from reversa.store.settings import taxonomy_of


def terms(data: bytes, dimension: str) -> tuple[str, ...]:
    return taxonomy_of(data).terms[dimension]


CASES = {
    "block": (b"module:\n  - cart\n  - stock\n", b"module:\n  - cart\n  - stock\n  - new\n"),
    "comments": (
        b"# top\nmodule:  # here\n  - cart    # the basket\n  # between\n\narea: []\n",
        b"# top\nmodule:  # here\n  - cart    # the basket\n  # between\n  - new\n\narea: []\n",
    ),
    "not indented": (b"module:\n- cart\n# after\narea: []\n", b"module:\n- cart\n- new\n# after\narea: []\n"),
    "flow": (b"module: [cart, stock]  # two\n", b"module: [cart, stock, new]  # two\n"),
    "empty": (b"area: []\nmodule: []\n", b"area: []\nmodule:\n  - new\n"),
    "null": (b"module:\narea: []\n", b"module:\n  - new\narea: []\n"),
    "plural": (b"modules:\n  - cart\n", b"modules:\n  - cart\n  - new\n"),
    "both": (b"modules:\n  - a\nmodule:\n  - b\n", b"modules:\n  - a\nmodule:\n  - b\n  - new\n"),
    "mapping": (b"module:\n  cart: The basket\n", b"module:\n  cart: The basket\n  new: null\n"),
    "absent": (b"area:\n  - sales\nother: x\n", b"area:\n  - sales\nmodule:\n  - new\nother: x\n"),
    "one text": (b"module: cart\n", b"module:\n  - cart\n  - new\n"),
    "marker": (b"# c\n---\nmodule:\n  - a\n", b"# c\n---\nmodule:\n  - a\n  - new\n"),
    "end marker": (b"module:\n  - a\n...\n", b"module:\n  - a\n  - new\n...\n"),
    "bom and crlf": (
        b"\xef\xbb\xbf# c\r\nmodule:\r\n  - a\r\narea: []\r\n",
        b"\xef\xbb\xbf# c\r\nmodule:\r\n  - a\r\n  - new\r\narea: []\r\n",
    ),
    "no final newline": (b"module:\n  - a", b"module:\n  - a\n  - new"),
    "nothing": (b"", b"module:\n  - new\n"),
    "only comments": (b"# nothing yet", b"# nothing yet\nmodule:\n  - new\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_add(name: str) -> None:
    before, after = CASES[name]
    assert vocabulary.add_term(before, "module", "new") == after


DESCRIBED = {
    "comment": (b"module:\n  - cart\n", b"module:\n  - cart\n  - new  # it is new\n"),
    "in line": (
        b"module:\n  - cart        # the basket\n  - a\n",
        b"module:\n  - cart        # the basket\n  - a\n  - new         # it is new\n",
    ),
    "value": (b"module:\n  cart: The basket\n", b"module:\n  cart: The basket\n  new: it is new\n"),
    "pairs": (b"module:\n  - cart: The basket\n", b"module:\n  - cart: The basket\n  - new: it is new\n"),
    "flow": (b"module: [cart]\n", b"module: [cart, {new: it is new}]\n"),
    "nothing": (b"# c\n", b"# c\nmodule:\n  - new  # it is new\n"),
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_add_with_a_description(name: str) -> None:
    before, after = DESCRIBED[name]
    assert vocabulary.add_term(before, "module", "new", "it is\n new") == after
    assert vocabulary.descriptions(after)["module", "new"] == "it is new"


RENAMED = {
    "block": (b"module:\n  - old    # kept\n  - b\n", b"module:\n  - new    # kept\n  - b\n"),
    "flow": (b"module: [ old , b ]\n", b"module: [ new , b ]\n"),
    "quoted": (b"module: ['old', b]\n", b"module: [new, b]\n"),
    "mapping": (b"module:\n  'old': What  # c\n  b:\n", b"module:\n  new: What  # c\n  b:\n"),
    "pairs": (b"module:\n  - b\n  - old: What\n", b"module:\n  - b\n  - new: What\n"),
    "one text": (b"module: old  # c\n", b"module: new  # c\n"),
    "twice": (b"modules: [old]\nmodule:\n  - old\n", b"modules: [new]\nmodule:\n  - new\n"),
    "elsewhere": (b"area: [old]\nmodule: [old]\n", b"area: [old]\nmodule: [new]\n"),
}


@pytest.mark.parametrize("name", RENAMED)
def test_rename(name: str) -> None:
    before, after = RENAMED[name]
    assert vocabulary.rename_term(before, "module", "old", "new") == after


REMOVED = {
    "block": (b"module:\n  - a\n  - old  # gone\n  - b  # stays\n", b"module:\n  - a\n  - b  # stays\n"),
    "flow": (b"module: [a, old, b]\n", b"module: [a, b]\n"),
    "only": (b"module:\n  - old\narea: []\n", b"module: []\narea: []\n"),
    "mapping": (b"module:\n  old: x\n  b: y\n", b"module:\n  b: y\n"),
    "pairs": (b"module:\n  - old: x\n  - b: y\n", b"module:\n  - b: y\n"),
    "one text": (b"module: old\n", b"module: []\n"),
    "twice": (b"module: [old, a, old]\n", b"module: [a]\n"),
}


@pytest.mark.parametrize("name", REMOVED)
def test_remove(name: str) -> None:
    before, after = REMOVED[name]
    assert vocabulary.remove_term(before, "module", "old") == after


@pytest.mark.parametrize(
    "data", [b"- a\n", b"text\n", b"a: [\n", b"\xff\n", b"module: &x [a]\n", b"a: 1\na: 2\n", b"{}\n", b"null\n"]
)
def test_what_is_no_taxonomy_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        vocabulary.add_term(data, "module", "new")


@pytest.mark.parametrize("term", ["null", "yes", "2026", "1e3", "ação", "a.b/c", "@scope/pkg", "0x1F"])
def test_any_term_reads_back_as_text(term: str) -> None:
    for before in (b"module:\n  - a\n", b"module: [a]\n", b"module:\n  a: x\n", b"module: []\n"):
        added = vocabulary.add_term(before, "module", term)
        assert term in terms(added, "module")
        assert terms(vocabulary.rename_term(added, "module", term, "plain"), "module")[-1] == "plain"


WORD = st.text("abcdefgh", min_size=1, max_size=6)
GAP = st.sampled_from(["", "\n", "# a comment\n", "  # an indented comment\n", "\n\n# two\n"])
TAIL = st.sampled_from(["", "  # why", "   # aligned: [maybe]"])


@st.composite
def lists(draw: st.DrawFn, key: str) -> str:
    names = draw(st.lists(WORD, max_size=4, unique=True))
    shape = draw(st.sampled_from(["block", "dashes", "flow", "wide", "mapping", "pairs", "one"]))
    if not names:
        return f"{key}: []{draw(TAIL)}\n" if shape != "block" else f"{key}:\n"
    if shape == "flow":
        return f"{key}: [{', '.join(names)}]{draw(TAIL)}\n"
    if shape == "wide":
        return f"{key}: [\n" + "".join(f"    {name},{draw(TAIL)}\n" for name in names) + "  ]\n"
    if shape == "one":
        return f"{key}: {names[0]}{draw(TAIL)}\n"
    pattern = {"block": "  - {}", "dashes": "- {}", "mapping": "  {}: what it is", "pairs": "  - {}: what it is"}[shape]
    out = f"{key}:{draw(TAIL)}\n"
    for name in names:
        out += pattern.format(name) + draw(TAIL) + "\n" + draw(GAP)
    return out


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    keys = draw(st.permutations([*DIMENSIONS, "modules", "labels"]))[: draw(st.integers(1, 5))]
    text = draw(st.sampled_from(["", "# head\n\n", "---\n", "# c\n\n---\n", "\ufeff# c\n"]))
    for key in keys:
        text += draw(lists(key)) + draw(GAP)
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text.encode()


def outside(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """Give the lines of both that are left when the same lines at the start and at the end are taken away."""
    old, new = before.split(b"\n"), after.split(b"\n")
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


@given(documents(), st.sampled_from(DIMENSIONS), st.sampled_from(["", "what: it # is"]))
def test_an_addition_touches_no_other_line(data: bytes, dimension: str, about: str) -> None:
    after = vocabulary.add_term(data, dimension, "zz-new", about)
    assert set(terms(after, dimension)) == {*terms(data, dimension), "zz-new"}
    for other in DIMENSIONS:
        assert other == dimension or terms(after, other) == terms(data, other)
    old, new = outside(data, after)
    assert len(old) <= 1 and len(new) <= 3
    assert about == "" or vocabulary.descriptions(after)[dimension, "zz-new"] == about


@given(documents(), st.data())
def test_a_new_name_touches_only_lines_with_the_old_one(data: bytes, choose: st.DataObject) -> None:
    known = [(dimension, term) for dimension in DIMENSIONS for term in terms(data, dimension)]
    if not known:
        return
    dimension, old = choose.draw(st.sampled_from(known))
    after = vocabulary.rename_term(data, dimension, old, "zz-new")
    assert terms(after, dimension) == tuple("zz-new" if term == old else term for term in terms(data, dimension))
    before_lines, after_lines = data.split(b"\n"), after.split(b"\n")
    assert len(before_lines) == len(after_lines)
    for one, other in zip(before_lines, after_lines, strict=True):
        assert one == other or one.replace(old.encode(), b"zz-new", 1) == other or one.count(old.encode()) > 1
    assert vocabulary.rename_term(after, dimension, "zz-new", old) == data


@given(documents(), st.data())
def test_a_removal_touches_no_other_list(data: bytes, choose: st.DataObject) -> None:
    known = [(dimension, term) for dimension in DIMENSIONS for term in terms(data, dimension)]
    if not known:
        return
    dimension, old = choose.draw(st.sampled_from(known))
    after = vocabulary.remove_term(data, dimension, old)
    assert terms(after, dimension) == tuple(term for term in terms(data, dimension) if term != old)
    for other in DIMENSIONS:
        assert other == dimension or terms(after, other) == terms(data, other)
