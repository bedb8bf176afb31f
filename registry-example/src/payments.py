"""Payments: the ledger of provider events and the calls to the gateways."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

log = logging.getLogger("lantern.payments")

GATEWAYS = {
    "harbour-bank": "https://pay.harbour-bank.example",
    "northline": "https://api.northline.example",
}
GATEWAY_TIMEOUT = 20.0


@dataclass(frozen=True)
class PaymentEvent:
    event_id: str
    order_number: str
    amount: int


@dataclass
class Ledger:
    """What was booked, by event; the provider may send an event more than once."""

    booked: dict[str, int] = field(default_factory=dict)

    def record(self, event: PaymentEvent) -> bool:
        """Book an event; False when it is known already."""
        if event.event_id in self.booked:
            log.info("event %s repeated", event.event_id)
            return False
        self.booked[event.event_id] = event.amount
        return True

    def total(self) -> int:
        return sum(self.booked.values())


def charge(bank: str, amount: int, send: Callable[[str, int, float], str]) -> str:
    """Ask the bank's gateway for the amount and return its answer."""
    url = GATEWAYS[bank]
    started = time.monotonic()
    try:
        return send(url, amount, GATEWAY_TIMEOUT)
    finally:
        elapsed = time.monotonic() - started
        log.info("charge bank=%s host=%s seconds=%.3f", bank, url, elapsed)
