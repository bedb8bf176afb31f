"""The only place that prints: results to stdout, talk to stderr, JSON in one object."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from typing import Any

from reversa.errors import ReversaError, UsageError
from reversa.report.text import safe

_CODES = {"error": "31", "warning": "33", "good": "32", "bold": "1", "dim": "2"}
SCHEMA = "reversa/1"
_LONG = 120
"""A longer line of a checklist gives its command a line of its own, easier to copy."""

_WHEN = ("auto", "always", "never")


class Terminal:
    """How this run talks: whether in JSON, in colour, how wide."""

    def __init__(self, *, json: bool = False, color: str = "auto") -> None:
        if color not in _WHEN:
            from reversa.core.suggest import hint

            raise UsageError(f"--color does not take {color!r}.", hint(color, _WHEN))
        self.json = json
        self.color = color

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() or "COLUMNS" in os.environ else 100_000

    def paint(self, text: str, role: str) -> str:
        """Colour a text for stdout by NO_COLOR, FORCE_COLOR, --color and whether it is a terminal."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self._colours(sys.stdout) else text

    def _colours(self, stream: Any) -> bool:
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"

    def lines(self, lines: Iterable[str]) -> None:
        """Print the result, as one write; flushed, so that in a log the talk comes after it."""
        text = "".join(f"{line}\n" for line in lines)
        sys.stdout.write(_encodable(text, sys.stdout))
        sys.stdout.flush()

    def say(self, *sentences: str) -> None:
        """Talk to the person, beside the result; nothing is said with --json."""
        if not self.json:
            for sentence in sentences:
                print(_encodable(sentence, sys.stderr), file=sys.stderr)

    def raw(self, text: str) -> None:
        """Print a text as it is."""
        sys.stdout.write(_encodable(text, sys.stdout))

    def emit(self, command: str, data: Any, findings: Iterable[Any] = (), code: int = 0) -> None:
        """Print the one JSON object of a command that did its job."""
        self._object(command, code == 0, data, [finding.to_json() for finding in findings], None)

    def fail(self, command: str, error: ReversaError) -> None:
        """Say why a command could not do its job: one object with --json, else message and hint on stderr."""
        if self.json:
            body = {"kind": error.kind, "message": error.message, "hint": error.hint or None, **error.details}
            findings = body.pop("findings", [])
            self._object(command, False, None, findings, body)
            return
        head = f"reversa {command}: " if command and error.exit_code not in (4,) else ""
        red = self._colours(sys.stderr)
        lines = [safe(f"{head}{error.message}")]
        lines[0] = f"\x1b[31m{lines[0]}\x1b[0m" if red else lines[0]
        lines += _checklist(error.details.get("checklist", []))
        if error.hint and error.exit_code == 3:  # a defect is one line (cli.md)
            lines[0] += f" {error.hint}"
        elif error.hint:
            lines.append(safe(error.hint))
        print(_encodable("\n".join(lines), sys.stderr), file=sys.stderr)

    def _object(self, command: str, ok: bool, data: Any, findings: list[Any], error: Any) -> None:
        body = {"schema": SCHEMA, "command": command, "ok": ok, "data": data, "findings": findings}
        if error is not None:  # present exactly when the command could not do its job
            body["error"] = error
        print(json.dumps(body, ensure_ascii=True), file=sys.stdout)


def _checklist(items: list[dict[str, Any]]) -> list[str]:
    """Write what a closing asks for, done or not, each with what supplies it."""
    width = max((len(item["item"]) for item in items), default=0)
    out = []
    for item in items:
        mark = "x" if item["done"] else " "
        tail = item["detail"] if item["done"] or not item["command"] else item["command"]
        line = f"  [{mark}] {item['item']:<{width}}  {tail}".rstrip()
        long = len(line) > _LONG and item["command"] == tail
        out += [f"  [{mark}] {item['item']}", f"        {tail}"] if long else [line]
    return out


def _encodable(text: str, stream: Any) -> str:
    """Give a text that the stream's encoding can carry; a C locale must not end in a traceback."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
