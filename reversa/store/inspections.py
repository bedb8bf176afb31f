"""Reads the findings of an inspection report and writes back which bug each became; every other byte stays.

A report is Markdown; its findings are lists of mappings with `finding_id` in fenced blocks of YAML, mostly one for each
lens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reversa.core.body import lines
from reversa.core.edit import Edit
from reversa.core.inspection import Finding, finding
from reversa.errors import UsageError
from reversa.store import frontmatter
from reversa.store.edit import splice

_KEY = "findings:"
_LANGUAGES = ("", "yaml", "yml")


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences: `text[start:end]`, whose first line is `line`, read as a list."""

    start: int
    end: int
    line: int
    raw: list[Any]


def read(data: bytes, source: str) -> tuple[list[Block], list[Finding]]:
    """Give the blocks of findings and the findings; raises UsageError, naming the line, for what cannot be read."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source} is not UTF-8 (byte {error.start}).") from None
    blocks = list(_blocks(text, source))
    found = []
    for number, block in enumerate(blocks):
        for index, raw in enumerate(block.raw):
            line = block.line + _line_of(text[block.start : block.end], index)
            found.append(finding(raw, number, index, line))
    _refuse_unusable(found, source)
    return blocks, found


def promoted(data: bytes, blocks: Sequence[Block], bugs: Mapping[tuple[int, int], str]) -> bytes:
    """Write the IDs of bugs into findings, named by block and index, as `promoted_to`; raises Refused."""
    text = data.decode("utf-8")
    for number, block in reversed(list(enumerate(blocks))):  # from the end, so that the offsets before it hold
        edits = [
            Edit("set", ("findings", index, "promoted_to"), bug) for (at, index), bug in bugs.items() if at == number
        ]
        if edits:
            inner = text[block.start : block.end]
            edited = _unframed(splice(_framed(inner).encode(), edits).decode(), _newline(inner))
            text = text[: block.start] + edited + text[block.end :]
    return text.encode()


def _blocks(text: str, source: str) -> Iterator[Block]:
    for start, end, line in _fenced(text):
        inner = text[start:end]
        if "finding_id" not in inner:
            continue
        raw, problem = frontmatter.read_yaml(inner.encode())
        if problem is not None:
            raise UsageError(
                f"{source}:{line + problem.line - 1}:{problem.column} cannot be read as a list of findings"
                f" ({problem.params.get('problem') or problem.code}).",
            )
        if isinstance(raw, list) and any(isinstance(item, dict) and "finding_id" in item for item in raw):
            yield Block(start, end, line, raw)


def _fenced(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield what stands between fences of YAML: where it begins and ends, and its first line."""
    fence, begin = "", (0, 0)
    for number, line in enumerate(lines(text), 1):
        bare = line.text.strip()
        if line.kind != "code":
            fence = ""
        elif not fence:
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            is_yaml = bare[len(fence) :].strip().lower() in _LANGUAGES
            begin = (line.end, number + 1) if is_yaml else (-1, 0)
        elif bare.startswith(fence) and not bare.strip(fence[0]):
            fence = ""
            if begin[0] >= 0:
                yield begin[0], line.start, begin[1]


def _line_of(block: str, index: int) -> int:
    """Give the line in a block on which an entry begins, counted from 0."""
    framed = _framed(block)
    _, spans = frontmatter.locate(framed.encode())
    span = spans.get(("findings", index))
    return framed.count("\n", 0, span.start) - 2 if span else 0


def _framed(block: str) -> str:
    """Give a list as the one key of a front matter, which `splice` can edit: two lines before it, one behind it."""
    newline = _newline(block)
    return f"---{newline}{_KEY}{newline}{block}---{newline}"


def _unframed(framed: str, newline: str) -> str:
    return framed.removeprefix(f"---{newline}{_KEY}{newline}").removesuffix(f"---{newline}")


def _newline(text: str) -> str:
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _refuse_unusable(found: Sequence[Finding], source: str) -> None:
    seen: dict[str, int] = {}
    for each in found:
        where = f"{source}:{each.line}"
        if not each.id:
            raise UsageError(f"{where}: the finding has no finding_id.", "Every entry of the list needs one.")
        if each.id in seen:
            raise UsageError(f"{where}: finding {each.id} stands on line {seen[each.id]} already.")
        if not each.summary:
            raise UsageError(f"{where}: finding {each.id} has no summary, which would be the bug's title.")
        seen[each.id] = each.line
