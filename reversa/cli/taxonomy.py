"""`reversa taxonomy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from reversa.cli.options import Color, DryRun, IncludeRestricted, Json, NoViews, Registry, report
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.errors import UsageError
from reversa.report.text import Paint, plural, safe, width_of

_ACTIONS = {
    "list": ("[area|module|feature]", range(2)),
    "add": ("DIMENSION TERM", range(2, 3)),
    "rename": ("DIMENSION OLD NEW", range(3, 4)),
}
"""What can be done, what it takes, and how many words that may be."""


def taxonomy(
    action: Annotated[str, typer.Argument(metavar="[list|add|rename]", help="What to do.")] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="list [DIMENSION]; add DIMENSION TERM; rename DIMENSION OLD NEW."),
    ] = None,
    description: Annotated[str, typer.Option(help="What a new term means, in one line.")] = "",
    merge: Annotated[bool, typer.Option("--merge", help="Rename into a term that exists; the old one goes.")] = False,
    include_restricted: IncludeRestricted = False,
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """List, add or rename the terms of area, module and feature.

    A DIMENSION is area, module or feature. list counts the bugs that use each term; add appends one to taxonomy.yaml;
    rename changes it there and in every bug that is not locked, all or nothing.
    """
    from reversa.commands import taxonomy as command

    terminal = Terminal(json=json, color=color)
    given = tuple(words or ())
    one_of("taxonomy", action, tuple(_ACTIONS))
    takes, counts = _ACTIONS[action]
    if len(given) not in counts:
        raise UsageError(f"taxonomy {action} takes {takes}.", f"For example: reversa taxonomy {_EXAMPLES[action]}")
    for option, on, owner in (("--description", bool(description), "add"), ("--merge", merge, "rename")):
        if on and action != owner:
            raise UsageError(f"{option} goes with taxonomy {owner}.")
    if action == "list":
        out = command.list_terms(registry, given, include_restricted=include_restricted)
        return report(terminal, "taxonomy", out, _term_lines(out.data["terms"], terminal.paint))
    if action == "add":
        dimension, term = given
        out = command.add_term(registry, dimension, term, description, dry_run=dry_run)
        return report(terminal, "taxonomy", out, [safe(f"Added {out.data['term']} to {out.data['dimension']}")])
    dimension, old, new = given
    out = command.rename_term(
        registry,
        dimension,
        old,
        new,
        merge=merge,
        include_restricted=include_restricted,
        views=not no_views,
        dry_run=dry_run,
    )
    return report(terminal, "taxonomy", out, _renamed(out.data, merge=merge))


_EXAMPLES = {"list": "list module", "add": "add module invoices", "rename": "rename module billing invoices"}


def _renamed(data: Mapping[str, Any], *, merge: bool) -> list[str]:
    verb = "Merged" if merge else "Renamed"
    join = "into" if merge else "to"
    count = plural(len(data["bugs"]), "bug")
    return [
        safe(f"{verb} {data['dimension']} {data['old']} {join} {data['new']}, in {count}"),
        *(f"  {bug['id']}" for bug in data["bugs"]),
    ]


def _term_lines(rows: Sequence[Mapping[str, Any]], paint: Paint) -> list[str]:
    """Write the terms by dimension, each with its counts and what the file says of it."""
    terms = max(width_of(safe(row["term"])) for row in rows)
    out: list[str] = []
    for number, row in enumerate(rows):
        if number == 0 or rows[number - 1]["dimension"] != row["dimension"]:
            out += [*([""] if out else []), paint(row["dimension"], "bold")]
        term = safe(row["term"])
        about = row["description"] or ""
        if not row["listed"] and row["term"] != "unclassified":
            about = "not in taxonomy.yaml"
        counts = f"{plural(row['bugs'], 'bug'):>9}" + (f", {row['open']} open" if row["bugs"] else "")
        line = f"  {term}{' ' * (terms - width_of(term))}  {counts:<18}  {paint(safe(about), 'dim') if about else ''}"
        out.append(line.rstrip())
    return out
