"""How new bugs come into a registry: each planned from a draft, gated by the rules, all folders written or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reversa.commands import change, graph
from reversa.commands.attached import with_files
from reversa.commands.change import Beside, check_term
from reversa.commands.decisions import taken
from reversa.commands.gate import ERROR_RULES, WARNING_RULES, warning_note
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.workspace import Workspace
from reversa.core import draft as drafts
from reversa.core import mirror, naming
from reversa.core.body_edit import UNWRITTEN, replace_region
from reversa.core.bug import Bug
from reversa.core.draft import Draft
from reversa.core.fields import BODY_SECTIONS
from reversa.core.rules.engine import run
from reversa.core.suggest import nearest
from reversa.core.taxonomy import DIMENSIONS
from reversa.errors import Refused, UsageError
from reversa.store import frontmatter, guard, numbers, write
from reversa.store.layout import shipped
from reversa.store.registry import bug_from


@dataclass(frozen=True, slots=True)
class Identity:
    """The ID and the display number of a bug to be."""

    id: str
    number: int


@dataclass(frozen=True)
class Registration:
    """A planned new bug: its record and the files beside it, as bytes by their names in the folder."""

    draft: Draft
    bug: Bug
    data: bytes
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The folder, relative to the registry root."""
        return self.bug.path.rpartition("/")[0]

    def told(self, ws: Workspace) -> dict[str, Any]:
        """What `new` says of the bug to a machine (cli.md)."""
        return {
            "id": self.bug.id,
            "display_number": self.bug.number,
            "context": self.bug.context,
            "path": ws.path_of(self.bug),
        }


def chooser() -> Any:
    """Give what picks the signs of an ID: nobody may guess the next one."""
    import secrets

    return secrets.choice


def identities(ws: Workspace, count: int, day: str) -> list[Identity]:
    """Give IDs and display numbers for so many new bugs; the caller holds the registry lock."""
    ids: list[str] = []
    for _ in range(count):
        ids.append(naming.new_id(ws.registry, day, chooser(), taken=ids))
    first = naming.next_number(ws.registry, numbers.reserved(ws.layout), count)
    return [Identity(bug_id, first + index) for index, bug_id in enumerate(ids)]


def folder_of(ws: Workspace, draft: Draft, identity: Identity) -> str:
    """Give the folder that a draft will have, relative to the registry root; raises UsageError and Surroundings."""
    context = context_of(ws, draft.context)
    guard.refuse_outside(ws.layout.root / context / "bugs", ws.layout.root)
    name = naming.folder_name(identity.id, draft.title, restricted=draft.is_restricted)
    return f"{context}/bugs/{name}"


def context_of(ws: Workspace, text: str) -> str:
    """Give a context's folder name: an existing one as it is, else the kebab-case of what was typed."""
    for known in ws.registry.contexts:
        if known and known.casefold() == text.casefold():
            return known
    return naming.context_name(text)


def plan(
    ws: Workspace,
    draft: Draft,
    identity: Identity,
    day: str,
    *,
    folder: str,
    files: Mapping[str, bytes] | None = None,
) -> Registration:
    """Plan the record of a draft; raises UsageError for a value outside the taxonomy."""
    for dimension in DIMENSIONS:
        if draft.fields.get(dimension) is not None:
            check_term(ws, dimension, str(draft.fields[dimension]))
    files = files or {}
    record = drafts.front_matter(draft, identity.id, identity.number, day, ws.registry.policy)
    for decision in taken({}, record):
        raise UsageError(
            f"{decision.name} is a person's decision, which no new bug brings along.",
            "Leave it out.",
        )
    text = _text(record, draft, sorted(files))
    data = text.encode("utf-8")
    bug = bug_from(folder, frontmatter.read(data), data, lock=None)
    data = _with_mirrors(text, bug).encode("utf-8")
    return Registration(draft, bug_from(folder, frontmatter.read(data), data, lock=None), data, files)


def carry_out(
    ws: Workspace,
    planned: Sequence[Registration],
    out: Outcome,
    *,
    views: bool,
    dry_run: bool,
    beside: Beside | None = None,
) -> None:
    """Gate planned bugs, then show their diff or write them all and redraw; the caller holds the registry lock.

    `beside` is a file that changes together with them. Raises Refused and Surroundings; nothing is left then.
    """
    files = [f"{each.folder}/{name}" for each in planned for name in each.files]
    warnings = _refuse_errors(with_files(ws, files), planned)
    if dry_run:
        new = [file_diff(ws.git_path_of(each.bug), b"", each.data) for each in planned]
        out.diff = change.diff(ws, [], beside) + "".join((*new, *(change.added_diff(ws, name) for name in files)))
        return
    out.notes += numbers.reserve(ws.layout, max(each.bug.number or 0 for each in planned))  # first: a gap is harmless
    with write.undisturbed():
        _write(ws, planned, beside)
    for each in planned:
        out.notes += _notes(each.draft)
    for context in dict.fromkeys(each.bug.context for each in planned):
        out.notes += about_context(ws, context)
    out.notes += warnings
    if views and not all(each.draft.is_express for each in planned):
        had = {old.context for old in ws.registry.bugs}
        born = {each.bug.context for each in planned} - had
        graph.redraw_into(out, ws.reread([each.folder for each in planned]), born)


