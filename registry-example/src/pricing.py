"""Discounts, the shipping threshold and the way prices are written."""

from __future__ import annotations

from orders import Order

FREE_SHIPPING_FROM = 6000
CURRENCY = "EUR"


def discount_of(order: Order) -> int:
    """What the order's voucher takes off, rounded down to the cent."""
    if order.voucher is None:
        return 0
    return order.subtotal() * order.voucher.percent // 100


def apply_discount(order: Order) -> None:
    """Write the voucher's discount on the order and bring the total up to date."""
    amount = discount_of(order)
    if amount:
        order.discount_lines.append(amount)
    order.total = order.subtotal() - sum(order.discount_lines)


def ships_free(order: Order) -> bool:
    """Whether the order reaches the free-shipping threshold."""
    return order.subtotal() >= FREE_SHIPPING_FROM


def format_price(cents: int) -> str:
    """Write an amount the way the shop shows it, such as `EUR 12.50`."""
    return f"{CURRENCY} {cents // 100}.{cents % 100:02d}"
