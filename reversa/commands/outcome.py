"""What a command gives back: data for machines, findings, and what to say about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reversa.core.finding import Finding


@dataclass
class Outcome:
    """The result of a use case; nothing of it is printed yet.

    `notes` are sentences for people (standard error); `views` the view files that changed, from the project root.
    """

    data: Any
    findings: Sequence[Finding] = ()
    exit_code: int = 0
    notes: list[str] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    diff: str = ""
