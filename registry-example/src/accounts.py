"""Customer accounts: signing in and looking at old orders."""

from __future__ import annotations

from cart import Cart
from orders import Order


class Account:
    def __init__(self, email: str) -> None:
        self.email = email
        self.cart = Cart()
        self.orders: list[Order] = []


def sign_in(account: Account, guest_cart: Cart) -> Cart:
    """Sign a visitor in and give back the basket that goes on."""
    account.cart.merge(guest_cart)
    return account.cart


def order_history(account: Account) -> list[Order]:
    """All orders of the account, the newest first, cancelled ones included."""
    return sorted(account.orders, key=lambda order: order.number, reverse=True)
