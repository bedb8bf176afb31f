"""Remove the second booking of an event from the payment table, oldest row kept."""

from __future__ import annotations


def surplus_rows(rows: list[tuple[int, str]]) -> list[int]:
    """Row numbers to delete, given (row number, event id) in any order."""
    seen: set[str] = set()
    surplus: list[int] = []
    for row, event_id in sorted(rows):
        if event_id in seen:
            surplus.append(row)
        seen.add(event_id)
    return surplus
