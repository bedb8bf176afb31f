"""Edits to the bytes of a record, style by style: what the file looks like afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from reversa.core.edit import Edit
from reversa.errors import Refused
from reversa.store import edit as editor
from reversa.store.edit import splice


@dataclass(frozen=True)
class Case:
    """A front matter before and after edits that fine cuts make."""

    name: str
    before: str
    edits: tuple[Edit, ...]
    after: str


def put(value: Any, *route: str | int) -> Edit:
    return Edit("set", route, value)


def add(value: Any, *route: str | int) -> Edit:
    return Edit("add", route, value)


def drop(*route: str | int, value: Any = None) -> Edit:
    return Edit("remove", route, value)


def anew(value: Any, *route: str | int) -> Edit:
    return Edit("rewrite", route, value)


def name(name: str, *route: str | int) -> Edit:
    return Edit("rename", route, name)


SCALARS = [
    Case("a plain text", "title: old\nb: 1\n", (put("new", "title"),), "title: new\nb: 1\n"),
    Case("a comment", "title: 'old'   # note\n", (put("new", "title"),), "title: new   # note\n"),
    Case("trailing spaces", "title: old  \n", (put("new", "title"),), "title: new  \n"),
    Case("space before the colon", "title : old\n", (put("new", "title"),), "title : new\n"),
    Case("a doubtful text", "title: old\n", (put("no", "title"),), 'title: "no"\n'),
    Case("line breaks", "title: old\n", (put("a\nb", "title"),), 'title: "a\\nb"\n'),
    Case("a quoted text with a hash", 'title: "a # b" # c\n', (put("x", "title"),), "title: x # c\n"),
    Case("a folded scalar", "title: >-\n  old\n  text\n\nb: 1\n", (put("new", "title"),), "title: new\n\nb: 1\n"),
    Case("a header with a comment", "title: | # why\n  old\nb: 1\n", (put("x", "title"),), "title: x # why\nb: 1\n"),
    Case("a scalar that keeps breaks", "a: |+\n  x\n\n\nb: 1\n", (put("y z", "a"),), "a: y z\nb: 1\n"),
    Case("a text on two lines", "title: old\n  text # c\nb: 1\n", (put("x", "title"),), "title: x # c\nb: 1\n"),
    Case("a text below its key", 'title:\n  "old"\nb: 1\n', (put("x", "title"),), "title: x\nb: 1\n"),
    Case("an empty value", "title:\nb: 1\n", (put("x", "title"),), "title: x\nb: 1\n"),
    Case("an empty value, comment", "title:  # todo\n", (put("x", "title"),), "title: x  # todo\n"),
    Case("null", "spec_verdict: spec-gap\n", (put(None, "spec_verdict"),), "spec_verdict: null\n"),
    Case(
        "a boolean",
        "closure:\n  satisfied: no\n",
        (put(True, "closure", "satisfied"),),
        "closure:\n  satisfied: true\n",
    ),
    Case("a date", "updated: 2026-08-01\n", (put("2026-08-02", "updated"),), "updated: 2026-08-02\n"),
    Case(
        "a commit",
        "delivery:\n  merge: null\n",
        (put("abcdef1", "delivery", "merge"),),
        'delivery:\n  merge: "abcdef1"\n',
    ),
    Case("an item", "labels:\n  - a # c\n  - b\n", (put("x", "labels", 0),), "labels:\n  - x # c\n  - b\n"),
    Case("an empty item", "labels:\n  -\n  - b\n", (put("x", "labels", 0),), "labels:\n  - x\n  - b\n"),
    Case("in a flow mapping", "a: {b: 1, c: 'x'} # d\n", (put("y, z", "a", "c"),), 'a: {b: 1, c: "y, z"} # d\n'),
    Case("a colonless key", "a: {b , c: 1}\n", (put("x", "a", "b"),), "a: {b: x , c: 1}\n"),
    Case("an empty flow value", "a: {b: , c: 1}\n", (put("x", "a", "b"),), "a: {b: x , c: 1}\n"),
    Case("a list gives way", "a:\n  # why\n  - x\n  - y # z\nb: 1\n", (put("t", "a"),), "a: t\n  # why\nb: 1\n"),
    Case("the same", "commit: 7e12345\n", (put("7e12345", "commit"),), "commit: 7e12345\n"),
]

KEYS = [
    Case("in its place", "id: x\nstatus: open\n", (put("t", "title"),), "id: x\ntitle: t\nstatus: open\n"),
    Case("the first", "status: open\n", (put(1, "schema_version"),), "schema_version: 1\nstatus: open\n"),
    Case("an unknown one", "id: x\nown: 1\n\n# end\n", (put("t", "mine"),), "id: x\nown: 1\nmine: t\n\n# end\n"),
    Case("after a list", "labels:\n  - a\n  # - b\n\nb: 1\n", (put("normal", "visibility"),),
         "labels:\n  - a\n  # - b\nvisibility: normal\n\nb: 1\n"),
    Case("after a block scalar", "title: |\n  x\n\nb: 1\n", (put("open", "status"),),
         "title: |\n  x\nstatus: open\n\nb: 1\n"),
    Case("after kept breaks", "title: |+\n  x\n\nb: 1\n", (put("open", "status"),),
         "title: |+\n  x\n\nstatus: open\nb: 1\n"),
    Case("after a renamed sibling", "created_at: x\nb: 1\n", (put("2026-08-01", "updated"),),
         "created_at: x\nupdated: 2026-08-01\nb: 1\n"),
    Case("nested", "closure:\n   policy: x\nb: 1\n", (put(False, "closure", "satisfied"),),
         "closure:\n   policy: x\n   satisfied: false\nb: 1\n"),
    Case("of an item", "relationships:\n- bug: B\n  state: x # c\n", (put("caused-by", "relationships", 0, "type"),),
         "relationships:\n- bug: B\n  type: caused-by\n  state: x # c\n"),
    Case("the first of an item", "relationships:\n  - state: x\n", (put("B", "relationships", 0, "bug"),),
         "relationships:\n  - bug: B\n    state: x\n"),
    Case("in a flow mapping", "root: {b: 1 }\n", (put("x: y", "root", "c"),), 'root: {b: 1, c: "x: y" }\n'),
    Case("first in a flow mapping", "closure: {satisfied: false}\n", (put("p", "closure", "policy"),),
         "closure: {policy: p, satisfied: false}\n"),
    Case("in a pair without braces", "a: [b: 1]\n", (put("x", "a", 0, "c"),), "a: [{b: 1, c: x}]\n"),
    Case("where null stood", "traceability:\n  root_cause: null  # todo\n",
         (put("confirmed", "traceability", "root_cause", "state"),),
         "traceability:\n  root_cause:  # todo\n    state: confirmed\n"),
    Case("with its parents", "id: x\n", (put("confirmed", "traceability", "root_cause", "state"),),
         "id: x\ntraceability:\n  root_cause:\n    state: confirmed\n"),
    Case("of an indented front matter", "  id: x\n  b: 1\n", (put("t", "title"),), "  id: x\n  title: t\n  b: 1\n"),
    Case("of a front matter in braces", "{id: x, b: 1}\n", (put("t", "title"), drop("b")), "{id: x, title: t}\n"),
]  # fmt: skip

EDGE = {"bug": "BUG-20260715-A7K3", "type": "caused-by", "evidence": [{"ref": "src/a.py:1", "observation": "a: b"}]}

LISTS = [
    Case("an empty one", "labels: []   # note\nb: 1\n", (add("x", "labels"),), "labels:   # note\n  - x\nb: 1\n"),
    Case("null", "labels:   # note\n", (add("x", "labels"),), "labels:   # note\n  - x\n"),
    Case("missing", "id: x\nvisibility: normal\n", (add("x", "labels"),),
         "id: x\nlabels:\n  - x\nvisibility: normal\n"),
    Case("a single text", "labels: a   # note\n", (add("x", "labels"),), "labels:   # note\n  - a\n  - x\n"),
    Case("indented", "labels:\n    - a # c\n\nb: 1\n", (add("x", "labels"),),
         "labels:\n    - a # c\n    - x\n\nb: 1\n"),
    Case("at its key's column", "labels:\n- a\n# c\nb: 1\n", (add("x", "labels"),), "labels:\n- a\n- x\n# c\nb: 1\n"),
    Case("wide dashes", "labels:\n-   a\n", (add({"k": "v", "l": "w"}, "labels"),),
         "labels:\n-   a\n-   k: v\n    l: w\n"),
    Case("comments between", "a:\n  - x\n  # c\n  - y\n  # d\n", (add("z", "a"),),
         "a:\n  - x\n  # c\n  - y\n  # d\n  - z\n"),
    Case("flow", "labels: [a, 'b'] # c\n", (add("x, y", "labels"),), "labels: [a, 'b', \"x, y\"] # c\n"),
    Case("flow with a last comma", "labels: [a, b, ]\n", (add("x", "labels"),), "labels: [a, b, x, ]\n"),
    Case("flow on lines", "a: [\n  x, # one\n  y # two\n]\n", (add("z", "a"),),
         "a: [\n  x, # one\n  y, # two\n  z\n]\n"),
    Case("flow on lines, last comma", "a: [\n  x,\n  y, # two\n]\n", (add("z", "a"),),
         "a: [\n  x,\n  y, # two\n  z,\n]\n"),
    Case("nested", "a:\n  - - x\n    - y\n  - z\n", (add("q", "a", 0),), "a:\n  - - x\n    - y\n    - q\n  - z\n"),
    Case("of mappings", "relationships: []\n", (add(EDGE, "relationships"),),
         "relationships:\n  - bug: BUG-20260715-A7K3\n    type: caused-by\n    evidence:\n      - ref: src/a.py:1\n"
         '        observation: "a: b"\n'),
    Case("of mappings, flow", "relationships: [{bug: A}]\n", (add({"bug": "B", "type": "no"}, "relationships"),),
         'relationships: [{bug: A}, {bug: B, type: "no"}]\n'),
    Case("inside a flow mapping", "root: {b: 1}\n", (add({"ref": "x"}, "root", "evidence"),),
         "root: {b: 1, evidence: [{ref: x}]}\n"),
    Case("after a folded item", "a:\n  - >-\n    x\n    y\n\nb: 1\n", (add("z", "a"),),
         "a:\n  - >-\n    x\n    y\n  - z\n\nb: 1\n"),
    Case("set, flow stays flow", "labels: [a]\n", (put(["x", "z"], "labels"),), "labels: [x, z]\n"),
    Case("set, block stays block", "labels:\n    - a\nb: 1\n", (put(["x", "z"], "labels"),),
         "labels:\n    - x\n    - z\nb: 1\n"),
    Case("a mapping for a list", "a:\n- x\nb: 1\n", (put({"k": "v"}, "a"),), "a:\n  k: v\nb: 1\n"),
    Case("a mapping for an item", "a:\n  - x # c\n", (put({"k": "v", "l": "w"}, "a", 0),),
         "a:\n  - k: v # c\n    l: w\n"),
]  # fmt: skip

REMOVALS = [
    Case("a key", "a: 1\n# about b\nb: 2 # b\nc: 3\n", (drop("b"),), "a: 1\n# about b\nc: 3\n"),
    Case("a key with a block", "a: 1\nb:\n  - x\n  # deep\n\nc: 3\n", (drop("b"),), "a: 1\n\nc: 3\n"),
    Case("a nested key", "a:\n  b: 1\n  c: 2\n", (drop("a", "c"),), "a:\n  b: 1\n"),
    Case("the last nested key", "a: # c\n  b: 1\nd: 2\n", (drop("a", "b"),), "a: {} # c\nd: 2\n"),
    Case("the first key of an item", "a:\n  - b: 1\n    c: 2\n", (drop("a", 0, "b"),), "a:\n  - c: 2\n"),
    Case("the same before a comment", "a:\n  - b: 1\n    # c\n    c: 2\n", (drop("a", 0, "b"),),
         "a:\n  -\n    # c\n    c: 2\n"),
    Case("an item", "a:\n  - x\n  # about y\n  - y # y\n  - z\n", (drop("a", value="y"),),
         "a:\n  - x\n  # about y\n  - z\n"),
    Case("the first of equal items", "a:\n- x # 1\n- x # 2\n", (drop("a", value="x"),), "a:\n- x # 2\n"),
    Case("the last item", "labels:   # note\n  # why\n  - a\nb: 1\n", (drop("labels", value="a"),),
         "labels: []   # note\n  # why\nb: 1\n"),
    Case("a single text", "labels: a # c\n", (drop("labels", value="a"),), "labels: [] # c\n"),
    Case("an item of an item", "a:\n  - - x\n    - y\n", (drop("a", 0, 0),), "a:\n  - - y\n"),
    Case("an item that is a mapping", "a:\n  - b: 1\n    c: 2\n  - d: 3\n", (drop("a", value={"b": "1", "c": "2"}),),
         "a:\n  - d: 3\n"),
    Case("the first in flow", "a: [x, y, z]\n", (drop("a", 0),), "a: [y, z]\n"),
    Case("the last in flow", "a: [x, y, ]\n", (drop("a", 1),), "a: [x, ]\n"),
    Case("the only one in flow", "a: [ x, ] # c\n", (drop("a", 0),), "a: [] # c\n"),
    Case("a key in flow", "a: {b: 1, c: 2}\n", (drop("a", "b"),), "a: {c: 2}\n"),
    Case("in flow on lines", "a: [\n  x, # 1\n  y, # 2\n  z # 3\n]\n", (drop("a", 1),), "a: [\n  x, # 1\n  z # 3\n]\n"),
    Case("the last in flow on lines", "a: [\n  x, # 1\n  y # 2\n]\n", (drop("a", 1),), "a: [\n  x # 1\n]\n"),
    Case("in flow before a comment", "a: [x, # 1\n  y]\n", (drop("a", 0),), "a: [ # 1\n  y]\n"),
]  # fmt: skip

REWRITES = [
    Case("a commit gets quotes", "d:\n  commit: 1234567 # c\n", (anew("1234567", "d", "commit"),),
         'd:\n  commit: "1234567" # c\n'),
    Case("a number loses them", 'schema_version: "1"\n', (anew(1, "schema_version"),), "schema_version: 1\n"),
    Case("in flow", "d: {version: 1.10, a: 2}\n", (anew("1.10", "d", "version"),), 'd: {version: "1.10", a: 2}\n'),
]  # fmt: skip

RENAMES = [
    Case("a key", "a: 1\nold : [x,  y] # c\nb: 2\n", (name("new", "old"),), "a: 1\nnew : [x,  y] # c\nb: 2\n"),
    Case("a key with a block", "old: # c\n  # d\n  - 'x'\n", (name("new", "old"),), "new: # c\n  # d\n  - 'x'\n"),
    Case("a quoted key", '"old": 1\n', (name("new", "old"),), "new: 1\n"),
    Case("to a word of YAML", "r:\n  old: 1\n", (name("no", "r", "old"),), 'r:\n  "no": 1\n'),
    Case("in flow", "r: {old: 1, b: 2}\n", (name("new", "r", "old"),), "r: {new: 1, b: 2}\n"),
    Case("in a list", "r:\n  - old: 1\n    b: 2\n", (name("new", "r", 0, "old"),), "r:\n  - new: 1\n    b: 2\n"),
]  # fmt: skip

KINDS = [
    ("set", SCALARS), ("insert", KEYS), ("list", LISTS), ("remove", REMOVALS), ("rewrite", REWRITES),
    ("rename", RENAMES),
]  # fmt: skip
CASES = [pytest.param(case, id=f"{kind}: {case.name}") for kind, cases in KINDS for case in cases]

BODY = "\n# Title  \n\n```\n---\n<<<<<<< a\n```\nno final newline"


def whole(front: str, newline: str = "\n", bom: bool = False) -> bytes:
    return (("\ufeff" if bom else "") + f"---\n{front}---\n{BODY}".replace("\n", newline)).encode()


@pytest.fixture
def no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "_whole", lambda *_: [])


@pytest.mark.usefixtures("no_fallback")
@pytest.mark.parametrize("case", CASES)
def test_edit(case: Case) -> None:
    assert splice(whole(case.before), case.edits).decode() == whole(case.after).decode()
    with_crlf = splice(whole(case.before, "\r\n", bom=True), case.edits)
    assert with_crlf == whole(case.after, "\r\n", bom=True)


def test_no_edits_no_change() -> None:
    data = whole("a: 1\n")
    assert splice(data, []) == data


def test_emptied_and_filled_again_a_list_is_what_it_was() -> None:
    before = whole("labels:   # note\n  - a\n")
    assert splice(before, [drop("labels", value="a"), add("a", "labels")]) == before


def test_a_whole_key_is_written_anew_where_a_cut_goes_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way out for shapes nobody has thought of: comments inside that key are lost, nothing else is."""
    monkeypatch.setattr(editor, "_fine", lambda *_: [])
    front = "id: x\n# keep\nlabels: # lost\n  - 'a'  # lost\n  - 7e12345\n# keep\nclosure: {satisfied: no}\n"
    after = splice(whole(front), [add("b: c", "labels")])
    assert after == whole(
        'id: x\n# keep\nlabels:\n  - a\n  - "7e12345"\n  - "b: c"\n# keep\nclosure: {satisfied: no}\n'
    )


