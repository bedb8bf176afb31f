"""From violations to findings: positions are resolved only for what is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reversa.commands.workspace import Workspace
from reversa.core.baseline import fingerprint
from reversa.core.bug import Bug
from reversa.core.document import Document, Route, Span
from reversa.core.finding import Finding, line_of, place
from reversa.core.rules.engine import Violation
from reversa.store import frontmatter

_LOCK_RULES = ("RV203", "RV210", "RV211", "RV212")
"""Rules about the lock itself, whose mend speaks of it already."""

_Located = tuple[Document | None, Mapping[Route, Span]]


def resolve_all(
    ws: Workspace,
    violations: Iterable[Violation],
    *,
    texts: Mapping[str, bytes] | None = None,
    include_restricted: bool = False,
) -> list[Finding]:
    """Resolve violations to findings, each file read once; `texts` holds bytes that are not on disk yet, by path."""
    located: dict[str, _Located] = {}
    out = []
    for violation in violations:
        path = violation.hit.path or (violation.bug.path if violation.bug else "")
        own = violation.bug is not None and path == violation.bug.path
        if own and path not in located:
            located[path] = _locate(ws, path, texts or {})
        out.append(_finding(violation, path, located.get(path, (None, {})), include_restricted))
    return out


def _locate(ws: Workspace, path: str, texts: Mapping[str, bytes]) -> _Located:
    try:
        data = texts[path] if path in texts else ws.tree.read(path)
    except OSError:
        return None, {}
    return frontmatter.locate(data)


def _finding(violation: Violation, path: str, located: _Located, include_restricted: bool) -> Finding:
    bug, rule = violation.bug, violation.rule
    document, spans = located
    text = document.text if document else ""
    line, column, width = place(text, spans, violation.hit)
    if bug is not None and bug.veiled and not include_restricted:
        # no slug, no value, no source line of a restricted bug leaves the registry (cli.md)
        return Finding(
            rule.code,
            rule.severity,
            bare_path(bug),
            line,
            column,
            bug.id,
            f"{rule.title} ({'restricted' if bug.restricted else 'hidden: it does not say that it may be shown'})",
            "" if bug.readable else "reversa check --include-restricted shows where and what",
            title=rule.title,
            locked=bug.locked,
            restricted=True,
            fingerprint=fingerprint(violation),
        )
    points = violation.hit.line > 0 or violation.hit.route[:1] in spans
    source = line_of(text, line) if points else ""
    return Finding(
        rule.code,
        rule.severity,
        path,
        line,
        column,
        bug.id if bug else "",
        violation.message(),
        _mend(violation),
        title=rule.title,
        source=source,
        width=width,
        locked=bool(bug and bug.locked),
        fingerprint=fingerprint(violation),
    )


def _mend(violation: Violation) -> str:
    """Give the mend of a rule; inside a lock no command can carry it out."""
    bug = violation.bug
    if bug is None or not bug.locked or violation.rule.code in _LOCK_RULES:
        return violation.mend()
    return f"locked: a person opens the lock first, or reversa new TITLE -c CONTEXT --regression-of {bug.id[-4:]}"


def bare_path(bug: Bug) -> str:
    """Give the path of a hidden bug's record without its slug and its context."""
    return f"{bug.id}/bug.md" if bug.id else "bug.md"


def sort_key(finding: Finding) -> tuple[str, int, int, str, str]:
    """Order findings by path, position, code and message: stable for the same records."""
    return finding.path, finding.line, finding.column, finding.code, finding.message
