"""Titles that would break out of their place: each format shows them verbatim and does nothing else with them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from reversa.views import escape

from .built import bug, edge, registry, views

TITLES = [
    "a | b || c \\| d",
    "[link](http://evil.example) ![image](x) [BUG-20260715-AAAA] [x]: y",
    "`code` ``more`` ` alone",
    "\"double\" 'single' &quot; &amp; &#60; & alone",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "--> <!-- ]]> </title></style></script></svg>",
    "*star* **two** _under_ snake_case __dunder__ ~gone~ ~~gone~~ $math$",
    "{{ 7 * 7 }} {% raw %} {# no #} %%{init: {}}%%",
    "end; subgraph x #quot; #35; \\n \\\\ trailing \\",
    "# heading - list 1. item > quote",
    "https://evil.example/ www.evil.example",
]
BROKEN = {
    "two\nlines": "two lines",
    "two\r\nlines": "two lines",
    "para\u2028graph\u2029end": "para graph end",
    "next\u0085line": "next line",
    "red \u001b[31mANSI\u001b[0m": "red ␛[31mANSI␛[0m",
    "bell\u0007 nul\u0000 del\u007f": "bell␇ nul␀ del␡",
    "bidi \u202egnp.exe\u2066": "bidi \ufffdgnp.exe\ufffd",
    "tab\there": "tab here",
}
GENERATED = "_reversa_bugs/shop/generated/"


def draw(title: str) -> dict[str, str]:
    return views(
        registry(
            bug("AAAA", title=title, area=title, labels=[title], traceability={"specs": [title]}, phase=title,
                relationships=[{**edge("BBBB"), "evidence": [title, {"ref": title, "observation": title}]}],
                blocking=[{"kind": "external", "reason": title}]),
            bug("BBBB", status="resolved", title=title, resolution_kind=title),
        )
    )  # fmt: skip


def expected(title: str) -> str:
    return BROKEN.get(title, title)


def cells(text: str, heading: str) -> list[list[str]]:
    """Give the rows of the first table below a heading as plain text."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    at = next(index for index, token in enumerate(tokens) if token.content == heading)
    rows: list[list[str]] = []
    for token in tokens[at:]:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline" and rows:
            rows[-1].append("".join(child.content for child in token.children or []))
    return rows


@pytest.mark.parametrize("title", [*TITLES, *BROKEN])
def test_markdown_shows_it_verbatim(title: str) -> None:
    drawn = draw(title)
    index = cells(drawn[f"{GENERATED}index.md"], "Open and active")[1]
    assert index[5] == expected(title)
    assert index[6] == expected(title)
    assert len(index) == 7
    matrix = cells(drawn[f"{GENERATED}matrix.md"], "Cluster around [BUG-20260715-AAAA]")
    assert matrix[1][5] == f"{expected(title)}; {expected(title)}: {expected(title)}"
    scores = cells(drawn[f"{GENERATED}graph.md"], "Impact")
    assert scores[1][4] == expected(title)
    mirror = drawn["_reversa_sdd/traceability/bugs.md"]
    assert mirror.count("\n## ") == 1


@pytest.mark.parametrize("title", [*TITLES, *BROKEN])
def test_markdown_holds_no_markup_of_its_own(title: str) -> None:
    for name, text in draw(title).items():
        if name.endswith(".md"):
            tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
            blocks = [token for token in tokens if token.type == "html_block"]
            assert len(blocks) == 1, name
            inline = [child for token in tokens for child in token.children or []]
            assert not [child for child in inline if child.type in ("html_inline", "image", "em_open", "s_open")], name
            links = [child.attrs["href"] for child in inline if child.type == "link_open"]
            assert not [link for link in links if "evil" in str(link) or ":" in str(link)], name
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\u2066]", text), name


@pytest.mark.parametrize("title", [*TITLES, *BROKEN])
def test_mermaid_stays_in_its_label(title: str) -> None:
    text = draw(title)[f"{GENERATED}graph.md"]
    diagram = text.split("```mermaid\n")[1].split("```")[0]
    labels = re.findall(r'\["(.*)"\]', diagram)
    assert len(labels) == 2
    for label in labels:
        assert '"' not in label
        shown = re.sub(r"#(quot|\d+);", lambda found: '"' if found[1] == "quot" else chr(int(found[1])), label)
        assert shown.split(": ", 1)[1] == escape.cut(expected(title).strip(), 60)
    outside = re.sub(r'\[".*"\]', "", diagram)
    assert re.fullmatch(r"[\w\s:<>|.,#;-]*", outside)


@pytest.mark.parametrize("title", [*TITLES, *BROKEN])
def test_catalog_keeps_the_text_and_nothing_raw(title: str) -> None:
    text = draw(title)[f"{GENERATED}catalog.jsonl"]
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\u2066]", text)
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["title"] for row in rows] == [title, title]


class Page(HTMLParser):
    """Takes a page apart: elements with attributes, and the text of each element."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.comments: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        for tag in set(self._open[-1:]):
            self.texts[tag][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("title", [*TITLES, *BROKEN])
def test_page_shows_it_and_runs_nothing(title: str) -> None:
    text = draw(title)[f"{GENERATED}graph.html"]
    page = Page(text)
    assert page.texts["td"].count(expected(title)) >= 2
    assert any(expected(title) in tip for tip in page.texts["title"])
    assert len(page.comments) == 1
    assert len(page.texts["script"]) == 1
    assert "img" not in page.texts
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        for name in ("href", "src"):
            assert not re.match(r"[a-z]+:|//", attributes.get(name) or ""), (tag, attributes)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\u2066]", text)


def test_the_policy_allows_what_is_there_and_nothing_else() -> None:
    page = Page(draw("Any")[f"{GENERATED}graph.html"])
    policy = next(attrs["content"] for tag, attrs in page.elements if attrs.get("http-equiv"))
    for name in ("style", "script"):
        (inline,) = page.texts[name]
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in str(policy)
    assert "default-src 'none'" in str(policy)
    assert len(page.texts["script"][0]) < 3_000


def test_folder_names_make_harmless_links() -> None:
    odd = bug("AAAA", "a (b) <c>", slug='x") y|z`<d>')
    for name, text in views(registry(odd)).items():
        if name.endswith("index.md"):
            tokens = MarkdownIt("commonmark").enable("table").parse(text)
            links = [
                str(child.attrs["href"])
                for token in tokens
                for child in token.children or []
                if child.type == "link_open" and "BUG" in str(child.attrs["href"])
            ]
            assert links == ["../bugs/BUG-20260715-AAAA-x%22%29%20y%7Cz%60%3Cd%3E/bug.md"]
