"""The table of views; a view is a module with `context(scene)`, a template, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reversa.views import catalog, graph_html, graph_md, index, matrix, mirror, spec_matrix
from reversa.views.scene import Scene


@dataclass(frozen=True, slots=True)
class View:
    """A view: `file` is its name in a context's `generated` folder, or in the spec folder when not `per_context`."""

    name: str
    file: str
    template: str
    context: Callable[[Scene], dict[str, Any]]
    per_context: bool = True


VIEWS = {
    view.name: view
    for view in (
        View("catalog", "catalog.jsonl", "catalog.jsonl.j2", catalog.context),
        View("index", "index.md", "index.md.j2", index.context),
        View("matrix", "matrix.md", "matrix.md.j2", matrix.context),
        View("graph", "graph.md", "graph.md.j2", graph_md.context),
        View("page", "graph.html", "graph.html.j2", graph_html.context),
        View("spec-matrix", "spec-matrix.md", "spec-matrix.md.j2", spec_matrix.context),
        View("mirror", "traceability/bugs.md", "mirror.md.j2", mirror.context, per_context=False),
    )
}
