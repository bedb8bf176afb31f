"""The graph against a second computation that knows nothing of networkx: pairs of IDs and plain loops."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from reversa.core import graph
from reversa.core.bug import Bug, Registry
from reversa.core.document import Plain
from reversa.core.fields import RELATION_STATES, RELATION_TYPES, SYMMETRIC
from reversa.core.rules.edges import SHOWN
from reversa.core.rules.engine import run
from reversa.core.taxonomy import Taxonomy

from .rules.examples import Files

IDS = [f"BUG-20260101-AAA{letter}" for letter in "ABCDEFG"]
MISSING = "BUG-20260101-ZZZZ"
EDGES = st.tuples(
    st.sampled_from([*IDS, MISSING, IDS[0].replace("AAAA", "aaaa")]),
    st.sampled_from(RELATION_TYPES),
    st.sampled_from(RELATION_STATES),
)
STATUSES = st.sampled_from(["open", "active", "resolved"])
Stored = tuple[str, str, str, str]
"""Source, target, type, state; IDs in upper case."""


@st.composite
def registries(draw: st.DrawFn) -> Registry:
    bugs = []
    for name in draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1)):
        edges = draw(st.lists(EDGES, max_size=4))
        relations = [{"bug": Plain(b), "type": Plain(t), "state": Plain(s), "evidence": ["seen"]} for b, t, s in edges]
        data = {"id": Plain(name), "status": Plain(draw(STATUSES)), "relationships": relations}
        bugs.append(Bug(f"c/bugs/{name}/bug.md", name, "c", False, data))
    return Registry(tuple(sorted(bugs, key=lambda bug: bug.id)), ("c",), Taxonomy(), Files())


def stored(registry: Registry) -> list[Stored]:
    return [(bug.id, r.bug.upper(), r.type, r.state) for bug in registry.bugs for r in bug.relations]


def as_tuple(edge: graph.Edge) -> Stored:
    return edge.source, edge.target, edge.type, edge.state


def reach(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The transitive closure, by trying all detours until nothing is new."""
    known = set(pairs)
    names = {name for pair in pairs for name in pair}
    for middle, start, end in product(names, names, names):
        if (start, middle) in known and (middle, end) in known:
            known.add((start, end))
    return known


def duplicates(registry: Registry) -> set[tuple[str, str]]:
    return {(s, t) for s, t, type_, state in stored(registry) if type_ == "duplicate-of" and state != "rejected"}


def pair_of(edge: Stored) -> tuple[str, str, str]:
    source, target, type_, _ = edge
    return (type_, *sorted((source, target))) if type_ in SYMMETRIC else (type_, source, target)  # type: ignore[return-value]


@given(registries())
def test_edges_self_edges_and_dangling_ones(registry: Registry) -> None:
    expected, known = stored(registry), {bug.id for bug in registry.bugs}
    assert sorted(map(as_tuple, graph.edges(registry.graph))) == sorted(expected)
    assert sorted(map(as_tuple, graph.self_edges(registry.graph))) == sorted(e for e in expected if e[0] == e[1])
    assert sorted(map(as_tuple, graph.dangling(registry.graph))) == sorted(e for e in expected if e[1] not in known)


@given(registries())
def test_duplicate_cycles(registry: Registry) -> None:
    pairs = {(s, t) for s, t in duplicates(registry) if s != t}
    closure = reach(pairs)
    on_cycle = {name for name, other in closure if name == other}
    knots = {tuple(sorted(b for b in on_cycle if (a, b) in closure and (b, a) in closure)) for a in on_cycle}
    assert [tuple(knot) for knot in graph.duplicate_cycles(registry.graph)] == sorted(knots)


@settings(max_examples=300)
@given(registries())
def test_edges_are_plain_only_where_the_graph_has_nothing_to_say(registry: Registry) -> None:
    edges = stored(registry)
    odd = bool(graph.self_edges(registry.graph) or graph.dangling(registry.graph))
    odd = odd or len({pair_of(edge) for edge in edges}) < len(edges)
    copied = {(s, t) for s, t, type_, _ in edges if type_ == "duplicate-of"}
    chained = any(target == source for _, target in copied for source, _ in copied)
    assert graph.is_plain(registry) == (not odd and not chained)
    assert not (graph.is_plain(registry) and graph.duplicate_cycles(registry.graph))


@given(registries())
def test_every_member_of_a_cycle_is_told_its_path(registry: Registry) -> None:
    pairs = {(s, t) for s, t in duplicates(registry) if s != t}
    on_cycle = {name for name, other in reach(pairs) if name == other}
    told = [v for v in run(registry) if v.rule.code == "RV302" and v.bug is not None]
    assert sorted(v.bug.id for v in told if v.bug) == sorted(on_cycle)
    for violation in told:
        path = str(violation.hit.params["path"]).split(" -> ")
        assert violation.bug is not None
        assert path[0] == path[-1] == violation.bug.id
        assert all(step in pairs for step in pairwise(path))
        assert len(path) - 1 <= SHOWN


