"""The rules as pages: what `reversa rules` prints and what docs/rules.md holds, made from the rules themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from reversa.core.finding import Severity
from reversa.core.fixes import FIXES
from reversa.core.rules.engine import RULES, Rule

_GROUPS = {
    "0": "Reading",
    "1": "Identity and fields",
    "2": "State, closure and lock",
    "3": "Relations",
    "4": "Traceability and body",
    "5": "Leaks",
}
_PIECES = ("found", "near", "problem", "where", "detail")
"""Values that a rule puts into words itself; a name in capitals would only puzzle."""

_AROUND = "Keys that begin with _ are no part of the record: they describe what is around it."
_AROUND_KEY = re.compile(r"^_\w+:", re.MULTILINE)
_EXAMPLE = re.compile(r"^## (Bad|Good)\n+```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def explanation(rule: Rule) -> str:
    """Give the sentences between title and examples, as one paragraph."""
    text = inspect.cleandoc(rule.doc).split("\n## ", 1)[0]
    return " ".join(text.split("\n", 1)[1].split()) if "\n" in text else ""


def examples(rule: Rule) -> dict[str, str]:
    """Give the YAML of the examples by their heading, Bad and Good."""
    return {match[1]: match[2] for match in _EXAMPLE.finditer(inspect.cleandoc(rule.doc))}


def rule_page(rule: Rule) -> str:
    """Give the manual page of a rule for a terminal."""
    lines = [f"{rule.code} ({rule.severity.value}): {rule.title}", "", explanation(rule), ""]
    lines += [f"  says   {_placeholders(rule.message)}"]
    lines += [f"  mend   {_placeholders(rule.mend)}"] if rule.mend else []
    lines += [f"  fix    {_fix(rule)}"] if _fix(rule) else []
    for name, text in examples(rule).items():
        lines += ["", f"{name}:", "", *(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))]
    if any(_AROUND_KEY.search(text) for text in examples(rule).values()):
        lines += ["", _AROUND]
    return "\n".join(lines).rstrip() + "\n"


def rule_table(rules: Mapping[str, Rule] = RULES) -> list[dict[str, Any]]:
    """Give one row a rule, sorted by code: the table behind every machine format."""
    return [
        {
            "code": rule.code,
            "severity": rule.severity.value,
            "title": rule.title,
            "explanation": explanation(rule),
            "message": _placeholders(rule.message),
            "mend": _placeholders(rule.mend),
            "fix": FIXES[rule.code].does if rule.code in FIXES else None,
        }
        for _, rule in sorted(rules.items())
    ]


def rules_markdown(rules: Mapping[str, Rule] = RULES) -> str:
    """Give docs/rules.md: a table of all rules, then a section for each."""
    errors = sum(rule.severity is Severity.ERROR for rule in rules.values())
    out = [
        "# Rules",
        "",
        "<!-- Generated from reversa/core/rules by `make docs`; edit the docstrings there. -->",
        "",
        f"`reversa check` knows {len(rules)} rules: {errors} errors and {len(rules) - errors} warnings. An error makes",
        "the bug that carries it invalid; a warning counts with `--strict` alone. A code never changes its meaning.",
        "",
        "An example is a piece of front matter laid over a complete record. Keys that begin with `_` tell what is",
        "around it: `_text` is the whole file and `_body` what follows the front matter, `_without` takes keys away,",
        "`_encoding`, `_bom`, `_padding` and `_nested` say how the file is written, `_locked`, `_done`, `_seal`,",
        "`_drift` and `_aged` are about the lock, `_folder` names the folder, `_others` are more records, `_taxonomy`,",
        "`_policy` and `_control_mode` are the registry's, `_files` exist in the project, `_oddities` are things that",
        "are no record, and `_also` names rules that speak up too.",
    ]
    for digit, name in _GROUPS.items():
        group = [rule for code, rule in sorted(rules.items()) if code[2] == digit]
        if group:
            out += ["", f"## {name}", "", "| code | | |", "|---|---|---|"]
            out += [f"| [{rule.code}](#{_anchor(rule)}) | {rule.severity.value} | {rule.title} |" for rule in group]
            for rule in group:
                out += _section(rule)
    return "\n".join(out) + "\n"


def rule_markdown(rule: Rule) -> str:
    """Give the manual page of a rule in Markdown, without a heading."""
    return "\n".join(_section(rule)[3:]) + "\n"


def _section(rule: Rule) -> list[str]:
    out = ["", f"### {rule.code} {rule.title}", "", explanation(rule), ""]
    out += [f"- says: {_placeholders(rule.message)}"]
    out += [f"- mend: {_placeholders(rule.mend)}"] if rule.mend else []
    out += [f"- fix: {_fix(rule)}"] if _fix(rule) else []
    for name, text in examples(rule).items():
        out += ["", f"{name}:", "", "```yaml", text.rstrip("\n"), "```"]
    return out


def _fix(rule: Rule) -> str:
    """Say when and how `check --fix` mends what a rule finds; "" where it does not."""
    fix = FIXES.get(rule.code)
    return f"reversa check --fix --select {rule.code} {fix.does}" if fix else ""


def _anchor(rule: Rule) -> str:
    words = f"{rule.code} {rule.title}".lower()
    return "".join("-" if char == " " else char for char in words if char.isalnum() or char in " -_")


def _placeholders(template: str) -> str:
    """Show a message template with its values in capitals: `{suffix}` becomes BUG, and a piece of a sentence `…`."""
    names = {"suffix": "BUG", "bug": "BUG", **dict.fromkeys(_PIECES, "…")}
    return re.sub(r"\{(\w+)\}", lambda match: names.get(match[1], match[1].upper()), template)
