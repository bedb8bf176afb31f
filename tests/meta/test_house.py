"""The house rules that no linter knows: sizes, names, the top level, and the one home of what is dangerous."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import PACKAGE, ROOT

TOP_LEVEL = {
    ".ci": "what continuous integration runs",
    ".gitignore": "what tools leave behind",
    ".pre-commit-config.yaml": "this repository's own checks before a commit",
    ".pre-commit-hooks.yaml": "the hooks that others take from here",
    "action.yml": "the check as a step of GitHub Actions",
    "CHANGELOG.md": "what changed for users",
    "CONTRIBUTING.md": "how to work here",
    "LICENSE": "MIT",
    "Makefile": "every everyday task by name",
    "README.md": "what it is and how to start",
    "benchmarks": "CPU time against floors",
    "constraints.txt": "the versions development uses",
    "docs": "architecture, rules, decisions, the demo",
    "pyproject.toml": "the package and its tools",
    "registry-example": "a registry for people, documentation and tests",
    "reversa": "the code",
    "taxonomy.yaml": "the starter vocabulary that init copies",
    "templates": "every view and new file",
    "tests": "mirrors the tree",
}

MAX_MODULE = 350
LONG_MODULES = {
    "reversa/core/fields.py": "one table; a half of it would be no table",
    "reversa/cli/grammar.py": "generated, a line a parameter",
}

MAX_FUNCTION = 60
LONG_FUNCTIONS: dict[str, str] = {}

HOMELESS_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "shared"}

HOMES = {
    "print": {"reversa/__main__.py", "reversa/cli/output.py"},
    "sys.exit": {"reversa/__main__.py"},
    "subprocess": {"reversa/store/git.py", "reversa/store/editor.py"},
}
"""The one file for each, the entry point apart, which prints the version before anything else is there."""

OPENERS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "rename"}
REMOVERS = {"rmdir", "unlink"}
"""Methods of a path, which take no argument; `reversa unlink` is something else."""

OPEN_ELSEWHERE = {
    "reversa/cli/boundary.py": "points a closed pipe at nothing",
}
"""Where else a file is opened, and why that is no business of the store."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"))


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.split("\0") if path and (ROOT / path).exists()]


def test_top_level_is_fixed() -> None:
    assert {path.split("/")[0] for path in tracked()} == set(TOP_LEVEL)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_module_is_short_and_well_named(module: Path) -> None:
    lines = module.read_text("utf-8").count("\n")
    if name_of(module) in LONG_MODULES:
        assert lines > MAX_MODULE, "short again: take it off the list"
    else:
        assert lines <= MAX_MODULE
    assert not HOMELESS_NAMES & set(module.relative_to(ROOT).with_suffix("").parts)
    assert ast.get_docstring(tree_of(module)) or not lines


def functions(module: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            documented = ast.get_docstring(node) is not None and first.end_lineno is not None
            start = first.end_lineno if documented else node.lineno
            yield f"{name_of(module)}::{node.name}", (node.end_lineno or 0) - (start or 0)


def test_functions_are_short() -> None:
    long = {name for module in MODULES for name, lines in functions(module) if lines > MAX_FUNCTION}
    assert long == set(LONG_FUNCTIONS)


def test_nothing_is_left_for_later() -> None:
    words = re.compile("|".join(rf"\b{first}{rest}\b" for first, rest in (("TO", "DO"), ("FIX", "ME"), ("X", "XX"))))
    found = [
        f"{path}:{number}"
        for path in tracked()
        if path.endswith((".py", ".md", ".toml", ".yaml", ".j2", ".sh", "Makefile"))
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1)
        if words.search(line)
    ]
    assert found == []


def test_no_path_of_this_machine_is_in_the_tree() -> None:
    needle = str(ROOT)
    found = [path for path in tracked() if needle.encode() in (ROOT / path).read_bytes()]
    assert found == []


def test_constraints_hold_versions_and_no_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9A-Za-z.]*", pin)] == []
    assert any(pin.startswith("typer==0.28.") for pin in pins)


def test_every_development_tool_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {
        re.split(r"[<>=!~ \[]", need, maxsplit=1)[0].lower().replace("_", "-")
        for need in (*project["dependencies"], *project["optional-dependencies"]["dev"])
    }
    pinned = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    assert wanted - pinned == set()


def test_banned_api_is_configured() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]
    assert {"T20", "TID", "PTH123"} <= set(ruff["select"])
    banned = set(ruff["flake8-tidy-imports"]["banned-api"])
    assert {"click", "subprocess", "sys.exit", "networkx.simple_cycles"} <= banned


def uses(module: Path) -> Iterator[str]:
    """Name what a module does that belongs in one place: by call for print and exit, by import for subprocess."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Raise) and node.exc is not None:
            yield f"raise {ast.unparse(node.exc).split('(')[0]}"


@pytest.mark.parametrize("what", HOMES)
def test_it_lives_in_one_place(what: str) -> None:
    synonyms = {"sys.exit": {"sys.exit", "os._exit", "exit", "quit", "raise SystemExit"}}.get(what, {what})
    found = {name_of(module) for module in MODULES if synonyms & set(uses(module))}
    assert found == HOMES[what]


def is_help_formatter(receiver: ast.expr) -> bool:
    """Typer's formatter of help pages has a `write_text` too."""
    return isinstance(receiver, ast.Name) and receiver.id == "formatter"


def opens_something(call: ast.Call) -> bool:
    """Whether a call is `open` or a method of a path that reads, writes, makes or removes."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute) or is_help_formatter(function.value):
        return False
    return function.attr in OPENERS or (function.attr in REMOVERS and not call.args)


def opens(module: Path) -> bool:
    return any(isinstance(node, ast.Call) and opens_something(node) for node in ast.walk(tree_of(module)))


def test_only_the_store_touches_the_disk() -> None:
    found = {name_of(module) for module in MODULES if opens(module)}
    assert {name for name in found if not name.startswith("reversa/store/")} == set(OPEN_ELSEWHERE)
