"""What a Traceability section claims in its lists and tables, held against the YAML that it mirrors.

The section is written by people and agents in any language, so the comparison errs on the side of silence: prose is
never read, a shortened path is a path, and a label that nobody knows makes no claim about code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reversa.core.bug import Bug, Registry
from reversa.core.document import get
from reversa.core.fields import INVERSES, RELATION_STATES
from reversa.core.finding import Hit
from reversa.core.rules.engine import once
from reversa.core.rules.locators import is_pattern, parse
from reversa.core.rules.outline import line_at, section_of

_ITEM = re.compile(r"([ \t]*)(?:[-*+]|[0-9]{1,3}[.)])[ \t]+(.*)$")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_EDGE = re.compile(r"(?:([a-z-]+)[ \t]+)?(BUG-\d{8}-[0-9A-Za-z]{4})(?:[ \t]+\(([a-z]+)\))?[.;]?\Z")
_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)+\Z")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_OWN_FOLDER = ("evidence/", "fix/", "debate/")
LONGEST_LABEL = 60
MOST_CLAIMS = 500
"""How many claims of one section are looked for in the YAML: each takes a search through all of it."""

_MIRRORED = ("specs", "affected_code", "reproduction_tests", "regression_tests")
_CODE_LABEL = re.compile(
    r"\b(?:(?:affected |root )?(?:code|source)|(?:código|codigo)(?: (?:afetado|afectado))?"
    r"|(?:(?:reproduction|regression) )?tests?|testes?(?: de \w+)?|pruebas?(?: de \w+)?)\Z",
    re.IGNORECASE,
)
"""Labels under which a path is meant to be in the YAML, in the languages that views are written in."""


def contradictions(bug: Bug, registry: Registry) -> Iterator[Hit]:
    """Yield a hit for every claim of the Traceability section that the YAML does not bear out."""
    if "## Traceability" not in bug.body:
        return
    begin, text = section_of(bug, "Traceability")
    first_line, mirrored, everything = line_at(bug, begin), _mirrored(bug), ""
    searches = 0
    for number, label, whole, tokens in _lines(text):
        problems = [(whole, _edge_problem(bug, registry, label, whole))]
        for token in tokens:
            claim = "" if token in mirrored or "." not in token else _claim(label, token, registry)
            if claim and searches < MOST_CLAIMS:
                searches += 1
                everything = everything or _texts(bug)
                problems.append((token, "" if claim in everything else "is not in the YAML"))
        for value, problem in problems:
            if problem:
                yield Hit(params={"value": value, "problem": problem}, line=first_line + number)


def _mirrored(bug: Bug) -> set[str]:
    """Give the locators and tests of the YAML; most of a mirror is found among them at once."""
    lists = (get(bug.data, "traceability", name) for name in _MIRRORED)
    return {text for texts in lists if isinstance(texts, list) for text in texts if isinstance(text, str)}


def _lines(text: str) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield the cells of table rows and list items: line, label, their text without backticks, what is in backticks.

    An item that is only a label hands it down to the items that are indented further.
    """
    fenced, heirs = False, [(-1, "")]
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        item = None if fenced else _ITEM.match(line)
        if item:
            indent = len(item[1].expandtabs(4))
            while heirs[-1][0] >= indent:
                heirs.pop()
            label, content = _split_label(item[2])
            name = label or heirs[-1][1]
            if label and not content:
                heirs.append((indent, label))
            yield number, name, content.replace("`", "").strip(), _CODE.findall(content)
        elif not fenced and line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            label_cell = cells[0].strip("*_ ")[:LONGEST_LABEL]
            for cell in cells[1:]:
                yield number, label_cell, cell.replace("`", "").strip(), _CODE.findall(cell) or [cell]


def _split_label(text: str) -> tuple[str, str]:
    """Split `**Label**: content`; an item without a label is all content."""
    head, colon, content = text.partition(":")
    label = head.strip("*_ \t")
    if not colon or not label or len(label) > LONGEST_LABEL or "`" in label:
        return "", text.strip()
    return label, content.strip("*_ \t")


def _edge_problem(bug: Bug, registry: Registry, label: str, text: str) -> str:
    """Say what is wrong with a cell or item that consists of an ID, perhaps with a type before and a state behind."""
    match = _EDGE.match(text) if "BUG-" in text else None
    if not match:
        return ""
    type_, target, state = match[1] or label.casefold(), match[2].upper(), match[3] or ""
    mine = [relation for relation in bug.relations if relation.target == target]
    if type_ in INVERSES:
        mine = [relation for relation in mine if relation.type == type_]
        if mine and state in RELATION_STATES and state not in [relation.state for relation in mine]:
            return f"is {mine[0].state or 'without a state'} in the YAML"
        if not mine and INVERSES[type_] != type_:
            return f"is no {type_} in the YAML"
    about = mine or target == bug.key or any(blocker.target == target for blocker in bug.blockers)
    return "" if about or (target, bug.key) in _named(registry) else "is not in the YAML"


@once
def _named(registry: Registry) -> frozenset[tuple[str, str]]:
    """Give who names whom: a mirror may list the derived inverses of edges that other bugs declare."""
    pairs = {(bug.key, relation.target) for bug in registry.bugs for relation in bug.relations}
    return frozenset(pairs | {(bug.key, blocker.target) for bug in registry.bugs for blocker in bug.blockers})


def _claim(label: str, token: str, registry: Registry) -> str:
    """Give what a token says must be in the YAML, or "" where it is no locator or no claim."""
    locator = parse(token)
    if locator is None or is_pattern(locator.path) or locator.path.startswith(_OWN_FOLDER):
        return ""
    path = " ".join(locator.path.split())
    if not _EXTENSION.search(path) or " " in path:
        return ""
    if locator.test:
        return f"{path}::{' '.join(locator.test.split())}"
    if locator.anchor and path.endswith(".md"):
        return f"{path}#{locator.anchor}"
    if path.startswith(f"{registry.spec_folder}/"):
        return path
    return path if _PATH.match(path) and (not label or _CODE_LABEL.search(label)) else ""


def _texts(bug: Bug) -> str:
    """Give all texts of the front matter, white space made one blank: a claim must occur somewhere in it."""
    out: list[str] = []
    rest: list[Any] = [bug.data]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)
        else:
            out.append(" ".join(str(value).split()))
    return "\n".join(out)
