"""Stock levels, reservations and the import from the warehouse."""

from __future__ import annotations

import threading


class OutOfStock(Exception):
    """Fewer pieces are free than the order asks for."""


class Stock:
    def __init__(self, levels: dict[str, int] | None = None) -> None:
        self.levels: dict[str, int] = dict(levels or {})
        self.reserved: dict[str, int] = {}
        self.lock = threading.Lock()

    def free(self, sku: str) -> int:
        """Pieces that may still be sold: on the shelf and reserved by nobody."""
        return self.levels.get(sku, 0) - self.reserved.get(sku, 0)

    def reserve(self, sku: str, quantity: int) -> None:
        """Hold pieces for an order; the check and the booking are one step."""
        with self.lock:
            if self.free(sku) < quantity:
                raise OutOfStock(sku)
            self.reserved[sku] = self.reserved.get(sku, 0) + quantity

    def ship(self, sku: str, quantity: int) -> None:
        """Take reserved pieces off the shelf."""
        with self.lock:
            self.levels[sku] -= quantity
            self.reserved[sku] -= quantity


def import_levels(stock: Stock, counted: dict[str, int]) -> None:
    """Take over the levels that the warehouse counted last night."""
    for sku, quantity in counted.items():
        stock.levels[sku] = quantity
