"""The lines of `next`: a table whose every row says why it stands where it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reversa.cli.tables import URGENT, Paint, cut_title, title_of
from reversa.report.text import plain, plural, safe, width_of

if TYPE_CHECKING:
    from reversa.commands.next import NextOutcome, NextRow

_HEADS = ("#", "ID", "P", "severity", "impact")
_RIGHT = (0, 4)
"""Columns of numbers, which end under one another."""
_TITLE_ROOM = 36
_TITLE_MIN = 24


def next_lines(out: NextOutcome, columns: int, paint: Paint) -> list[str]:
    """Write the order of work with its footer; the reasons have a column or, on a narrow terminal, lines."""
    if not out.rows:
        return [_footer(out)]
    rows = [_cells(row) for row in out.rows]
    reasons = [safe("; ".join(filter(None, (row.reason, row.held)))) for row in out.rows]
    widths = [max(width_of(cells[i]) for cells in (_HEADS, *rows)) for i in range(len(_HEADS))]
    fixed = sum(width + 2 for width in widths)
    column = max(map(width_of, ("why", *reasons)))
    wide = columns - fixed - column - 2 >= _TITLE_ROOM
    room = max(_TITLE_MIN, columns - fixed - (column + 2 if wide else 0))
    pad = f"{{:<{column}}}  " if wide else ""
    lines = [paint(f"{_line(_HEADS, widths)}{pad.format('why')}title", "dim")]
    for row, cells, why in zip(out.rows, rows, reasons, strict=True):
        between = why + " " * (column - width_of(why)) + "  " if wide else ""
        lines.append(f"{_line(cells, widths, paint)}{between}{cut_title(title_of(row.row), room)}".rstrip())
        if why and not wide:
            lines.append(" " * (widths[0] + 2) + paint(why, "dim"))
    return [*lines, _footer(out)]


def _cells(row: NextRow) -> tuple[str, ...]:
    one = row.row
    if one.status == "restricted":
        return "", one.id, "", one.status, ""
    return one.number, one.id, safe(one.priority), safe(one.severity), str(row.impact)


def _line(cells: tuple[str, ...], widths: list[int], paint: Paint = plain) -> str:
    out = ""
    for index, (text, width) in enumerate(zip(cells, widths, strict=True)):
        pad = " " * (width - width_of(text))
        text = paint(text, URGENT[text]) if text in URGENT and index in (2, 3) else text
        out += (pad + text if index in _RIGHT else text + pad) + "  "
    return out


def _footer(out: NextOutcome) -> str:
    if not out.total:
        return "Nothing is open. reversa list --all shows what was."
    if len(out.rows) < out.total:
        return f"{len(out.rows)} of {out.total} open or active bugs; -n 0 shows them all."
    return f"{plural(out.total, 'open or active bug')}."
