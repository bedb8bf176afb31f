#!/usr/bin/env python3
"""Write the reference pages that follow from tables in the code: fields.md and rules.md.

    python docs/generate.py [FOLDER]

FOLDER is docs/ unless named. `make docs` calls it, and a test compares what it writes with what is committed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from reversa.core.fields import FRONT_MATTER, Field, Kind, walk
from reversa.report.manual import rules_markdown

HEAD = """\
<!-- GENERATED from reversa/core/fields.py by `make docs`; do not edit. -->

# The fields of a record

Every key of the front matter of a `bug.md`, in the order in which `reversa new` writes them. The keys are those that
`--set`, `--add` and `--remove` take: `a.b` is a key of a mapping, `a[]` any member of a list, which is addressed by its
number (`[0]`) or, where the table names a key, by that (`change_set[CHG-001]`). Unknown keys are kept as they are.
`reversa schema` prints the same as a JSON Schema.
"""

BLOCKS = """\
## Optional blocks

Present only where there is something to say.
"""


def fields_page() -> str:
    """Give the page of the field table."""
    routes = list(walk())
    blocks = {field.name for field in FRONT_MATTER.fields if field.block}
    tops = {route: route.split(".")[0].removesuffix("[]") for route, _ in routes}
    always = [_row(route, field) for route, field in routes if tops[route] not in blocks]
    optional = [_row(route, field) for route, field in routes if tops[route] in blocks]
    table = "| key | type | meaning |\n|---|---|---|\n"
    return "\n".join([HEAD, table + "\n".join(always), "", BLOCKS, table + "\n".join(optional), ""])


def _row(route: str, field: Field) -> str:
    return f"| `{route}` | {'; '.join(_type(field))} | {' '.join(_meaning(field))} |"


def _type(field: Field) -> Iterator[str]:
    if field.values:
        yield " · ".join(field.values)
    elif field.kind is Kind.LIST and field.item is not None:
        yield f"list of {'mappings' if field.item.kind is Kind.MAP else 'texts'}"
    else:
        yield field.kind.value
    if field.taxonomy:
        yield "from the taxonomy"
    if field.nullable:
        yield "or null"


def _meaning(field: Field) -> Iterator[str]:
    yield field.doc
    key = field.item.key if field.item else ""
    if key:
        yield f"A member is addressed by its `{key}`."
    if field.renamed:
        yield f"Elsewhere also called {', '.join(f'`{name}`' for name in field.renamed)}."


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    for name, text in (("fields.md", fields_page()), ("rules.md", rules_markdown())):
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
