"""1xx: texts with a form of their own, the rate of reproduction and the IDs of changes (registry.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reversa.core.bug import Bug, Registry, text_at
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.shape import hits
from reversa.core.rules.standing import change_ids

_RATE = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})(?![0-9])\s*")
_RATE_AT = ("reproduction", "rate")
_CHANGE_ID = re.compile(r"CHG-[0-9]{3}\Z")


def _rate(bug: Bug) -> str:
    return text_at(bug.data, *_RATE_AT)


@rule(
    "RV140",
    Severity.WARNING,
    "rate is {value}, of which {leading} is used",
    mend='write rate: "{leading}"',
    given=_rate,
)
def rate_with_prose(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Rate is more than failures over attempts

    The leading `N/M` is used and the text kept; the story belongs into the body.

    ## Bad

    ```yaml
    reproduction: {rate: "3/20 on the old server"}
    ```

    ## Good

    ```yaml
    reproduction: {rate: "3/20"}
    ```
    """
    text = _rate(bug)
    match = _RATE.match(text)
    if match and match.end() < len(text):
        yield Hit(_RATE_AT, {"value": text, "leading": f"{match[1]}/{match[2]}"})


@rule(
    "RV141",
    Severity.WARNING,
    "rate is {value}, which begins with no N/M",
    mend='write rate: "failures/attempts"',
    given=_rate,
)
def no_rate(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Rate does not begin with failures over attempts

    Without two numbers nobody can tell whether a fix made a difference.

    ## Bad

    ```yaml
    reproduction: {rate: "often"}
    ```

    ## Good

    ```yaml
    reproduction: {rate: "7/10"}
    ```
    """
    text = _rate(bug)
    match = _RATE.match(text)
    if not match:
        yield Hit(_RATE_AT, {"value": text})


@rule(
    "RV142",
    Severity.WARNING,
    "rate counts {failures} failures in {attempts} attempts",
    mend="correct the numbers",
    given=_rate,
)
def rate_above_one(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Rate has more failures than attempts

    The first number counts the attempts that failed, the second all attempts.

    ## Bad

    ```yaml
    reproduction: {rate: "20/3"}
    ```

    ## Good

    ```yaml
    reproduction: {rate: "3/20"}
    ```
    """
    match = _RATE.match(_rate(bug))
    if match and int(match[1]) > int(match[2]):
        yield Hit(_RATE_AT, {"value": match[0], "failures": match[1], "attempts": match[2]})


@rule(
    "RV143",
    Severity.WARNING,
    "{key} {found}, where CHG- and three digits belong",
    mend="write the next CHG-NNN",
    given=change_ids,
)
def change_id(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """ID of a change is not CHG and three digits

    Commands, diffs and the resolution name a change by this ID.

    ## Bad

    ```yaml
    change_set:
      - {id: CHG-003a, kind: code, artifact: src/cart.py}
    ```

    ## Good

    ```yaml
    change_set:
      - {id: CHG-003, kind: code, artifact: src/cart.py}
    ```
    """
    yield from hits(bug, "RV143")
    for index, value in enumerate(change_ids(bug)):
        if value and not _CHANGE_ID.match(value):
            yield Hit(("change_set", index, "id"), {"found": f"is {value}", "value": value})


@rule(
    "RV144",
    Severity.WARNING,
    "{value} stands in change_set more than once",
    mend="give it the next free number",
    given=change_ids,
)
def change_id_twice(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """ID of a change occurs twice

    A change is named by its ID, and two of one name cannot be told apart.

    ## Bad

    ```yaml
    change_set:
      - {id: CHG-001, kind: code, artifact: src/cart.py}
      - {id: CHG-001, kind: test, artifact: tests/test_cart.py}
    ```

    ## Good

    ```yaml
    change_set:
      - {id: CHG-001, kind: code, artifact: src/cart.py}
      - {id: CHG-002, kind: test, artifact: tests/test_cart.py}
    ```
    """
    seen: set[str] = set()
    for index, value in enumerate(change_ids(bug)):
        if value and value in seen:
            yield Hit(("change_set", index, "id"), {"value": value})
        seen.add(value)