WRONG_CUTS = [
    ("id: y\nlabels: [b]\n", "would not read back as asked"),
    ("id: 'x'\nlabels: [b]\n", "would change lines of other keys"),
    ("id: x\nlabels: [b\n", "would not be readable"),
]


@pytest.mark.parametrize(("front", "reason"), WRONG_CUTS)
def test_a_result_that_is_not_what_was_asked_is_never_given(
    monkeypatch: pytest.MonkeyPatch, front: str, reason: str
) -> None:
    monkeypatch.setattr(editor, "_whole", lambda *_: [])
    monkeypatch.setattr(editor, "carry_out", lambda *_: whole(front).decode())
    with pytest.raises(Refused, match=reason) as refused:
        splice(whole("id: x\nlabels: [a]\n"), [put(["b"], "labels")])
    assert refused.value.kind == "edit-refused"
    assert refused.value.message.startswith("labels cannot be edited")


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"# no record\n", "RV002"), (b"---\na: 1\na: 2\n---\n", "line 3, RV005"), (b"---\na: &x 1\n---\n", "RV006")],
)
def test_an_unreadable_record_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as refused:
        splice(data, [put("x", "a")])
    assert refused.value.kind == "edit-refused"
    assert json.dumps(refused.value.details), "the details go into --json as they are"


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (put("a\udc80b", "title"), "U\\+DC80 is half of a surrogate pair"),
        (put("x", "title", "deep"), "title is text"),
        (drop("absent"), "there is no absent"),
        (put("x", "title", 3), "title has no items"),
    ],
)
def test_an_edit_without_meaning_is_refused(edit: Edit, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        splice(whole("title: x\nb: 1\n"), [edit])


def test_one_refused_edit_among_many_refuses_all() -> None:
    with pytest.raises(Refused):
        splice(whole("title: x\nb: 1\n"), [put("y", "title"), drop("absent")])
