"""What stands around the registry: nothing outside the project exists, and anchors are those that GitHub makes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.store.around import Project, github_slug, heading_anchors

from .places import as_another_user, open_folder, write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(
        tmp_path,
        {"outside/secret.md": "# Secret\n", "outside/file": "x", "in/docs/a.md": "# A\n", "in/src/é b.py": "x"},
    )
    return tmp_path / "in"


# --- exists


@pytest.mark.parametrize("path", ["docs", "docs/", "docs/a.md", "./docs//a.md", "src/é b.py", ".", "src/../docs/a.md"])
def test_what_is_there_exists(project: Path, path: str) -> None:
    assert Project(project).exists(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "//",
        "docs/b.md",
        "Docs/A.md",
        "docs/a.md/x",
        "..",
        "../",
        "../in",
        "../outside/file",
        "docs/../../outside/file",
        "docs/../..",
        "/etc/passwd",
        "//etc/passwd",
        "docs\0",
        "docs/a.md\0",
        "\ud800",
        "docs/\ud800/x",
        "x" * 5000,
        "x/" * 3000,
        "C:\\windows",
        "~",
    ],
)
def test_what_is_not_there_or_leads_out_does_not(project: Path, path: str) -> None:
    around = Project(project)
    assert not around.exists(path)
    assert around.anchors(path) is None
    assert around.lines(path) is None


def test_links_that_leave_the_project_do_not_exist(project: Path) -> None:
    (project / "folder").symlink_to("../outside")
    (project / "file").symlink_to("../outside/secret.md")
    (project / "absolute").symlink_to("/etc")
    (project / "gone").symlink_to("nowhere")
    (project / "loop").symlink_to("loop")
    (project / "one").symlink_to("two")
    (project / "two").symlink_to("one")
    (project / "inside").symlink_to("docs")
    (project / "here").symlink_to(".")
    around = Project(project)
    leaving = [
        "folder",
        "folder/file",
        "folder/secret.md",
        "file",
        "absolute/passwd",
        "gone",
        "loop",
        "loop/x",
        "one",
        "two/x",
    ]
    assert [path for path in leaving if around.exists(path)] == []
    assert [around.anchors(path) for path in leaving] == [None] * len(leaving)
    assert around.exists("inside/a.md")
    assert around.exists("here/here/docs/a.md")
    assert around.anchors("inside/a.md") == {"a"}


def test_a_project_behind_a_link(project: Path) -> None:
    (project.parent / "link").symlink_to("in")
    assert Project(project.parent / "link").exists("docs/a.md")


def test_a_neighbour_whose_name_begins_alike_is_outside(project: Path) -> None:
    write(project.parent, {"in-old/x": ""})
    (project / "old").symlink_to("../in-old")
    assert not Project(project).exists("old/x")


@given(
    st.lists(st.sampled_from(["..", ".", "", "docs", "a.md", "outside", "in", "up", "\0", "é"]), max_size=7).map(
        "/".join
    )
)
def test_no_path_leaves_the_project(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    place = tmp_path_factory.getbasetemp() / "no-path-leaves"
    if not place.exists():
        write(place, {"in/docs/a.md": "# A", "outside/a.md": "# Out", "a.md": "# Out", "docs/a.md": "# Out"})
        (place / "in" / "up").symlink_to("..")
    around = Project(place / "in")
    if around.exists(path):
        real = os.path.realpath(place / "in" / os.path.normpath(path))
        assert f"{real}/".startswith(f"{place / 'in'}/")
    assert around.anchors(path) in (None, {"a"})


def test_each_folder_and_file_is_looked_at_once(project: Path) -> None:
    around = Project(project)
    assert (around.exists("docs/a.md"), around.anchors("docs/a.md"), around.lines("docs/a.md")) == (True, {"a"}, 1)
    (project / "docs" / "a.md").unlink()
    assert (around.exists("docs/a.md"), around.anchors("docs/a.md"), around.lines("docs/a.md")) == (True, {"a"}, 1)
    assert not Project(project).exists("docs/a.md")


# --- files


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\r\n\r\n", 2), (b"\0\n\xff\n", 2)],
)
def test_lines(project: Path, content: bytes, lines: int) -> None:
    write(project, {"x": content})
    assert Project(project).lines("x") == lines


def test_what_is_no_text_has_no_anchors(project: Path) -> None:
    os.mkfifo(project / "pipe.md")  # would wait for ever if it were opened
    write(project, {"big.md": b"# A\n" * (1024 * 1024 + 1), "binary.md": bytes(range(256)) * 10})
    around = Project(project)
    for path in ("docs", "pipe.md", "big.md"):
        assert around.exists(path)
        assert around.anchors(path) is None
        assert around.lines(path) is None
    assert around.anchors("binary.md") is not None


def test_what_is_closed_to_us(project: Path) -> None:
    with open_folder() as place:
        write(place, {"a.md": "# A\n", "closed/b.md": "# B\n"})
        (place / "a.md").chmod(0)
        (place / "closed").chmod(0)
        with as_another_user():
            around = Project(place)
            assert (around.exists("a.md"), around.anchors("a.md"), around.lines("a.md")) == (True, None, None)
            assert (around.exists("closed"), around.exists("closed/b.md")) == (True, False)


# --- anchors

SLUGS = [
    ("Discounts", "discounts"),
    ("Total & taxes", "total--taxes"),
    ("What is it?", "what-is-it"),
    ("C++ / C#", "c--c"),
    ("a.b.c", "abc"),
    ("kebab-case snake_case", "kebab-case-snake_case"),
    ("a  b", "a--b"),
    ("a\tb", "ab"),
    ("1. Über Maß", "1-über-maß"),
    ("Título: «ação»", "título-ação"),
    ("E\u0301te\u0301", "e\u0301te\u0301"),
    ("ПРИВЕТ мир", "привет-мир"),
    ("中文 标题", "中文-标题"),
    ("日本語、です。", "日本語です"),
    ("हिन्दी", "हिन्दी"),
    ("😄 emoji", "-emoji"),
    ("emoji 😄", "emoji-"),
    (":ok_hand: Hello", "ok_hand-hello"),
    ("⚙\ufe0f Settings", "\ufe0f-settings"),
    ("x² ½ ①", "x--"),
    ("Ⅷ", "ⅷ"),
    ("’“quoted”–—…", "quoted"),
    ("`code`", "code"),
    ("`Vec<T>` and `a_b`", "vect-and-a_b"),
    ("`__init__` and __init__", "__init__-and-init"),
    ("``a ` b``", "a--b"),
    ("`&amp;` &amp; x", "amp--x"),
    ("R&amp;D", "rd"),
    ("[text](https://x.y/z#a_b)", "text"),
    ("[`code`](x(y)) and [b](<c d>)", "code-and-b"),
    ("![logo](logo.png) Name", "-name"),
    ("[![badge](b.svg)](https://ci) Name", "-name"),
    ("<https://x.y>", "httpsxy"),
    ("<b>bold</b> <br/>x", "bold-x"),
    ("a < b > c", "a--b--c"),
    ("**bold** *it* _it_ ~~no~~ __b__", "bold-it-it-no-b"),
    ("_a_b_", "a_b"),
    ("\\_a\\_ \\*b\\*", "_a_-b"),
    ("BUG-20260715-A7K3", "bug-20260715-a7k3"),
    ("İ", "i\u0307"),
    ("", ""),
    ("🚀", ""),
]


@pytest.mark.parametrize(("heading", "slug"), SLUGS, ids=range(len(SLUGS)))
def test_slugs_are_github_s(heading: str, slug: str) -> None:
    assert github_slug(heading) == slug


def anchors(text: str) -> set[str]:
    return set(heading_anchors(text))


def test_repeated_headings_are_counted() -> None:
    assert anchors("# A\n## a\n### A!\n# A-1\n") == {"a", "a-1", "a-2"}
    assert anchors("# 🚀\n# 🎉\n#\n") == {"-1", "-2"}


def test_headings_in_every_form() -> None:
    text = "# One\n ## Two ##\n   ### Three #\n###### Six\n#\tTab\n# A#\n# B \\#\n#\n"
    assert anchors(text) == {"one", "two", "three", "six", "tab", "a", "b-"}
    assert anchors("#No\n####### No\n    # No\n\\# No\n") == set()


def test_underlined_headings() -> None:
    assert anchors("One\n===\n\nTwo\n--\n\n   Three\n   ---  \n") == {"one", "two", "three"}
    assert anchors("two\nlines\n---\n") == {"twolines"}
    assert anchors("# A\n---\n\n---\n\n> q\n---\n\n- item\n---\n\n***\n---\n\n    code\n---\n\n[ref]: x\n---\n") == {
        "a"
    }
    assert anchors("text\n\n---\ntext\n= =\n") == set()


def test_fences_and_comments_hold_no_headings() -> None:
    assert anchors("```\n# No\n```\n# Yes\n") == {"yes"}
    assert anchors("```\n```python\n# No\n```\n# Yes\n") == {"yes"}
    assert anchors("~~~~\n# No\n~~~\n# No\n```\n~~~~~\n# Yes\n") == {"yes"}
    assert anchors("``` inline ``` text\n# Yes\n") == {"yes"}
    assert anchors("1. step\n\n   ```sh\n   # No\n   ```\n\n# Yes\n") == {"yes"}
    assert anchors("<!--\n# No\n\nNo\n---\n-->\n# Yes\n") == {"yes"}
    assert anchors("# Yes\n```\n# never closed\n") == {"yes"}


def test_anchors_set_by_hand() -> None:
    text = """
