"""Random records in every style that people write, and random edits of them, for the property tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from reversa.core.document import Route
from reversa.core.edit import Edit

PLAIN = (
    "abc", "two words", "7e12345", "0012345", "1234567", "no", "on", "y", "null", "~", "Null", "true", "FALSE", "3/20",
    "2026-08-01", "2026-08-10T19:26:00-03:00", "1_000", "x#y", "é ü ñ", "🔓 open", "src/cart.py::test_once", "0o17",
    "it's", 'a "b" c', "--dodib", "spec-gap", "BUG-20260715-A7K3", ".inf", "a  b", "fim.",
)  # fmt: skip
FLOW_PLAIN = ("abc", "two words", "7e12345", "no", "null", "true", "é", "3/20", "2026-08-01", "x-y_z")
KEYS = (
    "title", "status", "severity", "labels", "reproduction", "rate", "relationships", "traceability", "root_cause",
    "specs", "evidence", "state", "closure", "policy", "satisfied", "change_set", "updated", "custom", "zé", "commit",
    '"quoted key"', "'on'", "blocking", "display_number", "spaced ",
)  # fmt: skip
TEXTS = st.one_of(
    st.sampled_from(PLAIN),
    st.sampled_from(["", " ", "a: b", "a #b", "- x", "? x", "x:", "#", "[a]", "{a}", "line\nbreak", "\ttab", "'", '"',
                     "\\", "…", "a\r\nb", "\u2028", "\x85", "\ufeff", "---", "...", "<<", "=", "&a", "*a", "!t", "%d",
                     "@x", "`x`", "|", ">", "12:30:45", "null", "Yes", "x, y", "\x00", "\x1b[0m", "a\u200db",
                     "<<<<<<< x", "=======", "word " * 60]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)  # fmt: skip
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 10**7), TEXTS)
NAMES = st.one_of(st.sampled_from(["bug", "type", "state", "commit", "on", "a: b", "ref"]), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(NAMES, inner, max_size=3),
    ),
    max_leaves=6,
)


@dataclass(frozen=True)
class Record:
    """A record in pieces: before the keys, one piece a top-level key, pieces of comments and blank lines, the rest."""

    head: str
    pieces: tuple[tuple[str, str], ...]
    tail: str
    newline: str
    bom: bool

    def text(self, part: str) -> str:
        return part.replace("\n", self.newline)

    def to_bytes(self) -> bytes:
        whole = self.head + "".join(piece for _, piece in self.pieces) + self.tail
        return (("\ufeff" if self.bom else "") + self.text(whole)).encode()


class Writer:
    """Writes values in a random style; every method gives text that goes on after a colon or dash."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def comment(self) -> str:
        return self.pick("", "", "", "  # note", " # it's: [odd]")

    def between(self, indent: int) -> str:
        """Blank lines and comments that may stand between two members of a block."""
        return self.pick("", "", "", "", "\n", f"{' ' * indent}# between\n", "# at the left\n", "\n\n", "   \n")

    def inline(self, flow: bool = False) -> str:
        style = self.pick("plain", "plain", "single", "double")
        if style == "plain":
            return self.pick(*(FLOW_PLAIN if flow else PLAIN))
        text = self.draw(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=8))
        return "'" + text.replace("'", "''") + "'" if style == "single" else json.dumps(text, ensure_ascii=False)

    def flow(self, depth: int, indent: int) -> str:
        """A flow collection, on one line or on several."""
        kind = self.pick("list", "mapping")
        count = self.draw(st.integers(0, 3))
        members = []
        keys = list(dict.fromkeys(self.pick("a", "b", "state", "bug", '"c d"') for _ in range(count)))
        for index in range(count if kind == "list" else len(keys)):
            value = self.flow(depth - 1, indent) if depth and self.pick(0, 0, 1) else self.inline(flow=True)
            if kind == "mapping":
                key = keys[index]
                value = self.pick(f"{key}: {value}", f"{key}: {value}", key, f"{key}: ")
            elif self.pick(*[0] * 9, 1):
                value = f"k{index}: {value}"
            members.append(value)
        left, right = "[]" if kind == "list" else "{}"
        if not members:
            return left + self.pick("", " ") + right
        if self.pick(0, 0, 1):
            pad = " " * (indent + 2)
            lines = [f"{pad}{member},{self.comment()}\n" for member in members[:-1]]
            comma = self.pick("", ",")
            lines.append(f"{pad}{members[-1]}{comma}{self.comment()}\n")
            return f"{left}{self.comment()}\n{''.join(lines)}{' ' * (indent + self.pick(0, 2) or 1)}{right}"
        comma = self.pick("", "", ",", ", ", " , ")
        pad = self.pick("", " ")
        glue = self.pick(", ", ",  ", " , ", f",\n{' ' * (indent + 3)}")
        return f"{left}{pad}{glue.join(members)}{comma}{pad}{right}"

    def block_scalar(self, indent: int) -> str:
        header = self.pick("|", ">", "|-", ">-", "|+", ">+", "|2", ">2-")
        pad = " " * (indent + 2)
        words = ("text", "# no comment", "key: value", "  deeper", "- x", "é")
        lines = [pad + self.pick(*words) for _ in range(self.pick(0, 1, 2, 3))]
        blanks = self.pick([], [], [""], ["", ""], [" "], [pad + " "])
        if len(lines) > 1 and self.pick(0, 1):
            lines.insert(1, "")
        if lines and not header[1:2].isdigit() and lines[0].startswith(pad + " "):
            lines[0] = pad + "first"
        return f" {header}{self.comment()}\n" + "".join(f"{line}\n" for line in lines + blanks)

    def value(self, depth: int, indent: int, *, item: bool = False) -> str:
        """A value after `key:` or `-`, up to and with its last line break; `indent` is the column of its carrier."""
        nested = ["list", "map"] * 2 if depth else []
        style = self.pick("inline", "inline", "inline", "flow", "scalar", "empty", "next", "lines", *nested)
        if style == "inline":
            return f"{self.pick(' ', ' ', '  ')}{self.inline()}{self.comment()}\n"
        if style == "flow":
            return f" {self.flow(1, indent)}{self.comment()}\n"
        if style == "scalar":
            return self.block_scalar(indent)
        if style == "empty":
            return f"{self.pick('', ' ')}{self.comment()}\n"
        if style == "next":
            value = self.pick(self.inline(), self.flow(1, indent))
            return f"{self.comment()}\n{' ' * (indent + 2)}{value}{self.comment()}\n"
        if style == "lines":
            gap = self.pick("", "\n")
            return f" first\n{' ' * (indent + 1)}second\n{gap}{' ' * (indent + 3)}third{self.comment()}\n"
        if style == "list":
            return self.block_list(depth, indent, item)
        return self.block_map(depth, indent, item)

    def block_list(self, depth: int, indent: int, item: bool) -> str:
        column = indent + self.pick(2, 2, 4, 3) if item else indent + self.pick(0, 2, 2, 4)
        out = ""
        for index in range(self.pick(1, 2, 3)):
            lead = " " * column
            if index == 0 and item and self.pick(0, 1):
                out += f"{' ' * (column - indent - 1)}-{self.value(depth - 1, column, item=True)}"
                continue
            if index == 0:
                out += f"{self.comment()}\n{self.between(column)}"
            out += f"{self.between(column) if index else ''}{lead}-{self.value(depth - 1, column, item=True)}"
        return out

    def block_map(self, depth: int, indent: int, item: bool) -> str:
        column = indent + self.pick(2, 2, 3, 4)
        beside = item and self.pick(0, 1, 1)
        out = "" if beside else f"{self.comment()}\n{self.between(column)}"
        for index, key in enumerate(self.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True))):
            lead = " " * (column - indent - 1) if beside and index == 0 else " " * column
            out += f"{self.between(column) if index else ''}{lead}{key}:{self.value(depth - 1, column)}"
        return out


