"""What may follow on a command line: the answers to the scripts of `reversa completion`.

It works from the table in `grammar.py` and not from Typer, whose import alone takes half the time that a TAB may take.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from reversa.cli.candidates import FILES, Place, source_of
from reversa.cli.grammar import GRAMMAR, Param
from reversa.core.printable import is_printable

FILE_MARK = ":files"
"""The line that says that names of files fit too."""


class _Line:
    """What the words before the cursor come to: the parameter that the cursor is in, and what was given before."""

    def __init__(self, params: Sequence[Param]) -> None:
        self.params = params
        self.waiting: Param | None = None
        self.given: list[str] = []
        self.used: set[str] = set()
        self.registry: str | None = None
        self.only_words = False

    def take(self, word: str) -> None:
        """Take the next word before the cursor."""
        if self.waiting is not None:
            self._value(self.waiting, word)
            self.waiting = None
        elif word == "--" and not self.only_words:
            self.only_words = True
        elif word.startswith("-") and len(word) > 1 and not self.only_words:
            name, equals, value = word.partition("=")
            option = self.option(name)
            if option is not None:
                self.used.add(option[0])
                if equals:
                    self._value(option, value)
                elif not is_flag(option):
                    self.waiting = option
        else:
            self.given.append(word)

    def _value(self, option: Param, value: str) -> None:
        if option[0] == "registry":
            self.registry = value

    def option(self, name: str) -> Param | None:
        """Give the option of a name, None where there is none."""
        return next((param for param in self.params if name in param[1]), None)

    @property
    def argument(self) -> Param | None:
        """Give the argument that the next plain word belongs to, None where no more are taken."""
        arguments = [param for param in self.params if not param[1]]
        at = len(self.given)
        if at < len(arguments):
            return arguments[at]
        return arguments[-1] if arguments and is_repeatable(arguments[-1]) else None

    def options(self) -> Iterator[tuple[str, str]]:
        """Yield the options that may still be given, with their help."""
        for param in self.params:
            if is_repeatable(param) or param[0] not in self.used:
                yield from ((name, param[3]) for name in param[1] if name.startswith("--"))


def is_flag(param: Param) -> bool:
    """Whether an option takes no value."""
    return "flag" in param[2]


def is_repeatable(param: Param) -> bool:
    """Whether a parameter may be given more than once."""
    return "many" in param[2]


def candidates(words: Sequence[str]) -> list[tuple[str, str]]:
    """Give what the last of the words after `reversa` may become, each with what it means; the last may be empty."""
    *before, typed = words or [""]
    command = before[0] if before else ""
    if not before and not typed.startswith("-"):
        return _fitting(typed, [(name, "") for name in GRAMMAR if name])
    if command not in GRAMMAR:
        return []
    line = _Line(GRAMMAR[command])
    for word in before[1:]:
        line.take(word)
    if line.waiting is None and typed.startswith("-") and not line.only_words:
        name, equals, value = typed.partition("=")
        if not equals:
            return _fitting(typed, list(line.options()))
        param, prefix = line.option(name), f"{name}="
    else:
        param, prefix, value = line.waiting or line.argument, "", typed
    source = source_of(command, param[0]) if param is not None and not is_flag(param) else None
    if source is FILES:
        return [(FILE_MARK, "")]
    place = Place(command, line.given, line.registry)
    found = [(text, "") for text in source(place, value)] if source else []
    return [(prefix + text, meaning) for text, meaning in _fitting(value, found)]


def _fitting(typed: str, found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Give those that begin as typed, case set aside; nothing that would act on the terminal."""
    start = typed.casefold()
    return [
        (text, meaning)
        for text, meaning in found
        if text.casefold().startswith(start) and all(is_printable(sign) for sign in text)
    ]


def split(line: str) -> list[str]:
    """Split a line as a shell does, up to its end: an open quote is closed, a blank at the end begins a word."""
    for closing in ("", "'", '"', "\\", '\\"'):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        return [*words, ""] if not closing and (not line or line[-1].isspace()) else words
    return line.split(" ")


def _behind(typed: str, piece: str, text: str) -> str:
    """Give the part of a candidate that bash puts in place of the piece: it ends words at `=` and `:`."""
    piece = piece.lstrip("\"'=:")
    begun = len(typed) - len(piece)
    return text[begun:] if text != FILE_MARK and typed.endswith(piece) else text


def answer(args: Sequence[str]) -> list[str]:
    """Give the lines for a script: a candidate each, its meaning behind a tab.

    `args` are `-- WORD...`, the words behind reversa, of which the last is completed; or, for bash, `LINE PIECE`: the
    line up to the cursor, not yet split, and the part of its last word that bash will replace.
    """
    if args[:1] == ["--"]:
        found = candidates(args[1:])
    else:
        line, piece = (*args, "", "")[:2]
        words = split(line)[1:]
        found = [(_behind((words or [""])[-1], piece, text), meaning) for text, meaning in candidates(words)]
    return [f"{text}\t{meaning}".rstrip("\t") for text, meaning in found]
