"""New values as YAML that every reader takes for the same text: plain where that is safe, else quoted on one line."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from io import StringIO
from typing import Any

import yaml

from reversa.core.edit import Value
from reversa.core.fields import FRONT_MATTER, Field, Kind, lookup

_ALWAYS_QUOTED = re.compile(r"(?:.*_)?commit|merge|last_known_good|first_known_bad|rate")
"""Keys whose text may look like a number today or tomorrow: commits, and failures over attempts."""

_PRINTABLE = re.compile(r"[ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*")
_INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
_BLOCK_BREAKERS = re.compile(r": | #|:$|^\.\.\.")
_FLOW_BREAKERS = re.compile(r"[,\[\]{}:]| #|^\.\.\.")
_CORE_1_2 = re.compile(
    r"null|Null|NULL|~|true|True|TRUE|false|False|FALSE"
    r"|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
"""What the core schema of YAML 1.2 takes for something other than text."""

_WORDS_1_1 = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "=", "<<"})
"""Words of the YAML 1.1 specification in any case; PyYAML's resolver itself leaves out `y` and `n`."""

_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\x1b": "e",
    '"': '"', "\\": "\\", "\x85": "N", "\u2028": "L", "\u2029": "P",
}  # fmt: skip

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")

_OPENS_GROUP = frozenset(
    {"origin", "area", "visibility", "reproduction", "blocking", "relationships", "traceability", "spec_verdict"}
    | {"change_set", "closure"}
    | {field.name for field in FRONT_MATTER.fields if field.block}
)
"""Keys of a new record that stand after a blank line."""

_UNLIMITED = 1 << 30


class Unwritable(ValueError):
    """A text that no file can hold: half of a surrogate pair is in it."""


def scalar(text: str, *, flow: bool = False, always_quote: bool = False) -> str:
    """Write a text as a scalar: plain where YAML 1.1 and 1.2 both read back exactly it, else double-quoted on one line.

    Raises Unwritable for half a surrogate pair.
    """
    if not always_quote and _plain_safe(text, flow):
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """Write a text between double quotes on one line; raises Unwritable for half a surrogate pair."""
    if _PRINTABLE.fullmatch(text) and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return "\\" + _ESCAPES[sign]
    if _PRINTABLE.fullmatch(sign):
        return sign
    code = ord(sign)
    if 0xD800 <= code <= 0xDFFF:
        raise Unwritable(f"U+{code:04X} is half of a surrogate pair")
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}"


def _plain_safe(text: str, flow: bool) -> bool:
    if not text or text != text.strip() or text[0] in _INDICATORS or not _PRINTABLE.fullmatch(text):
        return False
    if (_FLOW_BREAKERS if flow else _BLOCK_BREAKERS).search(text):
        return False
    if text.lower() in _WORDS_1_1 or _CORE_1_2.fullmatch(text):
        return False
    tag: str = _resolver_1_1().resolve(yaml.ScalarNode, text, (True, False))
    return tag == "tag:yaml.org,2002:str"


@cache
def _resolver_1_1() -> Any:
    return yaml.resolver.Resolver()


def describe(route: tuple[str | int, ...]) -> Field:
    """Give the field of a route, or one that knows only the name of the key where the table has none."""
    name = next((step for step in reversed(route) if isinstance(step, str)), "")
    return lookup(route) or Field(name, Kind.ANY, "")


def value(value: Value, field: Field, indent: int = 0, flow: bool = False) -> str:
    """Write a value: a scalar, an empty collection and everything in flow style on one line, else a block.

    A block's lines, joined by LF and without a final one, all start at column `indent`.
    Raises Unwritable for half a surrogate pair.
    """
    if isinstance(value, str):
        return _text(value, field, flow)
    if isinstance(value, dict | list):
        if not value:
            return "{}" if isinstance(value, dict) else "[]"
        return _collection(value, field, indent, flow)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(str(value)) if _ALWAYS_QUOTED.fullmatch(field.name) else str(value)


