"""The readable mirror of the YAML that stands between marker comments in a record's body.

`new` writes the markers; every writing command renders anew what stands between them. Records without markers are
left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reversa.core.bug import Bug, text_at
from reversa.core.document import filled, get, is_null, items

REGIONS = ("traceability", "resolution")
_CONTROL = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
"""A NUL would make the record a binary file to git; escape sequences would run in whoever's terminal shows it."""


def begin(name: str) -> str:
    """Give the comment that opens a region."""
    return f"<!-- reversa:begin {name} -->"


def end(name: str) -> str:
    """Give the comment that closes a region."""
    return f"<!-- reversa:end {name} -->"


def render(name: str, bug: Bug) -> str:
    """Render the lines of a region, without a final line break."""
    return "\n".join(_RENDERERS[name](bug))


def one_line(text: str) -> str:
    out = " ".join(text.translate(_CONTROL).split())
    return out.replace("<!--", "<! --").replace("-->", "-- >")


def _code(text: str) -> str:
    text = one_line(text) or " "
    fence = "`" * (max((len(run) for run in _runs(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _runs(text: str) -> list[str]:
    import re

    return re.findall(r"`+", text)


def _list(label: str, texts: Iterable[str]) -> list[str]:
    found = [f"  - {_code(text)}" for text in texts]
    return [f"- **{label}**:", *found] if found else [f"- **{label}**: none"]


def _traceability(bug: Bug) -> list[str]:
    out = _list("Specs", bug.texts("traceability", "specs"))
    out += _list("Affected code", bug.texts("traceability", "affected_code"))
    out += _cause(bug)
    out += _list("Reproduction tests", bug.texts("traceability", "reproduction_tests"))
    out += _list("Regression tests", bug.texts("traceability", "regression_tests"))
    edges = [
        f"  - {one_line(edge.type or 'unknown')} {one_line(edge.bug)} ({one_line(edge.state or 'no state')})"
        for edge in bug.relations
    ]
    out += ["- **Relationships**:", *edges] if edges else ["- **Relationships**: none"]
    return out


def _cause(bug: Bug) -> list[str]:
    cause = get(bug.data, "traceability", "root_cause")
    if not isinstance(cause, dict) or not filled(cause):
        return ["- **Root cause**: not known"]
    state = one_line(text_at(cause, "state") or "no state")
    out = [f"- **Root cause** ({state}): {one_line(text_at(cause, 'hypothesis')) or 'not written down'}"]
    out += [f"  - from: {one_line(step)}" for step in bug.texts("traceability", "root_cause", "causal_path")]
    for ref in items(get(cause, "code_refs")):
        where = [text for text in (text_at(ref, "file"), text_at(ref, "symbol")) if text]
        if where:
            out.append(f"  - born in: {' · '.join(_code(text) for text in where)}")
    out += [f"  - evidence: {_evidence(item)}" for item in items(get(cause, "evidence")) if filled(item)]
    return out


def _evidence(item: Any) -> str:
    if isinstance(item, dict):
        ref, seen = text_at(item, "ref"), text_at(item, "observation")
        return ": ".join(part for part in (_code(ref) if ref else "", one_line(seen)) if part)
    return one_line(str(item))


def _resolution(bug: Bug) -> list[str]:
    kind = bug.resolution_kind
    if not kind and not filled(get(bug.data, "change_set")) and not bug.verdict:
        return ["_Not resolved yet._"]
    out = [f"- **Resolution kind**: {one_line(kind) if kind else 'not decided'}"]
    if kind == "fixed" or filled(get(bug.data, "traceability", "root_cause")):
        out += _cause(bug)[:1]
    out.append(f"- **Spec verdict**: {_verdict(bug)}")
    out += _list("Reproduction tests", bug.texts("traceability", "reproduction_tests"))
    out += _list("Regression tests", bug.texts("traceability", "regression_tests"))
    changes = bug.maps("change_set")
    if changes:
        out += ["", "| Change | Kind | Artifact | Purpose | Diff |", "|---|---|---|---|---|"]
        out += [_change(change) for change in changes]
    return out


def _verdict(bug: Bug) -> str:
    if not bug.verdict:
        return "not decided"
    decision = next((d for d in reversed(bug.maps("decisions")) if text_at(d, "what") == "spec_verdict"), None)
    who = ""
    if decision:
        via = ", delegated" if text_at(decision, "via") == "delegated" else ""
        who = f" (decided by {one_line(text_at(decision, 'by'))} on {one_line(text_at(decision, 'on'))}{via})"
    return _code(bug.verdict) + who


def _change(change: dict[str, Any]) -> str:
    cells = [text_at(change, "id"), text_at(change, "kind"), "", text_at(change, "purpose"), ""]
    for index, key in ((2, "artifact"), (4, "diff")):
        value = get(change, key)
        cells[index] = _code(str(value)) if isinstance(value, str) and not is_null(value) else ""
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


_RENDERERS = {"traceability": _traceability, "resolution": _resolution}
