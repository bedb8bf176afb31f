"""Walk and read a registry into the pure model; nothing in it can make the walk fail."""

from __future__ import annotations

import gc
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reversa.core.bug import Bug, Lock, Oddity, Registry
from reversa.core.document import Document, Problem
from reversa.core.taxonomy import Taxonomy, from_data
from reversa.store import frontmatter, seal
from reversa.store.around import Project
from reversa.store.layout import Layout

_CONTEXT_CHILDREN = ("bugs", "intake", "inspections")
_DATE = re.compile(rb"\b\d{4}-\d{2}-\d{2}\b")
_KIND = re.compile(rb"resolution_kind\W{0,6}([a-z-]+)")
_SEAL = re.compile(rb"^seal:[ \t]*(sha256:[0-9a-f]{64})[ \t]*\r?$", re.MULTILINE)
_RESTRICTED = re.compile(rb"^(?:visibility:[ \t]*[\"']?restricted|security_suspected:[ \t]*true)", re.MULTILINE)
_SETTING = r"^[ \t>*-]*`?{name}`?[ \t]*:[ \t]*(.+?)[ \t]*$"
_YAML_BLOCK = re.compile(r"^```ya?ml[ \t]*\r?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SMALL = 1024 * 1024


def load(layout: Layout, *, full: bool = True) -> Registry:
    """Read the whole registry, sorted; what cannot be read becomes a Bug without data or an Oddity.

    `full=False` leaves out bodies, lock texts and seals, which listing does not need.
    """
    collecting = gc.isenabled()
    gc.disable()  # the collector walks every live node again and again: 19.8 s instead of 2.2 s for 10,000 records
    try:
        return _load(layout, full)
    finally:
        if collecting:
            gc.enable()


def _load(layout: Layout, full: bool) -> Registry:
    oddities: list[Oddity] = []
    contexts: list[str] = []
    bugs: list[Bug] = []
    aside: list[Bug] = []
    for context, is_context in _contexts(layout.root, oddities):
        found = list(_bugs(layout.root, context, full, oddities if is_context else []))
        if is_context:
            contexts.append(context)
            bugs += found
        elif found:
            oddities.append(Oddity("RV024", context, {"context": context, "count": len(found)}))
            aside += found
    if full:
        bugs = with_seals(layout, bugs)
    settings = read_settings(layout.root)
    taxonomy, problems = read_taxonomy(layout.root)
    return Registry(
        tuple(sorted(bugs, key=_order)),
        tuple(sorted(contexts)),
        taxonomy,
        Project(layout.project),
        layout.prefix,
        settings.get("closure_policy", "local-software"),
        settings.get("control_mode", "gated"),
        layout.language or settings.get("language", ""),
        layout.spec_folder,
        (layout.project / layout.spec_folder).is_dir(),
        tuple(sorted(aside, key=_order)),
        tuple(sorted((*oddities, *problems), key=lambda odd: (odd.path, odd.code))),
    )


def _order(bug: Bug) -> tuple[str, str]:
    return bug.key, bug.path


def _subfolders(path: Path, oddities: list[Oddity], root: Path) -> list[str]:
    """Give the names of the folders in a folder, sorted; a link that leaves the registry is reported, not followed."""
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            oddities.append(Oddity("RV014", _relative(path, root), {"reason": error.strerror or "unreadable"}))
        return []
    names = []
    for entry in entries:
        if not entry.is_dir():
            continue
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root.resolve()):
            oddities.append(Oddity("RV015", _relative(Path(entry.path), root)))
            continue
        names.append(entry.name)
    return names


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _contexts(root: Path, oddities: list[Oddity]) -> Iterator[tuple[str, bool]]:
    """Yield folders that hold bugs or may: the flat layout as "", then each child; True for a context."""
    links: list[Oddity] = []
    names = _subfolders(root, links, root)
    if "bugs" in names:
        yield "", True
    for name in names:
        children = [child for child in _CONTEXT_CHILDREN if (root / name / child).is_dir()]
        if name in _CONTEXT_CHILDREN or not children:
            continue
        yield name, not name.startswith(("_", "."))
    # a link that leaves the registry matters where a context could be; anything else at the root is ignored
    oddities.extend(odd for odd in links if not odd.path.startswith(("_", ".")))


def _bugs(root: Path, context: str, full: bool, oddities: list[Oddity]) -> Iterator[Bug]:
    base = root / context / "bugs" if context else root / "bugs"
    if base.is_symlink() and not base.resolve().is_relative_to(root.resolve()):
        oddities.append(Oddity("RV015", _relative(base, root)))
        return
    prefix = f"{context}/bugs/" if context else "bugs/"
    for name in _subfolders(base, oddities, root):
        if name.startswith("."):  # a folder under construction, or left by a killed process
            continue
        bug = read_bug(root, prefix + name, full=full)
        if bug is not None:
            yield bug
        elif name.upper().startswith("BUG-"):
            oddities.append(Oddity("RV023", prefix + name, {"folder": name}))


