"""2xx: what a fix and a closing must have proven (registry.md 5.3, 8)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry, text_at
from reversa.core.closure import conditions, has_regression_tests, has_specs, has_verdict, policy_conditions
from reversa.core.document import Route
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.standing import first_there, is_fixed, is_resolved, standing

_KIND: Route = ("resolution_kind",)
_CAUSE: Route = ("traceability", "root_cause")
_FIXED = "resolution_kind is fixed, but "


@rule(
    "RV231",
    Severity.ERROR,
    _FIXED + "the state of the root cause is {state}",
    mend="confirm it with evidence: reversa update {suffix} --set traceability.root_cause.state=confirmed",
    given=is_fixed,
)
def fixed_without_cause(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Fixed without a confirmed root cause

    A fix of an unconfirmed cause may only hide the symptom.

    ## Bad

    ```yaml
    resolution_kind: fixed
    spec_verdict: spec-correta
    traceability:
      root_cause: {state: supported, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
    _files: [tests/test_cart.py]
    ```

    ## Good

    ```yaml
    resolution_kind: fixed
    spec_verdict: spec-correta
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
    _files: [tests/test_cart.py]
    ```
    """
    if bug.cause_state != "confirmed":
        route = first_there(bug, (*_CAUSE, "state"), _CAUSE, _KIND)
        yield Hit(route, {"state": bug.cause_state or "not recorded", "value": bug.cause_state})


@rule(
    "RV232",
    Severity.ERROR,
    _FIXED + "no regression test is named",
    mend="reversa update {suffix} --regression-test PATH::TEST",
    given=is_fixed,
)
def fixed_without_tests(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Fixed without regression tests

    Nothing keeps the defect from coming back unnoticed.

    ## Bad

    ```yaml
    resolution_kind: fixed
    spec_verdict: spec-correta
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: []
    ```

    ## Good

    ```yaml
    resolution_kind: fixed
    spec_verdict: spec-correta
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
    _files: [tests/test_cart.py]
    ```
    """
    if not has_regression_tests(bug):
        yield Hit(first_there(bug, ("traceability", "regression_tests"), _KIND))


@rule(
    "RV233",
    Severity.ERROR,
    _FIXED + "spec_verdict is not filled",
    mend="a person decides: reversa update {suffix} --set spec_verdict=VERDICT --by NAME",
    given=is_fixed,
)
def fixed_without_verdict(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Fixed without a verdict on the specification

    A person says whether the code was wrong, the spec outdated, or whether there was none.

    ## Bad

    ```yaml
    resolution_kind: fixed
    spec_verdict: null
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
    _files: [tests/test_cart.py]
    ```

    ## Good

    ```yaml
    resolution_kind: fixed
    spec_verdict: spec-correta
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
    _files: [tests/test_cart.py]
    ```
    """
    if not has_verdict(bug):
        yield Hit(first_there(bug, ("spec_verdict",), _KIND))


@rule(
    "RV234",
    Severity.WARNING,
    "it is resolved as fixed, but traceability.specs is empty",
    mend="name the spec; if there is none, label and verdict say spec-gap",
    given=is_fixed,
)
def fixed_without_specs(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Fixed without a specification

    What the right behaviour is stands in a spec, unless label and verdict both say that there is none.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: fixed
    spec_verdict: spec-gap
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
      specs: []
    closure: {satisfied: true}
    _locked: true
    _files: [tests/test_cart.py]
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: fixed
    spec_verdict: spec-gap
    labels: [spec-gap]
    traceability:
      root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: [src/cart.py]}
      regression_tests: ["tests/test_cart.py::test_discount_once"]
      specs: []
    closure: {satisfied: true}
    _locked: true
    _files: [tests/test_cart.py]
    ```
    """
    if is_resolved(bug) and not has_specs(bug):
        yield Hit(first_there(bug, ("traceability", "specs"), _KIND))


@rule(
    "RV240",
    Severity.WARNING,
    "closure.policy is {value}, but the README says {policy}; the record's holds",
    mend="reversa update {suffix} --set closure.policy={policy}",
)
def other_policy(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Closure policy differs from the registry's

    One bug under another policy may be meant, but is more often a copy from elsewhere.

    ## Bad

    ```yaml
    closure: {policy: local-software}
    _policy: package
    ```

    ## Good

    ```yaml
    closure: {policy: package}
    _policy: package
    ```
    """
    policy = text_at(bug.data, "closure", "policy")
    if policy and policy != registry.policy:
        yield Hit(("closure", "policy"), {"value": policy, "policy": registry.policy})


@rule(
    "RV241",
    Severity.WARNING,
    "it is resolved as {kind}, but this is missing: {item} ({detail})",
    mend="{command}",
    given=is_resolved,
)
def unproven_closing(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Closing lacks a condition of its policy or kind

    `close` would have refused it; a bug that was closed by hand or by another tool lacks what the policy asks for.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: unknown}
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
    kind = standing(bug).kind
    if kind == "fixed":  # what every fix needs has rules of its own, RV231 to RV234
        asked = policy_conditions(bug, registry, human=False)
    else:
        asked = conditions(bug, registry, kind, human=False)
    for condition in asked:
        if not condition.done:
            params = {"kind": kind, "item": condition.item, "detail": condition.detail}
            yield Hit(("resolution_kind",), {**params, "command": condition.command or "a person decides"})


@rule(
    "RV242",
    Severity.WARNING,
    "closure.satisfied is true, but status is {status}",
    mend="reversa update {suffix} --set closure.satisfied=false  # or close it: reversa close {suffix} --as {kind}",
)
def satisfied_unresolved(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Closure is satisfied but the bug is not resolved

    Closing writes both together; one without the other was written by hand.

    ## Bad

    ```yaml
    status: active
    closure: {satisfied: true}
    ```

    ## Good

    ```yaml
    status: active
    closure: {satisfied: false}
    ```
    """
    at = standing(bug)
    if at.satisfied and not at.resolved:
        yield Hit(("closure", "satisfied"), {"status": at.status or "missing", "kind": at.kind or "KIND"})
