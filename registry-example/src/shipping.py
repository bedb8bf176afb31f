"""Parcels: what they weigh, what they cost and where they go."""

from __future__ import annotations

from orders import Order

GRAMS_PER_BOX = 180
PIECES_PER_BOX = 6


def boxes_of(pieces: int) -> int:
    """How many boxes hold that many pieces."""
    return -(-pieces // PIECES_PER_BOX)


def parcel_weight(order: Order, grams: dict[str, int]) -> int:
    """The weight of an order in grams, its boxes included."""
    goods = sum(line.quantity * grams[line.sku] for line in order.lines)
    pieces = sum(line.quantity for line in order.lines)
    return goods + boxes_of(pieces) * GRAMS_PER_BOX


def needs_address(order: Order) -> bool:
    """Whether the checkout asks for a shipping address."""
    return any(not line.sku.startswith("gift-card") for line in order.lines)
