"""`reversa new`: one folder, at once, with all parts of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reversa.commands import graph
from reversa.commands.change import check_term
from reversa.commands.gate import ERROR_RULES, WARNING_RULES, warning_note
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace, today, writing
from reversa.core import alias, mirror, naming
from reversa.core.body import outline
from reversa.core.body_edit import UNWRITTEN
from reversa.core.bug import Bug
from reversa.core.fields import BODY_SECTIONS, UNCLASSIFIED
from reversa.core.rules.engine import run
from reversa.core.suggest import nearest
from reversa.core.taxonomy import DIMENSIONS, new_term
from reversa.errors import Refused, UsageError
from reversa.store import frontmatter, git, guard, numbers, write
from reversa.store.layout import shipped
from reversa.store.registry import bug_from


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
    title = naming.clean_title(request.title)
    day = today()
    proposals = _proposals(request)
    with writing(option) as ws:
        for dimension in DIMENSIONS:
            check_term(ws, dimension, getattr(request, dimension))
        request = replace(request, title=title, context=_context(ws, request.context))
        guard.refuse_outside(ws.layout.root / request.context / "bugs", ws.layout.root)
        bug_id = naming.new_id(ws.registry, day, chooser())
        folder = f"{request.context}/bugs/" + naming.folder_name(bug_id, title, restricted=request.security)
        evidence = _evidence(ws, folder, request.evidence)
        record = _record(ws, request, bug_id, day)
        text = _text(record, request, sorted(evidence), proposals)
        data = text.encode("utf-8")
        bug = bug_from(folder, frontmatter.read(data), data, lock=None)
        data = _with_mirrors(text, bug).encode("utf-8")
        warnings = _refuse_errors(ws, bug)
        path = f"{ws.layout.root}/{folder}"
        shown_path = ws.path_of(bug)
        out = NewOutcome(
            {"id": bug_id, "display_number": bug.number, "context": request.context, "path": shown_path},
            bug_id=bug_id,
            restricted=bug.restricted,
            file=ws.layout.root / bug.path,
        )
        if dry_run:
            out.diff = file_diff(ws.git_path_of(bug), b"", data)
            return out
        out.notes += numbers.reserve(ws.layout, bug.number or 0)  # first: a gap is harmless
        write.create_folder(Path(path), {"bug.md": data, **evidence})
        out.notes += [*_notes(request, ws), *warnings]
        if views and not request.express:
            born = None if any(old.context == request.context for old in ws.registry.bugs) else request.context
            graph.redraw_into(out, ws.reread([folder]), born)
    return out


def chooser() -> Any:
    """Give what picks the signs of an ID: nobody may guess the next one."""
    import secrets

    return secrets.choice


def _context(ws: Workspace, text: str) -> str:
    """Give the context's folder name: an existing one as it is, else the kebab-case of what was typed."""
    for known in ws.registry.contexts:
        if known and known.casefold() == text.casefold():
            return known
    return naming.context_name(text)


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


def _record(ws: Workspace, request: NewBug, bug_id: str, day: str) -> dict[str, Any]:
    relations = []
    if request.regression_of:
        target = alias.resolve(ws.registry, request.regression_of)
        relations.append({"bug": target.id, "type": "regression-of", "state": "proposed", "evidence": []})
    _check_rate(request.rate)
    record: dict[str, Any] = {
        "schema_version": 1,
        "id": bug_id,
        "display_number": naming.next_number(ws.registry, numbers.reserved(ws.layout)),
        "title": request.title,
        "status": "open",
        "phase": "triaging",
        "severity": request.severity or "medium",
        "priority": request.priority or "P2",
        "created": day,
        "updated": day,
        "origin": {"type": request.origin, "external_ref": _external(request.external)},
        **{dimension: getattr(request, dimension) for dimension in DIMENSIONS},
        "labels": list(request.labels),
        "visibility": "restricted" if request.security else request.visibility,
        "security_suspected": request.security,
        "reproduction": {
            "classification": request.classification,
            "rate": request.rate or None,
            "suspected_triggers": list(request.triggers),
        },
        "blocking": [],
        "relationships": relations,
        "traceability": {
            "specs": list(request.specs),
            "affected_code": list(request.code),
            "root_cause": None,
            "reproduction_tests": list(request.tests),
            "regression_tests": [],
        },
        "spec_verdict": None,
        "change_set": [],
        "closure": {"policy": ws.registry.policy, "satisfied": False},
        "resolution_kind": None,
    }
    if request.express:
        record["express"] = True
    return record


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


