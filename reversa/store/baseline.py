"""The file of the baseline, `baseline.json` of the registry: one error a line, so that a review shows what came in."""

from __future__ import annotations

import json
from collections.abc import Sequence

from reversa.core.baseline import Entry
from reversa.core.printable import escaped
from reversa.errors import UsageError
from reversa.store.tree import Tree

NAME = "baseline.json"
SCHEMA = "reversa-baseline/1"


def readable(tree: Tree) -> tuple[Entry, ...]:
    """Read the baseline where it can be read; it is about to be written anew."""
    try:
        return read(tree)
    except UsageError:
        return ()


def read(tree: Tree) -> tuple[Entry, ...]:
    """Read the baseline of a registry; raises UsageError for a file that is none, as that would forgive nothing."""
    try:
        data = tree.read(NAME)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unusable(error.strerror or str(error)) from None
    try:
        body = json.loads(data)
        if body["schema"] != SCHEMA:
            raise ValueError(f"its schema is {escaped(str(body['schema']))[:40]}")
        return tuple(_entry(item) for item in body["errors"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _unusable(escaped(str(error))[:80] or "it has another shape") from None


def _entry(item: object) -> Entry:
    if not isinstance(item, dict):
        raise TypeError("an error is no object")
    count = item.get("count", 1)
    if type(count) is not int or not 0 < count < 10**6:
        raise ValueError("a count is no number")
    return Entry(str(item["of"]), str(item["code"]), str(item["fingerprint"]), count)


def _unusable(reason: str) -> UsageError:
    return UsageError(
        f"{NAME} of the registry cannot be used: {reason}.",
        "Restore it, or write it anew with reversa check --write-baseline.",
        kind="baseline",
    )


def text(entries: Sequence[Entry]) -> bytes:
    """Give the bytes of the file; of no entries none, for then there is no file."""
    if not entries:
        return b""
    lines = []
    for entry in entries:
        item = {"of": entry.owner, "code": entry.code, "fingerprint": entry.fingerprint}
        lines.append(json.dumps(item | ({"count": entry.count} if entry.count > 1 else {}), ensure_ascii=True))
    body = ",\n".join(f"  {line}" for line in lines)
    return f'{{"schema": "{SCHEMA}", "errors": [\n{body}\n]}}\n'.encode()
