"""The rooms of the house and who may know whom: the import-linter contracts of pyproject.toml hold, and bite."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

LINT = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    return subprocess.run(LINT, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_contracts_hold(root: Path) -> None:
    done = lint(root)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_room_is_in_the_contract(root: Path) -> None:
    config = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(contract for contract in config["contracts"] if contract["type"] == "layers")
    assert layers["layers"] == ["__main__", "cli", "commands", "views | report", "store", "core", "errors"]
    assert layers["exhaustive"] is True


VIOLATIONS = {
    "core opens files": ("core/bug.py", "import pathlib"),
    "core reaches up": ("core/bug.py", "import reversa.store.layout"),
    "a sibling knows the other": ("views/__init__.py", "import reversa.report"),
    "views reach for the disk": ("views/__init__.py", "import reversa.store"),
    "a room without a place": ("helpers.py", ""),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_a_violation_is_found(name: str, root: Path, tmp_path: Path) -> None:
    file, line = VIOLATIONS[name]
    shutil.copytree(root / "reversa", tmp_path / "reversa", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tmp_path)
    with (tmp_path / "reversa" / file).open("a", encoding="utf-8") as out:
        out.write(f"\n{line}\n")
    done = lint(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout or "helpers" in done.stdout + done.stderr
