"""What `check` found, in the formats of forges and their tools: the table of formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the names of formats are needed for --help alone
    from reversa.report.findings import Found


@dataclass(frozen=True)
class Format:
    """A format by its module in this room, and what it is for."""

    module: str
    doc: str


FORMATS = {
    "github": Format("github", "annotations of GitHub Actions, the rest in the step summary"),
    "gitlab": Format("gitlab", "a Code Quality report of GitLab"),
    "sarif": Format("sarif", "SARIF 2.1.0, for code scanning"),
    "junit": Format("junit", "JUnit XML, a test case a bug"),
}


def render(name: str, found: Found) -> str:
    """Write findings in a format; raises KeyError for a name that is none."""
    write: Callable[[Found], str] = import_module(f"reversa.report.{FORMATS[name].module}").write
    return write(found)
