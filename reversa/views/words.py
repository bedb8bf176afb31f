"""The languages that views speak: templates are written in English, a catalogue translates their sentences."""

from __future__ import annotations

from collections.abc import Mapping

CATALOGUES: Mapping[str, Mapping[str, str]] = {"en": {}}
"""Language to its catalogue: English sentence to translated one; a plural has an entry of its own."""


class Words:
    """What `_()` and `ngettext()` answer in the templates of one language; an unknown language is English."""

    def __init__(self, lang: str) -> None:
        self.lang = lang if lang in CATALOGUES else "en"
        self._catalogue = CATALOGUES[self.lang]

    def gettext(self, sentence: str) -> str:
        """Give a sentence in the language."""
        return self._catalogue.get(sentence, sentence)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """Give the sentence for one or for another number of things."""
        return self.gettext(one if count == 1 else many)
