"""The e-mails of the shop, written from templates of our own."""

from __future__ import annotations

from string import Template

from orders import Order

CONFIRMATION = Template("Thank you. We have received your order $number.")


def confirmation(order: Order) -> str:
    """The text that confirms an order."""
    if not order.number:
        raise ValueError("an order without a number cannot be confirmed")
    return CONFIRMATION.substitute(number=order.number)
