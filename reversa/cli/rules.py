"""`reversa rules`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, Json
from reversa.cli.output import Terminal
from reversa.errors import UsageError


def rules(
    code: Annotated[str, typer.Argument(help="A rule, such as RV231.")] = "",
    json: Json = False,
    color: Color = "auto",
) -> int:
    """List the rules, or explain one."""
    from reversa.core.rules import RULES
    from reversa.report.manual import rule_page, rule_table

    terminal = Terminal(json=json, color=color)
    wanted = code.strip().upper()
    if wanted and wanted not in RULES:
        near = sorted(RULES, key=lambda known: (known[:3] != wanted[:3], abs(_number(known) - _number(wanted))))[:3]
        raise UsageError(f"{code} is no rule.", f"Did you mean {', '.join(near)}? reversa rules lists them all.")
    table = [row for row in rule_table() if not wanted or row["code"] == wanted]
    if json:
        terminal.emit("rules", {"rules": table})
    elif wanted:
        terminal.lines(rule_page(RULES[wanted]).rstrip("\n").split("\n"))
    else:
        terminal.lines(f"{row['code']}  {row['severity']:<7}  {row['title']}" for row in table)
    return 0


def _number(code: str) -> int:
    digits = "".join(c for c in code if c.isdigit())[:3]
    return int(digits) if digits else 0
