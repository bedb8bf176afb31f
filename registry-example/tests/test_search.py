import pytest
from listing import bundle_label
from search import Index, Product


def index_of(*products):
    index = Index()
    for product in products:
        index.update(product)
    return index


def test_product_off_sale_leaves_the_index():
    index = index_of(Product("oil-lamp", "Oil lamp"))
    assert index.search("lamp") == ["oil-lamp"]
    index.update(Product("oil-lamp", "Oil lamp", on_sale=False))
    assert index.search("lamp") == []


def test_empty_text_finds_nothing():
    assert index_of(Product("oil-lamp", "Oil lamp")).search("   ") == []


def test_bundle_label_has_one_currency():
    assert bundle_label([3500, 900], 400) == "EUR 40.00 as a bundle"


@pytest.mark.xfail(strict=True, reason="BUG-20260722-D5RK is not fixed yet")
def test_equal_popularity_has_a_fixed_order():
    # Every worker process iterates a set of text in an order of its own.
    names = [Product(f"lamp-{n:02d}", f"Lamp {n}") for n in range(40)]
    assert index_of(*names).search("lamp") == sorted(p.sku for p in names)
