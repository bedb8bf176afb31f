"""The printed invoice of a closed order."""

from __future__ import annotations

from orders import Order
from pricing import format_price


def render_invoice(order: Order) -> str:
    """Return the invoice as plain text, one row a line."""
    rows = [f"Invoice for order {order.number}"]
    for line in order.lines:
        rows.append(f"{line.quantity} x {line.sku}  {format_price(line.amount())}")
    for amount in order.discount_lines:
        rows.append(f"Discount  -{format_price(amount)}")
    rows.append(f"Total  {format_price(order.total)}")
    return "\n".join(rows)
