"""Every message of the tool as one list, read out of the source: what generate.py writes to messages.md.

Read as a set, two messages that say the same thing in two ways stand out; tests/meta/test_messages.py holds the list to
the form that all of them have.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reversa.core.rules.engine import RULES

ROOT = Path(__file__).resolve().parents[1]

CLASSES = {
    "UsageError": "Exit 2: wrong usage",
    "Refused": "Exit 4: refused",
    "Surroundings": "Exit 5: the surroundings do not allow it",
    "ReversaError": "Exit 3: a defect",
}

HEAD = """\
<!-- GENERATED from the source by `make docs`; do not edit. -->

# The messages

All that `reversa` says beside its results: why a command could not do its job, with the hint that mends it behind the
arrow, what it notes about a job that is done, and the findings of `check`. In braces stands what is filled in.
"""


@dataclass(frozen=True)
class Message:
    """A message with its hint, "" for none, the kind of error it is and where it stands in the source."""

    sort: str
    module: str
    line: int
    text: str
    hint: str = ""


def messages() -> list[Message]:
    """Give the messages of errors and the notes, in the order of the source, without those that are passed on."""
    found = []
    for path in sorted((ROOT / "reversa").rglob("*.py")):
        module = path.relative_to(ROOT / "reversa").as_posix()
        found += _of_module(module, ast.parse(path.read_text("utf-8")))
    return sorted((each for each in found if " " in each.text), key=lambda each: (each.module, each.line))


def _of_module(module: str, tree: ast.Module) -> Iterator[Message]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in CLASSES and node.args:
                hint = node.args[1] if len(node.args) > 1 else None
                yield Message(name, module, node.lineno, template(node.args[0]), template(hint) if hint else "")
            elif name == "append" and _is_notes(node.func) and node.args:
                yield Message("note", module, node.lineno, template(node.args[0]))
        elif isinstance(node, ast.AugAssign) and _is_notes(node):
            for text in _texts(node.value):
                yield Message("note", module, node.lineno, text)


def _is_notes(node: ast.AST) -> bool:
    owner = node.target if isinstance(node, ast.AugAssign) else getattr(node, "value", None)
    return getattr(owner, "attr", getattr(owner, "id", "")) == "notes"


def _texts(node: ast.AST) -> Iterator[str]:
    items = node.elts if isinstance(node, ast.List) else [node.elt] if isinstance(node, ast.ListComp) else []
    yield from (template(item) for item in items if isinstance(item, (ast.Constant, ast.JoinedStr)))


def template(node: ast.AST) -> str:
    """Give an expression of a text as one reads it: what is fixed as it is, what is filled in by its name in braces."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(template(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return template(node.value)
    if isinstance(node, ast.IfExp):
        either = [text for text in (template(node.body), template(node.orelse)) if text]
        return "{" + " | ".join(text.strip("{}") if text.startswith("{") else text for text in either) + "}"
    if isinstance(node, ast.BinOp):
        return template(node.left) + template(node.right) if isinstance(node.op, ast.Add) else "{…}"
    if isinstance(node, ast.BoolOp):
        return template(node.values[0])
    if isinstance(node, ast.Call):
        return "{" + (getattr(node.func, "attr", "") or getattr(node.func, "id", "…")).strip("_") + "}"
    if isinstance(node, ast.Subscript):
        return template(node.value)
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "…")
    return "{" + name.strip("_") + "}"


def messages_page() -> str:
    """Give the page: errors by exit code and module, notes, and the findings by code."""
    found = messages()
    out = [HEAD]
    for sort, title in (*CLASSES.items(), ("note", "Notes about a job that is done")):
        out.append(f"## {title}\n")
        for module in dict.fromkeys(each.module for each in found if each.sort == sort):
            out.append(f"### {module}\n")
            out += [_item(each) for each in found if (each.sort, each.module) == (sort, module)]
            out.append("")
    out.append("## Findings of `check`\n")
    out += [
        f"- **{code}** {_code(rule.message)}" + (f" → {_code(rule.mend)}" if rule.mend else "")
        for code, rule in sorted(RULES.items())
    ]
    return "\n".join(out) + "\n"


def _item(message: Message) -> str:
    return f"- {_code(message.text)}" + (f" → {_code(message.hint)}" if message.hint else "")


def _code(text: str) -> str:
    """Give a text in backticks, in one line."""
    text = " ".join(text.split())
    fence = "``" if "`" in text else "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