<a id="one"></a><a name='two'></a>
<h2 class="x" id="three">Title</h2>
<div id = four><span data-id="no">
## Title {#five}
<A ID="Six">
```
<a id="no"></a>
```
<!-- <a id="no"></a>
-->
"""
    assert anchors(text) == {"one", "two", "three", "four", "five", "Six", "title"}


def test_front_matter_holds_no_headings() -> None:
    assert anchors("---\ntitle: x\n# comment\n---\n# Yes\n") == {"yes"}
    assert anchors("\ufeff---\ntitle: x\n---\n# Yes\n") == {"yes"}
    assert anchors("\ufeff# Yes\r\n\r\nAlso\r\n====\r\n") == {"yes", "also"}


HOSTILE = [
    "# " + " " * 200_000 + "x",
    "# " + " #" * 200_000 + "x",
    "# " + "[" * 200_000,
    "# " + "![" * 100_000,
    "# " + "](" * 100_000,
    "# " + "`" * 100_000 + " " + "`x" * 50_000,
    "# " + "_a" * 100_000,
    "# " + "<a " * 100_000,
    "<a " * 100_000,
    "<a id=" * 50_000,
    "<" + "a" * 200_000,
    "{#" * 100_000,
    "{#" + "a" * 200_000,
    "# " + "&" * 100_000,
    "[" * 200_000 + "\n---\n",
    "x\n" * 50_000 + "---\n",
    "- " * 500 + "# x",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_long_lines_are_read_in_a_moment(text: str) -> None:
    """A pattern that goes back and forth would need minutes for any of these, and the suite would not end."""
    assert isinstance(heading_anchors(text), frozenset)


@given(st.text(st.sampled_from("#`~-=_*[]()!<>&;\\ \n\r\ta1é.:{}\"'"), max_size=60))
def test_any_text_has_anchors_without_spaces(text: str) -> None:
    assert "" not in heading_anchors(text)
    assert not any(c in " \n#`" for c in github_slug(text))
