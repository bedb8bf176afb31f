"""The search index of the catalogue and the pages of results."""

from __future__ import annotations

from dataclasses import dataclass

PAGE_SIZE = 24


@dataclass
class Product:
    sku: str
    name: str
    on_sale: bool = True
    popularity: int = 0


class Index:
    def __init__(self) -> None:
        self.products: dict[str, Product] = {}
        self.cache: dict[str, list[str]] = {}

    def update(self, product: Product) -> None:
        """Bring the index up to date with one product of the catalogue."""
        if product.on_sale:
            self.products[product.sku] = product
        else:
            self.products.pop(product.sku, None)
        self.cache.clear()

    def matches(self, text: str) -> set[str]:
        wanted = text.casefold().strip()
        if not wanted:
            return set()
        return {p.sku for p in self.products.values() if wanted in p.name.casefold()}

    def search(self, text: str) -> list[str]:
        """The articles that match, the most popular first."""
        key = text.casefold().strip()
        if key not in self.cache:
            found = self.matches(text)
            self.cache[key] = sorted(found, key=lambda sku: -self.products[sku].popularity)
        return self.cache[key]

    def page(self, text: str, number: int) -> list[str]:
        """One page of the results, counted from 1."""
        start = (number - 1) * PAGE_SIZE
        return self.search(text)[start : start + PAGE_SIZE]
