"""2xx: status, kind of resolution, lock and seal must agree (registry.md 5.1, 5.2, 5.7, 7)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry
from reversa.core.document import filled, get
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.shape import flaws, hits
from reversa.core.rules.standing import first_there, is_resolved, standing


@rule(
    "RV201",
    Severity.ERROR,
    "status is resolved, but resolution_kind says nothing",
    mend="reversa close {suffix} --as KIND",
    given=is_resolved,
)
def resolved_without_kind(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Resolved without a kind of resolution

    How a bug was resolved decides what had to be proven, so a resolution without a kind proves nothing.

    ## Bad

    ```yaml
    status: resolved
    closure: {satisfied: true}
    _locked: true
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _locked: true
    ```
    """
    if not filled(get(bug.data, "resolution_kind")):
        yield Hit(("status",))


@rule(
    "RV202",
    Severity.ERROR,
    "status is resolved, but closure.satisfied is not true",
    mend="reversa close {suffix} --as {kind}",
    given=is_resolved,
)
def resolved_unsatisfied(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Resolved although the closure is not satisfied

    Resolved means that everything the policy asks for is there; `close` checks it and writes both.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: false}
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _locked: true
    ```
    """
    at = standing(bug)
    if not at.satisfied:
        yield Hit(first_there(bug, ("closure", "satisfied"), ("status",)), {"kind": at.kind or "KIND"})


@rule(
    "RV203",
    Severity.ERROR,
    "DONE.md locks the folder, but status is {status}",
    mend="a person decides: remove DONE.md to reopen the bug, or write status: resolved",
)
def locked_unresolved(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Locked although it is not resolved

    A lock says that the bug is closed for good; a status that says otherwise leaves it open and untouchable at once.

    ## Bad

    ```yaml
    status: active
    _locked: true
    ```

    ## Good

    ```yaml
    status: active
    _locked: false
    ```
    """
    if bug.locked and bug.status != "resolved":
        yield Hit(("status",), {"status": bug.status or "missing"})


@rule(
    "RV204",
    Severity.ERROR,
    "it is resolved and satisfied, but DONE.md is missing",
    mend="reversa close {suffix} --as {kind}",
    given=is_resolved,
)
def resolved_unlocked(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Resolved and satisfied but not locked

    Without the lock anyone may change what was closed. This is also what an interrupted closing leaves behind.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _locked: true
    ```
    """
    at = standing(bug)
    if at.satisfied and not bug.locked:
        yield Hit(("status",), {"kind": at.kind or "KIND"})


@rule(
    "RV205",
    Severity.ERROR,
    "resolution_kind {found}",
    mend="reversa update {suffix} --set resolution_kind={near}",
    given=flaws,
)
def unknown_kind(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Kind of resolution is unknown

    The rules of closing depend on the kind, so a bug with an unknown one would escape them all.

    ## Bad

    ```yaml
    resolution_kind: wontfix
    ```

    ## Good

    ```yaml
    resolution_kind: invalid
    ```
    """
    yield from hits(bug, "RV205")


@rule("RV206", Severity.ERROR, "{key} {found}", mend="reversa update {suffix} --set {key}={near}", given=flaws)
def unknown_cause_state(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """State of the root cause is unknown

    Whether a fix may be closed depends on how well its cause is known.

    ## Bad

    ```yaml
    traceability: {root_cause: {state: proven, hypothesis: Rounding happens twice}}
    ```

    ## Good

    ```yaml
    traceability: {root_cause: {state: supported, hypothesis: Rounding happens twice, evidence: [src/cart.py]}}
    ```
    """
    yield from hits(bug, "RV206")
