"""What stands beside the bugs: the README's settings and the taxonomy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reversa.core.bug import Oddity, text_at
from reversa.core.document import filled, simple
from reversa.core.fields import CONTROL_MODES
from reversa.core.taxonomy import Taxonomy, from_data
from reversa.store import frontmatter
from reversa.store.raw import MAX_BYTES
from reversa.store.tree import Tree

_SETTING = r"^[ \t>*_-]*(`?){name}`?[*_]{{0,2}}[ \t]*:[ \t]*(.+)$"
_YAML_BLOCK = re.compile(r"^```ya?ml[ \t]*\r?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_UNREADABLE = {"control_mode": "unreadable"}
"""What an unreadable README sets: a mode that is none, which lets nobody but people decide."""


def read_settings(tree: Tree) -> dict[str, str]:
    """Read closure_policy, control_mode and language out of the README: its YAML blocks first, then anywhere."""
    try:
        data = tree.read("README.md")
    except FileNotFoundError:
        return {}
    except OSError:
        return dict(_UNREADABLE)
    if len(data) > MAX_BYTES:
        return dict(_UNREADABLE)
    text = data.decode("utf-8", "replace")
    out = {}
    for name in ("closure_policy", "control_mode", "language"):
        value = next((value for value in _said(name, text) if value and "{{" not in value), "")
        if name == "control_mode":
            word = re.split(r"[^a-z]", value.lower(), maxsplit=1)[0]
            value = word if word in CONTROL_MODES else value
        if value:
            out[name] = value
    return out


def _said(name: str, text: str) -> Iterator[str]:
    """Yield what a README sets a name to: in YAML blocks first, then in lines `name: value` of any make-up."""
    for match in _YAML_BLOCK.finditer(text):
        block, _ = frontmatter.read_yaml(match[1].encode())
        if isinstance(block, dict):
            value = block.get(name)
            yield text_at(block, name) or (str(simple(value)) if filled(value) else "")
        else:
            yield from _in_prose(name, match[1])
    yield from _in_prose(name, _YAML_BLOCK.sub("", text))


def _in_prose(name: str, text: str) -> Iterator[str]:
    for match in re.finditer(_SETTING.format(name=name), text, re.MULTILINE):
        found = match[2].strip().lstrip("*_").strip()
        quote = match[1] or (found[:1] if found[:1] in ("`", '"', "'") else "")
        if quote:
            yield found.removeprefix(quote).partition(quote)[0].strip()
        else:
            yield re.split(r"\s+#", found)[0].strip().strip("*").strip()


def read_taxonomy(tree: Tree) -> tuple[Taxonomy, list[Oddity]]:
    """Read `taxonomy.yaml`; an unreadable one is reported and nothing is checked against it."""
    try:
        data = tree.read("taxonomy.yaml")
    except FileNotFoundError:
        return Taxonomy(), []
    except OSError as error:
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": error.strerror or str(error)})]
    return taxonomy_from(data)


def taxonomy_from(data: bytes) -> tuple[Taxonomy, list[Oddity]]:
    """Read the bytes of a `taxonomy.yaml`."""
    if len(data) > MAX_BYTES:
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": "it has more than 4 MiB"})]
    value, problem = frontmatter.read_yaml(data)
    if problem is not None:
        reason = problem.params.get("problem") or "it is not plain UTF-8 YAML without anchors and duplicate keys"
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": reason}, problem.line)]
    if not isinstance(value, dict):
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": "it is not a mapping"})] if filled(
            value
        ) else []
    taxonomy = from_data(value)
    text = data.decode("utf-8", "replace")
    return taxonomy, [Oddity("RV027", "taxonomy.yaml", {"key": key}, _line_of(key, text)) for key in taxonomy.plurals]


def taxonomy_of(data: bytes) -> Taxonomy:
    """Give the taxonomy that a file with these bytes would be; one that cannot be read is none."""
    value, _ = frontmatter.read_yaml(data)
    return from_data(value)


def _line_of(key: str, text: str) -> int:
    """Give the line, from 1, on which a top-level key stands."""
    found = re.search(rf"^[\"']?{re.escape(key)}[\"']?[ \t]*:", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
