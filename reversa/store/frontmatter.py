"""Bytes of a `bug.md` to raw YAML values and positions, read through python-frontmatter.

The YAML nodes are composed by PyYAML's C parser and walked here: no resolver ever touches a scalar, because
YAML 1.1 reads the commit `0012345` as 5349 and YAML 1.2 reads `7e12345` as infinity (registry.md 3).
"""

from __future__ import annotations

import operator
import re
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from reversa.core.body import lines as body_lines
from reversa.core.document import Document, Plain, Problem, Route, Span
from reversa.store.raw import MAX_BYTES

MAX_DEPTH = 200
"""Deeper nesting is refused before Python's own recursion limit is; no record of the contract passes 6."""

_OPENING = re.compile(r"\s*^---[ \t]*\r?\n", re.MULTILINE)
_CLOSING = re.compile(r"\n---[ \t]*\r?(?=\n|\Z)")
_MARKUP = re.compile(r"[&*!](?<![^\s\[\]{},:?-].)")
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?<![^\n].{7})(?= |\r?\n|\r?\Z)")
_DIRECTIVE = "a YAML directive is not allowed"
_CONFLICT_RUNS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")

_Parser: Any
try:  # the C parser is 8 times faster; the pure one reads the same where libyaml is not built in
    from yaml._yaml import CParser

    _Parser = CParser
except ImportError:  # pragma: no cover - depends on how PyYAML was built
    _Parser = yaml.Loader


class _Loader(_Parser):  # type: ignore[misc]
    """Composes nodes whose tag is empty unless the file states one.

    The three hooks are called for every node, 140 a record: what is written in C here costs no Python frame.
    """

    resolve = staticmethod("".format)  # whatever it is given, the tag is ""
    descend_resolver = staticmethod(operator.is_)  # path resolvers are not used; the answer is thrown away
    ascend_resolver = staticmethod(bool)


class _Unreadable(Exception):
    """Carries the problem that makes a front matter unreadable; offsets count from the start of the YAML."""

    def __init__(self, code: str, offset: int = 0, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.offset = offset
        self.params = params


class BugHandler(BaseHandler):
    """The python-frontmatter handler of records: exact offsets, raw scalars, no silent empty result.

    It splits the text it was made with, because `frontmatter.parse` strips its argument and replaces CRLF.
    """

    FM_BOUNDARY = _CLOSING
    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self, text: str, spans: dict[Route, Span] | None = None) -> None:
        self.text = text
        self.spans = spans
        self.data: dict[str, Any] | None = None
        self.yaml_at = self.yaml_end = self.body_at = 0

    def detect(self, text: str) -> bool:
        return True

    def split(self, text: str) -> tuple[str, str]:
        opening = _OPENING.match(self.text)
        if opening is None:
            raise _Unreadable("RV002", -1)
        closing = _CLOSING.search(self.text, opening.end() - 1)
        if closing is None:
            raise _Unreadable("RV003", -1)
        self.yaml_at, self.yaml_end = opening.end(), closing.start() + 1
        self.body_at = min(closing.end() + 1, len(self.text))
        return self.text[self.yaml_at : self.yaml_end], ""

    def load(self, fm: str) -> dict[str, Any]:
        # a plain substring test first: over 3.6 KB it costs a fiftieth of the pattern it guards
        clash = _CONFLICT.search(fm) if any(run in fm for run in _CONFLICT_RUNS) else None
        if clash:
            raise _Unreadable("RV012", clash.start())
        if fm.startswith("%") or "\n%" in fm:  # a directive; thousands of them cost the parser a minute
            raise _Unreadable("RV004", 0 if fm.startswith("%") else fm.index("\n%") + 1, problem=_DIRECTIVE)
        if any(sign in fm for sign in "&*!") and _MARKUP.search(fm):
            _refuse_markup(fm)
        node = _compose(fm)
        if not isinstance(node, MappingNode):
            raise _Unreadable("RV009", 0, found="empty" if node is None else _kind(node))
        if self.spans is not None:
            at = node.start_mark.index
            self.spans[()] = Span(at, at, at, node.end_mark.index)
        self.data = _walk_mapping(node, (), self.spans, 0)
        return self.data


def _kind(node: Node) -> str:
    return "a list" if isinstance(node, SequenceNode) else "text"


