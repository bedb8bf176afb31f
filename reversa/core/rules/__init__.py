"""The rules: one family a file, one decorated function a rule; importing this package registers them all."""

from reversa.core.rules import (
    body,
    cautions,
    closing,
    folders,
    forms,
    identity,
    locks,
    obstacles,
    reading,
    relations,
    state,
    syntax,
    trace,
    values,
    vocabulary,
)
from reversa.core.rules.engine import RULES

FAMILIES = (
    reading,
    syntax,
    folders,
    identity,
    vocabulary,
    values,
    forms,
    cautions,
    state,
    locks,
    closing,
    relations,
    obstacles,
    trace,
    body,
)
"""The modules that hold rules, in the order of their codes."""

__all__ = ["FAMILIES", "RULES"]
