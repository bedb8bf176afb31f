"""`reversa update`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from reversa.cli.options import By, Color, DryRun, Json, NoViews, Registry, person, report, written
from reversa.cli.output import Terminal

_NAMED = (
    "title",
    "status",
    "phase",
    "severity",
    "priority",
    "area",
    "module",
    "feature",
    "visibility",
)
"""Fields with an option of their own; it is the same as --set FIELD=VALUE."""


def update(
    bugs: Annotated[list[str], typer.Argument(metavar="BUG...", help="One or more bugs.")],
    assign: Annotated[
        list[str] | None, typer.Option("--set", metavar="ROUTE=VALUE", help="Set a field; repeatable.")
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="ROUTE=VALUE", help="Append to a list; repeatable.")
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option("--remove", metavar="ROUTE[=VALUE]", help="Remove a key or a list item; repeatable."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="The title.")] = None,
    status: Annotated[str | None, typer.Option(help="open or active; close makes it resolved.")] = None,
    phase: Annotated[str | None, typer.Option(help="The phase, such as diagnosing.")] = None,
    severity: Annotated[str | None, typer.Option(help="critical, high, medium or low.")] = None,
    priority: Annotated[str | None, typer.Option(help="P0 to P3.")] = None,
    area: Annotated[str | None, typer.Option(help="A term of the taxonomy.")] = None,
    module: Annotated[str | None, typer.Option(help="A term of the taxonomy.")] = None,
    feature: Annotated[str | None, typer.Option(help="A term of the taxonomy.")] = None,
    visibility: Annotated[str | None, typer.Option(help="normal, internal or restricted.")] = None,
    label: Annotated[list[str] | None, typer.Option(help="A label to add; repeatable.")] = None,
    spec: Annotated[list[str] | None, typer.Option(help="A spec locator to add; repeatable.")] = None,
    code: Annotated[list[str] | None, typer.Option(help="Affected code to add; repeatable.")] = None,
    reproduction_test: Annotated[list[str] | None, typer.Option(help="A test to add; repeatable.")] = None,
    regression_test: Annotated[list[str] | None, typer.Option(help="A test to add; repeatable.")] = None,
    section: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=TEXT|@FILE|-", help="Give a section of the body another text; repeatable."),
    ] = None,
    append: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=TEXT|@FILE|-", help="Add a text at the end of a section; repeatable."),
    ] = None,
    by: By = "",
    reason: Annotated[str, typer.Option(help="Why, kept with a decision.")] = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Change fields and sections: --set ROUTE=VALUE, --add, --remove, --section, --append, or by name.

    A ROUTE is a key such as phase, reproduction.rate, labels[0] or change_set[CHG-001].purpose; docs/fields.md lists
    all. The verdict on the specification is --set spec_verdict=spec-correta (the code was wrong), spec-desatualizada
    (the spec is outdated) or spec-gap (there is none), confirmed at a terminal or with --by NAME.

    A section is named as in the record or by the contract (Summary, "Expected Behavior" or expected-behavior, Evidence,
    Resolution, "Agent Notes" ...); one that is missing is made at its place. A TEXT of - is read from standard input.
    """
    from reversa.commands import update as command
    from reversa.store.files import named_texts

    terminal = Terminal(json=json, color=color)
    values = dict(
        zip(_NAMED, (title, status, phase, severity, priority, area, module, feature, visibility), strict=True)
    )
    sets = [f"{name}={value}" for name, value in values.items() if value is not None]
    lists = {
        "labels": label,
        "traceability.specs": spec,
        "traceability.affected_code": code,
        "traceability.reproduction_tests": reproduction_test,
        "traceability.regression_tests": regression_test,
    }
    adds = [f"{route}={value}" for route, given in lists.items() for value in given or ()]
    texts = named_texts({"--section": section or (), "--append": append or ()}, sys.stdin.buffer)
    request = command.Request(
        (*sets, *(assign or ())),
        (*adds, *(add or ())),
        tuple(remove or ()),
        reason,
        texts.get("--section", ()),
        texts.get("--append", ()),
    )
    out = command.update(registry, bugs, request, person(by), views=not no_views, dry_run=dry_run)
    return report(terminal, "update", out, written(out))
