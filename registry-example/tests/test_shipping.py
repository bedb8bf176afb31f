import pytest
from orders import Line, Order
from shipping import boxes_of, needs_address, parcel_weight


def test_weight_counts_every_box():
    order = Order("LG-1002", "ada@example.org", [Line("tea-light", 13, 90)])
    assert parcel_weight(order, {"tea-light": 20}) == 13 * 20 + 3 * 180


def test_full_box_is_one_box():
    assert boxes_of(6) == 1


@pytest.mark.xfail(strict=True, reason="BUG-20260812-J4TB is not fixed yet")
def test_pick_up_needs_no_address():
    order = Order("LG-1003", "ada@example.org", [Line("oil-lamp", 1, 3500)], delivery="pick-up")
    assert not needs_address(order)
