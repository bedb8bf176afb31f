"""What closing asks for, by kind and policy (registry.md 8): the one list behind `close` and the closure rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reversa.core.body import Line, lines, section
from reversa.core.bug import Bug, Registry, text_at, true_at
from reversa.core.document import filled, get, items, simple

VERDICT = "spec verdict"
_MIRROR = re.compile(r"[ \t]*<!--[ \t]*reversa:(begin|end)[ \t]+resolution[ \t]*-->")
_PUBLISHED = ("published", "released", "fixed", "published_version")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMPTY_LINE = re.compile(r"#{1,6}(?:[ \t].*)?|_[^_].*_|\*[^*]+\*|[-*_]+")


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that closing asks for; `command` supplies it, None where only a person can."""

    item: str
    done: bool
    detail: str
    command: str | None


def conditions(
    bug: Bug, registry: Registry, kind: str, *, human: bool, reason: str = "", today: str = ""
) -> list[Condition]:
    """List what a closing of that kind asks for, done or not; an unknown kind asks for nothing.

    `human` says that a person confirms the closing now, `reason` that one is given now. `today`, where the caller may
    ask for it, is the end of an observation that is concluded without a date, and no end may lie behind it.
    """
    if kind == "fixed":
        of_every_fix = [_tests(bug), _cause(bug), _specs(bug), _verdict(bug)]
        return of_every_fix + policy_conditions(bug, registry, human=human, today=today)
    if kind == "invalid":
        return [_reason(bug, reason)]
    ask = _OTHER_KINDS.get(kind)
    return ask(bug) if ask else []


def _update(bug: Bug, rest: str) -> str:
    return f"reversa update {bug.id[-4:] or 'BUG'} {rest}"


def _proof(bug: Bug) -> str:
    """Give the options that say what a confirmed cause is and what proves it, where the record does not yet."""
    cause = get(bug.data, "traceability", "root_cause")
    words = "" if filled(get(cause, "hypothesis")) else " --set traceability.root_cause.hypothesis=CAUSE"
    proof = "" if items(get(cause, "evidence")) else " --add traceability.root_cause.evidence=ref=REF,observation=SEEN"
    return words + proof


def policy_conditions(bug: Bug, registry: Registry, *, human: bool, today: str = "") -> list[Condition]:
    """List what the bug's closure policy asks of a fix beyond what every fix needs."""
    policy = registry.policy_of(bug)
    if policy == "local-software":
        return []
    if policy == "package":
        return [_merge(bug), _version(bug), *_backports(bug)]
    if policy == "production-service":
        return [_delivery(bug), _observation(bug, today)]
    return [_confirmation(bug, policy, human)]


def has_regression_tests(bug: Bug) -> bool:
    return any(filled(test) for test in items(get(bug.data, "traceability", "regression_tests")))


def has_verdict(bug: Bug) -> bool:
    """Whether the verdict is filled: also by an unknown word, or by a mapping with a `verdict` (registry.md 3)."""
    value = get(bug.data, "spec_verdict")
    return filled(value.get("verdict")) if isinstance(value, dict) else filled(value)


def has_specs(bug: Bug) -> bool:
    """Whether a specification is linked, or a spec gap is stated twice: by label and by verdict (registry.md 5.3)."""
    linked = any(filled(spec) for spec in items(get(bug.data, "traceability", "specs")))
    return linked or ("spec-gap" in bug.labels and bug.verdict == "spec-gap")


def _tests(bug: Bug) -> Condition:
    tests = bug.texts("traceability", "regression_tests")
    detail = ", ".join(tests) or "no test guards against the return of the defect"
    return Condition(
        "regression tests", has_regression_tests(bug), detail, _update(bug, "--regression-test PATH::TEST")
    )


def _cause(bug: Bug) -> Condition:
    done = bug.cause_state == "confirmed"
    places = [text_at(ref, "file") for ref in bug.maps("traceability", "root_cause", "code_refs")]
    proofs = sum(filled(item) for item in items(get(bug.data, "traceability", "root_cause", "evidence")))
    counted = f"{proofs} piece{'' if proofs == 1 else 's'} of evidence"
    detail = (
        ", ".join([*filter(None, places), counted]) if done else f"its state is {bug.cause_state or 'not recorded'}"
    )
    return Condition(
        "root cause confirmed",
        done,
        detail,
        _update(bug, f"--set traceability.root_cause.state=confirmed{_proof(bug)}"),
    )


