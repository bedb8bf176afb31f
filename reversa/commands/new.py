"""`reversa new`: one bug from what its reporter says on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reversa.commands import intake, register
from reversa.commands.attached import EVIDENCE, SECTION, warn
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, today, writing
from reversa.core import alias, naming
from reversa.core.body import outline
from reversa.core.body_edit import append_to_section
from reversa.core.draft import Draft
from reversa.core.fields import BODY_SECTIONS, UNCLASSIFIED
from reversa.core.taxonomy import DIMENSIONS, new_term
from reversa.errors import UsageError
from reversa.store import attachments
from reversa.store.attachments import Attachment


@dataclass(frozen=True, slots=True)
class NewBug:
    """All that a reporter can know; "" and empty tuples mean not said."""

    title: str
    context: str
    severity: str = ""
    priority: str = ""
    area: str = UNCLASSIFIED
    module: str = UNCLASSIFIED
    feature: str = UNCLASSIFIED
    labels: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    origin: str = "manual-report"
    external: str = ""
    classification: str = "unknown"
    rate: str = ""
    triggers: tuple[str, ...] = ()
    visibility: str = "normal"
    security: bool = False
    express: bool = False
    regression_of: str = ""
    evidence: tuple[Path, ...] = ()
    body: str = ""
    proposals: tuple[str, ...] = ()
    report: str = ""


@dataclass
class NewOutcome(Outcome):
    bug_id: str = ""
    restricted: bool = False
    file: Path = Path()


def new(option: str | None, request: NewBug, *, views: bool = True, dry_run: bool = False) -> NewOutcome:
    """Register a bug; the folder appears whole or not at all.

    Raises UsageError for values outside the contract or the taxonomy, Refused for what the rules forbid, Surroundings.
    """
    day = today()
    _check_rate(request.rate)
    proposals = _proposals(request)
    with writing(option) as ws:
        draft = _draft(ws, request, proposals)
        [identity] = register.identities(ws, 1, day)
        folder = register.folder_of(ws, draft, identity)
        report = intake.find(ws, request.report, folder.partition("/")[0]) if request.report else ""
        draft = _with_report(draft, report, folder) if report else draft
        files = {f"{EVIDENCE}/{one.name}": one.data for one in _evidence(ws, folder, request.evidence)}
        planned = register.plan(ws, draft, identity, day, folder=folder, files=files)
        bug = planned.bug
        beside = intake.link_back(ws, report, bug) if report else None
        out = NewOutcome(planned.told(ws), bug_id=bug.id, restricted=bug.restricted, file=ws.layout.root / bug.path)
        register.carry_out(ws, [planned], out, views=views, dry_run=dry_run, beside=beside)
        if report and bug.restricted:
            out.notes.append("The report names its ID alone; it stays as readable as it was.")
    # looked for when the lock is free: it takes seconds, and only warns
    secrets = warn(out, files)
    if secrets:
        out.data["secrets"] = secrets
    return out


def _draft(ws: Workspace, request: NewBug, proposals: dict[str, str]) -> Draft:
    relations = []
    if request.regression_of:
        target = alias.resolve(ws.registry, request.regression_of)
        relations.append({"bug": target.id, "type": "regression-of", "state": "proposed", "evidence": []})
    fields: dict[str, Any] = {
        "title": naming.clean_title(request.title),
        "severity": request.severity or None,
        "priority": request.priority or None,
        "origin": {"type": request.origin, "external_ref": _external(request.external)},
        **{dimension: getattr(request, dimension) for dimension in DIMENSIONS},
        "labels": list(request.labels),
        "visibility": request.visibility,
        "security_suspected": request.security,
        "reproduction": {
            "classification": request.classification,
            "rate": request.rate or None,
            "suspected_triggers": list(request.triggers),
        },
        "relationships": relations,
        "traceability": {
            "specs": list(request.specs),
            "affected_code": list(request.code),
            "reproduction_tests": list(request.tests),
        },
        "express": request.express or None,
    }
    return Draft(request.context, fields, split_body(request.body), proposals=proposals)


def _proposals(request: NewBug) -> dict[str, str]:
    out = {}
    for text in request.proposals:
        dimension, _, term = text.partition("=")
        if dimension not in DIMENSIONS or not term.strip():
            raise UsageError(f"--propose-term {text!r} is not FIELD=TERM.", f"FIELD is one of {', '.join(DIMENSIONS)}.")
        out[dimension] = new_term(term)
    return out


def _external(text: str) -> dict[str, str] | None:
    if not text:
        return None
    provider, _, identity = text.partition(":")
    if not provider or not identity:
        raise UsageError(f"--external {text!r} is not PROVIDER:ID.", "For example: --external github:412")
    return {"provider": provider, "id": identity}


def _check_rate(rate: str) -> None:
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", rate)
    if rate and (match is None or int(match[1]) > int(match[2])):
        raise UsageError(f"--rate {rate!r} is not FAILURES/ATTEMPTS.", "For example: --rate 3/20")


def _evidence(ws: Workspace, folder: str, files: Sequence[Path]) -> list[Attachment]:
    """Read the files that become evidence of a bug whose folder is still to be made."""
    place = ws.layout.root / folder / EVIDENCE
    found = attachments.take(ws.layout, place, files)
    attachments.refuse_ignored(
        ws.layout,
        place,
        found,
        "Rename it; or register without it, and reversa evidence add BUG FILE names the git add -f that mends it.",
    )
    return found


def _with_report(draft: Draft, report: str, folder: str) -> Draft:
    """Let a draft name the report that it came of, below what it says of evidence itself."""
    own = draft.sections.get(SECTION, "")
    text = append_to_section(f"## {SECTION}\n\n{own}\n", SECTION, intake.link_to(report, folder))
    return replace(draft, sections={**draft.sections, SECTION: text.partition("\n\n")[2].strip("\n")})


def split_body(text: str) -> dict[str, str]:
    """Split a reporter's Markdown into contract sections; what stands before the first heading is the Summary.

    A heading that the contract does not know stays in the text, one level down.
    """
    if not text.strip():
        return {}
    known = {name.lower(): name for name in BODY_SECTIONS}
    lines = text.replace("\r\n", "\n").split("\n")
    headings = {heading.line: heading for heading in outline(text.replace("\r\n", "\n"))}
    out: dict[str, list[str]] = {}
    current = "Summary"
    for number, line in enumerate(lines, start=1):
        heading = headings.get(number)
        if heading is None:
            out.setdefault(current, []).append(line)
        elif heading.level == 2 and heading.title.lower() in known:
            current = known[heading.title.lower()]
        elif heading.level == 2:
            out.setdefault(current, []).append("#" + line.lstrip())
        elif heading.level > 2:
            out.setdefault(current, []).append(line)
    texts = {name: "\n".join(part).strip("\n") for name, part in out.items()}
    return {name: part for name, part in texts.items() if part.strip()}
