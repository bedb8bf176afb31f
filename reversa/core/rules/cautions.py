"""1xx: suspected security defects, and what the short route does not allow (registry.md 3, 11)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry, text_at, true_at
from reversa.core.document import filled, get, simple
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import once, rule
from reversa.core.rules.standing import veiled

_MEND = "reversa update {suffix} --set express=false"


@rule(
    "RV150",
    Severity.WARNING,
    "security_suspected is true, but visibility is {value}",
    mend="reversa update {suffix} --set visibility=restricted",
)
def open_suspicion(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Suspected security defect is not restricted

    Views are read by more people than the repository; what may be exploited stays out of them.

    ## Bad

    ```yaml
    security_suspected: true
    visibility: internal
    ```

    ## Good

    ```yaml
    security_suspected: true
    visibility: restricted
    ```
    """
    if bug.security_suspected and not bug.restricted:
        yield Hit(("visibility",), {"value": bug.visibility})


@once
def _express(bug: Bug) -> bool:
    return true_at(bug.data, "express")


@rule("RV151", Severity.WARNING, "express is true, but the risk of the change is {value}", mend=_MEND, given=_express)
def express_risk(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Short route with more than low risk

    The short route leaves out the plan, which only a change of low risk can do without.

    ## Bad

    ```yaml
    express: true
    change_risk: {classification: alta, motivos: []}
    ```

    ## Good

    ```yaml
    express: true
    change_risk: {classification: baixa, motivos: []}
    ```
    """
    risk = _express(bug) and (text_at(bug.data, "change_risk") or text_at(bug.data, "change_risk", "classification"))
    if risk and risk != "baixa":
        route = (
            ("change_risk", "classification") if isinstance(get(bug.data, "change_risk"), dict) else ("change_risk",)
        )
        yield Hit(route, {"value": risk})


@rule("RV152", Severity.WARNING, "express is true, but a security defect is suspected", mend=_MEND, given=_express)
def express_security(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Short route for a suspected security defect

    A security defect is neither small nor located before it has been looked into.

    ## Bad

    ```yaml
    express: true
    security_suspected: true
    visibility: restricted
    ```

    ## Good

    ```yaml
    express: true
    security_suspected: false
    ```
    """
    if _express(bug) and bug.security_suspected:
        yield Hit(("express",))


@rule("RV153", Severity.WARNING, "express is true, but the bug is a regression of {target}", mend=_MEND, given=_express)
def express_regression(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Short route for a regression

    What broke again was not understood the first time, so the long route is due.

    ## Bad

    ```yaml
    express: true
    relationships:
      - {bug: BUG-20260701-Q2R8, type: regression-of, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```

    ## Good

    ```yaml
    express: true
    relationships:
      - {bug: BUG-20260701-Q2R8, type: related-to, state: proposed, evidence: []}
    _others:
      - {id: BUG-20260701-Q2R8}
    ```
    """
    if _express(bug):
        for relation in bug.relations:
            if relation.type == "regression-of" and relation.state != "rejected":
                yield Hit(
                    ("relationships", relation.index, "type"),
                    {"target": veiled(relation.bug, registry), "value": relation.type},
                )


@rule("RV154", Severity.WARNING, "express is true, but data has to be repaired", mend=_MEND, given=_express)
def express_data(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Short route where data has to be repaired

    Cured code is not a cured system; a repair of data needs a plan.

    ## Bad

    ```yaml
    express: true
    data_repair: {script: scripts/refund.sql}
    ```

    ## Good

    ```yaml
    express: true
    ```
    """
    value = get(bug.data, "data_repair") if _express(bug) else None
    if filled(value) and simple(value) is not False:
        yield Hit(("data_repair",))
