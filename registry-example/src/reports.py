"""The reports that the warehouse reads in the morning."""

from __future__ import annotations

from stock import Stock


def stock_report(stock: Stock, returned: dict[str, int]) -> dict[str, int]:
    """Pieces per article: what lies on the shelf and what came back yesterday."""
    report: dict[str, int] = {}
    for sku, level in stock.levels.items():
        report[sku] = level + returned.get(sku, 0)
    return report


def report_rows(report: dict[str, int]) -> list[str]:
    """The report as rows of text, sorted by article."""
    return [f"{sku};{pieces}" for sku, pieces in sorted(report.items())]