def _specs(bug: Bug) -> Condition:
    specs = bug.texts("traceability", "specs")
    gap = "no spec defines the behaviour: label and verdict say spec-gap"
    missing = "the label spec-gap and a verdict of spec-gap would do as well"
    detail = ", ".join(specs) or (gap if has_specs(bug) else missing)
    return Condition("specification linked", has_specs(bug), detail, _update(bug, "--spec PATH#ANCHOR"))


def _verdict(bug: Bug) -> Condition:
    detail = bug.verdict or "a person decides: was the code wrong, the spec outdated, or was there none?"
    return Condition(VERDICT, has_verdict(bug), detail, None)


def _recorded(bug: Bug, *names: str) -> str:
    """Give the first of these entries of `delivery` or `closure` that says something; a plain false says no."""
    for block in ("delivery", "closure"):
        for name in names:
            value = get(bug.data, block, name)
            if filled(value) and simple(value) is not False:
                return f"{name} {value}" if isinstance(value, str) else name
    return ""


def _merged(bug: Bug) -> str:
    if true_at(bug.data, "delivery", "merged") or true_at(bug.data, "closure", "merged"):
        return "merged"
    return _recorded(bug, "merge", "merge_commit")


def _published(bug: Bug) -> str:
    entries = [get(bug.data, *route) for route in (("versions",), ("delivery", "versions"), ("closure", "versions"))]
    return _recorded(bug, "version", "published_version") or ("versions" if any(map(_is_published, entries)) else "")


def _is_published(value: Any) -> bool:
    """Whether an entry of `versions` is a published one: a text or a `version`, or a mapping that says so."""
    if isinstance(value, list):
        return any(map(_is_published, value))
    if not isinstance(value, dict):
        return filled(value) and simple(value) is not False
    said = [value[name] for name in _PUBLISHED if name in value]
    if said:
        return any(map(_is_published, said))
    return "affected" not in value and _is_published(value.get("version"))


def _merge(bug: Bug) -> Condition:
    found = _merged(bug)
    command = _update(bug, "--set delivery.merge_commit=COMMIT")
    return Condition("merge recorded", bool(found), found or "delivery names no merge", command)


def _version(bug: Bug) -> Condition:
    found = _published(bug)
    command = _update(bug, "--set delivery.published_version=VERSION")
    return Condition("version published", bool(found), found or "delivery names no published version", command)


def _backports(bug: Bug) -> list[Condition]:
    out = []
    for route in (("backports",), ("closure", "backports")):
        for index, entry in enumerate(bug.maps(*route)):
            if true_at(entry, "required"):
                done = true_at(entry, "released")
                at = f"{'.'.join(route)}[{index}]"
                name = text_at(entry, "version") or at
                detail = "released" if done else "required and not released"
                command = _update(bug, f"--set '{at}.released=true'")
                out.append(Condition(f"backport {name} released", done, detail, command))
    return out


def _delivery(bug: Bug) -> Condition:
    found = _recorded(bug, "commit", "deployed") or _merged(bug) or _published(bug)
    command = _update(bug, "--set delivery.deployed=WHEN")
    return Condition("delivery recorded", bool(found), found or "no commit, merge, deployment or version", command)


def _observation(bug: Bug, today: str) -> Condition:
    blocks = [get(bug.data, *route) for route in (("post_fix_observation",), ("closure", "post_fix_observation"))]

    def first(*names: str) -> Any:
        found = (get(block, name) for block in blocks for name in names)
        return next((value for value in found if filled(value)), None)

    waived = first("waived")
    if all(text_at(waived, name) for name in ("by", "on", "reason")):
        return Condition("observation concluded", True, f"waived by {text_at(waived, 'by')}", None)
    problem = _unfinished(first("until"), first("concluded", "closed_at"), first("recurrences"), today)
    command = _update(bug, "--set post_fix_observation.concluded=YYYY-MM-DD")
    return Condition("observation concluded", not problem, problem or "no recurrence", command)


