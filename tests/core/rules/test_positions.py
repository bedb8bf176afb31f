"""A finding about a key that is not there points at the key that asks for it, not at the top of the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reversa.core.finding import place
from reversa.core.rules.engine import run
from reversa.store import frontmatter

from .examples import bug_of, raw, record, registry_of

CLOSED = "status: resolved\nresolution_kind: KIND\n"
ABSENT = ["traceability", "spec_verdict", "closure", "traceability.root_cause", "closure.satisfied", "reproduction"]


@pytest.mark.parametrize("absent", ABSENT)
@pytest.mark.parametrize("kind", ["fixed", "cannot-reproduce", "invalid", "spec-only", "duplicate"])
def test_absent_keys_of_a_closing(kind: str, absent: str) -> None:
    example = {**raw(CLOSED.replace("KIND", kind)), "_without": [absent]}
    document, spans = frontmatter.locate(record(example))
    registry = replace(registry_of({}), bugs=(bug_of(example),))
    seen = set()
    for violation in run(registry):
        if violation.rule.code.startswith("RV2"):
            line, _, _ = place(document.text, spans, violation.hit)
            text = document.text.split("\n")[line - 1]
            seen.add(violation.rule.code)
            assert line > 1, violation.rule.code
            if violation.hit.route[0] not in spans and (violation.hit.route[0],) not in spans:
                assert '"resolution_kind"' in text or '"status"' in text, violation.rule.code
    assert seen
