"""Real registries: exactly the errors that an independent checker finds, and no warning that is not explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from reversa.core.finding import Severity
from reversa.core.rules.engine import run
from reversa.store import layout, registry

LOCAL_6 = {"RV101": 5, "RV110": 1, "RV201": 2, "RV202": 2, "RV231": 2, "RV232": 2, "RV233": 2}
EXAMPLE = Path(__file__).resolve().parents[3] / "registry-example"


def counts(root: Path, severity: Severity) -> dict[str, int]:
    loaded = registry.load(layout.layout_of(root))
    return dict(Counter(v.rule.code for v in run(loaded) if v.rule.severity is severity))


def test_package_22_has_no_errors(shared: Callable[..., Path]) -> None:
    assert counts(shared("registries", "package-22"), Severity.ERROR) == {}


def test_local_6_has_sixteen_errors(shared: Callable[..., Path]) -> None:
    assert counts(shared("registries", "local-6"), Severity.ERROR) == LOCAL_6


def test_warnings_of_package_22(shared: Callable[..., Path]) -> None:
    """21 rates, a commit that reads as an integer, change_risk as text, CHG-003a; nothing is found by mistake."""
    found = counts(shared("registries", "package-22"), Severity.WARNING)
    assert found["RV140"] + found["RV141"] == 21
    assert found["RV133"] == 1
    assert found["RV143"] == 3
    assert "RV405" not in found
    assert "RV135" not in found
    lost = {"RV408", "RV409", "RV410", "RV411"}  # the project around the registry was not published with it
    assert found.keys() - lost == {
        *("RV111", "RV112", "RV120", "RV130", "RV133", "RV134", "RV140", "RV141", "RV143"),
        *("RV309", "RV310", "RV402", "RV403"),
    }


def test_warnings_of_local_6(shared: Callable[..., Path]) -> None:
    found = counts(shared("registries", "local-6"), Severity.WARNING)
    assert found["RV027"] == 3  # the plural keys of its taxonomy
    assert found["RV105"] == 4  # IDs with the slug inside
    assert found["RV108"] == 1  # BUG-008
    assert found["RV114"] == 4  # priorities in lower case


@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the example registry is not in this checkout")
def test_example_registry_has_no_errors() -> None:
    assert counts(EXAMPLE / layout.NAME, Severity.ERROR) == {}
