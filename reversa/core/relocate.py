"""What a move of files does to the links in their texts: every link still leads where it led."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from reversa.core.body import lines
from reversa.core.document import Route, simple
from reversa.core.edit import Edit

_MARKDOWN = re.compile(
    r"\]\(\s*(?P<inline><[^<>\n]*>|[^()\s<][^()\s]*(?:\([^()\s]*\)[^()\s]*)*)"
    r"|^ {0,3}\[[^\]\n]+\]:[ \t]*(?P<defined>\S+)",
    re.MULTILINE,
)
_HTML = re.compile(r"\b(?:href|src)=(?P<quote>[\"'])(?P<inline>[^\"'\n]*)(?P=quote)(?P<defined>)", re.IGNORECASE)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[#/?]|\Z")


@dataclass(frozen=True)
class Moves:
    """Files and folders by their old and new paths from the project root, with `/`; none lies inside another."""

    pairs: Mapping[str, str]

    def __call__(self, path: str) -> str:
        """Give where a path is after the moves."""
        for old, new in self.pairs.items():
            if path == old or path.startswith(f"{old}/"):
                return new + path[len(old) :]
        return path


def relink(text: str, path: str, moves: Moves, exists: Callable[[str], bool], *, html: bool = False) -> str:
    """Mend the relative links of a text whose file has the old path `path`; what leads nowhere and code stay."""
    out, at = [], 0
    for start, end in sorted(_links(text, html)):
        target = _mended(text[start:end], path, moves, exists) if start >= at else ""
        if target:
            out += [text[at:start], target]
            at = end
    return "".join([*out, text[at:]])


def _links(text: str, html: bool) -> Iterator[tuple[int, int]]:
    code = [] if html else [(line.start, line.end) for line in lines(text) if line.kind == "code"]
    blank = list(text)
    for start, end in code:
        blank[start:end] = " " * (end - start)
    for pattern in (_HTML,) if html else (_MARKDOWN, _HTML):
        for match in pattern.finditer("".join(blank)):
            start, end = match.span("inline" if match["inline"] else "defined")
            bare = text[start : start + 1] != "<"
            yield (start, end) if bare else (start + 1, end - 1)


def _mended(link: str, path: str, moves: Moves, exists: Callable[[str], bool]) -> str:
    """Give what a link has to say after the moves, "" where it may stay."""
    if _ELSEWHERE.match(link):
        return ""
    name = re.split(r"[#?]", link, maxsplit=1)[0]
    plain = unquote(name)
    old = posixpath.normpath(posixpath.join(posixpath.dirname(path), plain))
    home, new = posixpath.dirname(moves(path)), moves(old)
    if posixpath.normpath(posixpath.join(home, plain)) == new or not exists(old):
        return ""
    there = posixpath.relpath(new, home) + ("/" if plain.endswith("/") else "")
    return (there if plain == name else quote(there)) + link[len(name) :]


def refer(data: Any, moves: Moves, route: Route = ()) -> Iterator[Edit]:
    """Yield the edits of front matter whose texts begin with the path of something that moves."""
    value = simple(data) if not route else data
    if isinstance(value, dict | list):
        for step, held in value.items() if isinstance(value, dict) else enumerate(value):
            yield from refer(held, moves, (*route, step))
    elif isinstance(value, str):
        path = re.split(r"[#:\s]", value, maxsplit=1)[0]
        if moves(path) != path:
            yield Edit("set", route, moves(path) + value[len(path) :])
