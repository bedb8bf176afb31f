"""Reading a record: every unreadable case of the contract with its place, and raw text for everything else."""

from __future__ import annotations

from typing import Any

import frontmatter as python_frontmatter
import pytest

from reversa.core.document import Plain, Span, simple
from reversa.store import frontmatter
from reversa.store.frontmatter import locate, position, read
from reversa.store.raw import MAX_BYTES


def record(yaml: str, body: str = "\n# T\n") -> bytes:
    return f"---\n{yaml}---\n{body}".encode()


UNREADABLE = [
    ("no opening delimiter", b"# A title\n", "RV002", 1, 1),
    ("an empty file", b"", "RV002", 1, 1),
    ("no closing delimiter", b"---\na: 1\n", "RV003", 1, 1),
    ("not UTF-8", b"---\na: 1\nb: \xe9t\xe9\n---\n", "RV001", 3, 4),
    ("invalid YAML", record('a: 1\nb: "x\n'), "RV004", 4, 1),
    ("a tab for indentation", record("a:\n\tb: 1\n"), "RV004", 3, 1),
    ("a control character", record("a: x\x07y\n"), "RV004", 2, 5),
    ("two documents", record("a: 1\n...\nb: 2\n"), "RV004", 4, 1),
    ("a duplicate key", record("a: 1\nb: 2\na: 3\n"), "RV005", 4, 1),
    ("a duplicate nested key", record("a:\n  b: 1\n  b: 2\n"), "RV005", 4, 3),
    ("keys that differ in quotes alone", record('a: 1\n"a": 2\n'), "RV005", 3, 1),
    ("an anchor", record("a: &x 1\nb: 2\n"), "RV006", 2, 4),
    ("an anchor in the first column", record("&x a: 1\n"), "RV006", 2, 1),
    ("an alias", record("b: 1\na: *x\n"), "RV006", 3, 4),
    ("an alias bomb", record("a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(9))), "RV006", 2, 4),
    ("a merge key", record("a: 1\n<<: {b: 1}\n"), "RV007", 3, 1),
    ("a tag", record("a: !!str 1\n"), "RV008", 2, 4),
    ("a local tag", record("a:\n  - !x 1\n"), "RV008", 3, 5),
    ("a tag in the first column", record("!!map\na: 1\n"), "RV008", 2, 1),
    ("a list", record("- a\n"), "RV009", 2, 1),
    ("text", record("words\n"), "RV009", 2, 1),
    ("nothing", record(""), "RV009", 2, 1),
    ("comments alone", record("# a: 1\n"), "RV009", 2, 1),
    ("a key that is no text", record("? [a]\n: b\n"), "RV010", 2, 3),
    ("over 4 MiB", record("a: 1\n", "x" * MAX_BYTES), "RV011", 1, 1),
    ("a conflict marker in the front matter", record("a: 1\n<<<<<<< HEAD\nb: 1\n"), "RV012", 3, 1),
    ("half a conflict in the front matter", record("a: 1\n=======\nb: 1\n"), "RV012", 3, 1),
    ("the base of a conflict", record("||||||| base\na: 1\n"), "RV012", 2, 1),
    ("a conflict in the body", record("a: 1\n", "x\n<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"), "RV012", 5, 1),
    ("nesting without end", record("a: " + "[" * 300 + "]" * 300 + "\n"), "RV013", 2, 204),
]


@pytest.mark.parametrize(
    ("data", "code", "line", "column"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE]
)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_unreadable(data: bytes, code: str, line: int, column: int, newline: bytes) -> None:
    document = read(data.replace(b"\n", newline))
    assert document.data is None
    assert [problem.code for problem in document.problems] == [code]
    assert (document.problems[0].line, document.problems[0].column) == (line, column)


@pytest.mark.parametrize("data", [b"[" * 100_000, b"---\n" + b"- " * 100_000 + b"\n---\n", b"---\n" + b"{a: " * 50_000])
def test_hostile_nesting_is_a_problem_and_no_crash(data: bytes) -> None:
    assert read(data).data is None


@pytest.mark.parametrize(
    "body",
    [
        "```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n",
        "~~~~ diff\n<<<<<<< a\n```\n=======\n~~~\n>>>>>>> b\n~~~~~\n",
        "<<<<<<< a\nno second\n>>>>>>> b\n",
        "Title\n=======\n\n<<<<<<< a\n",
        ">>>>>>> b\n=======\n<<<<<<< a\n",
        "    <<<<<<< a\n=======\n>>>>>>> b\n",
        "<<<<<<<a\n=======\n>>>>>>> b\n",
    ],
)
def test_what_is_no_conflict_in_a_body(body: str) -> None:
    document = read(record("a: 1\n", body))
    assert document.data == {"a": "1"}
    assert document.body == body


def test_conflict_after_a_closed_fence_is_found() -> None:
    body = "```\n<<<<<<< in a fence\n```\n<<<<<<< a\n=======\n>>>>>>> b\n"
    problem = read(record("a: 1\n", body)).problems[0]
    assert (problem.code, problem.line) == ("RV012", 7)


def test_a_bom_is_readable_with_a_warning() -> None:
    document = read(b"\xef\xbb\xbf---\r\na: 1\r\n---\r\nbody\r\n")
    assert document.data == {"a": "1"}
    assert [problem.code for problem in document.problems] == ["RV020"]
    assert (document.bom, document.newline, document.body) == (True, "\r\n", "body\r\n")


RAW = (
    "7e12345", "0012345", "1234567", "no", "on", "yes", "Off", "N", "1_000", "0x1F", "12:30:45", ".inf", "2026-08-01",
    "3/20", "=", "1.0", "nULL", "tRUE",
)  # fmt: skip


@pytest.mark.parametrize("text", RAW)
def test_a_scalar_keeps_the_text_as_written(text: str) -> None:
    for written in (text, f'"{text}"', f"'{text}'", f"|-\n  {text}", f">-\n  {text}", f"\n  {text}"):
        assert simple(read(record(f"a: {written}\n")).data) == {"a": text}


@pytest.mark.parametrize(
    ("written", "value"),
    [("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None)]
    + [(text, True) for text in ("true", "True", "TRUE")]
    + [(text, False) for text in ("false", "False", "FALSE")]
    + [('"null"', "null"), ("'true'", "true"), ('""', ""), ("|-\n  null", "null"), ("nil", "nil")],
)
def test_null_and_booleans_are_plain_scalars_of_these_spellings(written: str, value: Any) -> None:
    read_back = simple(read(record(f"a: {written}\n")).data)
    assert read_back == {"a": value}
    assert isinstance(read_back["a"], type(value))


def test_plain_scalars_are_marked_and_others_are_not() -> None:
    data = read(record("a: x\nb: 'x'\nc: |\n  x\nd: [x, \"x\"]\n")).data
    assert data is not None
    assert [isinstance(data[key], Plain) for key in "abc"] == [True, False, False]
    assert [isinstance(item, Plain) for item in data["d"]] == [True, False]


@pytest.mark.parametrize(
    "source", ["---\na: 1\n---", "---\na: 1\n---\n", "\n\n---  \na: 1\n--- \nx\n\n", "---\na: 1\n---\n---\n"]
)
def test_delimiters_and_what_follows(source: str) -> None:
    document = read(source.encode())
    assert document.data == {"a": "1"}
    assert document.text == source
    assert document.text[document.yaml_at : document.yaml_end] == "a: 1\n"
    assert source.endswith(document.body)


def test_keys_that_trouble_python_frontmatter_are_keys() -> None:
    data = read(record("content: 1\nhandler: 2\nmetadata: 3\n")).data
    assert data == {"content": "1", "handler": "2", "metadata": "3"}


def test_spans_give_every_key_and_value_in_code_points() -> None:
    source = "---\ntitle: é🔓 x\nlist:\n  - a: 1\n  - [b, 'c']\nnone:\n---\n"
    document, spans = locate(source.encode())
    text = document.text

    def shown(span: Span) -> tuple[str, str]:
        return text[span.key_start : span.key_end], text[span.start : span.end]

    assert shown(spans[("title",)]) == ("title", "é🔓 x")
    assert shown(spans[("list", 0, "a")]) == ("a", "1")
    assert shown(spans[("list", 1)]) == ("", "[b, 'c']")
    assert shown(spans[("list", 1, 1)]) == ("", "'c'")
    assert shown(spans[("none",)]) == ("none", "")
    assert text[spans[()].start :].startswith("title")
    assert position(text, spans[("list", 1, 1)].start) == (5, 9)


def test_only_a_line_feed_ends_a_line() -> None:
    text = '---\na: "x\u2028y"\nb: 1\n---\n'
    _, spans = locate(text.encode())
    assert position(text, spans[("b",)].key_start) == (3, 1)


def test_spans_of_an_unreadable_record_are_empty() -> None:
    assert locate(b"nothing")[1] == {}


def test_python_frontmatter_is_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = python_frontmatter.parse

    def spy(text: str, *args: Any, **kwargs: Any) -> Any:
        calls.append(kwargs["handler"])
        return real(text, *args, **kwargs)

    monkeypatch.setattr(frontmatter.frontmatter, "parse", spy)
    read(record("a: 1\n"))
    assert [type(handler).__name__ for handler in calls] == ["BugHandler"]
