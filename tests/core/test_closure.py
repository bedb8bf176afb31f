"""What closing asks for, case by case along the table of registry.md 8."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from reversa.core.bug import Registry
from reversa.core.closure import Condition, conditions
from reversa.core.fields import RESOLUTION_KINDS
from reversa.core.rules.engine import run

from .rules.examples import emit, merged, raw, registry_of

PROVEN = """
traceability:
  specs: ["_reversa_sdd/sales.md#discounts"]
  root_cause: {state: confirmed, hypothesis: Twice, evidence: [seen], code_refs: [{file: src/cart.py}]}
  regression_tests: ["tests/test_cart.py::test_once"]
spec_verdict: spec-correta
"""


def under(policy: str, text: str) -> Registry:
    """Give a registry of that policy with one record, which names a policy of its own only where the text does."""
    example = raw(text)
    own = "policy" in example.get("closure", {})
    return registry_of({**example, "_policy": policy, "_without": [] if own else ["closure.policy"]})


def asked(text: str, kind: str = "fixed", policy: str = "local-software", **options: Any) -> list[Condition]:
    registry = under(policy, text)
    return conditions(registry.bugs[0], registry, kind, **{"human": False, **options})


def missing(text: str, kind: str = "fixed", policy: str = "local-software", **options: Any) -> list[str]:
    return [item.item for item in asked(text, kind, policy, **options) if not item.done]


def proven(text: str = "{}") -> str:
    """Give the record of a proven fix with something laid over it, as text that reads back the same."""
    return emit(merged(raw(PROVEN), raw(text) or {}))


def test_a_fix_needs_four_things() -> None:
    assert missing("{}") == ["regression tests", "root cause confirmed", "specification linked", "spec verdict"]
    assert missing(proven()) == []


@pytest.mark.parametrize(
    ("change", "item"),
    [
        ("traceability: {regression_tests: []}", "regression tests"),
        ("traceability: {regression_tests: [~, '']}", "regression tests"),
        ("traceability: {root_cause: {state: supported}}", "root cause confirmed"),
        ("traceability: {specs: []}", "specification linked"),
        ("spec_verdict: null", "spec verdict"),
        ("spec_verdict: {verdict: null, by: Ana}", "spec verdict"),
    ],
)
def test_each_of_them_alone(change: str, item: str) -> None:
    assert missing(proven(change)) == [item]


@pytest.mark.parametrize(
    ("verdict", "label", "done"),
    [("spec-gap", "spec-gap", True), ("spec-gap", "money", False), ("spec-correta", "spec-gap", False)],
)
def test_the_gap_must_be_stated_twice(verdict: str, label: str, done: bool) -> None:
    text = proven(f"{{spec_verdict: {verdict}, labels: [{label}], traceability: {{specs: []}}}}")
    assert missing(text) == ([] if done else ["specification linked"])


@pytest.mark.parametrize("verdict", ["{verdict: spec-correta}", "who knows", "spec-desatualizada"])
def test_a_filled_verdict_of_any_shape_counts(verdict: str) -> None:
    assert missing(proven(f"spec_verdict: {verdict}")) == []


MERGE = [
    "delivery: {merge: abc1234}",
    'delivery: {merge_commit: "0012345"}',
    "delivery: {merged: true}",
    "closure: {merged: true}",
    "closure: {merge_commit: abc1234}",
]
VERSION = [
    'delivery: {version: "1.2"}',
    'delivery: {published_version: "1.2"}',
    "versions: [1.2.0]",
    "closure: {version: 1.2.0}",
    "closure: {versions: [1.2.0]}",
]


@pytest.mark.parametrize("merge", MERGE)
@pytest.mark.parametrize("version", VERSION)
def test_a_package_needs_merge_and_version(merge: str, version: str) -> None:
    both = merged(raw(merge), raw(version))
    assert missing(proven(emit(both)), policy="package") == []
    assert missing(proven(merge), policy="package") == ["version published"]
    assert missing(proven(version), policy="package") == ["merge recorded"]


@pytest.mark.parametrize("no", ["{merged: false}", "{merge: null}", "{merge: false}", '{merged: "true"}', "{pr: x}"])
def test_what_is_no_merge(no: str) -> None:
    assert "merge recorded" in missing(proven(f"delivery: {no}"), policy="package")


@pytest.mark.parametrize("route", ["versions: V", "delivery: {versions: V}", "closure: {versions: V}"])
@pytest.mark.parametrize(
    ("versions", "published"),
    [
        ('{fixed: "1.3"}', True),
        ('{affected: "1.2", fixed: "1.3"}', True),
        ('{affected: "1.2", published: ["1.3", "1.4"]}', True),
        ('{affected: "1.2", released: true}', True),
        ('[{version: "1.3"}]', True),
        ('[{affected: "1.2"}, "1.3"]', True),
        ('[{version: "1.3", published: 2026-07-20}]', True),
        ('"1.3"', True),
        ('{affected: "1.2"}', False),
        ('{affected: "1.2", version: "1.2"}', False),
        ('{affected: "1.2", fixed: null}', False),
        ('{affected: "1.2", fixed: []}', False),
        ('[{version: "1.3", released: false}]', False),
        ('[{affected: "1.2"}]', False),
        ("{introduced: 1.0.0}", False),
        ("[~, '']", False),
        ("false", False),
        ("{}", False),
    ],
)
def test_versions_count_where_they_say_published(route: str, versions: str, published: bool) -> None:
    text = merged(raw("delivery: {merge: abc1234}"), raw(route.replace("V", versions)))
    assert missing(proven(emit(text)), policy="package") == ([] if published else ["version published"])


def test_required_backports_must_be_released() -> None:
    backports = """
    delivery: {merged: true, version: 2.0.0}
    backports:
      - {version: "1.2", required: true, released: false}
      - {version: "1.1", required: true, released: true}
      - {version: "1.0", required: false, released: false}
    closure: {backports: [{version: "0.9", required: true}]}
    """
    items = asked(proven(backports), policy="package")
    assert [(item.item, item.done) for item in items[6:]] == [
        ("backport 1.2 released", False),
        ("backport 1.1 released", True),
        ("backport 0.9 released", False),
    ]
    assert items[6].command == "reversa update A7K3 --set 'backports[0].released=true'"


DELIVERY = ["{commit: abc1234}", "{merge: abc1234}", "{deployed: 2026-07-20}", "{version: 1.2.0}", "{merged: true}"]
WATCHED = "post_fix_observation: {started: 2026-07-20, until: 2026-07-30, recurrences: 0, concluded: 2026-07-31}"


@pytest.mark.parametrize("delivery", DELIVERY)
def test_a_service_needs_a_delivery_and_a_watch(delivery: str) -> None:
    assert missing(proven(f"delivery: {delivery}\n{WATCHED}"), policy="production-service") == []
    assert missing(proven(WATCHED), policy="production-service") == ["delivery recorded"]


@pytest.mark.parametrize(
    ("observation", "done"),
    [
        ("{until: 2026-07-30, concluded: 2026-07-31}", True),
        ("{until: 2026-07-30, concluded: 2026-07-31, recurrences: 0}", True),
        ("{until: 2026-07-30, concluded: true}", True),
        ("{started_at: 2026-07-20, until: 2026-07-30, closed_at: '2026-07-31T10:00:00Z'}", True),
        ("{until: 2026-07-30, concluded: 2026-07-29}", False),
        ("{until: 2026-07-30, concluded: 2026-07-30}", False),
        ("{until: 2026-07-30, concluded: 2026-07-31, recurrences: 1}", False),
        ("{until: 2026-07-30, concluded: false}", False),
        ("{until: 2026-07-30, concluded: null}", False),
        ("{concluded: 2026-07-31}", False),
        ("{until: 2026-07-30, waived: {by: Ana, on: 2026-07-21, reason: No traffic}}", True),
        ("{until: 2026-07-30, waived: {by: Ana, on: 2026-07-21}}", False),
        ("{until: 2026-07-30, waived: true}", False),
        ("watching", False),
    ],
)
def test_the_watch(observation: str, done: bool) -> None:
    for text in (f"post_fix_observation: {observation}", f"closure: {{post_fix_observation: {observation}}}"):
        found = missing(proven(f"delivery: {{commit: abc1234}}\n{text}"), policy="production-service")
        assert found == ([] if done else ["observation concluded"])


@pytest.mark.parametrize("where", ["post_fix_observation: SAID", "closure: {post_fix_observation: SAID}"])
@pytest.mark.parametrize("name", ["concluded", "closed_at"])
@pytest.mark.parametrize(
    ("end", "today", "done"),
    [
        ("true", "2026-07-29", False),
        ("true", "2026-07-30", False),
        ("true", "2026-07-31", True),
        ("no recurrence", "2026-07-30", False),
        ("no recurrence", "2026-07-31", True),
        ("2026-08-01", "2026-07-31", False),
        ("2026-08-01", "2026-08-01", True),
        ("2026-08-01", "2026-08-02", True),
        ("'2026-08-01T23:00:00Z'", "2026-07-31", False),
        ("'2026-08-01T23:00:00Z'", "2026-08-01", True),
        ("2026-07-30", "2026-08-02", False),
        ("2099-01-01", "2026-08-02", False),
        ("2099-01-01", "", True),
        ("true", "", True),
    ],
)
def test_an_observation_is_not_over_before_its_end(where: str, name: str, end: str, today: str, done: bool) -> None:
    """Where the day is known, an end that is still to come is none, and one without a date is today's."""
    said = where.replace("SAID", f"{{until: 2026-07-30, {name}: {end}}}")
    found = missing(proven("delivery: {commit: abc1234}\n" + said), policy="production-service", today=today)
    assert found == ([] if done else ["observation concluded"])


