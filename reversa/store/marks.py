"""Where the values of a record begin and end in its text: what the YAML marks say, put right where they run on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reversa.core.document import Document, Route, Span, get
from reversa.store import frontmatter

_HEADER = re.compile(r"[|>][-+0-9]*")
_COMMENT = re.compile(r"#[^\n]*")
_COMMENT_LINE = re.compile(r"[ \t]*#")


@dataclass(frozen=True)
class Marks:
    """A readable record with its spans; all offsets are code points of `text`."""

    document: Document
    spans: dict[Route, Span]

    @cached_property
    def text(self) -> str:
        return self.document.text

    def value(self, route: Route) -> Any:
        """Give the raw value at a route."""
        return get(self.document.data, *route)

    def children(self, route: Route) -> list[Route]:
        """Give the routes of a collection's members in the order of the file."""
        value = self.value(route)
        return [(*route, step) for step in (value if isinstance(value, dict) else range(len(value)))]

    def is_flow(self, route: Route) -> bool:
        """Whether the value is a flow collection or stands inside one."""
        data: Any = self.document.data
        for depth in range(len(route) + 1):
            if not isinstance(data, dict | list):
                return False
            if self.text[self.spans[route[:depth]].start] in "[{":
                return True
            if depth < len(route):
                data = data[route[depth]]  # type: ignore[index]
        return False

    def is_block(self, route: Route) -> bool:
        """Whether the value is a mapping or list in block style."""
        return isinstance(self.value(route), dict | list) and not self.is_flow(route)

    def lacks_colon(self, route: Route) -> bool:
        """Whether the key of an empty value stands without a colon, as in `{a, b: 1}`."""
        span = self.spans[route]
        if span.start < span.end or not isinstance(route[-1], str):
            return False
        return ":" not in _COMMENT.sub("", self.text[span.key_end : span.start])

    def header(self, route: Route) -> str:
        """Give the header of a block scalar, such as `>-`, or nothing where the value is none."""
        if isinstance(self.value(route), dict | list) or self.is_flow(route[:-1]):
            return ""
        match = _HEADER.match(self.text, self.spans[route].start, self.spans[route].end)
        return match[0] if match else ""

    def end(self, route: Route) -> int:
        """Give the offset after the last sign of a value; a block's final line break is not part of it."""
        span = self.spans[route]
        if self.is_block(route):
            return self.end(self.children(route)[-1])
        if span.start == span.end and isinstance(route[-1], str):
            return span.key_end if self.lacks_colon(route) else self.after_carrier(route)
        if not self.header(route):
            return span.end
        raw = self.text[span.start : span.end]
        content = raw.rstrip(" \t\r\n")
        tail = raw[len(content) :]
        # trailing breaks are the separator after the value, unless the scalar keeps them or spaces made them content
        if "+" in self.header(route) or tail.strip("\r\n"):
            content = raw.removesuffix("\n").removesuffix("\r")
        return span.start + len(content)

    def column(self, offset: int) -> int:
        """Give the column of an offset, from 0."""
        return offset - self.line_start(offset)

    def line_start(self, offset: int) -> int:
        """Give the offset at which the line of an offset starts."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Give the offset of the line break that ends the line of an offset."""
        end = self.text.find("\n", offset)
        if end < 0:
            return len(self.text)
        return end - 1 if end > offset and self.text[end - 1] == "\r" else end

    def next_line(self, offset: int) -> int:
        """Give the offset at which the line after that of an offset starts."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end + 1

    def after_carrier(self, route: Route) -> int:
        """Give the offset after the colon or dash that carries a value in block style."""
        if isinstance(route[-1], int):
            return self.dash(route) + 1
        return self.text.index(":", self.spans[route].key_end) + 1

    def starts_line(self, offset: int) -> bool:
        """Whether only white space stands before an offset on its line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def dash(self, route: Route) -> int:
        """Give the offset of the dash of an item of a block list."""
        column = self.column(self.spans[route[:-1]].start)
        at = self.line_start(self.spans[route].start)
        while True:
            before, sign = self.text[at : at + column], self.text[at + column : at + column + 1]
            after = self.text[at + column + 1 : at + column + 2]  # "" at the end of a text or of a short line
            if sign == "-" and not before.strip(" -") and after in " \t\r\n":
                return at + column
            if at == 0:
                raise ValueError(f"no dash stands before {route}")
            at = self.line_start(at - 1)

    def own_column(self, route: Route) -> int:
        """Give the column of the key or dash that carries a value in block style."""
        if not route:
            return -1
        return self.column(self.dash(route) if isinstance(route[-1], int) else self.spans[route].key_start)

    def comments(self) -> list[str]:
        """Give the comments of the front matter in the order of the file."""
        text = list(self.text[: self.document.yaml_end])
        for route, span in self.spans.items():
            if not isinstance(self.value(route), dict | list):
                end = self.end(route)
                text[span.start : end] = "x" * (end - span.start)
            if span.key_end > span.key_start and route and isinstance(route[-1], str):
                text[span.key_start : span.key_end] = "x" * (span.key_end - span.key_start)
        return [found[0].rstrip() for found in _COMMENT.finditer("".join(text), self.document.yaml_at)]

    def block_end(self, route: Route) -> int:
        """Give the offset of the line after a value in block style; comments deeper than its key belong to it."""
        column = self.own_column(route)
        at = found = self.next_line(self.end(route))
        while at < self.document.yaml_end:
            stop = self.next_line(at)
            line = self.text[at:stop]
            if line.strip():
                if not _COMMENT_LINE.match(line) or len(line) - len(line.lstrip()) <= column:
                    break
                found = stop
            at = stop
        return found


def read(data: bytes) -> Marks:
    """Read a record with its marks; an unreadable one has `document.data` None."""
    return Marks(*frontmatter.locate(data))
