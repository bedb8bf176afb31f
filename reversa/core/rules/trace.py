"""4xx: what ties a bug to evidence, specification, code and tests must be there (registry.md 3, 5)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from reversa.core.bug import Bug, Registry, text_at
from reversa.core.document import Route, filled, get, items, mapping
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import once, rule
from reversa.core.rules.locators import is_pattern, parse, trouble
from reversa.core.rules.outline import line_at, section_of
from reversa.core.rules.standing import change_ids

_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_ROOT_CAUSE: Route = ("traceability", "root_cause")
_EVIDENCE: Route = (*_ROOT_CAUSE, "evidence")


@once
def _cause(bug: Bug) -> dict[str, Any]:
    """The root cause as a mapping; most bugs have none yet."""
    return mapping(get(bug.data, *_ROOT_CAUSE))


@rule(
    "RV401",
    Severity.WARNING,
    "the root cause is {value}, but has no evidence",
    mend='reversa update {suffix} --add "traceability.root_cause.evidence=ref=REF,observation=OBSERVATION"',
    given=_cause,
)
def cause_without_evidence(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Supported or confirmed root cause without evidence

    A cause is more than a guess only when something was observed that speaks for it.

    ## Bad

    ```yaml
    traceability: {root_cause: {state: confirmed, hypothesis: Rounding happens twice, evidence: []}}
    ```

    ## Good

    ```yaml
    traceability:
      root_cause:
        state: confirmed
        hypothesis: Rounding happens twice
        evidence: [{ref: "src/cart.py:88", observation: The discount is applied to a discounted sum}]
    ```
    """
    if bug.cause_state in ("supported", "confirmed"):
        evidence = items(_cause(bug).get("evidence"))
        if not any(filled(text) for item in evidence for text in (item.values() if isinstance(item, dict) else [item])):
            yield Hit(_EVIDENCE, {"value": bug.cause_state})


def _refs(bug: Bug) -> Iterator[tuple[Route, str]]:
    """Yield what the evidence in the front matter refers to in the bug's own folder, with its routes."""
    routes: list[Route] = [_EVIDENCE] if _cause(bug) else []
    routes += [("relationships", relation.index, "evidence") for relation in bug.relations if relation.evidence]
    for route in routes:
        for index, item in enumerate(items(get(bug.data, *route))):
            text = item.get("ref") if isinstance(item, dict) else item
            if isinstance(text, str) and text.startswith("evidence/"):
                yield (*route, index, *(("ref",) if isinstance(item, dict) else ())), str(text)


def _is_missing(bug: Bug, registry: Registry, path: str) -> bool:
    """Whether a path inside the bug's folder leads nowhere, or out of the folder; a pattern is not looked for."""
    if is_pattern(path):
        return False
    outside = path.startswith("/") or posixpath.normpath(path).startswith("..")
    return outside or not registry.around.exists(f"{registry.folder_of(bug)}/{path}")