def test_a_policy_of_other_text_needs_a_person() -> None:
    policy = "the owner looks at it"
    assert missing(proven(), policy=policy) == ["a person's confirmation"]
    assert missing(proven(), policy=policy, human=True) == []
    decided = "decisions: [{what: closure, value: confirmed, by: Ana, on: 2026-07-30, via: terminal, reason: Seen}]"
    assert missing(proven(decided), policy=policy) == []
    other = "decisions: [{what: spec_verdict, value: spec-correta, by: Ana, on: 2026-07-30, via: terminal}]"
    assert missing(proven(other), policy=policy) == ["a person's confirmation"]


def test_the_record_s_policy_wins() -> None:
    assert missing(proven("closure: {policy: package}"), policy="local-software") == [
        "merge recorded",
        "version published",
    ]
    assert missing(proven("closure: {policy: local-software}"), policy="package") == []


EDGE = "relationships: [{bug: BUG-20260701-Q2R8, type: duplicate-of, state: STATE, evidence: [same trace]}]"
MIRROR = r"## Resolution\n\n<!-- reversa:begin resolution -->\n- **Kind**: invalid\n<!-- reversa:end resolution -->\n"
CHANGE = "change_set: [{id: CHG-001, kind: KIND, artifact: a}]"


@pytest.mark.parametrize(
    ("kind", "text", "lacks"),
    [
        ("duplicate", "{}", ["confirmed duplicate-of"]),
        ("duplicate", EDGE.replace("STATE", "supported"), ["confirmed duplicate-of"]),
        ("duplicate", EDGE.replace("STATE", "confirmed"), []),
        ("cannot-reproduce", "{}", ["reproduction classified not-reproduced"]),
        ("cannot-reproduce", "reproduction: {classification: not-reproduced}", []),
        ("instrumentation-required", "{}", ["observability, code or configuration change"]),
        ("instrumentation-required", CHANGE.replace("KIND", "test"), ["observability, code or configuration change"]),
        ("instrumentation-required", CHANGE.replace("KIND", "observability"), []),
        ("instrumentation-required", CHANGE.replace("KIND", "code"), []),
        ("instrumentation-required", CHANGE.replace("KIND", "configuration"), []),
        ("spec-only", "{}", ["spec verdict", "specification change"]),
        ("spec-only", "spec_verdict: spec-correta\n" + CHANGE.replace("KIND", "specification"), ["spec verdict"]),
        ("spec-only", "spec_verdict: spec-gap\n" + CHANGE.replace("KIND", "documentation"), ["specification change"]),
        ("spec-only", "spec_verdict: spec-desatualizada\n" + CHANGE.replace("KIND", "specification"), []),
        ("invalid", "_body: '# x'", ["reason"]),
        ("invalid", '_body: "## Resolution\\n\\n_To be filled._\\n\\n<!-- x -->\\n"', ["reason"]),
        ("invalid", f'_body: "{MIRROR}"', ["reason"]),
        ("invalid", f'_body: "{MIRROR}\\nNot ours.\\n"', []),
        ("invalid", '_body: "## Resolution\\n\\nThe report is about another shop.\\n"', []),
        ("no such kind", "{}", []),
    ],
)
def test_other_kinds(kind: str, text: str, lacks: list[str]) -> None:
    assert missing(text, kind, policy="package") == lacks


