"""The rules: one family a file, one decorated function a rule; importing this package registers them all."""

from reversa.core.rules.engine import RULES

__all__ = ["RULES"]
