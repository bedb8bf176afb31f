"""What a command may import, by name: start-up time in a form that no slow machine can blur."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from house import MakeShop

TYPER = {"typer", "annotated_doc", "typing_extensions", "shellingham", "rich", "markdown_it", "mdurl", "pygments"}
"""Typer and what it may bring along."""

READING = {"frontmatter", "yaml", "_yaml", "toml"}
"""python-frontmatter tries toml and does without it."""

TRIED = {"org"}
"""The standard library's copy.py asks whether this is Jython; the log of imports names attempts too."""

ALLOWED: dict[str, set[str]] = {
    "--version": set(),
    "--help": TYPER,
    "list": TYPER | READING,
    "check": TYPER | READING,
    "__complete -- show BUG-2": set(),
}
"""Packages from outside the standard library; `check` takes networkx only where edges are odd."""

FORBIDDEN_ROOMS = {
    "--version": {
        "reversa.cli",
        "reversa.commands",
        "reversa.views",
        "reversa.report",
        "reversa.store",
        "reversa.core",
    },
    "--help": {"reversa.views", "reversa.store", "reversa.commands", "reversa.core.rules", "reversa.store.edit"},
    "list": {"reversa.views", "reversa.report.sarif", "reversa.core.rules", "reversa.core.graph", "reversa.store.edit"},
    "check": {"reversa.views", "reversa.store.edit"},
    "__complete -- show BUG-2": {"reversa.views", "reversa.report.sarif", "reversa.core.rules", "reversa.core.graph"},
}

SLOW_STANDARD = {
    "--version": {"argparse", "asyncio", "dataclasses", "email", "inspect", "json", "logging", "typing", "subprocess"},
    "--help": {"asyncio", "concurrent", "multiprocessing", "unittest"},
    "list": {"asyncio", "multiprocessing", "unittest"},
    "check": {"asyncio", "multiprocessing", "unittest"},
    "__complete -- show BUG-2": {"asyncio", "email", "logging", "tempfile", "unittest"},
}


@pytest.fixture
def imported(make_shop: MakeShop, clean_env: dict[str, str]) -> Callable[[str], set[str]]:
    def run(argument: str) -> set[str]:
        shop = make_shop("shop")
        command = [sys.executable, "-X", "importtime", "-m", "reversa", *argument.split()]
        done = subprocess.run(command, cwd=shop, env=clean_env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return baseline_free(done.stderr)

    return run


def baseline_free(log: str) -> set[str]:
    """Give the modules that an empty Python does not import, environment hooks included."""
    empty = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "pass"], capture_output=True, text=True, check=True
    )
    return names(log) - names(empty.stderr)


def names(log: str) -> set[str]:
    return set(re.findall(r"^import time:\s+\d+ \|\s+\d+ \|\s*(\S+)$", log, re.MULTILINE))


@pytest.mark.parametrize("argument", ALLOWED)
def test_imports(argument: str, imported: Callable[[str], set[str]]) -> None:
    modules = imported(argument)
    tops = {module.split(".")[0] for module in modules}
    outside = {top for top in tops if top not in sys.stdlib_module_names and top not in {"reversa", *TRIED}}
    assert outside - ALLOWED[argument] == set()
    assert SLOW_STANDARD[argument] & tops == set()
    rooms = {room for room in FORBIDDEN_ROOMS[argument] if any((m + ".").startswith(room + ".") for m in modules)}
    assert rooms == set()
