"""`reversa new --from-json` and `--from-inspection`: many bugs at once, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reversa.commands import register
from reversa.commands.change import Beside
from reversa.commands.outcome import Outcome
from reversa.commands.register import Identity, Registration
from reversa.commands.workspace import Workspace, today, writing
from reversa.core import alias, draft_json, inspection, strict_json
from reversa.core.draft import Draft
from reversa.core.inspection import Finding
from reversa.core.suggest import hint
from reversa.errors import Refused, Surroundings, UsageError
from reversa.store import guard, inspections
from reversa.store.raw import read_bytes

Named = tuple[str, Draft]
"""A draft with its name for messages."""


def from_json(
    option: str | None, text: str, source: str, context: str, *, views: bool = True, dry_run: bool = False
) -> Outcome:
    """Register the bugs of a JSON text: an object, an array or JSON Lines in the shape of `show --json`.

    A relationship or an obstacle may name a bug of the same call by what that one has as `id`. Raises UsageError,
    Refused and Surroundings; nothing is written then.
    """
    objects = draft_json.documents(strict_json.values(text, source), source)
    drafts = [(name, draft_json.draft(name, value, context)) for name, value in objects]
    with writing(option) as ws:
        planned = _planned(ws, drafts)
        out = _told(ws, planned)
        register.carry_out(ws, planned, out, views=views, dry_run=dry_run)
    return out


def from_inspection(
    option: str | None,
    file: Path,
    chosen: Sequence[str],
    context: str,
    *,
    write_back: bool = False,
    views: bool = True,
    dry_run: bool = False,
) -> Outcome:
    """Register the findings of an inspection report that are no bugs yet, or the `chosen` ones.

    `write_back` notes each bug in the report as `promoted_to`. Raises UsageError, Refused and Surroundings.
    """
    with writing(option) as ws:
        before = _report(file)
        blocks, found = inspections.read(before, str(file))
        wanted = _wanted(found, chosen, str(file))
        out = Outcome({"bugs": []}, notes=_left(found, wanted))
        if not wanted:
            return out
        path, home = _place(ws, file)
        where = context or home
        if not where:
            raise UsageError(f"{file} lies in no context of the registry.", "Name the context: -c CONTEXT")
        where = register.context_of(ws, where)
        drafts = [(f"finding {each.id}", inspection.draft(each, where, path, ws.registry)) for each in wanted]
        planned = _planned(ws, drafts)
        beside = None
        if write_back:
            bugs = {(each.block, each.index): new.bug.id for each, new in zip(wanted, planned, strict=True)}
            beside = Beside(file.resolve(), before, inspections.promoted(before, blocks, bugs))
            guard.refuse_link(file)
            guard.refuse_inside_lock(file.parent)
        out.data = _told(ws, planned).data
        register.carry_out(ws, planned, out, views=views, dry_run=dry_run, beside=beside)
    return out


def _report(file: Path) -> bytes:
    try:
        return read_bytes(str(file))
    except (FileNotFoundError, IsADirectoryError):
        raise UsageError(f"{file} is no file.") from None
    except OSError as error:
        raise Surroundings(f"{file}: {error.strerror or error}.", kind="disk") from None


def _wanted(found: Sequence[Finding], chosen: Sequence[str], source: str) -> list[Finding]:
    """Give the findings to register: the chosen ones, else all that no bug was made of."""
    if not found:
        raise UsageError(
            f"{source} holds no findings.", "They are a list of mappings with finding_id in a block fenced by ```yaml."
        )
    if not chosen:
        return [each for each in found if not each.promoted_to]
    by_id = {each.id.casefold(): each for each in found}
    out = []
    for name in dict.fromkeys(chosen):
        each = by_id.get(name.casefold())
        if each is None:
            raise UsageError(f"{source} has no finding {name}.", hint(name, [other.id for other in found]))
        if each.promoted_to:
            raise Refused(
                f"Finding {each.id} was promoted to {each.promoted_to} already.",
                f"reversa show {each.promoted_to}",
                kind="promoted",
            )
        out.append(each)
    return out


def _left(found: Sequence[Finding], wanted: Sequence[Finding]) -> list[str]:
    done = [f"{each.id} ({each.promoted_to})" for each in found if each.promoted_to]
    notes = [f"Promoted already and left alone: {', '.join(done)}."] if done else []
    return notes if wanted else [*notes, "Nothing was left to register."]


def _place(ws: Workspace, file: Path) -> tuple[str, str]:
    """Give the report's path from the registry root, and the context whose inspections it lies in, "" for none."""
    root, real = ws.layout.root.resolve(), file.resolve()
    if not real.is_relative_to(root):
        project = ws.layout.project.resolve()
        inside = real.is_relative_to(project)
        up = len(ws.layout.root.resolve().relative_to(project).parts) if root.is_relative_to(project) else 0
        return ("../" * up + real.relative_to(project).as_posix(), "") if inside else (file.name, "")
    parts = real.relative_to(root).parts
    home = parts[0] if len(parts) > 2 and parts[1] == "inspections" and parts[0] in ws.registry.contexts else ""
    return real.relative_to(root).as_posix(), home


def _planned(ws: Workspace, drafts: Sequence[Named]) -> list[Registration]:
    day = today()
    identities = register.identities(ws, len(drafts), day)
    keys = _keys(ws, drafts, identities)
    out = []
    for (name, draft), identity in zip(drafts, identities, strict=True):
        try:
            draft = _linked(ws, draft, keys)
            folder = register.folder_of(ws, draft, identity)
            out.append(register.plan(ws, draft, identity, day, folder=folder))
        except UsageError as error:
            raise UsageError(f"{name}: {error.message}", error.hint, kind=error.kind) from None
    return out


def _keys(ws: Workspace, drafts: Sequence[Named], identities: Sequence[Identity]) -> dict[str, str]:
    """Give the new ID of each bug that has a name in this call; raises UsageError for a name that stands twice."""
    out: dict[str, str] = {}
    for (name, draft), identity in zip(drafts, identities, strict=True):
        key = draft.key.upper()
        if not key:
            continue
        if key in ws.registry.by_key:
            raise UsageError(
                f"{name}: {draft.key} is in this registry already.",
                "Change it with reversa update, or leave id out to register it as another bug.",
            )
        if key in out:
            raise UsageError(f"{name}: another bug has the id {draft.key} too.")
        out[key] = identity.id
    return out


def _linked(ws: Workspace, draft: Draft, keys: Mapping[str, str]) -> Draft:
    """Turn the names of bugs in edges and obstacles into IDs: those of this call first, then the registry's."""
    ends = {"relationships": "bug", "blocking": "target"}
    fields: dict[str, Any] = dict(draft.fields)
    for name, member in ends.items():
        if name in fields:
            fields[name] = [_end(ws, entry, member, keys) for entry in fields[name]]
    return replace(draft, fields=fields)


def _end(ws: Workspace, entry: Mapping[str, Any], member: str, keys: Mapping[str, str]) -> dict[str, Any]:
    text = str(entry.get(member) or "")
    if not text or entry.get("kind") == "external":
        return dict(entry)
    standard = {"state": "proposed", "evidence": []} if member == "bug" else {}
    found = keys.get(text.strip().upper()) or alias.resolve(ws.registry, text).id
    return {**entry, member: found, **{key: value for key, value in standard.items() if key not in entry}}


def _told(ws: Workspace, planned: Sequence[Registration]) -> Outcome:
    """Say of each bug what `new` says of one, with the name that it had in the call."""
    return Outcome({"bugs": [{**each.told(ws), "key": each.draft.key or None} for each in planned]})
