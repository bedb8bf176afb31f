"""Where the checkout is, for the tests of the house."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "reversa"
TODAY = "2026-08-24"
"""A day after the newest record of registry-example/."""

Git = Callable[..., str]
"""Runs git in a folder and gives what it printed."""

MakeShop = Callable[[str], Path]
"""Copies registry-example/ to a new folder of that name and commits it."""
