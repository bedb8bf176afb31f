"""1xx: the version of the schema, identity, and the keys that every record has (registry.md 2, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reversa.core.bug import Bug, Registry, read_id, text_at
from reversa.core.document import Plain, filled, get
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import once, rule
from reversa.core.rules.shape import flaws, hits
from reversa.core.rules.words import brief


def _version(bug: Bug) -> Any:
    return bug.data.get("schema_version") if bug.data else None


@once
def _own_id(bug: Bug) -> str:
    """The ID that the record itself has, without looking at the folder's name."""
    return read_id(text_at(bug.data, "id"))


@rule("RV101", Severity.ERROR, "schema_version is missing", mend="reversa update {suffix} --set schema_version=1")
def no_schema_version(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Schema version is missing

    The version says how every other key is to be read.

    ## Bad

    ```yaml
    _without: [schema_version]
    ```

    ## Good

    ```yaml
    schema_version: 1
    ```
    """
    if not filled(_version(bug)):
        yield Hit(("schema_version",))


@rule("RV102", Severity.ERROR, "schema_version is {value}, and only 1 is known", mend="update reversa, or write 1")
def unknown_schema_version(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Schema version is not known

    A record of another version may mean something else by the same keys.

    ## Bad

    ```yaml
    schema_version: 2
    ```

    ## Good

    ```yaml
    schema_version: 1
    ```
    """
    value = _version(bug)
    if filled(value) and value != "1":
        yield Hit(("schema_version",), {"value": brief(value)})


@rule("RV103", Severity.WARNING, "schema_version is quoted", mend="write schema_version: 1")
def quoted_schema_version(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Schema version is quoted

    Other readers of the format look for the number 1 and do not know the text "1".

    ## Bad

    ```yaml
    schema_version: "1"
    ```

    ## Good

    ```yaml
    schema_version: 1
    ```
    """
    value = _version(bug)
    if value == "1" and not isinstance(value, Plain):
        yield Hit(("schema_version",))


@rule(
    "RV104",
    Severity.ERROR,
    "id {found}; it has the form BUG-<YYYYMMDD>-<XXXX>",
    mend="write the ID with which the folder's name begins",
)
def no_id(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """ID is missing or has another form

    Every reference to the bug uses its ID, so without one nothing can point at it.

    ## Bad

    ```yaml
    id: BUG-007
    ```

    ## Good

    ```yaml
    id: BUG-20260715-A7K3
    ```
    """
    if not _own_id(bug):
        value = get(bug.data, "id")
        yield Hit(("id",), {"found": f"is {brief(value)}" if filled(value) else "is missing", "value": brief(value)})


@rule("RV105", Severity.WARNING, "id goes on after {bug}: {value}", mend="leave the slug to the folder's name")
def trailing_id(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """ID is followed by other text

    The first 17 characters are read as the ID; other readers compare the whole text and find no such bug.

    ## Bad

    ```yaml
    id: BUG-20260715-A7K3-discount-applied-twice
    ```

    ## Good

    ```yaml
    id: BUG-20260715-A7K3
    ```
    """
    own, text = _own_id(bug), get(bug.data, "id")
    if own and text != own:
        yield Hit(("id",), {"value": text})


@rule(
    "RV106",
    Severity.ERROR,
    "id is {bug}, but the folder's name begins with {folder}",
    mend="correct id when the folder is right; a folder is never renamed",
)
def folder_of_another(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Folder begins with the ID of another bug

    The folder is the address under which people, links and locks look for the bug.

    ## Bad

    ```yaml
    _folder: BUG-20260715-B2C4-discount-applied-twice
    ```

    ## Good

    ```yaml
    _folder: bug-20260715-a7k3
    _also: [RV022]
    ```
    """
    own, folder = _own_id(bug), read_id(bug.folder)
    if own and folder and own.upper() != folder.upper():
        yield Hit(("id",), {"folder": folder, "value": own})


@rule(
    "RV107",
    Severity.ERROR,
    "{id} is the ID of {count} bugs; another is {other}",
    mend="a person gives the younger record a new ID and renames its folder to match",
    scope="registry",
)
def duplicate_id(registry: Registry) -> Iterator[tuple[Bug | None, Hit]]:
    """ID belongs to more than one bug

    A reference to such an ID means two bugs at once, so all of its bearers are invalid: unreadable ones and those that
    are set aside count too.

    ## Bad

    ```yaml
    _others:
      - {id: BUG-20260715-a7k3}
    ```

    ## Good

    ```yaml
    _others:
      - {id: BUG-20260715-B2C4}
    ```
    """
    for bearers in registry.by_key.values():
        if len(bearers) > 1:
            for bug in bearers:
                others = [other.path for other in bearers if other is not bug and not other.veiled]
                other = others[0] if others else "in another folder"  # a path tells the slug and the context
                params = {"id": bug.id, "count": len(bearers), "other": other, "value": bug.id}
                yield bug, Hit(("id",), params)


@rule(
    "RV108",
    Severity.WARNING,
    "display_number {found}",
    mend="reversa update {suffix} --set display_number=NUMBER",
    given=flaws,
)
def no_number(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Display number is missing or no integer

    People name bugs by this number; a bug without it answers to its ID alone.

    ## Bad

    ```yaml
    display_number: BUG-008
    ```

    ## Good

    ```yaml
    display_number: 8
    ```
    """
    yield from hits(bug, "RV108")


@rule(
    "RV109",
    Severity.WARNING,
    "title is missing or empty",
    mend='reversa update {suffix} --set title="The defect in a line"',
)
def no_title(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Title is missing or empty

    Every list and view shows the bug by its title.

    ## Bad

    ```yaml
    title: ""
    ```

    ## Good

    ```yaml
    title: Discount applied twice
    ```
    """
    if not bug.title.strip() and not isinstance(get(bug.data, "title"), (dict, list)):
        yield Hit(("title",))


@rule("RV110", Severity.ERROR, "status {found}", mend="reversa update {suffix} --set status={near}", given=flaws)
def unknown_status(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Status is missing or unknown

    Most rules ask for the status, so a bug with an unknown one would escape them all.

    ## Bad

    ```yaml
    status: closed
    ```

    ## Good

    ```yaml
    status: active
    ```
    """
    yield from hits(bug, "RV110")


def _flaws_or_obstacles(bug: Bug) -> object:
    return flaws(bug) or bug.blockers


@rule("RV111", Severity.WARNING, "{key} {found}", mend="write {key}: {empty}", given=_flaws_or_obstacles)
def missing_key(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Key of the contract is missing

    Every record carries every key, null or empty where there is nothing to say, so that readers need not guess.

    ## Bad

    ```yaml
    _without: [labels, traceability.specs]
    ```

    ## Good

    ```yaml
    labels: []
    traceability: {specs: []}
    ```
    """
    yield from hits(bug, "RV111")
    for blocker in bug.blockers:
        if blocker.kind == "external" and not blocker.reason:
            yield Hit(("blocking", blocker.index, "reason"), {"found": "is missing", "empty": "REASON"})
