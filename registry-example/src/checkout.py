"""Closing an order: the step between the basket and the payment."""

from __future__ import annotations

from orders import Order
from pricing import apply_discount, ships_free

SHIPPING_FEE = 490


class OrderStateError(Exception):
    """The order is not in a state that allows the step."""


def shipping_fee(order: Order) -> int:
    """The fee of the parcel; nothing above the threshold or for pick-up."""
    if order.delivery == "pick-up" or ships_free(order):
        return 0
    return SHIPPING_FEE


def close_order(order: Order) -> Order:
    """Freeze the sums of an order and hand it to the payment step."""
    if order.state != "open":
        raise OrderStateError(f"{order.number} is {order.state}, not open")
    if not order.lines:
        raise OrderStateError(f"{order.number} has no lines")
    apply_discount(order)
    order.total += shipping_fee(order)
    order.state = "closed"
    return order


def reopen_for_payment(order: Order) -> Order:
    """Let the customer choose another means of payment; the sums stay frozen."""
    if order.state != "closed":
        raise OrderStateError(f"{order.number} is {order.state}, not closed")
    order.state = "awaiting-payment"
    return order
