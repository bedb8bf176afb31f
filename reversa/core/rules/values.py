"""1xx: values of another type, form or place than the field table says (registry.md 3)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry, text_at
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.shape import flaws, hits
from reversa.core.rules.words import day
from reversa.core.taxonomy import DIMENSIONS


@rule("RV130", Severity.WARNING, "{key} is {found}, where {expected} belongs", mend="write {expected}", given=flaws)
def other_type(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Value has another type or shape than its key allows

    The value is kept as it stands, but tools that expect the contract's shape cannot use it.

    ## Bad

    ```yaml
    change_risk: baixa
    labels: checkout
    closure: {satisfied: "false"}
    ```

    ## Good

    ```yaml
    change_risk: {classification: baixa, motivos: []}
    labels: [checkout]
    closure: {satisfied: false}
    ```
    """
    yield from hits(bug, "RV130")


@rule(
    "RV131",
    Severity.WARNING,
    "{key} is {value}, which is no day in the form YYYY-MM-DD",
    mend="write YYYY-MM-DD",
    given=flaws,
)
def no_date(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Date is not a day in the form YYYY-MM-DD

    Dates are compared as text, which only works in one form.

    ## Bad

    ```yaml
    created: 2026-02-30
    ```

    ## Good

    ```yaml
    created: 2026-02-28
    ```
    """
    yield from hits(bug, "RV131")


@rule("RV132", Severity.WARNING, "updated is {value}, before created, {created}", mend="correct one of the two dates")
def updated_first(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Last write is older than the registration

    Every write moves `updated`, so it cannot lie before `created`.

    ## Bad

    ```yaml
    created: 2026-07-15
    updated: 2026-07-14
    ```

    ## Good

    ```yaml
    created: 2026-07-15
    updated: 2026-07-15
    ```
    """
    created, updated = day(bug.created), day(bug.updated)
    if created and updated and updated < created:
        yield Hit(("updated",), {"value": bug.updated, "created": bug.created})


@rule(
    "RV133",
    Severity.WARNING,
    "{key} is {value} without quotes, which YAML reads as a number",
    mend='write "{value}"',
    given=flaws,
)
def plain_number(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Commit or version is written like a number

    Other readers turn `7e12345` into infinity, `0012345` into 5349 and `1.10` into 1.1; quotes keep the text.

    ## Bad

    ```yaml
    delivery: {commit: 7e12345, version: 1.10}
    ```

    ## Good

    ```yaml
    delivery: {commit: "7e12345", version: "1.10"}
    ```
    """
    yield from hits(bug, "RV133")


@rule("RV134", Severity.WARNING, "{name} is called {meant} in the contract", mend="rename it to {meant}", given=flaws)
def renamed_key(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Key has another name in the contract

    The key is kept, but no rule and no view reads it under this name or in this place.

    ## Bad

    ```yaml
    created_at: 2026-07-15
    _without: [created]
    ```

    ## Good

    ```yaml
    created: 2026-07-15
    ```
    """
    yield from hits(bug, "RV134")


@rule(
    "RV135", Severity.WARNING, "{name} is no key of the contract; {meant} is", mend="rename it to {meant}", given=flaws
)
def mistyped_key(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Key is one typo away from a key of the contract

    Unknown keys are kept and are nobody's fault, but this one looks like a slip.

    ## Bad

    ```yaml
    serverity: high
    ```

    ## Good

    ```yaml
    severity: high
    ```
    """
    yield from hits(bug, "RV135")


@rule(
    "RV136",
    Severity.WARNING,
    "{key} is {value}, which taxonomy.yaml does not list",
    mend="reversa update {suffix} --set {key}=unclassified  # or reversa taxonomy add {key} TERM",
)
def outside_taxonomy(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Value is not in the taxonomy

    Terms are agreed on first, so that the same part has the same name in every record.

    ## Bad

    ```yaml
    area: vendas
    _taxonomy: {area: [sales], module: [checkout], feature: [discount]}
    ```

    ## Good

    ```yaml
    area: unclassified
    _taxonomy: {area: [sales], module: [checkout], feature: [discount]}
    ```
    """
    if registry.taxonomy.present:
        for dimension in DIMENSIONS:
            value = text_at(bug.data, dimension)
            if value and not registry.taxonomy.allows(dimension, value):
                yield Hit((dimension,), {"value": value})