SAYS_NOTHING = [
    "",
    "_Not written yet._",
    "_Not resolved yet._",
    "*Not resolved yet.*",
    "- _Not written yet._",
    "### Reason",
    "<!-- a -->",
    "<!--\nmany\nlines\n-->",
    "---",
    "BEGIN\n- **Resolution kind**: invalid\nEND",
    "BEGIN\n- **Resolution kind**: invalid\nEND\n\nBEGIN\n- **Change**: none\nEND",
    "BEGIN\n- **Resolution kind**: invalid\nEND\n\n_Not written yet._",
]


def resolution(text: str) -> str:
    body = f"# x\n\nNot this.\n\n## Resolution\n\n{text}\n\n## Agent Notes\n\nNor this.\n"
    for mark in ("begin", "end"):
        body = body.replace(mark.upper(), f"<!-- reversa:{mark} resolution -->")
    return f"_body: {json.dumps(body)}"


@pytest.mark.parametrize("text", SAYS_NOTHING)
def test_what_is_no_reason(text: str) -> None:
    """Neither `close` nor check takes reversa's own lines, headings and placeholders for a reason."""
    assert missing(resolution(text), "invalid") == ["reason"]
    closed = "status: resolved\nresolution_kind: invalid\nclosure: {satisfied: true}\n_locked: true\n"
    codes = [violation.rule.code for violation in run(under("local-software", closed + resolution(text)))]
    assert "RV241" in codes
    for said in ("Works as designed.", "> As designed.", "```\nAs designed.\n```", "#12 is the same"):
        for both in (f"{text}\n\n{said}", f"{said}\n\n{text}"):
            assert missing(resolution(both), "invalid") == []


