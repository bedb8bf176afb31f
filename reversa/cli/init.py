"""`reversa init`."""

from __future__ import annotations

from typing import Annotated

import typer

from reversa.cli.options import Color, DryRun, Json, Registry, here, report
from reversa.cli.output import Terminal
from reversa.cli.words import one_of
from reversa.core.fields import LANGUAGES
from reversa.report.text import plural


def init(
    policy: Annotated[
        str, typer.Option(help="The closure policy: local-software, package, production-service or other text.")
    ] = "local-software",
    lang: Annotated[str, typer.Option(help=f"The language of views: {', '.join(LANGUAGES)}.")] = "",
    from_specs: Annotated[
        bool, typer.Option("--from-specs", help="Seed the taxonomy from the spec folder's overview files.")
    ] = False,
    dry_run: DryRun = False,
    registry: Registry = None,
    json: Json = False,
    color: Color = "auto",
) -> int:
    """Make a registry: README.md and taxonomy.yaml, nothing else."""
    from reversa.commands import init as command

    terminal = Terminal(json=json, color=color)
    one_of("--lang", lang, ("", *LANGUAGES))
    out = command.init(registry, policy=policy, lang=lang, from_specs=from_specs, dry_run=dry_run)
    path = here(out.root)
    if json or dry_run:
        return report(terminal, "init", out, [])
    if not out.data["created"]:
        where = f"{plural(out.data['bugs'], 'bug')} in {plural(out.data['contexts'], 'context')}"
        terminal.lines([f"{path} is a registry already: {where}. Nothing was changed."])
        return 0
    terminal.lines(
        [
            f"Made {path}/README.md and {path}/taxonomy.yaml.",
            "",
            "Next:",
            '  reversa new "What goes wrong" -c CONTEXT     register the first bug',
            "  reversa check                                every rule, with positions",
            "  reversa hooks install                        check each commit, merge and push",
            "  Tell your agents to call reversa-bugs instead of writing front matter by hand.",
        ]
    )
    terminal.say(*out.notes)
    return 0
