"""Hostile input, one small case each: a finding or a one-line error, and a good bug beside it is untouched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import DAY, Cli, new, record, tree

Spoil = Callable[[str], str | bytes]


def in_front(line: str) -> Spoil:
    """Put lines into the front matter."""
    return lambda text: text.replace("title:", f"{line}\ntitle:", 1)


def in_body(line: str) -> Spoil:
    return lambda text: text + line


RECORDS: dict[str, tuple[Spoil, int]] = {
    "alias bomb": (
        in_front("a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]"),
        1,
    ),
    "10,000 nested brackets": (in_front("deep: " + "[" * 10_000 + "]" * 10_000), 1),
    "? x 20,000": (in_front("q: " + "? " * 20_000), 1),
    "NUL in the front matter": (in_front("nul: a\0b"), 1),
    "NUL in the body": (in_body("a\0b"), 0),
    "BOM": (lambda text: b"\xef\xbb\xbf" + text.encode(), 0),
    "CRLF": (lambda text: text.replace("\n", "\r\n"), 0),
    "tabs": (in_front("tab:\t\tx"), 0),
    "tab as indent": (in_front("tab:\n\ta: 1"), 1),
    "duplicate keys": (in_front("severity: low"), 1),
    "conflict markers in the front matter": (in_front("<<<<<<< ours\n=======\n>>>>>>> theirs"), 1),
    "conflict markers in the body": (in_body("\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"), 1),
    "5 MB": (in_body("x" * 5_000_000), 1),
    "a list": (lambda _: "---\n- a\n- b\n---\n\n# A list\n", 1),
    "not UTF-8": (lambda text: text.encode().replace(b"Hostile", b"\xff\xfe\xe9"), 1),
    "nothing": (lambda _: "", 1),
    "no closing delimiter": (lambda text: text.replace("\n---\n", "\n", 1), 1),
    "tags": (in_front("tag: !!python/object/apply:os.system ['true']"), 1),
}
"""A record of its own for each, and the exit code of `check`."""


@pytest.mark.parametrize("name", RECORDS)
def test_a_hostile_record_is_a_finding_and_no_accident(cli: Cli, repo: Path, name: str) -> None:
    spoil, code = RECORDS[name]
    good, bad = new(cli, "Good"), new(cli, "Hostile")
    path = record(repo, bad)
    spoilt = spoil(path.read_text())
    path.write_bytes(spoilt if isinstance(spoilt, bytes) else spoilt.encode())
    before = path.read_bytes()
    result = cli("check", "--json")
    assert result.code == code, result.out[:500]
    assert {found["bug"] for found in result.json["findings"] if found["severity"] == "error"} <= {bad}
    for args in (["list", "--all"], ["show", good], ["next"], ["check", "--all"], ["rules"], ["taxonomy"]):
        assert cli(*args).code in (0, 1), args
    assert cli("graph").code == code
    cli("update", good, "--severity", "low", ok=True)
    cli("check", "--fix")
    assert cli("show", bad).code in (0, 4)
    assert cli("update", bad, "--severity", "low").code in (0, 4)
    if code and name not in ("duplicate keys", "conflict markers in the body"):
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["DONE.md", "taxonomy.yaml", "README.md"])
def test_other_files_that_are_not_utf_8(cli: Cli, repo: Path, name: str) -> None:
    bug = new(cli)
    folder = record(repo, bug).parent if name == "DONE.md" else repo / "_reversa_bugs"
    (folder / name).write_bytes(b"\xff\xfe\x00\xe9 bugs: [\n")
    for args in (["check"], ["list", "--all"], ["show", bug], ["graph"], ["next"], ["taxonomy"]):
        assert cli(*args).code in (0, 1, 4, 5), args
    if name == "DONE.md":
        assert cli("update", bug, "--severity", "low").code == 4


def test_a_linked_bug_folder_that_leads_outside(cli: Cli, repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    bug = new(cli)
    outside = tmp_path_factory.mktemp("outside") / "BUG-20260101-ABCD-theirs"
    shutil.copytree(record(repo, bug).parent, outside)
    text = (outside / "bug.md").read_text().replace(bug, "BUG-20260101-ABCD")
    (outside / "bug.md").write_text(text)
    (record(repo, bug).parents[1] / outside.name).symlink_to(outside)
    before = tree(outside)
    for args in (["check"], ["list"], ["graph"], ["update", "ABCD", "--severity", "low"], ["check", "--fix"]):
        assert cli(*args).code in (0, 1, 2, 4), args
    assert cli("close", "ABCD", "--as", "invalid", "--reason", "x").code in (2, 4)
    assert tree(outside) == before


@pytest.mark.parametrize(
    "args",
    [
        ["show", "../BUG-20260101-ABCD"],
        ["show", "BUG-20260101-ABCD/../../x"],
        ["new", "x", "-c", "../outside"],
        ["new", "x", "-c", "a/../../b"],
        ["new", "x", "-c", ".git"],
        ["new", "x", "-c", "checkout", "--evidence", "../gone.log"],
        ["graph", "../outside"],
        ["check", "../outside"],
    ],
)
def test_names_that_climb_out_write_nothing_outside(cli: Cli, repo: Path, args: list[str]) -> None:
    inside = repo / "_reversa_bugs"
    before = {path: data for path, data in tree(repo).items() if not path.startswith("_reversa_bugs/")}
    beside = sorted(repo.parent.iterdir())
    result = cli(*args)
    assert result.code in (0, 2, 4)
    after = {path: data for path, data in tree(repo).items() if not path.startswith("_reversa_bugs/")}
    assert after == before and sorted(repo.parent.iterdir()) == beside
    assert all(path.resolve().is_relative_to(inside) for path in inside.rglob("*"))


TITLES = {
    "quotes": "It's \"quoted\" 'twice'",
    "pipes": "a | b || c",
    "brackets": "[a](b) {c} <d> [[e]]",
    "backticks": "`a` ``b`` ```c",
    "hash": "# not a heading #",
    "colon": "key: value: more:",
    "dollar": "$HOME $(id) ${x}",
    "line break": "one\ntwo\r\nthree",
    "emoji": "🐞 👩‍👩‍👧 crash",
    "CJK": "合計が間違っている",
    "right to left": "שגיאה בסכום \u202eabc\u202c",
    "ANSI": "red \x1b[31mtext\x1b[0m \x07",
    "300 characters": "long " * 60,
    "yaml words": "no",
    "a number": "7e12345",
    "comment": "a #b",
    "html": "<script>alert(1)</script><!-- x --> &amp;",
}


@pytest.mark.parametrize("name", TITLES)
def test_a_title_of_any_signs_comes_back_and_harms_no_view(cli: Cli, repo: Path, name: str) -> None:
    title = " ".join(TITLES[name].split())
    new(cli)
    cli("graph", ok=True)
    bug = cli("new", TITLES[name], "-c", "checkout", "--json", ok=True).json["data"]["id"]
    shown = cli("show", bug, "--json", ok=True).json["data"]["title"]
    assert shown == title or name in ("ANSI", "right to left")
    assert cli("check", "--strict", bug).code in (0, 1)
    errors = [found for found in cli("check", "--json").json["findings"] if found["severity"] == "error"]
    assert errors == []
    out = cli("list", ok=True).out + cli("show", bug, ok=True).out + cli("next", ok=True).out
    assert not any(sign in out for sign in ("\x1b", "\x07", "\u202e"))
    for view in (repo / "_reversa_bugs/checkout/generated").iterdir():
        text = view.read_text()
        assert (view.suffix == ".jsonl" or not re.search(r"(?<!\\)<script>alert", text)) and "\x1b" not in text
    assert cli("graph", "--check").code == 0


@pytest.mark.parametrize("context", ["Gestão de Pedidos", "a  b", "ÜBER", "名前"])
def test_a_context_with_blanks_and_accents(cli: Cli, repo: Path, context: str) -> None:
    made = cli("new", "x", "-c", context, "--json", ok=True).json["data"]
    assert made["context"].isascii() and " " not in made["context"]
    cli("update", made["id"], "--severity", "low", ok=True)
    assert cli("check", made["context"]).code == 0
    by_hand = repo / "_reversa_bugs" / context
    (repo / "_reversa_bugs" / made["context"]).rename(by_hand)
    assert made["id"] in cli("list", "-c", context, ok=True).out
    cli("graph", ok=True)
    assert (by_hand / "generated").is_dir()


def unprivileged(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run reversa so that permissions count: root keeps its name, and so may read its Python, but no capability."""
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    command = [*drop, sys.executable, "-m", "reversa", *args]
    env = {**os.environ, "REVERSA_TODAY": DAY}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("args", [["update", "1", "--severity", "low"], ["new", "x", "-c", "checkout"], ["graph"]])
