"""The examples in the docstrings are the tests of the rules: Bad yields the code, Good does not."""

from __future__ import annotations

import re
import string

import pytest

from reversa.core.finding import Severity
from reversa.core.rules import FAMILIES, RULES
from reversa.core.rules.engine import Rule, run
from reversa.report.manual import examples, explanation

from .examples import ID, raw, registry_of

EVERY = [pytest.param(rule, id=code) for code, rule in sorted(RULES.items())]
PARAMETERS = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("rule", EVERY)
@pytest.mark.parametrize("name", ["Bad", "Good"])
def test_example(rule: Rule, name: str) -> None:
    example = raw(examples(rule)[name]) or {}
    registry = registry_of(example)
    found = {v.rule.code for v in run(registry) if v.bug in (None, registry.bugs[0])}
    also = {str(code) for code in example.get("_also", ())}
    assert found == also | ({rule.code} if name == "Bad" else set())


@pytest.mark.parametrize("rule", EVERY)
def test_messages_of_the_bad_example(rule: Rule) -> None:
    """Every placeholder is filled, nothing ends with a period, and the value that is wrong is shown."""
    for violation in run(registry_of(raw(examples(rule)["Bad"]))):
        for text in (violation.message(), violation.mend()):
            assert "{" not in text.replace("{bug, type, state, evidence}", "").replace("{ref, observation}", "")
            assert text
            assert not text.endswith(".")
            assert text == text.strip()


@pytest.mark.parametrize("rule", EVERY)
def test_docstring(rule: Rule) -> None:
    assert re.fullmatch(r"RV[0-4]\d\d", rule.code)
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert len(rule.title) <= 70
    assert explanation(rule).endswith(".")
    assert set(examples(rule)) == {"Bad", "Good"}
    assert rule.mend
    for template in (rule.message, rule.mend):
        assert all(name is None or name.isidentifier() for _, name, _, _ in string.Formatter().parse(template))


def test_titles_are_unique() -> None:
    assert len({rule.title for rule in RULES.values()}) == len(RULES)


def test_families_are_in_the_order_of_their_codes() -> None:
    firsts = [min(code for code, rule in RULES.items() if rule.check.__module__ == m.__name__) for m in FAMILIES]
    assert [first[2] for first in firsts] == sorted(first[2] for first in firsts)
    assert {rule.check.__module__ for rule in RULES.values()} == {module.__name__ for module in FAMILIES}


def test_the_complete_record_has_no_finding() -> None:
    assert run(registry_of({})) == []


def test_severities() -> None:
    """The errors are those of registry.md 5, and nothing else is one."""
    errors = {int(code[2:]) for code, rule in RULES.items() if rule.severity is Severity.ERROR}
    assert errors == {
        *range(1, 16),
        *(101, 102, 104, 106, 107, 110),
        *(201, 202, 203, 204, 205, 206, 210, 211, 213, 231, 232, 233),
        *range(301, 308),
    }


def test_id_of_the_examples() -> None:
    assert registry_of({}).bugs[0].id == ID
