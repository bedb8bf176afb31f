#!/usr/bin/env python3
"""Write the reference pages that follow from tables in the code: commands, configuration, fields and rules.

    python docs/generate.py [FOLDER]

FOLDER is docs/ unless named. `make docs` calls it, and a test compares what it writes with what is committed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from reversa.cli.app import COMMANDS, GROUPS, app
from reversa.core.fields import FRONT_MATTER, Field, Kind, walk
from reversa.report.manual import rules_markdown
from reversa.store.config import CHECK_KEYS, KEYS, Key

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


COMMANDS_HEAD = """\
<!-- GENERATED from reversa/cli/ by `make docs`; do not edit. -->

# The commands

`reversa help COMMAND` prints the same. Every command takes `--json`; every command that writes takes `--dry-run`. Bugs
are named by ID, by the end of one (`A7K3`) or by number.
"""

CONFIGURATION_HEAD = """\
<!-- GENERATED from reversa/store/config.py by `make docs`; do not edit. -->

# The configuration

Settings stand in `reversa.toml`, or under `[tool.reversa]` in `pyproject.toml`; of each the nearest above the working
directory counts, up to git's root, and `reversa.toml` goes before `pyproject.toml`. An unknown key is refused. None is
needed: a registry works without.
"""

CONFIGURATION_EXAMPLE = """\
## Example

```toml
views = "committed"

[check]
ignore = {RV408 = "the specifications live in another repository"}

[check.per-context-ignore]
legacy = {RV403 = "imported without a body", RV409 = "the code is gone"}
```

In `pyproject.toml` the same tables are called `[tool.reversa]`, `[tool.reversa.check]` and
`[tool.reversa.check.per-context-ignore]`. `reversa check` says how many warnings the configuration left out, and with
`--all` the reason of each entry, and which entries have become needless.
"""


def commands_page() -> str:
    """Give the help of every command, the everyday ones first."""
    group: Any = get_command(app)
    everyday = [name for names in GROUPS.values() for name in names]
    plumbing = [name for name in COMMANDS if name not in everyday]
    out = [COMMANDS_HEAD]
    for title, names in (*GROUPS.items(), ("Plumbing", plumbing)):
        out.append(f"## {title}\n")
        for name in names:
            command = group.get_command(None, name)
            wide = {"terminal_width": 100, "max_content_width": 100, "help_option_names": ["-h", "--help"]}
            with command.make_context(f"reversa {name}", [], resilient_parsing=True, **wide) as context:
                out.append(f"### {name}\n\n```text\n{command.get_help(context).strip()}\n```\n")
    return "\n".join(out)


def configuration_page() -> str:
    """Give the page of the configuration's keys."""
    table = "| key | usually | meaning |\n|---|---|---|\n"

    def rows(keys: tuple[Key, ...]) -> str:
        return table + "\n".join(f"| `{key.name}` | {key.default} | {key.doc} |" for key in keys) + "\n"

    return "\n".join([CONFIGURATION_HEAD, rows(KEYS), "## `[check]`\n", rows(CHECK_KEYS), CONFIGURATION_EXAMPLE])


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


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "configuration.md": configuration_page,
    "fields.md": fields_page,
    "rules.md": rules_markdown,
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    for name, page in PAGES.items():
        (folder / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
