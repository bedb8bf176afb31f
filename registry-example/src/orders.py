"""Orders and what they are made of. All amounts are whole cents."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Voucher:
    code: str
    percent: int


@dataclass
class Line:
    sku: str
    quantity: int
    unit_price: int

    def amount(self) -> int:
        return self.quantity * self.unit_price


@dataclass
class Order:
    number: str
    email: str
    lines: list[Line] = field(default_factory=list)
    voucher: Voucher | None = None
    discount_lines: list[int] = field(default_factory=list)
    total: int = 0
    state: str = "open"
    delivery: str = "parcel"

    def subtotal(self) -> int:
        """The sum of the lines, before any discount."""
        return sum(line.amount() for line in self.lines)


def find_order(orders: list[Order], number: str, email: str) -> Order | None:
    """Return the order of that number for the guest who placed it."""
    for order in orders:
        if order.number == number and order.email.startswith(email.lower()):
            return order
    return None