def read_bug(root: Path, folder: str, *, full: bool = True) -> Bug | None:
    """Read one bug folder, named relative to the registry root; None where it holds no `bug.md`."""
    path = f"{root}/{folder}"
    try:
        data = read_bytes(f"{path}/bug.md")
    except FileNotFoundError:
        return None
    except OSError as error:
        document = Document("", None, problems=(Problem("RV014", params={"reason": error.strerror or str(error)}),))
        data = b""
    else:
        document = frontmatter.read(data)
    return bug_from(folder, document, data, lock=read_lock(f"{path}/{seal.LOCK_NAME}", full=full), full=full)


def bug_from(folder: str, document: Document, data: bytes, *, lock: Lock | None, full: bool = True) -> Bug:
    """Make a Bug of a document read from memory or disk; `folder` is relative to the registry root."""
    context, _, name = folder.rpartition("/bugs/") if "/bugs/" in folder else ("", "", folder.rpartition("/")[2])
    return Bug(
        f"{folder}/bug.md",
        name,
        context,
        lock is not None,
        document.data,
        document.body if full and document.data is not None else "",
        document.problems,
        lock,
        "",
        document.text.count("\n", 0, document.body_at) + 1 if full else 1,
        document.data is None and bool(_RESTRICTED.search(data)),
    )


def read_bytes(path: str) -> bytes:
    """Read a regular file, at most one byte more than a record may have; raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(0, "not a regular file")
        data = os.read(handle, min(info.st_size, frontmatter.MAX_BYTES) + 1)
        while len(data) < info.st_size and len(data) <= frontmatter.MAX_BYTES:  # a short read
            more = os.read(handle, info.st_size - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        os.close(handle)


def read_lock(path: str, *, full: bool = True) -> Lock | None:
    """Read a DONE.md; its presence alone is the lock, whatever it says."""
    if not os.path.lexists(path):
        return None
    if not full:
        return Lock("", "", "")
    try:
        data = read_bytes(path)
    except OSError:
        return Lock("", "", "")
    return parse_lock(data)


def parse_lock(data: bytes) -> Lock:
    """Read date, kind and seal out of any of the forms that a DONE.md has in real registries."""
    found = [pattern.search(data) for pattern in (_DATE, _KIND, _SEAL)]
    date, kind, sealed = (match[match.re.groups].decode() if match else "" for match in found)
    return Lock(date, kind, sealed)


def with_seals(layout: Layout, bugs: list[Bug]) -> list[Bug]:
    """Compute the seals of the locked bugs that carry one, as their folders are now."""
    sealed = {bug.path.rpartition("/")[0]: bug for bug in bugs if bug.lock and bug.lock.seal}
    if not sealed:
        return bugs
    files = seal.covered_by_folder(layout.root, sealed, in_git=layout.git_root is not None)
    computed = {}
    for folder, bug in sealed.items():
        try:
            computed[bug.path] = seal.compute(layout.root / folder, files[folder])
        except OSError as error:
            computed[bug.path] = f"unreadable: {error.strerror}"
    return [replace(bug, seal=computed[bug.path]) if bug.path in computed else bug for bug in bugs]


def read_settings(root: Path) -> dict[str, str]:
    """Read closure_policy, control_mode and language out of the README: its YAML blocks first, then anywhere."""
    try:
        text = read_bytes(str(root / "README.md"))[:_SMALL].decode("utf-8", "replace")
    except OSError:
        return {}
    blocks = "\n".join(match[1] for match in _YAML_BLOCK.finditer(text))
    out = {}
    for name in ("closure_policy", "control_mode", "language"):
        pattern = re.compile(_SETTING.format(name=name), re.MULTILINE)
        match = pattern.search(blocks) or pattern.search(text)
        value = re.split(r"\s+#", match[1].rstrip("\r"))[0].strip().strip("`\"'").strip() if match else ""
        if value and "{{" not in value:
            out[name] = value
    return out


def read_taxonomy(root: Path) -> tuple[Taxonomy, list[Oddity]]:
    """Read `taxonomy.yaml`; an unreadable one is reported and nothing is checked against it."""
    try:
        data = read_bytes(str(root / "taxonomy.yaml"))
    except FileNotFoundError:
        return Taxonomy(), []
    except OSError as error:
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": error.strerror or str(error)})]
    value, problem = frontmatter.read_yaml(data)
    if problem is not None:
        reason = problem.params.get("problem") or "it is not plain UTF-8 YAML without anchors and duplicate keys"
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": reason}, problem.line)]
    if not isinstance(value, dict):
        return Taxonomy(), [Oddity("RV026", "taxonomy.yaml", {"reason": "it is not a mapping"})] if value else []
    taxonomy = from_data(value)
    return taxonomy, [Oddity("RV027", "taxonomy.yaml", {"key": key}) for key in taxonomy.plurals]
