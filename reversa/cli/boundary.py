"""The error boundary: the only place that turns exceptions into output and an exit code (cli.md)."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

from reversa.cli.output import Terminal
from reversa.errors import ReversaError, Surroundings, UsageError

INTERRUPTED = 130
CLOSED_PIPE = 141

COMPLETE = "__complete"
"""The hidden command that the scripts of `reversa completion` call."""


def run(argv: Sequence[str]) -> int:
    """Run the command line and give the exit code; no traceback reaches a user."""
    _open_streams()
    argv = _command_first(argv)
    terminal = Terminal(json="--json" in argv, color=_colour(argv))
    error: ReversaError
    try:
        _refuse_unreadable(argv)
        code = _dispatch(argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # the reader is gone: what is left in the buffer must not fail again when the interpreter ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except ReversaError as refusal:
        error = refusal
    except RecursionError:
        error = UsageError("A value is nested more deeply than any record may be.")
    except OSError as fault:
        where = f"{fault.filename}: " if fault.filename else ""
        error = Surroundings(f"{where}{fault.strerror or fault}.", kind="disk")
    except Exception as fault:
        return _defect(terminal, argv, fault)
    return _failed(terminal, argv, error)


def _failed(terminal: Terminal, argv: Sequence[str], error: ReversaError) -> int:
    """Say why, where that can still be said, and give the exit code."""
    with contextlib.suppress(OSError):  # a full disk may be what is the matter with the stream itself
        terminal.fail(_command(argv), error)
        sys.stdout.flush()
    return error.exit_code


def _open_streams() -> None:
    """Give a process that was started with closed streams something to read from and to write to."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - kept open


def _refuse_unreadable(argv: Sequence[str]) -> None:
    """Refuse arguments that are no UTF-8: they could be written into no record."""
    for number, word in enumerate(argv, start=1):
        if any("\ud800" <= sign <= "\udfff" for sign in word) or "\0" in word:
            raise UsageError(f"Argument {number} is not UTF-8 text.")


_EVERYWHERE = {"--json": 1, "--registry": 2, "--color": 2}
"""Options that every command takes, with the number of words they are."""


def _command_first(argv: Sequence[str]) -> list[str]:
    """Put options that stand before the command behind it: both orders mean the same to people."""
    words, moved = list(argv), []
    while words and (words[0] in _EVERYWHERE or words[0].startswith(("--registry=", "--color="))):
        count = _EVERYWHERE.get(words[0], 1)
        moved += words[:count]
        words = words[count:]
    if words[:1] in (["--help"], ["-h"]) and "--all" in words:
        return ["help", "--all"]
    return [*words[:1], *moved, *words[1:]] if words and not words[0].startswith("-") else [*moved, *words]


def _dispatch(argv: list[str]) -> int:
    if argv[:1] == [COMPLETE]:
        from reversa.cli.completing import answer

        Terminal().lines(answer(argv[1:]))
        return 0
    from typer.exceptions import Abort, Exit, TyperException

    from reversa.cli.app import group

    try:
        result = group().main(argv, prog_name="reversa", standalone_mode=False)
    except Exit as done:
        return int(done.exit_code)
    except Abort:
        return INTERRUPTED
    except SystemExit:  # Typer leaves this way on a closed pipe alone, with exit 1
        return CLOSED_PIPE
    except TyperException as error:
        raise _misused(error, _command(argv)) from None
    return result if isinstance(result, int) else 0


def _misused(error: Exception, command: str) -> UsageError:
    """Say what Typer refuses in our own words: of an option that is none, the one that it may have meant."""
    from reversa.cli.grammar import GRAMMAR
    from reversa.core.suggest import nearest

    help_ = f"reversa {command} --help".replace("  ", " ")
    wrong = getattr(error, "option_name", "") if type(error).__name__ == "NoSuchOption" else ""
    if wrong:
        known = [name for _, names, *_ in GRAMMAR.get(command, ()) for name in names if name.startswith("--")]
        near = nearest(wrong, known)
        return UsageError(f"There is no option {wrong}.", f"Did you mean {near[0]}? {help_}" if near else help_)
    message = getattr(error, "format_message", lambda: str(error))()
    return UsageError(f"{message.rstrip('.')}.", help_)


def _colour(argv: Sequence[str]) -> str:
    """Give the value of --color for what the boundary itself prints; a bad one is refused by the command."""
    given = [word.partition("=")[2] for word in argv if word.startswith("--color=")]
    given += [after for word, after in pairwise(argv) if word == "--color"]
    return given[-1] if given and given[-1] in ("always", "never") else "auto"


def _command(argv: Sequence[str]) -> str:
    return argv[0] if argv and not argv[0].startswith("-") else ""


def _defect(terminal: Terminal, argv: Sequence[str], error: Exception) -> int:
    """Keep the traceback of a defect in a file and name it in one line."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="reversa-", suffix=".log", delete=False, encoding="utf-8") as log:
        traceback.print_exc(file=log)
    fault = ReversaError(
        f"This is a defect of reversa ({type(error).__name__}); nothing more was written.",
        f"The traceback is in {log.name}; please report it.",
        log=log.name,
    )
    terminal.fail(_command(argv), fault)
    return fault.exit_code