def entry(key: str, content: Value, field: Field, indent: int = 0) -> str:
    """Write a key with its value in block style; the lines are joined by LF, without a final one."""
    head = " " * indent + scalar(key) + ":"
    text = value(content, field, indent + 2)
    return f"{head}\n{text}" if isinstance(content, dict | list) and content else f"{head} {text}"


def document(mapping: dict[str, Any], field: Field = FRONT_MATTER) -> str:
    """Write the whole front matter of a new record in the order of the contract, each line ended by LF."""
    out: list[str] = []
    for key, content in _ordered(mapping, field).items():
        if out and key in _OPENS_GROUP:
            out.append("")
        out.append(entry(key, content, _member(field, key)))
    return "\n".join(out) + "\n"


def _ordered(content: Any, field: Field) -> Any:
    if isinstance(content, list):
        return [_ordered(item, field.item or _unnamed(field)) for item in content]
    if not isinstance(content, dict):
        return content
    known = [member.name for member in field.fields if member.name in content]
    keys = known + [key for key in content if key not in known]
    return {key: _ordered(content[key], _member(field, key)) for key in keys}


def _member(field: Field, key: str) -> Field:
    return field.field(key) or Field(key, Kind.ANY, "")


def _unnamed(field: Field) -> Field:
    """Give the member of a list the table does not know; it goes by the name of the list, as `commit: [..]` does."""
    return Field(field.name, Kind.ANY, "")


def _text(text: str, field: Field, flow: bool) -> str:
    """Write a text; a date and a number stand plain in the fields that are meant for them."""
    if (field.kind is Kind.DATE and _is_date(text)) or (field.kind is Kind.INT and _INTEGER.fullmatch(text)):
        return text
    return scalar(text, flow=flow, always_quote=bool(_ALWAYS_QUOTED.fullmatch(field.name)))


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _collection(content: dict[str, Any] | list[Any], field: Field, indent: int, flow: bool) -> str:
    """Let ruamel.yaml lay out a collection under a key, because it indents sequences only below one."""
    out = StringIO()
    _writer().dump({"k": _prepared(content, field, flow)}, out)
    lines = out.getvalue().rstrip("\n").split("\n")
    if flow:
        return lines[0].removeprefix("k: ")
    return "\n".join(" " * indent + line[2:] for line in lines[1:])


def _prepared(content: Any, field: Field, flow: bool) -> Any:
    """Give a value in ruamel's types, with the style of every scalar decided beforehand."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(content, dict):
        pairs = ((_styled(scalar(key, flow=flow), key), _member(field, key), item) for key, item in content.items())
        mapping = CommentedMap((key, _prepared(item, member, flow)) for key, member, item in pairs)
        if flow:
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(content, list):
        item = field.item or _unnamed(field)
        sequence = CommentedSeq(_prepared(member, item, flow) for member in content)
        if flow:
            sequence.fa.set_flow_style()
        return sequence
    if content is None or isinstance(content, bool):
        return content
    return _styled(value(content, field, flow=flow), str(content))


def _styled(written: str, text: str) -> Any:
    """Give a text in the type that ruamel.yaml writes as decided: a date and a number have types of their own."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, PlainScalarString

    if written.startswith('"'):
        return DoubleQuotedScalarString(text)
    if _INTEGER.fullmatch(written):
        return int(written)
    return date.fromisoformat(written) if _is_date(written) else PlainScalarString(text)


@cache
def _writer() -> Any:
    """Make the ruamel.yaml writer: one line a scalar, `null` spelled out, lists indented below their key."""
    from ruamel.yaml import YAML
    from ruamel.yaml.representer import RoundTripRepresenter

    class Representer(RoundTripRepresenter):
        """A class of its own, because representers are registered on the class."""

    Representer.add_representer(type(None), lambda self, _: self.represent_scalar("tag:yaml.org,2002:null", "null"))
    writer = YAML(typ="rt", pure=True)
    writer.Representer = Representer
    writer.width = _UNLIMITED
    writer.indent(mapping=2, sequence=4, offset=2)
    writer.brace_single_entry_mapping_in_flow_sequence = True
    return writer
