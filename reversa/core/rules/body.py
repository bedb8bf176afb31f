"""4xx: the body's headings, and a readable mirror that must not say something else than the YAML (registry.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry
from reversa.core.fields import BODY_SECTIONS
from reversa.core.finding import Hit, Severity
from reversa.core.rules.claims import contradictions
from reversa.core.rules.engine import rule
from reversa.core.rules.outline import headings, line_at, numbered


@rule("RV402", Severity.WARNING, "the heading is {value}, but title is {title}", mend="let the two say the same")
def other_heading(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """First heading differs from the title

    Readers see the heading, lists and views the title; two names look like two bugs.

    ## Bad

    ```yaml
    title: Discount applied twice
    _body: |
      # Discount lost
    _also: [RV403]
    ```

    ## Good

    ```yaml
    title: Discount applied twice
    _body: |
      # Discount applied twice
    _also: [RV403]
    ```
    """
    first = next((heading for heading in headings(bug) if heading.level == 1), None)
    if first and bug.title and first.title.split() != bug.title.split():
        params = {"value": first.title or "empty", "title": bug.title}
        yield Hit(params=params, line=line_at(bug, first.start))


@rule("RV403", Severity.WARNING, "the body lacks {value}", mend="write what is known, or that nothing is")
def missing_section(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Section of the body is missing

    Every record has the same sections, so that a reader finds what is known and sees what is not. An unresolved bug
    needs no Resolution.

    ## Bad

    ```yaml
    _body: |
      # Discount applied twice

      ## Summary

      The discount is applied twice.
    ```

    ## Good

    ```yaml
    title: Discount applied twice
    ```
    """
    if _is_complete(bug):
        return
    there = {heading.title for heading in headings(bug) if heading.level == 2}
    missing = [f"## {name}" for name in BODY_SECTIONS if name not in there]
    if bug.status != "resolved" and "Resolution" not in there:
        missing.remove("## Resolution")
    if not any(heading.level == 1 for heading in headings(bug)):
        missing.insert(0, "# with the title")
    if missing:
        yield Hit(params={"value": ", ".join(missing)}, line=bug.body_line)


@rule("RV404", Severity.WARNING, "{value} stands {problem}", mend="move it to its place in the order")
def misplaced_section(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Section of the body stands in the wrong place

    The order is the same in all records; of a section that occurs twice, tools read the first only.

    ## Bad

    ```yaml
    _body: |
      # Discount applied twice

      ## Evidence

      ## Summary
    _also: [RV403]
    ```

    ## Good

    ```yaml
    title: Discount applied twice
    ```
    """
    if _is_complete(bug):
        return
    yield from _repeated(bug)
    yield from _out_of_order(bug)


def _is_complete(bug: Bug) -> bool:
    """Whether the body has exactly the contract's headings in their order, as most have."""
    found = headings(bug)
    return [heading.title for heading in found[1:]] == _SECTIONS and [heading.level for heading in found] == _LEVELS


_SECTIONS = list(BODY_SECTIONS)
_LEVELS = [1] + [2] * len(BODY_SECTIONS)


def _repeated(bug: Bug) -> Iterator[Hit]:
    seen: dict[str, int] = {}
    for heading, line in numbered(bug):
        name = f"## {heading.title}" if heading.level == 2 else "a heading of the first level"
        if heading.level == 2 and heading.title not in BODY_SECTIONS:
            continue
        problem = "after a section" if heading.level == 1 and seen else ""
        if name in seen:
            problem = f"here a second time; the first is on line {seen[name]}"
        if problem:
            yield Hit(params={"value": name, "problem": problem}, line=line)
        seen.setdefault(name, line)


def _out_of_order(bug: Bug) -> Iterator[Hit]:
    firsts: dict[str, int] = {}
    for heading, line in numbered(bug):
        if heading.level == 2 and heading.title in BODY_SECTIONS:
            firsts.setdefault(heading.title, line)
    order = [BODY_SECTIONS.index(name) for name in firsts]
    kept = _longest_rising(order)
    for position, (name, line) in enumerate(firsts.items()):
        if position not in kept:
            later = [other for other in BODY_SECTIONS[order[position] + 1 :] if other in firsts]
            place = f"before ## {later[0]}" if later else "at the end"
            yield Hit(params={"value": f"## {name}", "problem": f"out of order; it belongs {place}"}, line=line)


def _longest_rising(order: list[int]) -> set[int]:
    """Give the positions of a longest rising run; what is not in it is what has to move."""
    if order == sorted(order):
        return set(range(len(order)))
    best: list[tuple[int, ...]] = []
    for position, value in enumerate(order):
        before: list[tuple[int, ...]] = [(), *(run for run in best if order[run[-1]] < value)]
        best.append((*max(before, key=len), position))
    longest = max(best, key=len)
    return set(longest)


@rule("RV405", Severity.WARNING, "Traceability names {value}, which {problem}", mend="correct the section or the YAML")
def contradicting_mirror(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Traceability section contradicts the YAML

    The section is a readable mirror of the front matter. Where the two differ, the YAML holds and the reader is misled.
    Only locators, tests and IDs in a list or a table are compared, never prose.

    ## Bad

    ```yaml
    traceability: {specs: ["_reversa_sdd/sales.md#discounts"]}
    _files: {_reversa_sdd/sales.md: "## Discounts\\n"}
    _body: |
      ## Traceability

      | Field | Value |
      |---|---|
      | Spec | `_reversa_sdd/sales.md#rounding` |
    _also: [RV403]
    ```

    ## Good

    ```yaml
    traceability: {specs: ["_reversa_sdd/sales.md#discounts"]}
    _files: {_reversa_sdd/sales.md: "## Discounts\\n"}
    _body: |
      ## Traceability

      | Field | Value |
      |---|---|
      | Spec | `_reversa_sdd/sales.md#discounts` |
    _also: [RV403]
    ```
    """
    yield from contradictions(bug, registry)
