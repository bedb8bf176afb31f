"""0xx: files that cannot be read as a record (registry.md 5.6)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule


def _problems(bug: Bug, code: str) -> Iterator[Hit]:
    for problem in bug.problems:
        if problem.code == code:
            yield Hit(params=problem.params, line=problem.line, column=problem.column)


@rule("RV001", Severity.ERROR, "the file is not UTF-8: byte {byte}", mend="save it as UTF-8", scope="any")
def not_utf8(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """File is not UTF-8

    Records are UTF-8 text. Guessing another encoding would change what people wrote.

    ## Bad

    ```yaml
    _encoding: latin-1
    title: Comissão cobrada duas vezes
    ```

    ## Good

    ```yaml
    title: Comissão cobrada duas vezes
    ```
    """
    yield from _problems(bug, "RV001")


@rule("RV002", Severity.ERROR, "no line --- opens a front matter", mend="put --- on the first line", scope="any")
def no_front_matter(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Front matter is missing

    A record begins with a line `---`; without it there is no field to read.

    ## Bad

    ```yaml
    _text: |
      # Discount applied twice
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from _problems(bug, "RV002")


@rule("RV003", Severity.ERROR, "no line --- closes the front matter", mend="put --- after the last field", scope="any")
def not_closed(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Front matter is not closed

    A second line `---` ends the front matter; without it the body would be read as YAML.

    ## Bad

    ```yaml
    _text: |
      ---
      schema_version: 1
      id: BUG-20260715-A7K3

      # Discount applied twice
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from _problems(bug, "RV003")


@rule("RV004", Severity.ERROR, "the front matter is no valid YAML: {problem}", mend="correct this line", scope="any")
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
    yield from _problems(bug, "RV004")


@rule("RV005", Severity.ERROR, "the key {key} stands here a second time", mend="keep one of the two", scope="any")
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
    yield from _problems(bug, "RV005")


@rule("RV006", Severity.ERROR, "{found} has no place in a record", mend="write the value out", scope="any")
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
    yield from _problems(bug, "RV006")


@rule("RV007", Severity.ERROR, "the merge key << has no place in a record", mend="write the keys out", scope="any")
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
    yield from _problems(bug, "RV007")


@rule("RV008", Severity.ERROR, "the tag {tag} has no place in a record", mend="leave the tag out", scope="any")
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
    yield from _problems(bug, "RV008")


@rule("RV009", Severity.ERROR, "the front matter is {found}, not a mapping", mend="write key: value lines", scope="any")
def not_a_mapping(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Front matter is not a mapping

    A record is a list of keys with their values, and nothing else can be read as one.

    ## Bad

    ```yaml
    _text: |
      ---
      - open
      - high
      ---
    ```

    ## Good

    ```yaml
    status: open
    severity: high
    ```
    """
    yield from _problems(bug, "RV009")


@rule("RV010", Severity.ERROR, "a key here is a collection, not text", mend="give it a plain name", scope="any")
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
    yield from _problems(bug, "RV010")


@rule("RV011", Severity.ERROR, "the file has more than 4 MiB", mend="move logs to evidence/ and link them", scope="any")
def too_large(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Record is larger than 4 MiB

    Such a file holds a log or a dump, which belongs under `evidence/`.

    ## Bad

    ```yaml
    _padding: 4194304
    ```

    ## Good

    ```yaml
    _padding: 4096
    ```
    """
    yield from _problems(bug, "RV011")


@rule("RV012", Severity.ERROR, "a merge conflict is left here", mend="choose a side, drop the markers", scope="any")
def conflict_marker(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Merge conflict is left in the file

    Both sides of a conflict cannot be true; a person has to choose. In the body only the three markers in their order
    count, outside code fences.

    ## Bad

    ```yaml
    _text: |
      ---
      <<<<<<< HEAD
      status: open
      =======
      status: active
      >>>>>>> feature
      ---
    ```

    ## Good

    ```yaml
    status: active
    ```
    """
    yield from _problems(bug, "RV012")


@rule("RV013", Severity.ERROR, "values are nested more than {depth} deep", mend="flatten this block", scope="any")
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
    yield from _problems(bug, "RV013")