def test_a_mirror_that_never_ends_takes_no_reason_away() -> None:
    assert missing(resolution("BEGIN\nWorks as designed."), "invalid") == []


def test_a_reason_that_is_given_now_counts() -> None:
    assert missing("_body: '# x'", "invalid", reason="  ") == ["reason"]
    assert missing("_body: '# x'", "invalid", reason="It works as designed.") == []


@pytest.mark.parametrize("kind", RESOLUTION_KINDS)
@pytest.mark.parametrize("policy", ["local-software", "package", "production-service", "the owner agrees"])
def test_commands_are_runnable_and_decisions_have_none(kind: str, policy: str) -> None:
    for item in asked("backports: [{version: '1', required: true}]", kind, policy):
        assert item.detail
        person = item.item in ("spec verdict", "a person's confirmation")
        assert (item.command is None) == person
        if item.command:
            words = shlex.split(item.command)
            assert words[0] == "reversa"
            assert "A7K3" in words


@pytest.mark.parametrize("policy", ["local-software", "package", "production-service", "the owner agrees"])
@pytest.mark.parametrize("kind", RESOLUTION_KINDS)
def test_check_and_close_speak_of_the_same_things(kind: str, policy: str) -> None:
    """On a bug that was resolved by hand, check says once of each condition what close would ask for."""
    registry = under(policy, f"status: resolved\nresolution_kind: {kind}\n_body: '# x'")
    bug = registry.bugs[0]
    asked_for = [c.item for c in conditions(bug, registry, kind, human=False) if not c.done]
    found = run(registry)
    codes = {v.rule.code for v in found}
    said = [str(v.hit.params["item"]) for v in found if v.rule.code == "RV241"]
    if kind == "fixed":
        assert codes >= {"RV231", "RV232", "RV233", "RV234"}
        asked_for = asked_for[4:]
    assert said == asked_for
