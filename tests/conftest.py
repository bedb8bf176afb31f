"""What all tests share: where the material outside the repository is, and random tests that are the same every time."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")


@pytest.fixture
def shared() -> Callable[..., Path]:
    """Give a path below $REVERSA_SHARED (else ../shared); skips the test where it is absent."""
    root = Path(os.environ.get("REVERSA_SHARED") or Path(__file__).resolve().parents[2] / "shared")

    def path(*parts: str) -> Path:
        found = root.joinpath(*parts)
        if not found.exists():
            pytest.skip(f"{found} is not on this machine; REVERSA_SHARED names where it is")
        return found

    return path
