"""The texts of the product pages and lists."""

from __future__ import annotations

from pricing import format_price


def price_label(cents: int) -> str:
    """The label of a single article."""
    return format_price(cents)


def bundle_label(prices: list[int], reduction: int) -> str:
    """The label of a bundle: the sum of its articles less the reduction."""
    return f"{price_label(sum(prices) - reduction)} as a bundle"
