"""Random bodies and random edits through the command: only edited keys and what stands between markers may move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reversa.core.body import region, section
from reversa.core.document import simple
from reversa.core.mirror import REGIONS
from reversa.store.frontmatter import read

from .conftest import Cli, new, record

PIECES = st.sampled_from(
    ["## Summary", "```", "~~~", "# Title", "<!-- a comment -->", "- item", "text  ", "\ttab", "",
     "| a | b |", "é 中 🐞",
     "<!-- reversa:begin other -->", "    code", "1. one", "---", "===", "> quote", "\u2028", "key: value"]
)  # fmt: skip
EDITS = st.lists(
    st.sampled_from(
        [("--set", "severity=low", "severity"), ("--set", "reproduction.rate=3/20", "reproduction"),
         ("--add", "labels=money", "labels"), ("--add", "traceability.specs=a.md#b", "traceability"),
         ("--set", "traceability.root_cause.hypothesis=twice: a `tick` -->", "traceability"),
         ("--add", "change_set=id=CHG-001,kind=code,artifact=a.py", "change_set"),
         ("--set", "data_impact=x", "data_impact")]
    ),
    min_size=1, max_size=4, unique=True,
)  # fmt: skip


SLIPS = st.lists(
    st.sampled_from(
        [("priority: P2", "priority:   p2  # c", "priority"), ("severity: medium", "severity: 'Crítica'", "severity"),
         ("phase: triaging", "phase: {triagem: 1}", "phase"), ("status: open", "status: aberto", "status"),
         ("schema_version: 1", 'schema_version: "1"', "schema_version"),
         ("display_number: 1", "display_number: 'BUG-007'", "display_number"),
         ("type: manual-report", "type: >-\n    relato manual", "origin"),
         ("security_suspected: false", 'security_suspected: "true"', "security_suspected"),
         ("change_set: []", "change_set: [{id: CHG-001, kind: Código, # c\n  artifact: a.py}]", "change_set"),
         ("spec_verdict: null", "spec_verdict: Spec-Gap", "spec_verdict"),
         ("closure:", "delivery: {commit: 7e12345, merge: 12}\nclosure:", "delivery"),
         ("relationships: []", "relationships:\n  - {bug: BUG-20260101-QQQQ, type: related-to, state: proposta}\n"
          "  # between\n  - {bug: BUG-20260101-QQQQ, type: relacionado-com, state: proposed}", "relationships")]
    ),
    min_size=1, unique_by=lambda slip: slip[2],
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=st.lists(PIECES, max_size=8), slips=SLIPS, heading=st.booleans(), crlf=st.booleans())
def test_safe_fixes_move_nothing_but_their_keys_and_the_heading(
    cli: Cli, repo: Path, before: list[str], slips: list[tuple[str, str, str]], heading: bool, crlf: bool
) -> None:
    kept = repo / "kept.md"  # one record for all examples, or each would check those before it as well
    if not kept.exists():
        kept.write_bytes(record(repo, new(cli)).read_bytes())
    bug = str(simple(read(kept.read_bytes()).data)["id"])
    path = record(repo, bug)
    text = kept.read_text().replace("## Steps to Reproduce\n", "\n".join(["## Steps to Reproduce", *before, ""]))
    for good, bad, _ in slips:
        text = text.replace(f"\n{good}" if good[-1] == ":" else good, f"\n{bad}" if good[-1] == ":" else bad, 1)
    text = text.replace("\n# Total is wrong", "\n# Total", 1) if heading else text
    path.write_bytes((text.replace("\n", "\r\n") if crlf else text).encode())
    old, had = read(path.read_bytes()), counts(cli, bug)
    cli("check", "--fix")
    new_, has = read(path.read_bytes()), counts(cli, bug)
    assert old.data is not None and new_.data is not None
    assert not has - had and has.total() <= had.total() - heading
    bodies = ["".join(outside(document.body)) for document in (old, new_)]
    assert bodies[1] == (bodies[0].replace("# Total", "# Total is wrong", 1) if heading else bodies[0])
    touched = {key for *_, key in slips} - {"spec_verdict"} | {"updated"}
    same = [key for key in old.data if key not in touched]
    assert list(new_.data) == list(old.data)
    assert [new_.data[key] for key in same] == [old.data[key] for key in same]
    heads = [document.text[: document.body_at] for document in (old, new_)]
    assert heads[1].count("# c") == heads[0].count("# c") and heads[1].count("# b") == heads[0].count("# b")
    data = path.read_bytes()
    assert data.count(b"\r\n") == (data.count(b"\n") if crlf else 0)
    cli("check", "--fix")
    assert path.read_bytes() == data


def counts(cli: Cli, bug: str) -> Counter[str]:
    return Counter(finding["code"] for finding in cli("check", bug, "--json").json["findings"])


def outside(body: str) -> list[str]:
    """Give the parts of a body that stand outside the marker regions."""
    parts, at = [], 0
    for span in sorted(span for span in (region(body, name) for name in REGIONS) if span is not None):
        parts.append(body[at : span[0]])
        at = span[1]
    return [*parts, body[at:]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=st.lists(PIECES, max_size=8), after=st.lists(PIECES, max_size=8), edits=EDITS, crlf=st.booleans())
def test_nothing_moves_but_the_edited_keys_and_the_mirrors(
    cli: Cli, repo: Path, before: list[str], after: list[str], edits: list[tuple[str, str, str]], crlf: bool
) -> None:
    bug = new(cli)
    path = record(repo, bug)
    text = path.read_text().replace("## Steps to Reproduce\n", "\n".join(["## Steps to Reproduce", *before, ""]))
    text += "\n".join(after)
    path.write_bytes((text.replace("\n", "\r\n") if crlf else text).encode())
    old = read(path.read_bytes())
    cli("update", bug, *(word for option, value, _ in edits for word in (option, value)), ok=True)
    new_ = read(path.read_bytes())
    assert outside(new_.body) == outside(old.body)
    assert old.data is not None and new_.data is not None
    touched = {key for _, _, key in edits} | {"updated"}
    same = [key for key in old.data if key not in touched]
    assert [new_.data[key] for key in same] == [old.data[key] for key in same]
    data = path.read_bytes()
    assert data.count(b"\r\n") == (data.count(b"\n") if crlf else 0)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(PIECES, max_size=8),
    after=st.lists(PIECES, max_size=8),
    text=st.lists(PIECES, max_size=4).map("\n".join),
    option=st.sampled_from(["--section", "--append"]),
    title=st.sampled_from(["Summary", "Steps to Reproduce", "Agent Notes", "Acceptance Criteria"]),
    crlf=st.booleans(),
)
def test_a_body_edit_moves_nothing_outside_its_section(
    cli: Cli, repo: Path, before: list[str], after: list[str], text: str, option: str, title: str, crlf: bool
) -> None:
    bug = new(cli)
    path = record(repo, bug)
    whole = path.read_text().replace("## Steps to Reproduce\n", "\n".join(["## Steps to Reproduce", *before, ""]))
    whole += "\n".join(after)
    path.write_bytes((whole.replace("\n", "\r\n") if crlf else whole).encode())
    data, old = path.read_bytes(), read(path.read_bytes())
    result = cli("update", bug, option, f"{title}={text}")
    new_ = read(path.read_bytes())
    if result.code:
        assert result.code in (2, 4) and path.read_bytes() == data
        return
    assert new_.text[: new_.body_at] == old.text[: old.body_at]
    span = section(old.body, title)
    if span is not None:
        assert new_.body.startswith(old.body[: span[0]]) and new_.body.endswith(old.body[span[1] :])
    found = section(new_.body, title)
    assert found is not None or not text.strip()
    kept = new_.body[found[0] : found[1]] if found else ""
    assert kept.replace("\r\n", "\n").rstrip().endswith(text.strip("\n").rstrip())
