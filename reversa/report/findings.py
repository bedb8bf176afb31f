"""What the forge formats are written from: findings with paths from git's root, and fingerprints of their own each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reversa.core.finding import Finding
from reversa.core.rules.engine import Rule


@dataclass(frozen=True)
class Found:
    """A run of `check`: findings that count, the rules, all bugs as (context, ID), and the version of reversa.

    `prefix` is the registry's path from git's root, "" where it is the root.
    """

    errors: Sequence[Finding]
    warnings: Sequence[Finding]
    rules: Mapping[str, Rule]
    bugs: Sequence[tuple[str, str]]
    prefix: str
    version: str
    tally: str

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.errors, *self.warnings)

    def path(self, finding: Finding) -> str:
        """Give the file of a finding from git's root; of a hidden bug, whose path is told nowhere, the README's."""
        path = "README.md" if finding.restricted else finding.path
        return f"{self.prefix}/{path}" if self.prefix else path

    def line(self, finding: Finding) -> int:
        """Give the line of a finding; of a hidden bug none is told."""
        return 1 if finding.restricted else finding.line

    def message(self, finding: Finding) -> str:
        """Give what a finding says; of a hidden bug, whose file is not named, with its ID."""
        return f"{finding.bug}: {finding.message}" if finding.restricted else finding.message

    def with_fingerprints(self) -> Iterator[tuple[Finding, str]]:
        """Yield findings with a fingerprint that no other one has; of those that share one, the later are counted."""
        seen: Counter[str] = Counter()
        for finding in self.findings:
            seen[finding.fingerprint] += 1
            count = seen[finding.fingerprint]
            yield finding, finding.fingerprint if count == 1 else f"{finding.fingerprint}-{count}"
