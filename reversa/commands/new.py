"""`reversa new`: one bug from what its reporter says on the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reversa.commands import register
from reversa.commands.outcome import Outcome
from reversa.commands.workspace import Workspace, today, writing
from reversa.core import alias, naming
from reversa.core.body import outline
from reversa.core.draft import Draft
from reversa.core.fields import BODY_SECTIONS, UNCLASSIFIED
from reversa.core.taxonomy import DIMENSIONS, new_term
from reversa.errors import Refused, UsageError
from reversa.store import git


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
        files = _evidence(ws, folder, request.evidence)
        planned = register.plan(ws, draft, identity, day, folder=folder, files=files)
        bug = planned.bug
        out = NewOutcome(planned.told(ws), bug_id=bug.id, restricted=bug.restricted, file=ws.layout.root / bug.path)
        register.carry_out(ws, [planned], out, views=views, dry_run=dry_run)
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
        raise UsageError(f"--external {text!r} is not PROVIDER:ID.", "For example --external github:412")
    return {"provider": provider, "id": identity}


def _check_rate(rate: str) -> None:
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", rate)
    if rate and (match is None or int(match[1]) > int(match[2])):
        raise UsageError(f"--rate {rate!r} is not FAILURES/ATTEMPTS.", "For example --rate 3/20")


def _evidence(ws: Workspace, folder: str, files: tuple[Path, ...]) -> dict[str, Path]:
    """Map the names under `evidence/` to the files to copy; refuses what is no file and what git would ignore."""
    out: dict[str, Path] = {}
    for file in files:
        if not file.is_file():
            raise UsageError(f"{file} is no file that could be evidence.")
        name = re.sub(r"[^\w.()+ -]", "_", file.name).strip(" .") or "evidence"
        stem, dot, suffix = name.partition(".")
        count = 2
        while f"evidence/{name}" in out:
            name, count = f"{stem}-{count}{dot}{suffix}", count + 1
        out[f"evidence/{name}"] = file
    if out and ws.layout.git_root is not None:
        ignored = git.ignored(ws.layout.root, [f"{folder}/{name}" for name in out])
        if ignored:
            name = ignored[0].rpartition("/")[2]
            raise Refused(
                f"git ignores {name}: it would be missing on every other clone.",
                f"Give it a name that git takes, or register without it, copy it into evidence/ and git add -f {name}",
                kind="ignored-evidence",
            )
    return out


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
