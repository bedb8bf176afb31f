"""The rules: one family a file, one decorated function a rule; importing this package registers them all."""

from reversa.core.rules import (
    body,
    cautions,
    closing,
    folders,
    identity,
    obstacles,
    reading,
    relations,
    state,
    trace,
    values,
    vocabulary,
)
from reversa.core.rules.engine import RULES

FAMILIES = (
    reading,
    folders,
    identity,
    vocabulary,
    values,
    cautions,
    state,
    closing,
    relations,
    obstacles,
    trace,
    body,
)
"""The modules that hold rules, in the order of their codes."""

__all__ = ["FAMILIES", "RULES"]