def _write(ws: Workspace, planned: Sequence[Registration], beside: Beside | None) -> None:
    """Write the file beside first, so that a failure of the folders can put it back."""
    folders = {ws.layout.root / each.folder: {"bug.md": each.data, **each.files} for each in planned}
    if beside is not None:
        guard.refuse_link(beside.path)
    try:
        if beside is not None:
            write.replace(beside.path, beside.after, beside.before)
        write.create_folders(folders)
    except BaseException:  # an interrupt too, unless it came when all was there
        if beside is not None and not all(folder.exists() for folder in folders):
            write.undo_write(beside.path, beside.after, beside.before)
        raise


def _text(record: Mapping[str, Any], draft: Draft, evidence: Sequence[str]) -> str:
    from reversa.store.render_yaml import document
    from reversa.views.render import render_template

    given = draft.sections
    sections = dict.fromkeys(BODY_SECTIONS, UNWRITTEN)
    sections["Expected Behavior"] = _expected(record)
    sections["Evidence"] = "\n".join(f"- `{name}`" for name in evidence) or "None yet."
    places = record["traceability"]["affected_code"]
    sections["Suspected Area"] = "\n".join(f"- `{place}`" for place in places) or UNWRITTEN
    sections["Agent Notes"] = "\n".join(drafts.agent_notes(draft)) or "None."
    for name, text in given.items():
        keeps = name in ("Evidence", "Agent Notes") and sections[name] not in ("None yet.", "None.")
        gap = "\n" if text.rpartition("\n")[2].startswith("- ") else "\n\n"  # one list rather than two
        sections[name] = f"{text}{gap}{sections[name]}" if keeps else text
    for name in mirror.REGIONS:
        heading = name.capitalize()
        own = f"{given[heading]}\n\n" if heading in given else ""
        sections[heading] = f"{own}{mirror.begin(name)}\n{mirror.end(name)}"
    context = {
        "front_matter": document(dict(record)),
        "title": record["title"],
        "sections": [{"name": name, "text": sections[name]} for name in BODY_SECTIONS],
    }
    return render_template("bug.md.j2", context, [shipped() / "templates"])


def _expected(record: Mapping[str, Any]) -> str:
    specs = record["traceability"]["specs"]
    if specs:
        return "\n".join(f"As `{spec}` says." for spec in specs)
    return "No spec defines this behaviour (spec-gap)." if "spec-gap" in record["labels"] else UNWRITTEN


def _with_mirrors(text: str, bug: Bug) -> str:
    body_at = text.index("\n---\n", 4) + 5
    body = text[body_at:]
    for name in mirror.REGIONS:
        body = replace_region(body, name, mirror.render(name, bug))
    return text[:body_at] + body


def _refuse_errors(ws: Workspace, planned: Sequence[Registration]) -> list[str]:
    """Refuse records that would carry an error; gives the sentences about their warnings."""
    bugs = [each.bug for each in planned]
    future = replace(ws.registry, bugs=(*ws.registry.bugs, *bugs))
    found = run(future, bugs, ERROR_RULES)
    if found:
        which = f" of {found[0].bug.title!r}" if len(planned) > 1 and found[0].bug else ""
        raise Refused(
            f"The new record{which} would carry an error: {found[0].message()} ({found[0].rule.code}).",
            f"reversa rules {found[0].rule.code} explains the rule.",
            kind="would-add-error",
        )
    warned = run(future, bugs, WARNING_RULES)
    return [note for bug in bugs for note in warning_note(ws, bug, [hit for hit in warned if hit.bug is bug])]


def _notes(draft: Draft) -> list[str]:
    out = []
    if draft.is_restricted:
        out.append("Restricted: the views leave it out, but anyone who can clone the repository can read it.")
    regression = any(entry.get("type") == "regression-of" for entry in draft.fields.get("relationships") or ())
    if draft.is_express and (draft.is_restricted or regression):
        out.append("The express route is for small, located defects; check warns about this combination.")
    return out


def about_context(ws: Workspace, context: str) -> list[str]:
    """Say that a context is new, and what it may be a slip for; nothing about one that is there."""
    if context in ws.registry.contexts:
        return []
    near = nearest(context, ws.registry.contexts, cutoff=75)
    return [f"{context} is a new context{f', beside {near[0]}' if near else ''}."]
