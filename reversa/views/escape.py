"""How free text is made harmless for each place where a view puts it. HTML is escaped by Jinja after `plain`."""

from __future__ import annotations

import re
from urllib.parse import quote

_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421", 0x09: " "}
_REPLACED = (*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000))
_VISIBLE = {**_PICTURES, **dict.fromkeys(_REPLACED, "\ufffd")}
_MARKDOWN = re.compile(r"[\\`*\[\]<|~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_MERMAID = re.compile(r"[\"#&<>`\\%{}|;]")
_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """Give text on one line without anything invisible that acts: control characters show as pictures.

    Line breaks become a space; escape sequences of terminals lose their escape, and overrides of the writing
    direction, which can make a text read as another, show as a replacement sign.
    """
    return _BREAKS.sub(" ", text).translate(_VISIBLE)


def markdown(text: str) -> str:
    """Give text that Markdown shows verbatim within a line, a link's text or the cell of a table."""
    return _MARKDOWN.sub(lambda match: "&amp;" if match[0] == "&" else "\\" + match[0], plain(text)).strip()


def code(text: str) -> str:
    """Give text as Markdown code, which needs no escaping; text that would break out of it is escaped instead."""
    shown = plain(text).strip()
    return f"`{shown}`" if shown and not set(shown) & {"`", "|"} else markdown(text)


def mermaid(text: str, limit: int = 0) -> str:
    """Give text for a quoted label of a mermaid diagram, cut to `limit` characters."""
    return _MERMAID.sub(_entity, cut(plain(text).strip(), limit))


def _entity(match: re.Match[str]) -> str:
    return "#quot;" if match[0] == '"' else f"#{ord(match[0])};"


def json_line(line: str) -> str:
    """Give a line of JSON in which nothing is raw that a terminal, an editor or `splitlines` would act upon."""
    return _JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def href(path: str) -> str:
    """Give a relative path as a link target, safe in Markdown and in an attribute."""
    return quote(path, safe="/", errors="surrogateescape")


def cut(text: str, limit: int) -> str:
    """Give at most `limit` characters, the last an ellipsis where something is left out; 0 leaves nothing out."""
    return text if not limit or len(text) <= limit else text[: limit - 1].rstrip() + "…"
