from accounts import Account, order_history, sign_in
from cart import Cart
from mailer import confirmation
from orders import Order


def test_guest_basket_survives_sign_in():
    guest = Cart()
    guest.add("brass-lantern", 4900)
    account = Account("ada@example.org")
    account.cart.add("oil-lamp", 3500, 2)
    basket = sign_in(account, guest)
    assert basket.quantities == {"oil-lamp": 2, "brass-lantern": 1}


def test_shared_article_keeps_the_larger_quantity():
    guest = Cart()
    guest.add("oil-lamp", 3500, 3)
    account = Account("ada@example.org")
    account.cart.add("oil-lamp", 3500, 2)
    assert sign_in(account, guest).quantities == {"oil-lamp": 3}


def test_history_shows_cancelled_orders():
    account = Account("ada@example.org")
    account.orders = [Order("LG-1", account.email, state="cancelled"), Order("LG-2", account.email)]
    assert [order.number for order in order_history(account)] == ["LG-2", "LG-1"]


def test_confirmation_names_the_order():
    assert "LG-1001" in confirmation(Order("LG-1001", "ada@example.org"))
