"""Tables and pages for people: `list` and `show` at any width, IDs and paths never cut."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from reversa.report.text import plain, plural, safe, width_of

if TYPE_CHECKING:
    from reversa.commands.show import ListOutcome, Row

Paint = Callable[[str, str], str]

_TITLE_MIN = 24
_TITLE_ROOM = 36
_DROPPED = (5, 3)
"""On a narrow terminal the module goes first, then the severity: the title is what people look for."""
_HEADS = ("#", "ID", "P", "severity", "phase", "module", "title")


def list_lines(out: ListOutcome, columns: int, paint: Paint) -> list[str]:
    """Write the table of `list` with its footer; only titles and modules are cut to fit."""
    mixed = any(row.status in ("resolved",) for row in out.rows)
    rows = [_cells(row, mixed) for row in out.rows]
    heads = list(_HEADS)
    if mixed:
        heads[4] = "status"
    widths = [max([width_of(heads[i]), *(width_of(row[i]) for row in rows)]) for i in range(len(heads) - 1)]
    widths[5] = min(widths[5], 16)
    for column in (None, *_DROPPED):
        if column is not None:
            widths[column] = 0
        room = columns - sum(width + 2 for width in widths if width)
        if room >= _TITLE_ROOM:
            break
    room = max(_TITLE_MIN, room)
    lines = [paint(_line(heads, widths, room), "dim")] if rows else []
    lines += [_line(row, widths, room, paint) for row in rows]
    return [*lines, _footer(out)]


def _cells(row: Row, mixed: bool) -> list[str]:
    if row.status in ("restricted", "unreadable"):
        return ["", row.id, "", "", row.status, "", safe(row.title)]
    title = title_of(row)
    state = row.status if mixed else row.phase
    return [row.number, row.id, safe(row.priority), safe(row.severity), safe(state), safe(row.module), title]


def title_of(row: Row) -> str:
    """Give the title with what it is blocked by, which `cut_title` keeps."""
    blocked = f"  blocked by {', '.join(row.blocked_by)}" if row.blocked_by else ""
    return safe(row.title) + blocked


URGENT = {"P0": "error", "P1": "warning", "critical": "error", "high": "warning"}
"""Words that are worth a colour; the word itself says the same without one."""


def _line(cells: list[str], widths: list[int], room: int, paint: Paint = plain) -> str:
    parts = []
    for index, width in enumerate(widths):
        if width == 0:
            continue
        text = cells[index] if index == 1 else cut(cells[index], width)
        pad = " " * (width - width_of(text))
        text = paint(text, URGENT[text]) if text in URGENT and index in (2, 3) else text
        parts.append(pad + text if index == 0 else text + pad)
    return "  ".join([*parts, cut_title(cells[-1], room)]).rstrip()


def cut_title(text: str, room: int) -> str:
    """Cut a title but keep what it is blocked by."""
    head, mark, tail = text.rpartition("  blocked by ")
    if not mark or width_of(text) <= room:
        return cut(text, room)
    left = room - width_of(mark + tail)
    return cut(head, left) + mark + tail if left >= 10 else cut(text, room)


def cut(text: str, room: int) -> str:
    """Give a text in so many columns; what is cut off is marked."""
    if width_of(text) <= room:
        return text
    taken = 0
    for end, sign in enumerate(text):
        taken += width_of(sign)
        if taken > room - 1:
            return text[:end] + "…"
    return text


def _footer(out: ListOutcome) -> str:
    shown = plural(len(out.rows), "bug")
    if out.filtered:
        return f"{shown} of {out.total} match."
    if out.hidden:
        return (
            f"{len(out.rows)} open or active of {plural(out.total, 'bug')}; "
            f"{out.hidden} resolved hidden, --all shows them."
        )
    return f"{plural(out.total, 'bug')}." if out.total else 'No bugs yet. reversa new "TITLE" -c CONTEXT registers one.'


_FACTS = (
    ("status", ("status", "phase")),
    ("urgency", ("priority", "severity")),
    ("where", ("area", "module", "feature")),
    ("context", ("context",)),
    ("dates", ("created", "updated")),
    ("visibility", ("visibility",)),
    ("verdict", ("spec_verdict",)),
    ("resolution", ("resolution_kind",)),
)


def show_lines(data: Mapping[str, Any], columns: int, paint: Paint) -> list[str]:
    """Write one record: a head, the facts, edges and traces, the sections of the body."""
    number = f"  #{data['display_number']}" if data.get("display_number") is not None else ""
    flags = [word for word, on in (("locked", data["done"]), ("blocked", data["is_blocked"])) if on]
    if data.get("visibility") == "restricted":
        flags.append("restricted")
    lines = [paint(f"{data['id']}{number}", "bold") + (f"  [{', '.join(flags)}]" if flags else "")]
    lines += [*textwrap.wrap(safe(str(data.get("title") or "")), columns), ""]
    for label, keys in _FACTS:
        values = [safe(str(data[key])) for key in keys if data.get(key) not in (None, "")]
        if values:
            lines.append(f"{_label(label, paint)}{' · '.join(values)}")
    lines += _labelled("labels", data.get("labels"), paint)
    lines += _origin(data, paint)
    lines.append(f"{_label('impact', paint)}{data['impact']} (a triage heuristic)")
    lines.append(f"{_label('path', paint)}{safe(data['path'])}")
    lines += _traces(data, paint)
    for title, text in data["sections"].items():
        body = [safe(line) for line in text.split("\n") if not line.startswith("<!-- reversa:")]
        while body and not body[-1].strip():
            body.pop()
        if body and title != "Traceability":
            lines += ["", paint(title, "bold"), *body]
    return lines


def _label(text: str, paint: Paint) -> str:
    return paint(f"{text:<12}", "dim")


def _labelled(label: str, values: Any, paint: Paint) -> list[str]:
    if not isinstance(values, list) or not values:
        return []
    return [f"{_label(label, paint)}{', '.join(safe(str(value)) for value in values)}"]


def _traces(data: Mapping[str, Any], paint: Paint) -> list[str]:
    trace = data.get("traceability")
    lines: list[str] = []
    if isinstance(trace, dict):
        for label, key in (
            ("specs", "specs"),
            ("code", "affected_code"),
            ("shown by", "reproduction_tests"),
            ("guarded by", "regression_tests"),
        ):
            values = trace.get(key)
            for index, value in enumerate(values if isinstance(values, list) else []):
                lines.append(f"{_label(label if index == 0 else '', paint)}{safe(str(value))}")
        cause = trace.get("root_cause")
        if isinstance(cause, dict):
            lines.append(
                f"{_label('root cause', paint)}{safe(str(cause.get('state')))}: "
                f"{safe(str(cause.get('hypothesis') or ''))}"
            )
    lines += _rows("edges", [_edge(edge) for edge in _maps(data, "relationships")], paint)
    lines += _rows("blocked by", [_obstacle(entry) for entry in _maps(data, "blocking")], paint)
    lines += _rows("decisions", [_decision(entry) for entry in _maps(data, "decisions")], paint)
    return lines


def _maps(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = data.get(key)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _rows(label: str, texts: list[str], paint: Paint) -> list[str]:
    return [f"{_label(label if index == 0 else '', paint)}{safe(text)}" for index, text in enumerate(texts)]


def _edge(edge: Mapping[str, Any]) -> str:
    return f"{edge.get('type')} {edge.get('bug')} ({edge.get('state')})"


def _obstacle(entry: Mapping[str, Any]) -> str:
    return str(entry.get("target") or entry.get("reason") or entry.get("kind"))


def _decision(entry: Mapping[str, Any]) -> str:
    return f"{entry.get('what')}: {entry.get('value')}, {entry.get('by')}, {entry.get('on')}, {entry.get('via')}"


def _origin(data: Mapping[str, Any], paint: Paint) -> list[str]:
    """Write where the report came from and how the defect reproduces."""
    origin, reproduction = data.get("origin"), data.get("reproduction")
    lines = []
    if isinstance(origin, dict) and origin.get("type"):
        ref = origin.get("external_ref")
        where = f" ({ref.get('provider')} {ref.get('id')})" if isinstance(ref, dict) else ""
        lines += _rows("origin", [f"{origin['type']}{where}"], paint)
    if isinstance(reproduction, dict) and reproduction.get("classification"):
        rate = f", {reproduction['rate']}" if reproduction.get("rate") else ""
        lines += _rows("reproduces", [f"{reproduction['classification']}{rate}"], paint)
    return lines
