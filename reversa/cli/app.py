"""The Typer application: which commands there are, in which groups the help shows them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from reversa import __version__
from reversa.cli import options
from reversa.cli.output import Terminal
from reversa.core.suggest import nearest
from reversa.errors import UsageError

GROUPS: dict[str, tuple[str, ...]] = {
    "Start and look": ("init", "next", "list", "show"),
    "Work on bugs": ("new", "update", "edit", "evidence", "link", "unlink", "close"),
    "Keep it true": ("check", "graph", "rules"),
}
"""The everyday commands, as `--help` shows them; the rest is plumbing under `reversa help --all`."""

GUESSES = {
    "create": "new",
    "add": "new",
    "report": "new",
    "set": "update",
    "modify": "update",
    "done": "close",
    "resolve": "close",
    "finish": "close",
    "ls": "list",
    "ready": "next",
    "todo": "next",
    "claim": "next",
    "unclaim": "release",
    "search": "list",
    "view": "show",
    "cat": "show",
    "lint": "check",
    "validate": "check",
    "verify": "check",
    "explain": "rules",
    "rule": "rules",
    "render": "graph",
    "draw": "graph",
    "views": "graph",
    "relate": "link",
    "unlock": "reopen",
    "confirm": "decisions",
    "publish": "unrestrict",
    "terms": "taxonomy",
    "vocabulary": "taxonomy",
    "attach": "evidence",
    "inbox": "intake",
    "fix": "check",
    "mend": "check",
    "upgrade": "migrate",
    "convert": "migrate",
}
"""Verbs that people guess, answered with ours."""


COMMANDS: dict[str, str] = {
    "init": "init.init",
    "new": "new.new",
    "next": "next.next_",
    "list": "show.list_",
    "show": "show.show",
    "update": "update.update",
    "evidence": "evidence.evidence",
    "intake": "intake.intake",
    "edit": "edit.edit",
    "link": "link.link",
    "unlink": "link.unlink",
    "close": "close.close",
    "release": "release.release",
    "check": "check.check",
    "graph": "graph.graph",
    "rules": "rules.rules",
    "taxonomy": "taxonomy.taxonomy",
    "verdict": "decide.verdict",
    "reopen": "decide.reopen",
    "unrestrict": "decide.unrestrict",
    "renumber": "decide.renumber",
    "decisions": "decisions.decisions",
    "seal": "seal.seal",
    "schema": "schema.schema",
    "migrate": "migrate.migrate",
    "hooks": "hooks.hooks",
    "completion": "completion.completion",
}
"""Every command by its name, and its function in `reversa/cli/`; a new one is a line here and a place in GROUPS.

A command is imported when it is asked for: to declare all of them costs more than `--version` and `list` together.
"""


def function_of(name: str) -> Callable[..., int]:
    """Import the function of a command; raises KeyError for a name that is none."""
    module, _, function = COMMANDS[name].partition(".")
    return cast(Callable[..., int], getattr(import_module(f"reversa.cli.{module}"), function))


class Group(TyperGroup):
    """Shows everyday commands in groups and answers guessed verbs."""

    every = False

    def list_commands(self, ctx: Any) -> list[str]:
        return list(dict.fromkeys([*COMMANDS, *super().list_commands(ctx)]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            alone.command(cmd_name)(function_of(cmd_name))
            self.commands[cmd_name] = get_command(alone)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        everyday = {name for names in GROUPS.values() for name in names}
        plumbing = tuple(name for name in COMMANDS if name not in everyday)
        for title, names in (*GROUPS.items(), *([("Plumbing", plumbing)] if self.every else [])):
            with formatter.section(title):
                formatter.write_dl([(name, self._short(ctx, name)) for name in names])
        formatter.write_paragraph()
        more = "" if self.every else "reversa help --all lists the plumbing too; "
        formatter.write_text(f"{more}reversa help COMMAND explains one.")

    def _short(self, ctx: Any, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.get_short_help_str(68) if command else ""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise UsageError(f"reversa has no command {name!r}.", _nearest(name, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


def _nearest(name: str, known: list[str]) -> str:
    if name in GUESSES:
        return f"Did you mean reversa {GUESSES[name]}?"
    near = nearest(name, known)
    return f"Did you mean reversa {near[0]}?" if near else "reversa --help lists the commands."


def group() -> Group:
    """Give the whole command line; commands are imported as they are asked for."""
    return cast(Group, get_command(app))


app = typer.Typer(
    cls=Group,
    name="reversa",
    help="Bugs as files in your git repository: created, validated, locked and drawn by one tool.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    pretty_exceptions_enable=False,
)


@app.command("help")
def help_(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[COMMAND]", help="The command to explain.")] = "",
    every: Annotated[bool, typer.Option("--all", help="List the plumbing commands too.")] = False,
    json: options.Json = False,
) -> None:
    """Show the commands, or explain one; with --all the plumbing too."""
    parent = ctx.parent or ctx
    group = cast(Group, parent.command)
    if name:
        command = group.get_command(parent, name)
        if command is None:
            raise UsageError(f"reversa has no command {name!r}.", _nearest(name, group.list_commands(parent)))
        text = command.get_help(parent.__class__(command, info_name=name, parent=parent))
    else:
        group.every = every
        text = parent.get_help()
    terminal = Terminal(json=json)
    if json:
        terminal.emit("help", {"commands": list(COMMANDS), "text": text})
    else:
        terminal.lines([text])


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"reversa {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    registry: options.Registry = None,
    json: options.Json = False,
    color: options.Color = "auto",
) -> None:
    if ctx.invoked_subcommand is None:
        from reversa.cli.welcome import welcome

        welcome(Terminal(json=json, color=color), registry, ctx.get_help())