def test_a_read_only_registry_is_exit_5_and_says_what(cli: Cli, repo: Path, args: list[str]) -> None:
    new(cli)
    registry = repo / "_reversa_bugs"
    folders = [path for path in [registry, *registry.rglob("*")] if path.is_dir()]
    before = tree(repo)
    for folder in folders:
        folder.chmod(0o555)
    try:
        result, look = unprivileged(*args, cwd=repo), unprivileged("check", cwd=repo)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert result.returncode == 5 and "Traceback" not in result.stderr, result
    assert result.stderr.count("\n") <= 2 and "ermission" in result.stderr
    assert look.returncode == 0
    assert tree(repo) == before


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from reversa.cli.boundary import run
sys.exit(run(sys.argv[2:]))
"""


@pytest.mark.parametrize("room", [0, 100, 600])
@pytest.mark.parametrize("command", ["new", "update", "close", "graph", "taxonomy"])
def test_a_full_disk_leaves_everything_as_it_was(cli: Cli, repo: Path, command: str, room: int) -> None:
    """A limit on file sizes stands in for a disk that fills up in the middle of a write."""
    bug = new(cli)
    args = {
        "new": ["new", "y", "-c", "checkout", "--no-views"],
        "update": ["update", bug, "--severity", "low", "--no-views"],
        "close": ["close", bug, "--as", "invalid", "--reason", "x", "--no-views"],
        "graph": ["graph"],
        "taxonomy": ["taxonomy", "add", "module", "payments"],
    }[command]
    before = {name: data for name, data in tree(repo).items() if not name.startswith(".git/")}
    env = {**os.environ, "REVERSA_TODAY": DAY}
    result = subprocess.run(
        [sys.executable, "-c", FULL, str(room), *args], cwd=repo, env=env, capture_output=True, text=True, check=False
    )
    assert result.returncode == 5 and "Traceback" not in result.stderr, result
    after = {name: data for name, data in tree(repo).items() if not name.startswith(".git/")}
    if command == "graph":  # views that are written already stay: they are drawn anew by the next run
        after = {name: data for name, data in after.items() if "/generated/" not in name}
    assert after == before


def test_a_path_of_200_characters(cli: Cli, repo: Path) -> None:
    deep = repo / "/".join(["d" * 40] * 5)
    deep.mkdir(parents=True)
    shutil.move(repo / "_reversa_bugs", deep / "_reversa_bugs")
    os.chdir(deep)
    bug = new(cli)
    cli("update", bug, "--severity", "low", ok=True)
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    assert cli("check", ok=True).code == 0 and cli("graph", ok=True).code == 0
