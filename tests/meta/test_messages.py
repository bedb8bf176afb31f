"""The messages as a set: one form for all, and every command that one of them names can be typed."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest
from house import ROOT

from reversa.cli.app import COMMANDS, GUESSES
from reversa.cli.grammar import GRAMMAR
from reversa.core.rules.engine import RULES

ALL: list[Any] = runpy.run_path(str(ROOT / "docs" / "messages.py"))["messages"]()
TEXTS = [
    *((f"{each.module}:{each.line}", text) for each in ALL for text in (each.text, each.hint) if text),
    *((code, text) for code, rule in RULES.items() for text in (rule.message, rule.mend) if text),
]
CALL = re.compile(r"(?<![\w.])reversa(?:-bugs)? (?P<name>[a-z-]+)(?P<rest>(?:(?!reversa )[^;|])*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
PROSE = {"alone", "asks", "brings", "it", "itself", "or", "that", "to", "whose", "writes", "wrote", "is", "has"}
"""Words behind the name of the tool where it is not called but spoken of."""


def test_there_are_many() -> None:
    sorts = {each.sort for each in ALL}
    assert len(ALL) > 200 and {"UsageError", "Refused", "Surroundings", "note"} <= sorts


@pytest.mark.parametrize("each", ALL, ids=lambda each: f"{each.module}:{each.line}")
def test_a_message_is_a_sentence(each: Any) -> None:
    assert each.text[-1] in ".}?" and "  " not in each.text and "\n" not in each.text, each.text
    assert (
        each.text[0] in "{-"
        or each.text[0].isupper()
        or each.module == "core/draft_json.py"
        or (each.text.split()[0] in {*COMMANDS, "reversa", "git", "check", "unrestrict"})
    ), each.text
    assert "!" not in each.text and "please" not in each.text.casefold()
    assert "  " not in each.hint and "\n" not in each.hint and not re.search(r"[Ff]or example [^:]*--", each.hint)


@pytest.mark.parametrize(("where", "text"), TEXTS)
def test_commands_that_are_named_exist_with_their_options(where: str, text: str) -> None:
    for call in CALL.finditer(text):
        name = call["name"]
        if name in PROSE:
            continue
        assert name in COMMANDS or name == "help", f"{where}: reversa {name}"
        assert name not in GUESSES
        known = {option for _, options, *_ in GRAMMAR[name] for option in options}
        assert set(OPTION.findall(call["rest"])) - known == set(), f"{where}: {call[0]}"
    known = {option for params in GRAMMAR.values() for _, options, *_ in params for option in options}
    assert set(OPTION.findall(text)) - known == set(), f"{where}: {text}"
