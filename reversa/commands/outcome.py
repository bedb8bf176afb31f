"""What a command gives back: data for machines, findings, and what to say about it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reversa.core.finding import Finding


@dataclass
class Outcome:
    """The result of a use case; nothing of it is printed yet.

    `notes` are sentences for people (standard error); `views` the view files that changed, from the project root;
    `diff` what a dry run would write, None where nothing was held back.
    """

    data: Any
    findings: Sequence[Finding] = ()
    exit_code: int = 0
    notes: list[str] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    diff: str | None = None


def file_diff(path: str, before: bytes, after: bytes) -> str:
    """Give the unified diff of one file; a missing final newline is said as git says it."""
    old, new = _lines(before), _lines(after)
    source = f"a/{path}" if before else "/dev/null"
    target = f"b/{path}" if after else "/dev/null"
    lines = difflib.unified_diff(old, new, source, target)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def rename_diff(old: str, new: str, before: bytes = b"", after: bytes = b"") -> str:
    """Give the diff of a file that gets another path, and another text where `before` and `after` differ."""
    changed = file_diff(old, before, after).replace(f"+++ b/{old}\n", f"+++ b/{new}\n", 1) if before != after else ""
    similar = f"similarity index {50 if changed else 100}%"
    return f"diff --git a/{old} b/{new}\n{similar}\nrename from {old}\nrename to {new}\n{changed}"


def _lines(data: bytes) -> list[str]:
    """Split at line feeds alone, as git does; U+2028 and a lone CR end no line of a patch."""
    return [line for line in re.split(r"(?<=\n)", data.decode("utf-8", "replace")) if line]
