"""0xx: what stands around the records, and blemishes of files that can be read (registry.md 1, 5)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry, read_id
from reversa.core.fields import CONTROL_MODES
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule
from reversa.core.rules.reading import problems
from reversa.core.rules.words import near

Found = Iterator[tuple[Bug | None, Hit]]


def _oddities(registry: Registry, code: str) -> Found:
    for odd in registry.oddities:
        if odd.code == code:
            params = {"path": odd.path, "folder": odd.path.rpartition("/")[2], "reason": "", "count": 0, **odd.params}
            yield None, Hit(params=params, line=odd.line, path=odd.path)


@rule(
    "RV014",
    Severity.ERROR,
    "{path} cannot be read from disk: {reason}",
    mend="restore the file or its permissions",
    scope="registry",
)
def unreadable(registry: Registry) -> Found:
    """File cannot be read from disk

    A record that cannot be read is not skipped, because the whole registry is judged together.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV014, path: checkout/bugs, reason: Permission denied}
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    for bug in registry.bugs:
        for problem in bug.problems:
            if problem.code == "RV014":
                yield bug, Hit(params={"path": bug.path, **problem.params})
    yield from _oddities(registry, "RV014")


@rule(
    "RV015",
    Severity.ERROR,
    "{path} is a link that leads outside the registry",
    mend="put the folder itself there",
    scope="registry",
)
def outside_link(registry: Registry) -> Found:
    """Folder is a link that leads outside the registry

    What stands outside is under another history, so no lock and no review covers it. Such a link is not followed.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV015, path: checkout/bugs/BUG-20260715-A7K3}
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from _oddities(registry, "RV015")


@rule(
    "RV020",
    Severity.WARNING,
    "the file begins with a byte order mark",
    mend="save it as UTF-8 without one",
    scope="any",
    given=problems,
)
def byte_order_mark(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """File begins with a byte order mark

    The record is read all the same, but other readers of the format miss the opening `---` behind the mark.

    ## Bad

    ```yaml
    _bom: true
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    for problem in bug.problems:
        if problem.code == "RV020":
            yield Hit(line=1)


@rule(
    "RV022",
    Severity.WARNING,
    "the folder name {folder} does not begin with an ID",
    mend="git mv {folder} {bug}",
    scope="any",
)
def folder_without_id(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Folder name does not begin with an ID

    The folder is the bug's address: its name begins with the ID, and a slug may follow.

    ## Bad

    ```yaml
    _folder: discount-applied-twice
    ```

    ## Good

    ```yaml
    _folder: BUG-20260715-A7K3-discount-applied-twice
    ```
    """
    if not read_id(bug.folder):
        yield Hit(params={"folder": bug.folder}, line=1)


@rule(
    "RV023",
    Severity.WARNING,
    "{path} holds no bug.md",
    mend="restore bug.md, or remove the folder",
    scope="registry",
)
def no_record(registry: Registry) -> Found:
    """Bug folder without bug.md

    A folder that is named like a bug but holds no record is mostly the rest of a move or a merge.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV023, path: checkout/bugs/BUG-20260715-B2C4}
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from _oddities(registry, "RV023")


@rule(
    "RV024",
    Severity.WARNING,
    "{path} is set aside by its name but holds records: {count}",
    mend="git mv {path} to a name without the leading sign",
    scope="registry",
)
def set_aside(registry: Registry) -> Found:
    """Folder that is set aside holds bugs

    A name that begins with `_` or `.` is no context: its bugs appear in no view, though their IDs count.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV024, path: _archive, count: 2}
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    yield from _oddities(registry, "RV024")


@rule(
    "RV026",
    Severity.WARNING,
    "taxonomy.yaml cannot be read, so no term is checked: {reason}",
    mend="correct taxonomy.yaml",
    scope="registry",
)
def taxonomy_unreadable(registry: Registry) -> Found:
    """Taxonomy cannot be read

    Without it every term of `area`, `module` and `feature` passes, which hides what it should catch.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV026, path: taxonomy.yaml, reason: it is not a mapping}
    ```

    ## Good

    ```yaml
    area: sales
    _taxonomy: {area: [sales], module: [checkout], feature: [discount]}
    ```
    """
    yield from _oddities(registry, "RV026")


@rule(
    "RV027",
    Severity.WARNING,
    "taxonomy.yaml says {key}, where the contract says {singular}",
    mend="rename {key} to {singular} in taxonomy.yaml",
    scope="registry",
)
def taxonomy_plural(registry: Registry) -> Found:
    """Taxonomy key is in the plural

    The list is read all the same; other readers of the format look for `area`, `module` and `feature`.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV027, path: taxonomy.yaml, key: areas}
    ```

    ## Good

    ```yaml
    area: sales
    _taxonomy: {area: [sales], module: [checkout], feature: [discount]}
    ```
    """
    for _, hit in _oddities(registry, "RV027"):
        yield None, Hit(params={**hit.params, "singular": str(hit.params["key"])[:-1]}, line=hit.line, path=hit.path)


@rule(
    "RV028",
    Severity.WARNING,
    "control_mode in the README is {value}, which is none of {values}; it is treated as supervised",
    mend="write control_mode: {near} in the README",
    scope="registry",
)
def control_mode(registry: Registry) -> Found:
    """Control mode of the registry is unknown

    Supervised registries let nobody but people decide; a slip in the word would quietly open them to scripts.

    ## Bad

    ```yaml
    _control_mode: supervized
    ```

    ## Good

    ```yaml
    _control_mode: supervised
    ```
    """
    mode = registry.control_mode
    if mode not in CONTROL_MODES:
        close = near(mode, CONTROL_MODES)
        params = {"value": mode, "values": ", ".join(CONTROL_MODES), "near": "MODE" if close == "VALUE" else close}
        yield None, Hit(params=params, line=1, path="README.md")
