"""What looks like a secret in a file that is about to be committed; the optional package detect-secrets knows how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LOOKED_AT = 1 << 20
"""How many bytes of a file are looked at: a megabyte takes two seconds."""

_UNFIT = ("Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector")
"""Detectors to which every hash, and every address in a log, is a secret."""

_VERIFIES = "detect_secrets.filters.common.is_ignored_due_to_verification_policies"
"""The filter under which detect-secrets would ask the services whether a key is valid."""

_BLOCK = 4000
"""Characters that are searched at once; some patterns take the square of a line's length."""

_OVERLAP = 400


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Where something looks like a secret of a kind; what it is, is told nowhere."""

    line: int
    kind: str


def suspicions(name: str, data: bytes) -> tuple[list[Suspicion], bool]:
    """List what looks like a secret in a text file, by line; nothing in binaries, and without detect-secrets.

    Nothing is sent anywhere. Of a long file the first LOOKED_AT bytes are looked at, and False comes beside the list.
    """
    if not data or b"\0" in data[:8000]:
        return [], True
    try:
        from detect_secrets.settings import default_settings, get_plugins
    except ImportError:
        return [], True
    text = data[:LOOKED_AT].decode("utf-8", "replace")
    with default_settings() as settings:
        settings.disable_plugins(*_UNFIT)
        settings.disable_filters(_VERIFIES)
        plugins = get_plugins()
        found = {
            Suspicion(number, plugin.secret_type)
            for block in _blocks(text)
            for plugin in plugins
            if _secrets(plugin, name, "\n".join(piece for _, piece in block))
            for number, piece in block
            if any(_is_likely(secret, plugin, piece) for secret in _secrets(plugin, name, piece))
        }
    return sorted(found, key=lambda one: (one.line, one.kind)), len(data) <= LOOKED_AT


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines with their numbers, as many at once as a block takes; a longer line comes in pieces."""
    block: list[tuple[int, str]] = []
    size = 0
    for number, line in enumerate(text.split("\n"), start=1):
        for at in range(0, max(len(line) - _OVERLAP, 1), _BLOCK - _OVERLAP):
            piece = line[at : at + _BLOCK]
            if block and size + len(piece) > _BLOCK:
                yield block
                block, size = [], 0
            block.append((number, piece))
            size += len(piece) + 1
    yield block


def _secrets(plugin: Any, name: str, text: str) -> list[str]:
    return [secret.secret_value or "" for secret in plugin.analyze_line(filename=name, line=text)]


def _is_likely(secret: str, plugin: Any, line: str) -> bool:
    """Whether a value is more than a placeholder or a row of signs, and what a key word stands by no call."""
    from detect_secrets.filters import heuristic

    placeholders = (
        heuristic.is_templated_secret,
        heuristic.is_prefixed_with_dollar_sign,
        heuristic.is_sequential_string,
        heuristic.is_not_alphanumeric_string,
        heuristic.is_potential_uuid,
    )
    by_word = type(plugin).__name__ == "KeywordDetector"
    return not any(looks(secret) for looks in placeholders) and not (by_word and heuristic.is_indirect_reference(line))
