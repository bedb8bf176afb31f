"""The real registries through the command line: positions, views, edits."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reversa.store.frontmatter import read

from .conftest import Cli, git

LOCAL_6 = [
    ("A1D8", "RV101", 1, 1), ("A1D8", "RV110", 6, 9),
    ("CAT2", "RV101", 1, 1), ("CAT2", "RV231", 10, 18), ("CAT2", "RV232", 10, 18), ("CAT2", "RV233", 10, 18),
    ("CFG1", "RV101", 1, 1), ("CFG1", "RV231", 10, 18), ("CFG1", "RV232", 10, 18), ("CFG1", "RV233", 10, 18),
    ("IMG1", "RV101", 1, 1), ("IMG1", "RV201", 8, 9), ("IMG1", "RV202", 8, 9),
    ("WA02", "RV101", 1, 1), ("WA02", "RV201", 8, 9), ("WA02", "RV202", 8, 9),
]  # fmt: skip
"""The errors that an independent checker finds, with where the record asks for what is missing."""


@pytest.fixture
def copy(empty: Path, shared: Callable[..., Path]) -> Callable[[str], Path]:
    def make(name: str) -> Path:
        shutil.copytree(shared("registries", name), empty / "_reversa_bugs", copy_function=shutil.copyfile)
        for path in (empty / "_reversa_bugs").rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        (empty / "_reversa_bugs").chmod(0o755)
        git(empty, "add", "-A", "-f")
        git(empty, "commit", "-q", "-m", "as it is")
        return empty

    return make


def test_errors_with_their_positions(cli: Cli, copy: Callable[[str], Path]) -> None:
    copy("local-6")
    result = cli("check", "--json")
    assert result.code == 1
    found = [f for f in result.json["findings"] if f["severity"] == "error"]
    assert sorted((f["bug"][-4:], f["code"], f["line"], f["column"]) for f in found) == LOCAL_6


def test_a_registry_without_errors(cli: Cli, copy: Callable[[str], Path]) -> None:
    copy("package-22")
    assert cli("check", ok=True).out.rstrip().split("\n")[-1].startswith("22 bugs in 5 contexts: 0 errors, ")


@pytest.mark.parametrize(("name", "code", "unshown"), [("package-22", 0, set()), ("local-6", 1, None)])
def test_every_valid_unrestricted_bug_is_in_every_view_of_its_context(
    cli: Cli, copy: Callable[[str], Path], name: str, code: int, unshown: set[str] | None
) -> None:
    root = copy(name)
    assert cli("graph").code == code
    findings = cli("check", "--json").json["findings"]
    invalid = {f["bug"] for f in findings if f["severity"] == "error"}
    for context in sorted((root / "_reversa_bugs").iterdir()):
        if not (context / "bugs").is_dir():
            continue
        ids = {folder.name[:17] for folder in (context / "bugs").iterdir()}
        shown = ids - invalid
        rows = [json.loads(line) for line in (context / "generated/catalog.jsonl").read_text().splitlines()]
        assert {row["id"] for row in rows} == shown
        index = (context / "generated/index.md").read_text()
        page = (context / "generated/graph.html").read_text()
        for bug in shown:
            assert bug in index and bug in page, bug
        for bug in ids - shown:  # by its ID alone, in the index alone
            assert bug in index and bug not in "".join(map(json.dumps, rows))
    if unshown == set():
        assert not invalid


def test_every_unlocked_record_is_edited_without_moving_another_byte(cli: Cli, copy: Callable[[str], Path]) -> None:
    root = copy("package-22")
    for path in sorted(root.glob("_reversa_bugs/*/bugs/*/bug.md")):
        if (path.parent / "DONE.md").exists():
            continue
        before = read(path.read_bytes())
        cli("update", path.parent.name[:17], "--set", "priority=P0", "--add", "labels=looked-at", ok=True)
        after = read(path.read_bytes())
        assert after.body == before.body
        assert before.data is not None and after.data is not None
        assert {**after.data, "priority": 0, "labels": 0, "updated": 0} == {
            **before.data, "priority": 0, "labels": 0, "updated": 0,
        }  # fmt: skip
        old, new = (
            [line for line in document.text[: document.body_at].split("\n") if line.partition(":")[0] not in EDITED]
            for document in (before, after)
        )
        assert old == new, path


EDITED = {"priority", "labels", "updated", "  - looked-at"}
