"""Random bodies and random edits through the command: only edited keys and what stands between markers may move."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reversa.core.body import region, section
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