def _compose(fm: str) -> Node | None:
    try:
        loader: Any = _Loader(fm)
        try:
            node: Node | None = loader.get_single_node()
            return node
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _Unreadable("RV004", mark.index if mark else 0, problem=_reason(error)) from None
    except yaml.reader.ReaderError as error:
        raise _Unreadable(
            "RV004", error.position, problem=f"character U+{_ordinal(error):04X} is not allowed"
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _Unreadable("RV004", 0, problem=str(error).splitlines()[0][:120]) from None


def _ordinal(error: yaml.reader.ReaderError) -> int:
    return error.character if isinstance(error.character, int) else ord(error.character)


def _reason(error: yaml.MarkedYAMLError) -> str:
    parts = [part for part in (error.context, error.problem) if part]
    return ", ".join(parts)


def _refuse_markup(fm: str) -> None:
    """Refuse anchors, aliases and tags before any walk: shared nodes would make an alias bomb expand."""
    loader: Any = _Loader(fm)
    try:
        while loader.check_event():
            event = loader.get_event()
            at = event.start_mark.index
            if isinstance(event, yaml.AliasEvent):
                raise _Unreadable("RV006", at, found=f"alias *{event.anchor}")
            if getattr(event, "anchor", None):
                raise _Unreadable("RV006", at, found=f"anchor &{event.anchor}")
            if getattr(event, "tag", None):
                raise _Unreadable("RV008", at, tag=event.tag)
    except yaml.YAMLError:
        return  # the composer meets the same error and reports it with its position
    finally:
        loader.dispose()


def _walk(node: Node, route: Route, spans: dict[Route, Span] | None, depth: int) -> Any:
    if isinstance(node, ScalarNode):
        return node.value if node.style else Plain(node.value)
    if depth > MAX_DEPTH:
        raise _Unreadable("RV013", node.start_mark.index, depth=MAX_DEPTH)
    if isinstance(node, MappingNode):
        return _walk_mapping(node, route, spans, depth)
    out = []
    for index, item in enumerate(node.value):
        step = (*route, index)
        if spans is not None:
            at = item.start_mark.index
            spans[step] = Span(at, at, at, item.end_mark.index)
        out.append(_walk(item, step, spans, depth + 1))
    return out


def _walk_mapping(node: MappingNode, route: Route, spans: dict[Route, Span] | None, depth: int) -> dict[str, Any]:
    out: dict[str, Any] = {}
    step = route
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            raise _Unreadable("RV010", key.start_mark.index)
        name = key.value
        if name in out:
            raise _Unreadable("RV005", key.start_mark.index, key=name)
        if name == "<<" and not key.style:
            raise _Unreadable("RV007", key.start_mark.index)
        if spans is not None:
            step = (*route, name)
            spans[step] = Span(key.start_mark.index, key.end_mark.index, value.start_mark.index, value.end_mark.index)
        if isinstance(value, ScalarNode):  # most are: no call for them
            out[name] = value.value if value.style else Plain(value.value)
        else:
            out[name] = _walk(value, step, spans, depth + 1)
    return out


def read(data: bytes) -> Document:
    """Read the bytes of a record; never raises on content.

    Returns a Document whose `data` is None, with the reason in `problems`, for every case of registry.md 5.6.
    """
    document, _ = _read(data, None)
    return document


def read_yaml(data: bytes) -> tuple[Any, Problem | None]:
    """Read a YAML file raw, under the same restrictions as a front matter; an empty file is None."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None, Problem("RV001")
    try:
        if text.startswith("%") or "\n%" in text:
            return None, Problem("RV004", params={"problem": _DIRECTIVE})
        if any(sign in text for sign in "&*!") and _MARKUP.search(text):
            _refuse_markup(text)
        node = _compose(text)
        return (None if node is None else _walk(node, (), None, 0)), None
    except _Unreadable as failure:
        return None, Problem(failure.code, *position(text, failure.offset), failure.params)


def locate(data: bytes) -> tuple[Document, dict[Route, Span]]:
    """Read a record and the spans of all its keys and values, in code points of `Document.text`.

    The span of `()` is the whole front matter's. That of a block scalar or a block collection runs on to the next
    token, and that of an empty value may stand there (`marks.Marks.end` knows their own ends).
    """
    spans: dict[Route, Span] = {}
    document, handler = _read(data, spans)
    if handler is None:
        return document, {}
    at = handler.yaml_at
    return document, {
        route: Span(s.key_start + at, s.key_end + at, s.start + at, s.end + at) for route, s in spans.items()
    }


def _read(data: bytes, spans: dict[Route, Span] | None) -> tuple[Document, BugHandler | None]:
    if len(data) > MAX_BYTES:
        return Document("", None, problems=(Problem("RV011", params={"size": len(data)}),)), None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8")
        line, column = position(good, len(good))
        problem = Problem("RV001", line, column, {"byte": f"0x{data[error.start]:02x}"})
        return Document(data.decode("utf-8", "replace"), None, problems=(problem,)), None
    bom = text.startswith("\ufeff")
    if bom:
        text = text[1:]
    blemishes: tuple[Problem, ...] = (Problem("RV020"),) if bom else ()
    handler = BugHandler(text, spans)
    try:
        frontmatter.parse("", handler=handler)  # the handler has the text; a second one would be stripped and copied
    except _Unreadable as failure:
        at = handler.yaml_at + failure.offset if failure.offset >= 0 else 0
        problem = Problem(failure.code, *position(text, at), failure.params)
        return Document(text, None, bom=bom, problems=(*blemishes, problem)), None
    clash = _conflict_in_body(text, handler.body_at)
    if clash is not None:
        problem = Problem("RV012", *position(text, clash), {})
        return Document(text, None, bom=bom, problems=(*blemishes, problem)), None
    document = Document(text, handler.data, handler.yaml_at, handler.yaml_end, handler.body_at, bom, blemishes)
    return document, handler


def _conflict_in_body(text: str, body_at: int) -> int | None:
    """Give the offset of the first of the three markers that stand in order outside code fences, or None."""
    if text.find("\n<<<<<<< ", body_at - 1) < 0:
        return None
    wanted, first = ["<<<<<<< ", "=======", ">>>>>>> "], 0
    for line in body_lines(text[body_at:]):
        hit = line.text == wanted[0] if wanted[0] == "=======" else line.text.startswith(wanted[0])
        if not hit or line.kind == "code":
            continue
        first = first or body_at + line.start
        wanted.pop(0)
        if not wanted:
            return first
    return None


def position(text: str, offset: int) -> tuple[int, int]:
    """Give the line and column, from 1 and in code points, of an offset; only LF ends a line."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1
