"""Edits `taxonomy.yaml` as records are edited: by splices that leave every other byte as it is.

The file is YAML from its first line to its last, so it is taken for the front matter of a record without a body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from reversa.core.document import Route, filled, simple
from reversa.core.edit import Edit
from reversa.core.mirror import one_line
from reversa.core.taxonomy import DIMENSIONS, PLURALS, places
from reversa.errors import Refused
from reversa.store import frontmatter
from reversa.store import marks as marking
from reversa.store import render_yaml as render
from reversa.store.cuts import Cut, carry_out
from reversa.store.edit import splice
from reversa.store.marks import Marks

NAME = "taxonomy.yaml"

_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?(?:(?:[ \t]*(?:#[^\n]*)?\r?\n)*?---[ \t]*\r?\n)?")
"""What may stand before the lists and is no part of them: a byte order mark, and a line `---` below comments."""

_COMMENT = re.compile(r"[ \t]+#[ \t]*([^\r\n]*)")


@dataclass(frozen=True, slots=True)
class _Wrapped:
    """A YAML file between the delimiters of a front matter; `bare` takes it out again."""

    head: bytes
    data: bytes
    fence: bytes
    closing: bytes

    def bare(self, data: bytes) -> bytes:
        return self.head + data[len(self.fence) : len(data) - len(self.closing)]


def _wrapped(data: bytes) -> _Wrapped:
    match = _HEAD.match(data)
    head = match[0] if match else b""
    rest = data[len(head) :]
    line, feed, _ = rest.partition(b"\n")
    fence = b"---\r\n" if feed and line.endswith(b"\r") else b"---\n"
    closing = fence if rest.endswith(b"\n") or not rest else fence[3:] + fence
    return _Wrapped(head, fence + rest + closing, fence, closing)


def add_term(data: bytes, dimension: str, term: str, description: str = "") -> bytes:
    """Append a term to a list, in the shape that the list has; a description stands where its neighbours' do.

    That is a value of a mapping, a member `term: description`, or a comment behind the term. Raises Refused (kind
    edit-refused) for a shape that cannot take it.
    """
    text = one_line(description)
    raw = _read(data)
    if raw is None:
        return _begun(data, dimension, term, text)
    wrapped = _wrapped(data)
    key = _key(raw, dimension)
    held = raw.get(key)
    if isinstance(held, dict) and held:
        return wrapped.bare(splice(wrapped.data, [Edit("set", (key, term), text or None)]))
    edited = splice(wrapped.data, [Edit("add", (key,), term)])
    if not text:
        return wrapped.bare(edited)
    if _holds_pairs(held) or marking.read(edited).is_flow((key,)):  # where no comment can stand
        return wrapped.bare(splice(wrapped.data, [Edit("add", (key,), {term: text})]))
    out = wrapped.bare(_commented(edited, key, text))
    _check(out, simple(_read(wrapped.bare(edited))), dimension)
    return out


def rename_term(data: bytes, dimension: str, old: str, new: str) -> bytes:
    """Give a term another name wherever the file lists it; raises Refused (kind edit-refused)."""
    raw = _read(data)
    wrapped = _wrapped(data)
    edited, expected = wrapped.data, simple(raw)
    for term, route, is_key in list(places(raw, dimension)):
        if term != old:
            continue
        if is_key:
            marks = marking.read(edited)
            span = marks.spans[route]
            cut = Cut(span.key_start, span.key_end, render.scalar(new, flow=marks.is_flow(route[:-1])))
            edited = carry_out(marks.text, [cut]).encode()
        else:
            edited = splice(edited, [Edit("set", route, new)])
        expected = _with(expected, route, new, is_key=is_key)
    out = wrapped.bare(edited)
    _check(out, expected, dimension)
    return out


def remove_term(data: bytes, dimension: str, term: str) -> bytes:
    """Take a term out of the file with the rest of its line; raises Refused (kind edit-refused)."""
    wrapped = _wrapped(data)
    edited = wrapped.data
    found = [(route, is_key) for name, route, is_key in places(_read(data), dimension) if name == term]
    for route, is_key in reversed(found):  # from the end, so that the indexes before it hold
        if len(route) == 1:
            edit = Edit("set", route, [])
        else:
            edit = Edit("remove", route[:2] if is_key and len(route) == 3 else route)
        edited = splice(edited, [edit])
    return wrapped.bare(edited)


def descriptions(data: bytes) -> dict[tuple[str, str], str]:
    """Give what the file says of terms, by dimension and term: values of mappings, and comments behind terms."""
    marks = marking.read(_wrapped(data).data)
    out: dict[tuple[str, str], str] = {}
    for dimension in DIMENSIONS:
        for term, route, is_key in places(marks.document.data, dimension):
            value = marks.value(route) if is_key else None
            match = None if is_key or marks.is_flow(route[:-1]) else _COMMENT.match(marks.text, marks.end(route))
            text = str(value) if isinstance(value, str) and filled(value) else match[1] if match else ""
            out.setdefault((dimension, term), one_line(text))
    return out


def _read(data: bytes) -> dict[str, Any] | None:
    """Give the raw lists, None for a file without any; raises Refused where it cannot be read."""
    raw, problem = frontmatter.read_yaml(data)
    if problem is not None or (filled(raw) and not isinstance(raw, dict)):
        line = problem.line if problem else 1
        raise Refused(f"{NAME}:{line} cannot be read as lists of terms.", "reversa check says why.", kind="unreadable")
    return raw if isinstance(raw, dict) and raw else None


def _key(raw: dict[str, Any], dimension: str) -> str:
    """Give the key under which a dimension stands: singular, else plural, else the one it will have."""
    found = [key for key in raw if key == dimension or PLURALS.get(key) == dimension]
    return dimension if dimension in found or not found else found[0]


def _begun(data: bytes, dimension: str, term: str, text: str) -> bytes:
    """Begin the first list of a file that has none; comments that stand there stay above it."""
    newline = "\r\n" if b"\r\n" in data else "\n"
    gap = newline if data and not data.endswith(b"\n") else ""
    comment = f"  # {text}" if text else ""
    out = data + f"{gap}{dimension}:{newline}  - {render.scalar(term)}{comment}{newline}".encode()
    _check(out, {dimension: [term]}, dimension)
    return out


def _holds_pairs(held: Any) -> bool:
    """Whether a list says of its terms what they are in members `term: description`."""
    return isinstance(held, list) and any(isinstance(member, dict) and len(member) == 1 for member in held)


def _commented(data: bytes, key: str, text: str) -> bytes:
    """Put a comment behind the last term of a list, under the comments of the others where those line up."""
    marks = marking.read(data)
    routes = marks.children((key,))
    columns = [_comment_column(marks, route) for route in routes[:-1]]
    end = marks.end(routes[-1])
    here = marks.column(end)
    pad = max([here + 2, *(column for column in columns if column is not None)]) - here
    return carry_out(marks.text, [Cut(end, end, f"{' ' * pad}# {text}")]).encode()


def _comment_column(marks: Marks, route: Route) -> int | None:
    match = _COMMENT.match(marks.text, marks.end(route))
    return marks.column(marks.text.index("#", match.start())) if match else None


def _with(data: Any, route: Route, new: str, *, is_key: bool) -> Any:
    """Give plain data in which the term at a route is another one; keys keep their order."""
    step, last = route[0], len(route) == 1
    if last and is_key:
        return {new if key == step else key: value for key, value in data.items()}
    inner = new if last else _with(data[step], route[1:], new, is_key=is_key)
    if isinstance(data, list):
        return [inner if index == step else item for index, item in enumerate(data)]
    return {**data, step: inner}


def _check(out: bytes, expected: Any, dimension: str) -> None:
    """Refuse a result that would not read back as it should."""
    raw, problem = frontmatter.read_yaml(out)
    if problem is not None or simple(raw) != expected:
        raise Refused(
            f"{dimension} in {NAME} cannot be edited: the result would not read back as asked.", kind="edit-refused"
        )
