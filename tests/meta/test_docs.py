"""What the documentation shows is true: every command of a console block runs and prints what the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import doc_console
import pytest
from house import ROOT, Git, MakeShop

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if doc_console.blocks(page)], ids=name_of)
def test_commands_do_what_the_page_shows(
    page: Path, make_shop: MakeShop, clean_env: dict[str, str], git: Git, tmp_path: Path
) -> None:
    folders: dict[str, Path] = {}
    differences = []
    for number, block in enumerate(doc_console.blocks(page)):
        if block.place == "checkout":
            continue
        if block.fresh or block.place not in folders:
            name = f"{block.place}-{number}"
            folders[block.place] = make_shop(name) if block.place == "example" else empty(tmp_path / name, git)
        for command in block.commands:
            wrong = doc_console.run(command, folders[block.place], clean_env)
            if wrong:
                differences.append(f"{block.page}:{command.line}: $ {command.text}\n{wrong}")
    assert not differences, "\n\n".join(differences)


def empty(folder: Path, git: Git) -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:^\$ |`)make ([a-z]+)", page.read_text("utf-8"), re.M))
    assert named - targets == set()


@pytest.mark.parametrize("target", ["demo", "test", "lint", "bench", "docs"])
def test_make_can_be_asked_for_it(target: str, clean_env: dict[str, str]) -> None:
    if shutil.which("make") is None:
        pytest.fail("make is not installed")
    done = subprocess.run(["make", "-n", target], cwd=ROOT, env=clean_env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_reversa_is_shown_in_console_blocks_alone(page: Path) -> None:
    """A command in a block that nothing runs would be believed without being true."""
    for line, info, body in doc_console.fences(page.read_text("utf-8")):
        if info.split()[:1] in (["sh"], ["bash"], ["shell"], ["text"], []):
            assert not re.search(r"^\s*(\$ )?reversa(-bugs)? ", body, re.M), f"{name_of(page)}:{line}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    targets = {one or two for one, two in LINK.findall(text)}
    relative = {target.split("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)}
    assert [target for target in relative if not (page.parent / target).exists()] == []


def test_output_is_compared_with_wildcards() -> None:
    assert doc_console.matches(["a … c", "…", "z"], "a b c\n1\n2\nz\n")
    assert doc_console.matches(["…"], "")
    assert not doc_console.matches(["a"], "a\nb\n")
    assert not doc_console.matches(["a.c"], "abc\n")


def test_a_wrong_page_is_found(tmp_path: Path, clean_env: dict[str, str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console empty\n$ echo one \\\n  two\none three\n$ false # exit 1\n$ false\n```\n", "utf-8")
    first, second, third = doc_console.blocks(page)[0].commands
    assert "it prints\none two" in doc_console.run(first, tmp_path, clean_env)
    assert doc_console.run(second, tmp_path, clean_env) == ""
    assert "exit code 1, not 0" in doc_console.run(third, tmp_path, clean_env)


def test_a_block_must_say_where_it_runs(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ true\n```\n", "utf-8")
    with pytest.raises(ValueError, match=r"page\.md:1"):
        doc_console.blocks(page)
