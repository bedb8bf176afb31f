"""1xx: values outside their closed vocabulary (registry.md 3); none of these makes a bug invalid."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.shape import flaws, hits

_MEND = "reversa update {suffix} --set {key}={near}"


@rule("RV112", Severity.WARNING, "phase {found}", mend=_MEND, given=flaws)
def phase(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Phase is missing or no phase of the contract

    The phase says what is being done now; closing keeps the last one, so there is no phase for it.

    ## Bad

    ```yaml
    phase: closed
    ```

    ## Good

    ```yaml
    phase: patching
    ```
    """
    yield from hits(bug, "RV112")


@rule("RV113", Severity.WARNING, "severity {found}", mend=_MEND, given=flaws)
def severity(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Severity is missing or unknown

    Lists sort by the size of the damage; a bug without one comes last.

    ## Bad

    ```yaml
    severity: blocker
    ```

    ## Good

    ```yaml
    severity: critical
    ```
    """
    yield from hits(bug, "RV113")


@rule("RV114", Severity.WARNING, "priority {found}", mend=_MEND, given=flaws)
def priority(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Priority is missing or unknown

    The order of work follows the priority, written with a capital P.

    ## Bad

    ```yaml
    priority: p1
    ```

    ## Good

    ```yaml
    priority: P1
    ```
    """
    yield from hits(bug, "RV114")


@rule("RV115", Severity.WARNING, "origin.type {found}", mend=_MEND, given=flaws)
def origin(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Origin is missing or unknown

    Where a report came from says how much it can be relied on; what fits nowhere is `other`.

    ## Bad

    ```yaml
    origin: {type: phone}
    ```

    ## Good

    ```yaml
    origin: {type: support}
    ```
    """
    yield from hits(bug, "RV115")


@rule(
    "RV116", Severity.WARNING, "visibility {found}", mend="reversa update {suffix} --set visibility={near}", given=flaws
)
def no_visibility(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Visibility is missing

    It is read as normal, or as restricted where a security defect is suspected; better to say it.

    ## Bad

    ```yaml
    _without: [visibility]
    ```

    ## Good

    ```yaml
    visibility: normal
    ```
    """
    for hit in hits(bug, "RV116"):
        yield Hit(hit.route, {**hit.params, "near": "restricted" if bug.security_suspected else "normal"})


@rule("RV117", Severity.WARNING, "visibility {found}; it is treated as restricted", mend=_MEND, given=flaws)
def visibility(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Visibility is unknown

    What cannot be understood is not shown: the bug is treated as restricted.

    ## Bad

    ```yaml
    visibility: public
    ```

    ## Good

    ```yaml
    visibility: internal
    ```
    """
    yield from hits(bug, "RV117")


@rule("RV118", Severity.WARNING, "reproduction.classification {found}", mend=_MEND, given=flaws)
def reproduction(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Class of reproduction is missing or unknown

    How reliably a defect shows decides how it can be proven and guarded against.

    ## Bad

    ```yaml
    reproduction: {classification: sometimes}
    ```

    ## Good

    ```yaml
    reproduction: {classification: intermittent}
    ```
    """
    yield from hits(bug, "RV118")


@rule("RV119", Severity.WARNING, "{key} {found}", mend="write one of the kinds: {values}", given=flaws)
def change_kind(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Kind of a change is missing or unknown

    Some ways of closing ask for a change of a certain kind.

    ## Bad

    ```yaml
    change_set:
      - {id: CHG-001, kind: refactoring, artifact: src/cart.py}
    ```

    ## Good

    ```yaml
    change_set:
      - {id: CHG-001, kind: code, artifact: src/cart.py}
    ```
    """
    yield from hits(bug, "RV119")


@rule("RV120", Severity.WARNING, "change_risk.classification {found}", mend=_MEND, given=flaws)
def change_risk(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Class of risk is missing or unknown

    The risk decides whether the short route is open to a fix.

    ## Bad

    ```yaml
    change_risk: {classification: low, motivos: []}
    ```

    ## Good

    ```yaml
    change_risk: {classification: baixa, motivos: []}
    ```
    """
    yield from hits(bug, "RV120")


@rule("RV121", Severity.WARNING, "spec_verdict {found}", mend="a person decides: {values}", given=flaws)
def spec_verdict(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Spec verdict is no word of the contract

    The verdict is a person's decision in one word; who took it and when stands under `decisions`.

    ## Bad

    ```yaml
    spec_verdict: {verdict: spec-correta, by: Ana}
    ```

    ## Good

    ```yaml
    spec_verdict: spec-correta
    ```
    """
    yield from hits(bug, "RV121")


@rule("RV123", Severity.WARNING, "{key} {found}", mend="write one of: {values}", given=flaws)
def other_word(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Value is none of the words allowed here

    A closed list is closed so that tools can act on the value.

    ## Bad

    ```yaml
    blocking:
      - {kind: vendor, reason: "Waiting for credentials", since: 2026-07-15}
    ```

    ## Good

    ```yaml
    blocking:
      - {kind: external, reason: "Waiting for credentials", since: 2026-07-15}
    ```
    """
    yield from hits(bug, "RV123")
