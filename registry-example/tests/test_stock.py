import threading

import pytest
from reports import stock_report
from stock import OutOfStock, Stock, import_levels


def test_last_piece_is_sold_once():
    stock = Stock({"brass-lantern": 1})
    refused = []

    def buy():
        try:
            stock.reserve("brass-lantern", 1)
        except OutOfStock:
            refused.append(1)

    threads = [threading.Thread(target=buy) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stock.free("brass-lantern") == 0
    assert len(refused) == 7


def test_more_than_there_is_is_refused():
    stock = Stock({"oil-lamp": 2})
    with pytest.raises(OutOfStock):
        stock.reserve("oil-lamp", 3)


@pytest.mark.xfail(strict=True, reason="BUG-20260720-W3ZQ is not fixed yet")
def test_import_keeps_reserved_pieces():
    stock = Stock({"oil-lamp": 5})
    stock.reserve("oil-lamp", 4)
    import_levels(stock, {"oil-lamp": 3})
    assert stock.free("oil-lamp") >= 0


@pytest.mark.xfail(strict=True, reason="BUG-20260729-G4SV is not fixed yet")
def test_returned_parcel_counts_once():
    # The returned lamp is back on the shelf, so the count of 5 holds it already.
    stock = Stock({"oil-lamp": 5})
    assert stock_report(stock, {"oil-lamp": 1}) == {"oil-lamp": 5}
