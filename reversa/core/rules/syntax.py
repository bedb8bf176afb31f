"""0xx: YAML that is invalid, or that no record may hold although YAML allows it (registry.md 5.6)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry
from reversa.core.finding import Hit
from reversa.core.rules.reading import met, refusal


@refusal("RV004", "the front matter is no valid YAML: {problem}", mend="correct this line")
def invalid_yaml(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Front matter is not valid YAML

    No field of such a record can be trusted, so none is read.

    ## Bad

    ```yaml
    _text: |
      ---
      title: Total: applied twice
      ---
    ```

    ## Good

    ```yaml
    title: "Total: applied twice"
    ```
    """
    yield from met(bug, "RV004")


@refusal("RV005", "the key {key} stands here a second time", mend="keep one of the two")
def duplicate_key(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Key occurs twice in one mapping

    Readers disagree on which of the two holds, so the record says two things at once.

    ## Bad

    ```yaml
    _text: |
      ---
      status: open
      status: resolved
      ---
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from met(bug, "RV005")


@refusal("RV006", "{found} has no place in a record", mend="write the value out")
def anchor_or_alias(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """YAML anchor or alias in a record

    A value is written where it belongs. Aliases break line-based tools and can grow without bounds.

    ## Bad

    ```yaml
    _text: |
      ---
      created: &day 2026-07-15
      updated: *day
      ---
    ```

    ## Good

    ```yaml
    created: 2026-07-15
    updated: 2026-07-15
    ```
    """
    yield from met(bug, "RV006")


@refusal("RV007", "the merge key << has no place in a record", mend="write the keys out")
def merge_key(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """YAML merge key in a record

    YAML 1.2 no longer has merge keys, so readers disagree on what the mapping holds.

    ## Bad

    ```yaml
    _text: |
      ---
      closure:
        <<: {policy: package}
        satisfied: false
      ---
    ```

    ## Good

    ```yaml
    closure:
      policy: local-software
      satisfied: false
    ```
    """
    yield from met(bug, "RV007")


@refusal("RV008", "the tag {tag} has no place in a record", mend="leave the tag out")
def explicit_tag(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """YAML tag in a record

    The type of a value follows from its key; a tag could ask a reader to build anything.

    ## Bad

    ```yaml
    _text: |
      ---
      display_number: !!int "7"
      ---
    ```

    ## Good

    ```yaml
    display_number: 7
    ```
    """
    yield from met(bug, "RV008")


@refusal("RV010", "a key here is a collection, not text", mend="give it a plain name")
def key_not_text(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Key is not text

    YAML allows whole lists and mappings as keys; no field of a record has such a name.

    ## Bad

    ```yaml
    _text: |
      ---
      ? [status, phase]
      : open
      ---
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from met(bug, "RV010")


@refusal("RV013", "values are nested more than {depth} deep", mend="flatten this block")
def too_deep(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Values are nested too deeply

    No field of a record needs more than a handful of levels, and readers fail on hundreds of them.

    ## Bad

    ```yaml
    _nested: 300
    ```

    ## Good

    ```yaml
    _nested: 20
    ```
    """
    yield from met(bug, "RV013")
