"""0xx: files that cannot be read as a record (registry.md 5.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from reversa.core.bug import Bug, Registry
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule


def problems(bug: Bug) -> object:
    """What went wrong while the file was read."""
    return bug.problems


def met(bug: Bug, code: str) -> Iterator[Hit]:
    """Yield the problems of one code that reading met, as hits."""
    for problem in bug.problems:
        if problem.code == code:
            yield Hit(params=problem.params, line=problem.line, column=problem.column)


def refusal(code: str, message: str, *, mend: str) -> Callable[[Any], Any]:
    """Declare a rule about files that cannot be read as a record; it speaks where reading met a problem of its code."""
    return rule(code, Severity.ERROR, message, mend=mend, scope="any", given=problems)


@refusal("RV001", "the file is not UTF-8: byte {byte}", mend="save it as UTF-8")
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
    yield from met(bug, "RV001")


@refusal("RV002", "no line --- opens a front matter", mend="put --- on the first line")
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
    yield from met(bug, "RV002")


@refusal("RV003", "no line --- closes the front matter", mend="put --- after the last field")
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
    yield from met(bug, "RV003")


@refusal("RV009", "the front matter is {found}, not a mapping", mend="write key: value lines")
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
    yield from met(bug, "RV009")


@refusal("RV011", "the file has more than 4 MiB", mend="move logs to evidence/ and link them")
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
    yield from met(bug, "RV011")


@refusal("RV012", "a merge conflict is left here", mend="choose a side, drop the markers")
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
    yield from met(bug, "RV012")