def _unfinished(until: Any, concluded: Any, recurrences: Any, today: str) -> str:
    """Say what an observation lacks, "" for nothing; days are compared by their first ten characters.

    A conclusion that names no day, such as `true`, is one of today.
    """
    if filled(recurrences) and simple(recurrences) not in ("0", False):
        return "the defect came back"
    if not isinstance(until, str):
        return "it has no until; a person may waive it"
    if not isinstance(concluded, str) or simple(concluded) is False:
        return f"it runs until {until}; a person may waive the rest"
    end = concluded[:10] if _DAY.match(concluded) else today[:10]
    if end and end <= until[:10]:
        return f"it ended {end}, not after {until}"
    return f"it ends {end}, which is still to come" if today and end > today[:10] else ""


def _confirmation(bug: Bug, policy: str, human: bool) -> Condition:
    by = next((text_at(entry, "by") for entry in bug.maps("decisions") if text_at(entry, "what") == "closure"), "")
    detail = f"confirmed by {by}" if by else f"a person confirms: {policy}"
    return Condition("a person's confirmation", human or bool(by), detail, None)


def _reason(bug: Bug, reason: str) -> Condition:
    done = bool(reason.strip()) or has_resolution(bug)
    detail = "written to Resolution" if done else "Resolution says nothing yet"
    return Condition("reason", done, detail, f'reversa close {bug.id[-4:] or "BUG"} --as invalid --reason "WHY"')


def has_resolution(bug: Bug) -> bool:
    """Whether the section Resolution says anything besides headings, comments, the mirror and placeholders in italics.

    What stands between a begin and an end of the mirror is reversa's own; a mirror that never ends takes nothing away.
    """
    start, end = section(bug.body, "Resolution") or (0, 0)
    says, before = False, None
    for line in lines(bug.body):
        mark = _MIRROR.match(line.text) if start <= line.start < end and line.kind == "prose" else None
        if mark is None:
            says = says or (start <= line.start < end and _says_something(line))
        elif mark[1] == "begin":
            before = says if before is None else before
        elif before is not None:
            says, before = before, None
    return says


def _says_something(line: Line) -> bool:
    text = line.text.strip().removeprefix("- ")
    if not text or line.kind == "comment" or (line.kind == "prose" and text.startswith("<!--")):
        return False
    return line.kind == "code" or not _EMPTY_LINE.fullmatch(text)


def _duplicate(bug: Bug) -> list[Condition]:
    edges = [edge for edge in bug.relations if edge.type == "duplicate-of"]
    done = [edge.bug for edge in edges if edge.state == "confirmed"]
    detail = ", ".join(done or [f"{edge.bug} is {edge.state or 'without a state'}" for edge in edges])
    target = edges[0].target[-4:] if edges and edges[0].target else "OTHER"
    command = f"reversa link {bug.id[-4:] or 'BUG'} duplicate-of {target} --state confirmed --evidence REF=OBSERVATION"
    return [Condition("confirmed duplicate-of", bool(done), detail or "no bug is named as the original", command)]


def _not_reproduced(bug: Bug) -> list[Condition]:
    found = text_at(bug.data, "reproduction", "classification")
    command = _update(bug, "--set reproduction.classification=not-reproduced")
    detail = f"the classification is {found or 'missing'}"
    return [Condition("reproduction classified not-reproduced", found == "not-reproduced", detail, command)]


def _change(bug: Bug, item: str, *kinds: str) -> Condition:
    changes = bug.maps("change_set")
    found = [text_at(change, "id") or "a change" for change in changes if text_at(change, "kind") in kinds]
    entry = f"id=CHG-{len(changes) + 1:03d},kind={kinds[0]},artifact=PATH,purpose=SENTENCE"
    detail = ", ".join(found) or f"change_set has none of kind {' or '.join(kinds)}"
    return Condition(item, bool(found), detail, _update(bug, f'--add "change_set={entry}"'))


def _instrumentation(bug: Bug) -> list[Condition]:
    item = "observability, code or configuration change"
    return [_change(bug, item, "observability", "code", "configuration")]


def _spec_only(bug: Bug) -> list[Condition]:
    detail = bug.verdict or "a person decides: is the spec outdated, or was there none?"
    verdict = Condition(VERDICT, bug.verdict in ("spec-desatualizada", "spec-gap"), detail, None)
    return [verdict, _change(bug, "specification change", "specification")]


_OTHER_KINDS: dict[str, Callable[[Bug], list[Condition]]] = {
    "duplicate": _duplicate,
    "cannot-reproduce": _not_reproduced,
    "instrumentation-required": _instrumentation,
    "spec-only": _spec_only,
}