@given(registries())
def test_distinct_keeps_the_best_known_of_each_pair(registry: Registry) -> None:
    kept = graph.distinct(graph.edges(registry.graph))
    rank = {"rejected": 0, "proposed": 1, "supported": 2, "confirmed": 3}
    best: dict[tuple[str, str, str], int] = {}
    for edge in stored(registry):
        best[pair_of(edge)] = max(best.get(pair_of(edge), -1), rank[edge[3]])
    assert {pair_of(as_tuple(edge)): rank[edge.state] for edge in kept} == best
    assert len(kept) == len(best)


@given(registries())
def test_one_finding_for_every_copy_of_an_edge(registry: Registry) -> None:
    edges = [edge for edge in stored(registry) if edge[0] != edge[1]]
    copies = len(edges) - len({pair_of(edge) for edge in edges})
    assert sum(v.rule.code == "RV309" for v in run(registry)) == copies


@given(registries())
def test_clusters(registry: Registry) -> None:
    keys = {bug.id for bug in registry.bugs}
    proven = [e for e in stored(registry) if e[3] in ("supported", "confirmed") and e[0] in keys and e[1] in keys]
    both = reach({(s, t) for s, t, _, _ in proven} | {(t, s) for s, t, _, _ in proven})
    groups = {tuple(sorted({b for a, b in both if a == name} | {name})) for name, _ in both}
    found = graph.clusters(keys, [e for e in graph.edges(registry.graph) if e.relation.proven])
    assert [tuple(cluster) for cluster in found] == sorted(group for group in groups if len(group) > 1)


@settings(max_examples=300)
@given(registries())
def test_impact(registry: Registry) -> None:
    """Registry.md 4 once more: each distinct proven edge between known bugs counts at one bug, related ones at both."""
    alive = {bug.id for bug in registry.bugs if bug.status != "resolved"}
    known = {bug.id for bug in registry.bugs}
    proven = {pair_of(e) for e in stored(registry) if e[3] in ("supported", "confirmed") and e[0] != e[1]}
    proven = {(type_, a, b) for type_, a, b in proven if a in known and b in known}
    scores = {}
    for name in alive:
        caused = sum(type_ == "caused-by" and cause == name for type_, _, cause in proven)
        blocked = sum(type_ == "blocked-by" and blocker == name for type_, _, blocker in proven)
        broke = sum(type_ == "regression-of" and old == name for type_, _, old in proven)
        broke += sum(type_ == "regression-of" and new == name and old not in alive for type_, new, old in proven)
        related = sum(type_ == "related-to" and name in (a, b) for type_, a, b in proven)
        scores[name] = caused * 3 + blocked * 2 + broke * 4 + min(related, 3)
    assert graph.impact(registry.bugs, graph.edges(registry.graph)) == scores


def test_a_ring_of_two_thousand_is_told_in_a_line() -> None:
    names = [f"BUG-20260101-{number:04d}" for number in range(2000)]
    bugs = []
    for name, after in zip(names, [*names[1:], names[0]], strict=True):
        edge = {"bug": Plain(after), "type": Plain("duplicate-of"), "state": Plain("proposed"), "evidence": []}
        data = {"id": Plain(name), "status": Plain("open"), "relationships": [edge]}
        bugs.append(Bug(f"c/bugs/{name}/bug.md", name, "c", False, data))
    registry = Registry(tuple(bugs), ("c",), Taxonomy(), Files())
    told = [v for v in run(registry) if v.rule.code == "RV302"]
    assert len(told) == 2000
    assert told[7].message().startswith(f"duplicate-of leads back to the bug: {names[7]} -> {names[8]} -> ")
    assert str(told[7].hit.params["path"]).endswith(f"1992 more -> {names[7]}")


def test_references_to_unreadable_and_set_aside_bugs_are_not_dangling() -> None:
    edges = [{"bug": Plain(name), "type": Plain("caused-by"), "state": Plain("proposed")} for name in IDS[1:4]]
    owner = Bug("c/bugs/a/bug.md", IDS[0], "c", False, {"id": Plain(IDS[0]), "relationships": edges})
    broken = Bug("c/bugs/b/bug.md", f"{IDS[1]}-x", "c", False, None)
    aside = Bug("_old/bugs/c/bug.md", IDS[2], "_old", False, {"id": Plain(IDS[2].replace("AAAC", "aaac"))})
    registry = Registry((owner, broken), ("c",), Taxonomy(), Files(), set_aside=(aside,))
    assert [edge.target for edge in graph.dangling(registry.graph)] == [IDS[3]]
    assert [v.hit.route for v in run(registry) if v.rule.code == "RV303"] == [("relationships", 2, "bug")]