def _text(record: Mapping[str, Any], request: NewBug, evidence: list[str], proposals: Mapping[str, str]) -> str:
    from reversa.store.render_yaml import document
    from reversa.views.render import render_template

    given = split_body(request.body)
    sections = dict.fromkeys(BODY_SECTIONS, UNWRITTEN)
    sections["Expected Behavior"] = _expected(request)
    sections["Evidence"] = "\n".join(f"- `{name}`" for name in evidence) or "None yet."
    sections["Suspected Area"] = "\n".join(f"- `{place}`" for place in request.code) or UNWRITTEN
    sections["Agent Notes"] = _agent_notes(request, proposals)
    for name, text in given.items():
        keeps = name in ("Evidence", "Agent Notes") and sections[name] not in ("None yet.", "None.")
        sections[name] = f"{text}\n\n{sections[name]}" if keeps else text
    for name in mirror.REGIONS:
        heading = name.capitalize()
        own = f"{given[heading]}\n\n" if heading in given else ""
        sections[heading] = f"{own}{mirror.begin(name)}\n{mirror.end(name)}"
    context = {
        "front_matter": document(dict(record)),
        "title": request.title,
        "sections": [{"name": name, "text": sections[name]} for name in BODY_SECTIONS],
    }
    return render_template("bug.md.j2", context, [shipped() / "templates"])


def _expected(request: NewBug) -> str:
    if request.specs:
        return "\n".join(f"As `{spec}` says." for spec in request.specs)
    return "No spec defines this behaviour (spec-gap)." if "spec-gap" in request.labels else UNWRITTEN


def _agent_notes(request: NewBug, proposals: Mapping[str, str]) -> str:
    lines = []
    assumed = [
        word for word, said in (("severity medium", request.severity), ("priority P2", request.priority)) if not said
    ]
    if assumed:
        lines.append(f"- Assumed at registration, not said by the reporter: {' and '.join(assumed)}.")
    lines += [f"- Proposed for the taxonomy: {dimension} `{term}`." for dimension, term in proposals.items()]
    return "\n".join(lines) or "None."


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


def _with_mirrors(text: str, bug: Bug) -> str:
    from reversa.core.body_edit import replace_region

    body_at = text.index("\n---\n", 4) + 5
    body = text[body_at:]
    for name in mirror.REGIONS:
        body = replace_region(body, name, mirror.render(name, bug))
    return text[:body_at] + body


def _refuse_errors(ws: Workspace, bug: Bug) -> list[str]:
    """Refuse a record that would carry an error; gives the sentence about its warnings."""
    future = replace(ws.registry, bugs=(*ws.registry.bugs, bug))
    found = run(future, [bug], ERROR_RULES)
    if found:
        raise Refused(
            f"The new record would carry an error: {found[0].message()} ({found[0].rule.code}).",
            f"reversa rules {found[0].rule.code} explains the rule.",
            kind="would-add-error",
        )
    return warning_note(ws, bug, run(future, [bug], WARNING_RULES))


def _notes(request: NewBug, ws: Workspace) -> list[str]:
    out = []
    if request.security:
        out.append("Restricted: the views leave it out, but anyone who can clone the repository can read it.")
    if request.express and (request.security or request.regression_of):
        out.append("The express route is for small, located defects; check warns about this combination.")
    if request.context not in ws.registry.contexts:
        near = nearest(request.context, ws.registry.contexts, cutoff=75)
        out.append(f"{request.context} is a new context{f', beside {near[0]}' if near else ''}.")
    return out
