"""Locators in the forms that records use, and whether what they name is there (registry.md 3).

`path#anchor`, `path:88`, `path:88-99`, `path#L80-L90`, `path#symbol`, `path::test`, each perhaps with prose behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reversa.core.bug import Registry
from reversa.core.rules.engine import once

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_PROSE = re.compile(r" (?:[(\[—–]|- )|[,;] ")
_LINES = re.compile(r"[0-9][0-9 ,:-]*\Z")
_LINE_ANCHOR = re.compile(r"L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?\Z")
_PATTERN = re.compile(r"[*?{}<>…]|\.\.\.|\.\.[^/]")
_MARKDOWN = (".md", ".markdown", ".mdx")


@dataclass(frozen=True, slots=True)
class Locator:
    """A place in a file: `anchor` is a heading or a symbol, `line` the last line that is named, `test` a test."""

    path: str
    anchor: str = ""
    line: int = 0
    test: str = ""


def parse(text: str) -> Locator | None:
    """Take a locator apart; None for an address on the web, which is never checked."""
    text = " ".join(text.strip("` \t\r\n").split())
    if _URL.match(text):
        return None
    path, mark, test = text.partition("::")
    prose = _PROSE.search(path)
    path = path[: prose.start()] if prose else path
    if mark:
        return Locator(path, test=test)
    path, _, anchor = path.partition("#")
    in_anchor = _LINE_ANCHOR.match(anchor)
    if in_anchor:
        return Locator(path, line=max(int(number) for number in in_anchor.groups() if number))
    before, _, lines = path.partition(":")
    if not anchor and _LINES.match(lines):
        return Locator(before, line=max(int(number[:9]) for number in re.findall(r"[0-9]+", lines)))
    return Locator(path, anchor)


def is_pattern(path: str) -> bool:
    """Whether a path stands for several files, such as `evidence/*.log`."""
    return _PATTERN.search(path) is not None


def trouble(text: str, registry: Registry) -> str:
    """Say why a locator does not resolve from the project root; "" when it does, or cannot be checked."""
    known = _known(registry)
    if text not in known:
        known[text] = _trouble(text, registry)
    return known[text]


@once
def _known(registry: Registry) -> dict[str, str]:
    """Many bugs point at the same places; each is looked at once."""
    return {}


def _trouble(text: str, registry: Registry) -> str:
    locator = parse(text)
    if locator is None:
        return ""
    around, path = registry.around, locator.path.strip()
    if not around.exists(path):
        first = path.split(maxsplit=1)[0] if path else ""
        if first == path or not around.exists(first):
            return f"there is no {path}" if path else "it names no file"
        path = first
    if locator.anchor and path.lower().endswith(_MARKDOWN):
        from urllib.parse import unquote

        anchors = around.anchors(path)
        wanted = {locator.anchor, unquote(locator.anchor), unquote(locator.anchor).lower()}
        if anchors is not None and not wanted & anchors:
            return f"{path} has no heading #{locator.anchor}"
    if locator.line:
        count = around.lines(path)
        if count is not None and locator.line > count:
            return f"{path} has {count} line{'' if count == 1 else 's'}"
    return ""
