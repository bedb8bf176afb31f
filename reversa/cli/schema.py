"""`reversa schema`."""

from __future__ import annotations

import json as jsonlib

from reversa.cli.options import Color, Json
from reversa.cli.output import Terminal
from reversa.core.schema import json_schema


def schema(json: Json = False, color: Color = "auto") -> int:
    """Print the JSON Schema of the front matter."""
    terminal = Terminal(json=json, color=color)
    if json:
        terminal.emit("schema", json_schema())
    else:
        terminal.lines([jsonlib.dumps(json_schema(), indent=2, ensure_ascii=False)])
    return 0
