"""Views drawn from the records: contexts are pure, Jinja lives in render."""