@st.composite
def records(draw: Any) -> Record:
    """Random records; a few of them turn out to be unreadable, which the tests leave aside."""
    writer = Writer(draw)
    pieces: list[tuple[str, str]] = []
    for key in draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=5, unique=True)):
        gap = writer.pick("", "", "\n", "# about the next key\n", "\n# apart\n\n")
        pieces += [("", gap), (key.strip(" \"'"), f"{key}:{writer.value(3, 0)}")]
    pieces.append(("", writer.pick("", "", "\n", "# last\n")))
    tail = "---" + writer.pick("\n", "\n\n# Title\n\n```\n<<<<<<< a\n```\n", " \nno final newline", "")
    return Record("---\n", tuple(pieces), tail, writer.pick("\n", "\n", "\r\n"), writer.pick(False, False, True))


def routes(data: Any, at: Route = ()) -> list[Route]:
    """All routes of a record's data, that of the whole left out."""
    steps = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
    return [route for step in steps for route in [(*at, step), *routes(data[step], (*at, step))]]


@st.composite
def edits(draw: Any, data: dict[str, Any]) -> Edit:
    """A random edit of a record's data; some have no meaning there and are to be refused."""
    route = draw(st.sampled_from(routes(data)))
    if draw(st.integers(0, 3)) == 0:
        route = (*route[:-1], draw(st.sampled_from(["status", "phase", "origin", "new key", "commit", "no"])))
        if draw(st.booleans()):
            route = (*route, draw(st.sampled_from(["state", "x"])))
    op = draw(st.sampled_from(["set", "set", "add", "remove", "rewrite", "rename"]))
    if op == "rename":
        return Edit(op, route, draw(st.sampled_from(["renamed", "status", "a: b", "no", "7", "x y"])))
    if op != "remove":
        return Edit(op, route, draw(VALUES))
    value: Any = data
    try:
        for step in route:
            value = value[step]
    except (KeyError, TypeError, IndexError):
        value = None
    if isinstance(value, list) and value and draw(st.booleans()):
        return Edit("remove", route, draw(st.sampled_from(value)))
    return Edit("remove", route)
