"""Draw views: the one module that knows Jinja. Nothing is read but templates, nothing is written."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reversa.core.bug import Bug, Registry
from reversa.core.shown import Shown
from reversa.errors import UsageError
from reversa.views.scene import Scene
from reversa.views.table import VIEWS, View
from reversa.views.words import Words

if TYPE_CHECKING:
    from jinja2 import Environment

HEADER = "<!-- GENERATED, DO NOT EDIT: reversa graph draws this file from the records. -->"


def draw(
    registry: Registry,
    shown: Shown,
    names: Collection[str] | None = None,
    lang: str = "en",
    *,
    template_folders: Sequence[Path],
    path_of: Callable[[Bug], str],
    contexts: Collection[str] | None = None,
    notes: Mapping[str, str] | None = None,
    addenda: Sequence[str] = (),
) -> dict[str, bytes]:
    """Draw views (`names` None: all; `contexts` None: of all) to bytes, by path from the project root.

    `template_folders` are searched in order: the registry's own templates, then the shipped ones. `path_of` gives a
    record's path from the repository root; `notes` are the texts of `notes.md` by context; `addenda` the names of the
    files in the spec folder's `addenda`. Raises UsageError for a template that does not render.
    """
    environment = _environment(template_folders, Words(lang))
    views = [view for name, view in VIEWS.items() if names is None or name in names]
    out: dict[str, bytes] = {}
    inline: dict[str, Any] = {}
    for view, context, file in _files(registry, views, contexts):
        text = (notes or {}).get(context or "", "") if view.per_context else ""
        scene = Scene(registry, shown, context, file, path_of, text, addenda)
        values = view.context(scene)
        if view.file.endswith(".html"):
            inline = inline or _inline(environment)
            values |= inline
        out[file] = _render(environment, view.template, values).encode("utf-8", "replace")
    return out


def render_template(name: str, values: Mapping[str, Any], template_folders: Sequence[Path], lang: str = "en") -> str:
    """Render one template, such as those of new records and locks. Raises UsageError when it does not render."""
    return _render(_environment(template_folders, Words(lang)), name, values)


def _files(
    registry: Registry, views: Sequence[View], contexts: Collection[str] | None
) -> Iterator[tuple[View, str | None, str]]:
    drawn = sorted({bug.context for bug in registry.bugs})
    for context in drawn if contexts is None else [name for name in drawn if name in contexts]:
        folder = "/".join(part for part in (registry.prefix, context, "generated") if part)
        yield from ((view, context, f"{folder}/{view.file}") for view in views if view.per_context)
    if registry.has_spec_folder and drawn:
        yield from ((view, None, f"{registry.spec_folder}/{view.file}") for view in views if not view.per_context)


def _environment(folders: Sequence[Path], words: Words) -> Environment:
    """Make the environment; a sandbox, since a registry's own templates come with the repository."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([str(folder) for folder in folders]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=lambda name: name is not None and name.endswith((".html.j2", ".svg.j2")),
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
    environment.globals.pop("lipsum")  # the one global that is random: same bugs, same bytes
    environment.globals |= {"header": HEADER, "lang": words.lang}
    return environment


def _render(environment: Environment, template: str, values: Mapping[str, Any]) -> str:
    try:
        return environment.get_template(template).render(values)
    except Exception as error:  # a registry's own template may fail in any way; ours are tested
        raise UsageError(
            f"{_place(error, template)}: the template does not render: {error}.",
            "Mend it, or delete it to use the one that reversa brings.",
        ) from error


def _place(error: Exception, template: str) -> str:
    """Name the file and line of a template that failed: what the error says, else the last template on its way."""
    from traceback import walk_tb

    file, line = getattr(error, "filename", None), getattr(error, "lineno", None)
    if not file:
        frames = [(frame.f_code.co_filename, number) for frame, number in walk_tb(error.__traceback__)]
        file, line = next((place for place in reversed(frames) if place[0].endswith(".j2")), (template, 1))
    return f"{Path(str(file)).name}:{line}"


def _inline(environment: Environment) -> dict[str, Any]:
    """Give the page's style and script with the hashes that its security policy allows."""
    from markupsafe import Markup

    out: dict[str, Any] = {}
    for name in ("style", "script"):
        text = _render(environment, f"graph.{'css' if name == 'style' else 'js'}.j2", {}).strip()
        out[name] = Markup(text)  # a template's own text, not a record's
        out[f"{name}_hash"] = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return out
