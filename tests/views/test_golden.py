"""Every view of the small registry, byte by byte, against `golden/`.

After a wanted change `REVERSA_GOLDEN=write pytest tests/views/test_golden.py` writes the files anew; read the diff.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from reversa.core.bug import Registry

from .built import views

GOLDEN = Path(__file__).with_name("golden")
NOTES = {"shop": "Ask the bank first.\n"}
ADDENDA = ("bug-BUG-20260715-AAAA-v002.md", "bug-BUG-20260715-AAAA-v010.md", "bug-BUG-20260715-RRRR-v001.md", "x.md")


def test_views_are_as_they_were(small: Registry, invalid: Mapping[str, tuple[str, ...]]) -> None:
    drawn = views(small, invalid, notes=NOTES, addenda=ADDENDA)
    if os.environ.get("REVERSA_GOLDEN") == "write":
        for name, text in drawn.items():
            (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / name).write_bytes(text.encode())
    kept = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
    assert sorted(drawn) == sorted(kept)
    for name, text in drawn.items():
        assert text == (GOLDEN / name).read_bytes().decode(), name
