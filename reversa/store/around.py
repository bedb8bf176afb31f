"""Answers about the files around the registry, each folder and file looked at once."""

from __future__ import annotations

import os
import re
from pathlib import Path

from reversa.store.frontmatter import read

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_ANCHOR = re.compile(r"<a\s+(?:id|name)=[\"']([^\"']+)[\"']|\{#([\w.-]+)\}")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|<[^>]+>")
_LIMIT = 4 * 1024 * 1024


class Project:
    """The files under the project root; a path that leaves it does not exist."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, frozenset[str]] = {}
        self._anchors: dict[str, frozenset[str] | None] = {}
        self._lines: dict[str, int | None] = {}

    def exists(self, path: str) -> bool:
        path = path.rstrip("/")
        if not path or "\0" in path or path.startswith("/"):
            return False
        path = os.path.normpath(path)
        if path == ".." or path.startswith("../"):
            return False
        folder, _, name = path.rpartition("/")
        return path == "." or name in self._listed(folder)

    def _listed(self, folder: str) -> frozenset[str]:
        known = self._folders.get(folder)
        if known is None:
            try:
                known = frozenset(os.listdir(self.root / folder))
            except (OSError, ValueError):
                known = frozenset()
            self._folders[folder] = known
        return known

    def anchors(self, path: str) -> frozenset[str] | None:
        if path not in self._anchors:
            text = self._text(path)
            self._anchors[path] = None if text is None else heading_anchors(text)
        return self._anchors[path]

    def lines(self, path: str) -> int | None:
        if path not in self._lines:
            text = self._text(path)
            self._lines[path] = None if text is None else text.count("\n") + (not text.endswith("\n"))
        return self._lines[path]

    def _text(self, path: str) -> str | None:
        if not self.exists(path):
            return None
        file = self.root / path
        try:
            if not file.is_file() or file.stat().st_size > _LIMIT:
                return None
            return file.read_bytes().decode("utf-8", "replace")
        except OSError:
            return None


def heading_anchors(text: str) -> frozenset[str]:
    """Give the anchors of a Markdown text as GitHub makes them, and those set by hand."""
    body = read(text.encode("utf-8", "replace"))
    text = body.body if body.data is not None else text
    seen: dict[str, int] = {}
    out: set[str] = set()
    fence = ""
    for line in text.split("\n"):
        line = line.rstrip("\r")
        opening = _FENCE.match(line)
        if opening:
            if not fence:
                fence = opening[1]
            elif opening[1].startswith(fence):
                fence = ""
            continue
        if fence:
            continue
        out.update(name for pair in _ANCHOR.findall(line) for name in pair if name)
        heading = _HEADING.match(line)
        if heading:
            slug = github_slug(_ANCHOR.sub("", heading[1]))
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            out.add(f"{slug}-{count}" if count else slug)
    return frozenset(out)


def github_slug(heading: str) -> str:
    """Make the anchor of a heading by GitHub's rule: lower case, word characters kept, spaces to hyphens."""
    plain = _MARKUP.sub(lambda match: match[1] or "", heading).strip().lower()
    return "".join("-" if c == " " else c for c in plain if c.isalnum() or c in " -_" or _is_mark(c))


def _is_mark(character: str) -> bool:
    import unicodedata

    return unicodedata.category(character) in ("Mn", "Mc", "Pc")
