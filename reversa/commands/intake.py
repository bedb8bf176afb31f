"""`reversa intake`: a report is kept in the reporter's words before any record exists; records link back to it."""

from __future__ import annotations

import datetime as dt
import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reversa.commands.attached import rows, warn
from reversa.commands.change import Beside, added_diff
from reversa.commands.outcome import Outcome, file_diff
from reversa.commands.register import about_context, context_of
from reversa.commands.workspace import Workspace, now, writing
from reversa.core.body_edit import UNWRITTEN, append_to_section, refuse_open
from reversa.core.bug import Bug
from reversa.core.naming import clean_line, numbered
from reversa.core.printable import escaped
from reversa.errors import Refused, UsageError
from reversa.store import attachments, git, guard, write
from reversa.store.attachments import Attachment
from reversa.store.layout import shipped
from reversa.store.raw import read_bytes

INTAKE = "intake"
BUGS = "Bugs"
"""The heading under which a report names the bugs that came of it."""

_IMAGES = (".apng", ".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")


@dataclass
class Taken(Outcome):
    """What `intake` made: the report, and the name by which `new --from-intake` finds it."""

    file: Path = field(default_factory=Path)


def take_in(
    option: str | None,
    context: str,
    files: Sequence[Path] = (),
    text: str = "",
    reporter: str = "",
    *,
    dry_run: bool = False,
) -> Taken:
    """Write `intake/report-<day>-<time>.md` of a context and copy the files beside it, all or nothing.

    Data: `{context, path, files: [{file, path, copied}], secrets: [{severity, path, line, kind}]}`. Raises UsageError
    for a report without text and files, Refused for links, sizes and what git ignores, Surroundings.
    """
    if not text.strip() and not files:
        raise UsageError(
            "A report needs a text or files.", "For example: reversa intake checkout screenshot.png --text -"
        )
    moment = now()
    with writing(option) as ws:
        context = context_of(ws, context)
        folder = ws.layout.root / context / INTAKE
        guard.refuse_link(folder)
        guard.refuse_outside(folder, ws.layout.root)
        name = _free(folder, f"report-{moment:%Y%m%d-%H%M}.md")
        found = attachments.take(ws.layout, folder, files, taken=[name])
        out = Taken({}, notes=about_context(ws, context), file=folder / name)
        if _is_ignored(ws, folder / name):
            out.notes.append(f"git ignores {name}: it stays on this machine.")
        else:
            attachments.refuse_ignored(ws.layout, folder, found)
        data = _report(moment, text, clean_line(reporter), found)
        added = {folder / one.name: one.data for one in found if not one.there} | {folder / name: data}
        path = f"{ws.layout.prefix}/{context}/{INTAKE}"
        out.data = {"context": context, "path": f"{path}/{name}", "files": rows(found, f"{path}/"), "secrets": []}
        if dry_run:
            shown = [added_diff(ws, f"{context}/{INTAKE}/{one.name}") for one in found if not one.there]
            out.diff = file_diff(ws.layout.from_git_root(folder / name), b"", data) + "".join(shown)
        else:
            with write.undisturbed():
                write.add(added)
    out.data["secrets"] = warn(out, {name: data} | {one.name: one.data for one in found})
    return out


def _free(folder: Path, name: str) -> str:
    """Give the name of a new report; those of one minute are numbered."""
    number = 1
    while os.path.lexists(folder / numbered(name, number)):
        number += 1
    return numbered(name, number)


def _is_ignored(ws: Workspace, path: Path) -> bool:
    inside = os.path.relpath(path, ws.layout.root)
    return ws.layout.git_root is not None and bool(git.ignored(ws.layout.root, [inside]))


def _report(moment: dt.datetime, text: str, reporter: str, found: Sequence[Attachment]) -> bytes:
    from reversa.views.escape import href, markdown
    from reversa.views.render import render_template

    links = {one.name: f"[{markdown(one.name)}]({href(one.name)})" for one in found}
    context = {
        "day": f"{moment:%Y-%m-%d}",
        "time": f"{moment:%H:%M}",
        "reporter": markdown(reporter),
        "text": _quoted(text) or UNWRITTEN,
        "images": [f"!{link}" for name, link in links.items() if name.lower().endswith(_IMAGES)],
        "files": [link for name, link in links.items() if not name.lower().endswith(_IMAGES)],
    }
    return render_template("intake.md.j2", context, [shipped() / "templates"]).encode()


def _quoted(text: str) -> str:
    """Quote a report in the words it came in: a heading or a fence in it stays within the quotation."""
    lines = text.replace("\r\n", "\n").strip("\n").split("\n") if text.strip() else []
    plain = ["\t".join(escaped(part) for part in line.split("\t")) for line in lines]
    return "\n".join(f"> {line}".rstrip() for line in plain)


def find(ws: Workspace, name: str, context: str) -> str:
    """Find the report that `--from-intake` names: by its name in an intake folder, or by a path from here.

    The intake of the context goes before others. Raises UsageError where there is none, Refused for a name that
    several contexts know and for a file that lies elsewhere.
    """
    root = ws.layout.root
    homes = [root / one / INTAKE for one in dict.fromkeys([context, *ws.registry.contexts])]
    known = [home / name for home in homes if "/" not in name and (home / name).is_file()]
    if len(known) > 1 and known[0].parent != homes[0]:
        raise Refused(
            f"{name} is a report of several contexts.",
            f"One of {', '.join(os.path.relpath(path) for path in known)}",
            kind="ambiguous",
        )
    paths = [*known[:1], Path(name), ws.layout.project / name]
    file = next((path for path in paths if path.is_file()), None)
    if file is None:
        raise UsageError(f"There is no report {name}.", "reversa intake CONTEXT writes one and says its name.")
    guard.refuse_link(file)
    if not any(os.path.realpath(file.parent) == os.path.realpath(home) for home in homes):
        raise Refused(
            f"{file} lies in no intake folder of the registry.", "reversa intake CONTEXT takes it in.", kind="outside"
        )
    guard.refuse_outside(file.parent, root)
    if file.suffix.lower() != ".md":
        raise UsageError(f"{file} is no report.", "A report is a Markdown file, which can name its bugs.")
    return os.path.relpath(os.path.realpath(file), os.path.realpath(root))


def link_to(report: str, folder: str) -> str:
    """Give the line by which a record in a bug's folder names its report; both paths are from the registry root."""
    from reversa.views.escape import code, href

    path = posixpath.relpath(report, folder)
    return f"- [{code(path)}]({href(path)}): the report."


def link_back(ws: Workspace, report: str, bug: Bug) -> Beside:
    """Plan that a report names a bug that came of it; of a restricted one the bare ID, without title and link.

    Raises Refused for a report that is no text or ends in an open code fence, Surroundings.
    """
    from reversa.views.escape import href, markdown

    path = ws.layout.root / report
    try:
        before = read_bytes(str(path))
        text = before.decode("utf-8")
    except OSError as error:
        raise write.failure(error, path) from None
    except UnicodeDecodeError as error:
        raise Refused(
            f"{path} is not UTF-8 (byte {error.start}), so it cannot name its bugs.", "Save it as UTF-8."
        ) from None
    refuse_open(text, BUGS, f"Close it in {path}.")
    link = f"[{bug.id}]({href(posixpath.relpath(bug.path, posixpath.dirname(report)))}): {markdown(bug.title)}"
    line = f"- {bug.id if bug.veiled else link}"
    return Beside(path, before, append_to_section(text, BUGS, line).encode("utf-8"))
