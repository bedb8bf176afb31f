"""`reversa init`: a registry is two files, nothing empty."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from reversa.commands.outcome import Outcome, file_diff
from reversa.core.bug import Registry
from reversa.core.naming import slug
from reversa.core.taxonomy import DIMENSIONS
from reversa.errors import Surroundings
from reversa.store import files, layout, registry
from reversa.store.raw import read_bytes
from reversa.views.render import render_template

_SPECS = {"architecture.md": ("area", "module"), "domain.md": ("feature",)}
_HEADING = re.compile(r"^(#{2,3})[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_NUMBERING = re.compile(r"^[\d.]+[.)]?\s+")


@dataclass
class InitOutcome(Outcome):
    """`root` is the registry that was made or that is there already."""

    root: Path = Path()


def init(
    option: str | None = None,
    *,
    policy: str = "local-software",
    lang: str = "",
    from_specs: bool = False,
    dry_run: bool = False,
) -> InitOutcome:
    """Create README.md and taxonomy.yaml; an existing registry is described and left alone.

    Raises Surroundings where nothing can be written.
    """
    root = layout.place_for_new(Path.cwd(), option)
    if root.is_dir() and any((root / name).exists() for name in ("README.md", "taxonomy.yaml")):
        return _describe(root)
    if root.is_dir() and any(root.iterdir()):
        found = registry.load(layout.layout_of(root), full=False)
        if found.bugs:
            return _describe(root)
    elif root.exists() and not root.is_dir():
        raise Surroundings(f"{root} is in the way: it is a file.", "Move it, or name another place with --registry.")
    where = layout.layout_of(root)
    starter = read_bytes(str(layout.shipped() / "taxonomy.yaml"))
    notes: list[str] = []
    if from_specs:
        starter, notes = _seeded(starter, where)
    readme = render_template(
        "registry-readme.md.j2", {"policy": _scalar(policy), "language": lang}, [layout.shipped() / "templates"]
    )
    made = {"README.md": readme.encode(), "taxonomy.yaml": starter}
    data = {"path": where.from_git_root(root), "created": ["README.md", "taxonomy.yaml"], "bugs": 0, "contexts": 0}
    out = InitOutcome(data, notes=notes, root=root)
    if dry_run:
        out.diff = "".join(file_diff(f"{data['path']}/{name}", b"", content) for name, content in made.items())
    else:
        files.create_registry(root, made)
    return out


def _scalar(text: str) -> str:
    from reversa.store.render_yaml import scalar

    return scalar(text)


def _describe(root: Path) -> InitOutcome:
    where = layout.layout_of(root)
    found: Registry = registry.load(where, full=False)
    data = {
        "path": where.from_git_root(root),
        "created": [],
        "bugs": len(found.bugs),
        "contexts": len({bug.context for bug in found.bugs}),
    }
    return InitOutcome(data, root=root)


def _seeded(starter: bytes, where: layout.Layout) -> tuple[bytes, list[str]]:
    """Put the headings of the spec folder's overview files into the starter's lists, comments kept."""
    import io

    from ruamel.yaml import YAML

    terms: dict[str, list[str]] = {dimension: [] for dimension in DIMENSIONS}
    missing = []
    for name, dimensions in _SPECS.items():
        text = files.spec_text(where, name)
        if text is None:
            missing.append(f"{where.spec_folder}/{name}")
            continue
        for marks, title in _HEADING.findall(text):
            dimension = dimensions[min(len(marks) - 2, len(dimensions) - 1)]
            term = slug(_NUMBERING.sub("", title))
            if term and term not in terms[dimension]:
                terms[dimension].append(term)
    notes = [f"{name} is not there; its part keeps the starter terms." for name in missing]
    yaml = YAML()
    yaml.indent(mapping=2, sequence=4, offset=2)
    data = yaml.load(starter.decode())
    for dimension, found in terms.items():
        if found:
            data[dimension][:] = found
    stream = io.StringIO()
    yaml.dump(data, stream)
    return stream.getvalue().encode(), notes
