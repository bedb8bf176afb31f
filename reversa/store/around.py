"""Answers about the files around the registry, each folder and file looked at once."""

from __future__ import annotations

import html
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from reversa.core.body import headings, lines
from reversa.core.bug import Around
from reversa.store.frontmatter import read

_ANCHOR = re.compile(
    r"<[a-z][a-z0-9]*\s(?:[^<>]{0,300}?\s)?(?:id|name)\s*=\s*(?:\"([^\"<>]+)\"|'([^'<>]+)'|([^\s\"'<>]+))"
    r"|\{#([\w.-]+)\}",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<fence>`+)(?!`)(?P<code>.{1,300}?)(?<!`)(?P=fence)(?!`)"
    r"|!\[[^\[\]]{0,300}\]\([^()]{0,500}\)"  # an image has no text
    r"|\]\([^()]{0,500}(?:\([^()]{0,300}\)[^()]{0,300})?\)"  # the target of a link, whose text stays
    r"|<(?P<address>(?:https?|mailto):[^<>\s]{1,300})>"
    r"|</?[a-z][^<>]{0,500}>|<!--.{0,500}?-->",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])(.{0,300}?[^\s_])\1(?!\w)")
_KEPT = ("L", "M", "Nd", "Nl", "Pc")
_LITERAL = str.maketrans("_&", "\ue000\ue001")
_BACK = str.maketrans("\ue000\ue001", "_&")
_LIMIT = 4 * 1024 * 1024
_LONGEST_HEADING = 2000


class Project:
    """The files under the project root; a path that leaves it, be it through a link, does not exist."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._base = os.path.realpath(root)
        self._folders: dict[str, frozenset[str]] = {}
        self._links: dict[str, bool] = {}
        self._anchors: dict[str, frozenset[str] | None] = {}
        self._lines: dict[str, int | None] = {}

    def exists(self, path: str) -> bool:
        path = normal(path)
        folder, _, name = path.rpartition("/")
        return path == "." or (bool(path) and name in self._listed(folder))

    def is_folder(self, path: str) -> bool:
        return self.exists(path) and os.path.isdir(f"{self._base}/{normal(path)}")

    def _listed(self, folder: str) -> frozenset[str]:
        known = self._folders.get(folder)
        if known is None:
            try:
                known = frozenset(self._list(folder))
            except (OSError, ValueError):
                known = frozenset()
            self._folders[folder] = known
        return known

    def _list(self, folder: str) -> Iterator[str]:
        path = f"{self._base}/{folder}"
        if not self._behind_link(folder) or self._inside(path):
            with os.scandir(path) as entries:
                for entry in entries:
                    if not entry.is_symlink() or (self._inside(entry.path) and os.path.exists(entry.path)):
                        yield entry.name

    def _behind_link(self, folder: str) -> bool:
        """Whether a link lies on the way to a folder; one look a folder, where a real path takes one a component."""
        path = self._base
        for part in folder.split("/") if folder else ():
            path = f"{path}/{part}"
            if path not in self._links:
                self._links[path] = os.path.islink(path)
            if self._links[path]:
                return True
        return False

    def _inside(self, path: str) -> bool:
        real = os.path.realpath(path)
        return real == self._base or real.startswith(self._base.rstrip("/") + "/")

    def anchors(self, path: str) -> frozenset[str] | None:
        if path not in self._anchors:
            text = self._text(path)
            self._anchors[path] = None if text is None else heading_anchors(text)
        return self._anchors[path]

    def lines(self, path: str) -> int | None:
        if path not in self._lines:
            text = self._text(path)
            self._lines[path] = None if text is None else text.count("\n") + (text[-1:] not in ("", "\n"))
        return self._lines[path]

    def _text(self, path: str) -> str | None:
        if not self.exists(path):
            return None
        file = Path(self._base, normal(path))
        try:
            if not file.is_file() or file.stat().st_size > _LIMIT:
                return None
            return file.read_bytes().decode("utf-8", "replace")
        except OSError:
            return None


class Expected:
    """What is around a registry together with files that are about to be written there, by their paths."""

    def __init__(self, around: Around, paths: Iterable[str]) -> None:
        self._around = around
        self._paths = frozenset(paths)

    def exists(self, path: str) -> bool:
        return normal(path) in self._paths or self._around.exists(path)

    def is_folder(self, path: str) -> bool:
        return self._around.is_folder(path)

    def anchors(self, path: str) -> frozenset[str] | None:
        return self._around.anchors(path)

    def lines(self, path: str) -> int | None:
        return self._around.lines(path)


def normal(path: str) -> str:
    """Give a relative path without `.`, `..` and a final slash; "" for one that leads out or cannot exist."""
    if not path or "\0" in path or path.startswith("/"):
        return ""
    path = os.path.normpath(path)
    return "" if path == ".." or path.startswith("../") else path


def heading_anchors(text: str) -> frozenset[str]:
    """Give the anchors of a Markdown text as GitHub makes them, and those set by hand.

    Headings count in both styles, `# Title` and underlined, outside fences and comments; repeated ones get -1, -2 ….
    Those behind `>` or behind a list item's sign are left out, though GitHub gives them an anchor: no spec uses them.
    """
    document = read(text.encode("utf-8", "replace"))
    text = document.body if document.data is not None else text.removeprefix("\ufeff")
    seen: dict[str, int] = {}
    out: set[str] = set()
    for line in lines(text):
        if line.kind == "prose":
            out.update(name for found in _ANCHOR.findall(line.text) for name in found if name)
    for heading in headings(text):
        slug = github_slug(_ANCHOR.sub("", heading.title[:_LONGEST_HEADING]).strip(" \t"))
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        out.add(f"{slug}-{count}" if count else slug)
    return frozenset(out - {""})


def github_slug(heading: str) -> str:
    """Make the anchor of a heading by GitHub's rule: its text in lower case, word characters kept, spaces to hyphens.

    Only what the heading shows counts: the text of links and code, no tags, no images, no signs of emphasis.
    """
    out, at = "", 0
    for match in _INLINE.finditer(heading):
        literal = match["escaped"] or match["code"] or match["address"] or ""
        out += heading[at : match.start()] + literal.translate(_LITERAL)
        at = match.end()
    out = html.unescape(_EMPHASIS.sub(r"\2", out + heading[at:])).translate(_BACK).lower()
    return "".join("-" if c == " " else c for c in out if c in " -" or unicodedata.category(c).startswith(_KEPT))
