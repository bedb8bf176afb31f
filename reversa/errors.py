"""The exceptions that a user may see; each class owns its exit code (contract cli.md)."""

from __future__ import annotations

from typing import Any


class ReversaError(Exception):
    """A failure with a one-line message, a hint that names what mends it, and an exit code."""

    exit_code = 3
    kind = "defect"

    def __init__(self, message: str, hint: str = "", *, kind: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.kind = kind or type(self).kind
        self.details = details


class UsageError(ReversaError):
    """Wrong usage: an unknown option, key, enum or taxonomy value, bug or context (exit 2)."""

    exit_code = 2
    kind = "usage"


class Refused(ReversaError):
    """The command understood and will not: locked, ambiguous, illegal, needs a person (exit 4)."""

    exit_code = 4
    kind = "refused"


class Surroundings(ReversaError):
    """The surroundings do not allow it: no registry, git, disk, permissions, a lock, a race (exit 5)."""

    exit_code = 5
    kind = "surroundings"