@rule(
    "RV406",
    Severity.WARNING,
    "{value} is not in the bug's folder",
    mend="add the file (git add -f where git ignores it), or correct the path",
)
def missing_evidence(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Evidence that does not exist

    Evidence that cannot be opened proves nothing. Files that git ignores are lost on every other clone.

    ## Bad

    ```yaml
    traceability:
      root_cause: {state: supported, hypothesis: Rounding, evidence: [{ref: evidence/cart.log, observation: Twice}]}
    ```

    ## Good

    ```yaml
    traceability:
      root_cause: {state: supported, hypothesis: Rounding, evidence: [{ref: evidence/cart.log, observation: Twice}]}
    _files: [_reversa_bugs/checkout/bugs/BUG-20260715-A7K3-discount-applied-twice/evidence/cart.log]
    ```
    """
    for route, text in _refs(bug):
        locator = parse(text)
        if locator and _is_missing(bug, registry, locator.path):
            yield Hit(route, {"value": locator.path})
    if "`evidence/" in bug.body:
        begin, text = section_of(bug, "Evidence")
        line, at = line_at(bug, begin), 0
        for match in _CODE.finditer(text):
            locator = parse(match[1]) if match[1].startswith("evidence/") else None
            if locator and _is_missing(bug, registry, locator.path):
                line += text.count("\n", at, match.start())
                at = match.start()
                yield Hit(params={"value": locator.path}, line=line, column=at - text.rfind("\n", 0, at))


@rule(
    "RV407",
    Severity.WARNING,
    "{value} is not in the bug's folder",
    mend="add the diff, or write diff: null",
    given=change_ids,
)
def missing_diff(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Diff of a change that does not exist

    The change-set promises the exact change beside the record.

    ## Bad

    ```yaml
    change_set:
      - {id: CHG-001, kind: code, artifact: src/cart.py, purpose: Round once., diff: fix/CHG-001.diff}
    ```

    ## Good

    ```yaml
    change_set:
      - {id: CHG-001, kind: code, artifact: src/cart.py, purpose: Round once., diff: fix/CHG-001.diff}
    _files: [_reversa_bugs/checkout/bugs/BUG-20260715-A7K3-discount-applied-twice/fix/CHG-001.diff]
    ```
    """
    for index, change in enumerate(bug.maps("change_set")):
        diff = text_at(change, "diff").strip()
        if diff and _is_missing(bug, registry, diff):
            yield Hit(("change_set", index, "diff"), {"value": diff})


def _troubles(bug: Bug, registry: Registry, *route: str) -> Iterator[Hit]:
    for index, item in enumerate(items(get(bug.data, *route))):
        if isinstance(item, str):
            reason = trouble(item, registry)
            if reason and filled(item):
                yield Hit((*route, index), {"value": str(item), "reason": reason})


_MESSAGE = "{value} does not resolve: {reason}"
_MEND = "reversa update {suffix} --set '{key}=PATH'"


@rule("RV408", Severity.WARNING, _MESSAGE, mend="reversa update {suffix} --set '{key}=PATH#ANCHOR'")
def lost_spec(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Locator of a specification that does not resolve

    Nobody can say what the right behaviour is when the passage cannot be found. A heading that is reworded changes its
    anchor.

    ## Bad

    ```yaml
    traceability: {specs: ["_reversa_sdd/sales.md#discounts"]}
    _files: {_reversa_sdd/sales.md: "# Sales\\n\\n## Rebates\\n"}
    ```

    ## Good

    ```yaml
    traceability: {specs: ["_reversa_sdd/sales.md#discounts"]}
    _files: {_reversa_sdd/sales.md: "# Sales\\n\\n## Discounts\\n"}
    ```
    """
    yield from _troubles(bug, registry, "traceability", "specs")


@rule("RV409", Severity.WARNING, _MESSAGE, mend=_MEND)
def lost_code(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Locator of affected code that does not resolve

    Code moves; the locator then sends the reader to a file or a line that is not there.

    ## Bad

    ```yaml
    traceability: {affected_code: ["src/cart.py:88"]}
    ```

    ## Good

    ```yaml
    traceability: {affected_code: ["src/cart.py:2", "src/cart.py#Cart.total", "https://example.org/cart"]}
    _files: {src/cart.py: "class Cart:\\n    total = 0\\n"}
    ```
    """
    yield from _troubles(bug, registry, "traceability", "affected_code")


@rule("RV410", Severity.WARNING, _MESSAGE, mend=_MEND)
def lost_test(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Test that does not exist

    A test that is gone neither proves the defect nor guards against it. Only its file is looked for.

    ## Bad

    ```yaml
    traceability: {reproduction_tests: ["tests/test_cart.py::test_discount_once"]}
    ```

    ## Good

    ```yaml
    traceability: {reproduction_tests: ["tests/test_cart.py::test_discount_once"]}
    _files: [tests/test_cart.py]
    ```
    """
    yield from _troubles(bug, registry, "traceability", "reproduction_tests")
    yield from _troubles(bug, registry, "traceability", "regression_tests")


@rule("RV411", Severity.WARNING, _MESSAGE, mend=_MEND, given=_cause)
def lost_origin(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Code of the root cause that does not exist

    The file in which the defect was born was moved or removed since.

    ## Bad

    ```yaml
    traceability: {root_cause: {state: hypothesized, hypothesis: Rounding, code_refs: [{file: src/cart.py}]}}
    ```

    ## Good

    ```yaml
    traceability: {root_cause: {state: hypothesized, hypothesis: Rounding, code_refs: [{file: src/cart.py}]}}
    _files: [src/cart.py]
    ```
    """
    entry: Any
    for index, entry in enumerate(items(_cause(bug).get("code_refs"))):
        file = text_at(entry, "file")
        reason = trouble(file, registry) if file else ""
        if reason:
            yield Hit((*_ROOT_CAUSE, "code_refs", index, "file"), {"value": file, "reason": reason})
