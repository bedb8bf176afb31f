"""21x: locked folders against what was locked: the seal, the working tree, the history (registry.md 5.9)."""

from __future__ import annotations

from collections.abc import Iterator

from reversa.core.bug import Bug, Registry
from reversa.core.finding import Hit, Severity
from reversa.core.rules.engine import rule


def _seal_of(bug: Bug) -> str:
    return bug.lock.seal if bug.lock else ""


@rule(
    "RV210",
    Severity.ERROR,
    "the folder is not as it was sealed: DONE.md says {value}, the files give {found}",
    mend="git log -p -- {folder}  # undo the change, or a person opens the lock",
    given=_seal_of,
)
def wrong_seal(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Locked folder differs from its seal

    A locked folder is read-only from the moment of closing; the seal shows that a file was changed, added or lost.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _done: "seal: sha256:0000000000000000000000000000000000000000000000000000000000000000"
    _seal: sha256:1111111111111111111111111111111111111111111111111111111111111111
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _done: "seal: sha256:0000000000000000000000000000000000000000000000000000000000000000"
    _seal: sha256:0000000000000000000000000000000000000000000000000000000000000000
    ```
    """
    if bug.lock and bug.lock.seal and bug.seal and bug.lock.seal != bug.seal and not bug.drift:  # which names the files
        folder = bug.path.rpartition("/")[0]
        params = {"value": bug.lock.seal[:19], "found": bug.seal[:19], "folder": f"{registry.prefix}/{folder}"}
        yield Hit(params=params, path=f"{folder}/DONE.md", line=1)


@rule(
    "RV211",
    Severity.ERROR,
    "{value} is not as it was when the folder was locked",
    mend="git log -p -- {folder}  # undo the change, or a person opens the lock",
    given=lambda bug: bug.drift,
)
def changed(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Locked folder changed

    Nothing in a locked folder changes: what is new about a closed bug is a bug of its own. What counts is the content
    of the files that git knows or would add, since the commit that added DONE.md; line endings, moving the folder whole
    and adding the line of a seal are no change. A person opens a lock by deleting DONE.md in the commit in which the
    bug leaves resolved.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _done: "Data: 2026-07-15"
    _drift: [bug.md]
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _done: "Data: 2026-07-15"
    ```
    """
    yield from _each(bug, registry, bug.drift)


@rule(
    "RV212",
    Severity.WARNING,
    "commits have changed {value} since the folder was locked",
    mend="git log -p -- {folder}  # shows them; a seal would have",
    given=lambda bug: bug.aged,
)
def changed_long_ago(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Locked folder without a seal was changed by commits

    It is old debt, told once a bug: nobody can undo a commit that others have, and a lock with a seal cannot come to it
    without an error.

    ## Bad

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _done: "Data: 2026-07-15"
    _aged: [bug.md, evidence/a.log]
    ```

    ## Good

    ```yaml
    status: resolved
    resolution_kind: cannot-reproduce
    reproduction: {classification: not-reproduced}
    closure: {satisfied: true}
    _done: "Data: 2026-07-15"
    ```
    """
    for hit in _each(bug, registry, bug.aged[:1]):
        more = len(bug.aged) - 1
        value = f"{bug.aged[0]} and {more} more" if more else bug.aged[0]
        yield Hit(params={**hit.params, "value": value}, path=hit.path)


def _each(bug: Bug, registry: Registry, names: tuple[str, ...]) -> Iterator[Hit]:
    folder = bug.path.rpartition("/")[0]
    for name in names:
        params = {"value": name, "folder": f"{registry.prefix}/{folder}"}
        yield Hit(params=params, path=f"{folder}/{name}")


@rule(
    "RV213",
    Severity.ERROR,
    "the locked bug {value} was taken away",
    mend="git checkout HEAD -- '{folder}*'  # a closed bug stays",
    scope="registry",
)
def taken_away(registry: Registry) -> Iterator[tuple[Bug | None, Hit]]:
    """Locked folder was taken away

    A closed bug stays readable for ever: its folder may move whole, and it may be opened, but it does not go.

    ## Bad

    ```yaml
    _oddities:
      - {code: RV213, path: checkout/bugs/BUG-20260715-A7K3, value: BUG-20260715-A7K3}
    ```

    ## Good

    ```yaml
    status: open
    ```
    """
    for odd in registry.oddities:
        if odd.code == "RV213":
            yield None, Hit(params={"folder": f"{registry.prefix}/{odd.path}", **odd.params}, path=odd.path)
