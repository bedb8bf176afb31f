"""`reversa verdict`, `reopen`, `unrestrict` and `renumber`: what people decide."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import By, Color, DryRun, Json, NoViews, Registry, person, report, written
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.core.fields import VERDICTS

Bug = Annotated[str, typer.Argument(metavar="BUG", help="The bug.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the decision.")]

_VISIBLE = ("normal", "internal")


def verdict(
    bug: Bug,
    value: Annotated[str, typer.Argument(metavar="VERDICT", help=f"{', '.join(VERDICTS)}.")],
    reason: Reason = "",
    by: By = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Record a person's verdict on the specification.

    spec-correta: the code was wrong; spec-desatualizada: the specification is outdated; spec-gap: there is none. At a
    terminal the ID is typed back; elsewhere --by names the person, and the verdict is delegated until confirmed.
    """
    from reversa.commands import update as command

    terminal = Terminal(json=json, color=color)
    one_of("verdict", value, VERDICTS)
    request = command.Request((f"spec_verdict={value}",), reason=reason)
    out = command.update(registry, [bug], request, person(by), views=not no_views, dry_run=dry_run)
    return report(terminal, "verdict", out, written(out))


def reopen(
    bug: Bug,
    reason: Reason = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Take the lock of a closed bug away, at a terminal.

    Only a person can: the ID is typed back. What came after the closing is usually a new bug instead, registered with
    reversa new --regression-of.
    """
    from reversa.commands.reopen import reopen as command

    terminal = Terminal(json=json, color=color)
    out = command(registry, bug, person(""), reason, views=not no_views, dry_run=dry_run)
    return report(terminal, "reopen", out, [f"Reopened {entry['id']}" for entry in out.data["bugs"]])


def unrestrict(
    bug: Bug,
    visibility: Annotated[str, typer.Option(help="normal or internal.")] = "normal",
    reason: Reason = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Make a restricted bug visible in the views, at a terminal.

    Only a person can: the ID is typed back.
    """
    from reversa.commands.reopen import unrestrict as command

    terminal = Terminal(json=json, color=color)
    one_of("--visibility", visibility, _VISIBLE)
    out = command(registry, bug, person(""), reason, visibility, views=not no_views, dry_run=dry_run)
    return report(terminal, "unrestrict", out, written(out))


def renumber(
    bug: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of one of the bugs with the same ID.")],
    reason: Reason = "",
    no_views: NoViews = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Give one of several bugs with the same ID a new one, at a terminal.

    Only a person can: the ID is typed back. The folder is renamed and links into it follow; the old ID is kept in the
    record. References in other records mean the bug that keeps it.
    """
    from reversa.commands.renumber import renumber as command

    terminal = Terminal(json=json, color=color)
    out = command(registry, bug, person(""), reason, views=not no_views, dry_run=dry_run)
    return report(terminal, "renumber", out, [f"{done['was']} is now {done['id']}" for done in out.data["bugs"]])
