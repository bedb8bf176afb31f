"""The basket of a visitor, signed in or not."""

from __future__ import annotations

from orders import Line, Order, Voucher
from pricing import apply_discount


class Cart:
    def __init__(self) -> None:
        self.quantities: dict[str, int] = {}
        self.prices: dict[str, int] = {}

    def add(self, sku: str, unit_price: int, quantity: int = 1) -> None:
        self.quantities[sku] = self.quantities.get(sku, 0) + quantity
        self.prices[sku] = unit_price

    def merge(self, other: Cart) -> None:
        """Take over another basket; of a shared article the larger quantity stays."""
        for sku, quantity in other.quantities.items():
            self.quantities[sku] = max(self.quantities.get(sku, 0), quantity)
            self.prices[sku] = other.prices[sku]

    def to_order(self, number: str, email: str) -> Order:
        lines = [Line(sku, n, self.prices[sku]) for sku, n in self.quantities.items()]
        order = Order(number=number, email=email, lines=lines)
        order.total = order.subtotal()
        return order


def redeem(order: Order, voucher: Voucher) -> None:
    """Put a voucher on an open order and show the reduced total at once."""
    if order.state != "open":
        raise ValueError("a closed order takes no voucher")
    if order.voucher is not None:
        raise ValueError("the order has a voucher already")
    order.voucher = voucher
    apply_discount(order)
