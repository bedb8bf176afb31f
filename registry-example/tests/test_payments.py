import logging

import pytest
from payments import GATEWAYS, Ledger, PaymentEvent, charge


def test_repeated_event_is_booked_once():
    ledger = Ledger()
    event = PaymentEvent("ev-1", "LG-1001", 9000)
    assert ledger.record(event)
    assert not ledger.record(event)
    assert ledger.total() == 9000


def test_two_events_of_one_order_are_both_booked():
    ledger = Ledger()
    ledger.record(PaymentEvent("ev-1", "LG-1001", 4000))
    ledger.record(PaymentEvent("ev-2", "LG-1001", 5000))
    assert ledger.total() == 9000


def test_charge_leaves_a_trace_when_it_times_out(caplog):
    def never_answers(url, amount, timeout):
        raise TimeoutError

    caplog.set_level(logging.INFO)
    with pytest.raises(TimeoutError):
        charge("harbour-bank", 9000, never_answers)
    assert "bank=harbour-bank" in caplog.text


@pytest.mark.xfail(strict=True, reason="BUG-20260807-V5KH is not fixed yet")
def test_gateway_of_harbour_bank_is_the_new_one():
    assert GATEWAYS["harbour-bank"] == "https://pay2.harbour-bank.example"
