"""`reversa new --from-json` and `--from-inspection`: many bugs at once, all or nothing."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reversa.core.fields import FRONT_MATTER

from .conftest import EXAMPLE, Cli, new, record, tree

ANEW = ("id", "display_number", "created", "updated", "path")


def give(repo: Path, *bugs: Any, lines: bool = False) -> str:
    """Write a file that `--from-json` takes."""
    path = repo / "bugs.json"
    path.write_text("\n".join(map(json.dumps, bugs)) if lines else json.dumps(bugs[0]), encoding="utf-8")
    return str(path)


def shown(cli: Cli, name: str) -> Any:
    return cli("show", name, "--json", ok=True).json["data"]


def envelope(bug: Any) -> Any:
    return {"schema": "reversa/1", "command": "show", "ok": True, "data": bug, "findings": []}


ONE = {"title": "Total is wrong", "context": "shop"}
TWO = {"title": "Tax is wrong", "context": "cart"}


@pytest.mark.parametrize(
    ("bugs", "lines", "titles"),
    [
        ([ONE], False, ["Total is wrong"]),
        ([[ONE, TWO]], False, ["Total is wrong", "Tax is wrong"]),
        ([ONE, TWO], True, ["Total is wrong", "Tax is wrong"]),
        ([envelope(ONE)], False, ["Total is wrong"]),
        ([envelope({"bugs": [ONE, TWO], "hidden": {}})], False, ["Total is wrong", "Tax is wrong"]),
    ],
)
def test_every_shape(cli: Cli, repo: Path, bugs: list[Any], lines: bool, titles: list[str]) -> None:
    result = cli("new", "--from-json", give(repo, *bugs, lines=lines), "--json", ok=True)
    made = result.json["data"]["bugs"]
    assert [shown(cli, bug["id"])["title"] for bug in made] == titles
    assert [bug["display_number"] for bug in made] == list(range(1, len(titles) + 1))
    assert all((repo / bug["path"]).is_file() for bug in made)
    assert cli("check", "--strict").code == 0


def test_standard_input_and_one_context_for_all(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '{"title": "a"}\n{"title": "b", "context": "Cart Page"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    made = cli("new", "--from-json", "-", "-c", "shop", "--json", ok=True).json["data"]["bugs"]
    assert [bug["context"] for bug in made] == ["shop", "cart-page"]


def test_the_new_ones_name_each_other_by_their_keys(cli: Cli, repo: Path) -> None:
    old = new(cli, "The old one")
    edge = {"type": "caused-by", "state": "proposed", "evidence": []}
    bugs = [
        {**ONE, "id": "first", "relationships": [{"bug": "SECOND", **edge}, {"bug": old[-4:], "type": "related-to"}]},
        {**TWO, "id": "second", "blocking": [{"kind": "bug", "target": "first"}, {"kind": "external", "target": "x"}]},
    ]
    first, second = cli("new", "--from-json", give(repo, bugs), "--json", ok=True).json["data"]["bugs"]
    assert (first["key"], second["key"]) == ("first", "second")
    assert [(e["bug"], e["type"], e["state"]) for e in shown(cli, first["id"])["relationships"]] == [
        (second["id"], "caused-by", "proposed"),
        (old, "related-to", "proposed"),
    ]
    assert [entry["target"] for entry in shown(cli, second["id"])["blocking"]] == [first["id"], "x"]
    assert cli("check").code == 0


def test_what_show_prints_comes_back(cli: Cli, shop: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each bug of the example that is not resolved, restricted ones included, brought into another registry at once."""
    names = [bug["id"] for bug in cli("list", "--json", "--include-restricted", ok=True).json["data"]["bugs"]]
    records = {name: shown(cli, name) for name in names}
    kept = {name: bug for name, bug in records.items() if not bug["spec_verdict"] and not bug["decisions"]}
    assert len(kept) > 5
    for bug in kept.values():
        bug["relationships"] = [edge for edge in bug["relationships"] if edge["bug"] in kept]
        bug["blocking"] = [entry for entry in bug["blocking"] if entry["kind"] == "external" or entry["target"] in kept]
    for folder in (shop / "_reversa_bugs").iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    made = cli("new", "--from-json", give(shop, list(kept.values())), "--json", ok=True).json["data"]["bugs"]
    ids = {bug["key"]: bug["id"] for bug in made}
    for old, expected in kept.items():
        found = shown(cli, ids[old])
        for known in FRONT_MATTER.fields:
            if known.name not in ANEW and known.name not in ("relationships", "blocking", "visibility"):
                assert found[known.name] == expected[known.name], (old, known.name)
        assert [ids[e["bug"]] for e in expected["relationships"]] == [e["bug"] for e in found["relationships"]]
        assert found["sections"]["Summary"] == expected["sections"]["Summary"]
    assert cli("check").code == 0


WAIVED = {"by": "Ana", "on": "2026-08-01", "reason": "x"}
FAULTS: list[tuple[Any, str]] = [
    ({**ONE, "titel": "x"}, "Did you mean title?"),
    ({**ONE, "severity": "hihg"}, "Did you mean high?"),
    ({**ONE, "area": "nowhere"}, "no area of the taxonomy"),
    ({"context": "shop"}, "title is missing"),
    ({**ONE, "title": " \n"}, "title is empty"),
    ({"title": "x"}, "context"),
    ({**ONE, "status": "resolved"}, "reversa close"),
    ({**ONE, "done": True}, "reversa close"),
    ({**ONE, "resolution_kind": "fixed"}, "reversa close"),
    ({**ONE, "closure": {"satisfied": True}}, "reversa close"),
    ({**ONE, "closure": {"satisfied": "true"}}, "reversa close"),
    ({**ONE, "closure": {"satisfied": " TRUE "}}, "reversa close"),
    ({**ONE, "closure": "satisfied=true"}, "closure is a mapping"),
    ({**ONE, "done": "yes"}, "reversa close"),
    ({**ONE, "spec_verdict": "spec-gap"}, "reversa verdict"),
    ({**ONE, "decisions": [{"what": "spec_verdict"}]}, "decisions are recorded"),
    ({**ONE, "post_fix_observation": {"waived": WAIVED}}, "person's decision"),
    ({**ONE, "closure": {"post_fix_observation": {"waived": WAIVED}}}, "closure has no key"),
    ({**ONE, "labels": "money"}, "labels is a list"),
    ({**ONE, "origin": {"typ": "other"}}, "Did you mean type?"),
    ({**ONE, "sections": {"Summry": "x"}}, "Did you mean Summary?"),
    ({**ONE, "sections": {"Summary": "## Evidence"}}, "level 2"),
    ({**ONE, "sections": {"Summary": "```"}}, "never closes"),
    ({**ONE, "sections": ["x"]}, "sections is no object"),
    ({**ONE, "id": 7}, "id is no text"),
    ({**ONE, "relationships": [{"bug": "nobody", "type": "caused-by"}]}, "There is no bug nobody"),
    ({**ONE, "relationships": [{"bug": "a", "type": "caused-by", "state": "confirmed"}]}, "no evidence"),
    ({**ONE, "context": "../up"}, ""),
    ("text", "no JSON object"),
    (None, "no JSON object"),
]


@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_one_fault_and_nothing_is_written(cli: Cli, repo: Path, fault: Any, message: str) -> None:
    before = tree(repo / "_reversa_bugs")
    result = cli("new", "--from-json", give(repo, [{**TWO, "id": "a"}, fault]))
    if not message:  # a context is named by what is left of it
        assert result.code == 0 and (repo / "_reversa_bugs/up/bugs").is_dir()
        return
    assert result.code in (2, 4) and message in result.err and len(result.err.splitlines()) <= 2
    assert result.code == 4 or f"bug 2 of {repo}/bugs.json" in result.err
    assert tree(repo / "_reversa_bugs") == before


def test_a_key_that_is_there_already(cli: Cli, repo: Path) -> None:
    old = new(cli)
    for bugs, message in (([{**ONE, "id": old.lower()}], "already"), ([{**ONE, "id": "a"}, {**TWO, "id": "A"}], "too")):
        before = tree(repo)
        result = cli("new", "--from-json", give(repo, bugs))
        assert result.code == 2 and message in result.err
        assert len(tree(repo)) <= len(before) + 1  # the file of this test


@pytest.mark.parametrize("text", ["", "[]", "{", '{"title": "a"} {"title": "b"}', "[" * 5000, '{"a": 1, "a": 2}', "\0"])
def test_no_json(cli: Cli, repo: Path, text: str) -> None:
    (repo / "x.json").write_text(text)
    before = tree(repo)
    result = cli("new", "--from-json", "x.json", "-c", "shop")
    assert result.code == 2 and result.err.startswith("reversa new: x.json") and tree(repo) == before


@pytest.mark.parametrize(
    "args",
    [
        ("--from-json", "x.json", "TITLE"),
        ("--from-json", "x.json", "--severity", "high"),
        ("--from-json", "x.json", "--from-inspection", "y.md"),
        ("--from-inspection", "y.md", "--evidence", "z"),
        ("--finding", "F-1", "TITLE", "-c", "shop"),
        ("--write-back", "TITLE", "-c", "shop"),
    ],
)
def test_options_that_do_not_go_together(cli: Cli, repo: Path, args: tuple[str, ...]) -> None:
    before = tree(repo)
    assert cli("new", *args).code == 2 and tree(repo) == before


def test_restricted_ones_keep_their_titles_out_of_names_and_views(cli: Cli, repo: Path) -> None:
    new(cli)
    cli("graph", ok=True)
    bugs = [
        {**ONE, "title": "Zebra hole", "security_suspected": True, "visibility": "normal"},
        {**ONE, "title": "Zebra leak", "visibility": "restricted"},
    ]
    result = cli("new", "--from-json", give(repo, bugs), ok=True)
    assert "zebra" not in result.out.lower() and result.err.count("Restricted:") == 2
    (repo / "bugs.json").unlink()
    seen = {path: data for path, data in tree(repo).items() if not path.endswith("bug.md")}
    assert not any(b"ebra" in data or "zebra" in path for path, data in seen.items())
    assert not any("zebra" in path for path in tree(repo))


def test_a_dry_run_shows_all_and_writes_nothing(cli: Cli, repo: Path) -> None:
    source = give(repo, [ONE, TWO])
    before = tree(repo)
    result = cli("new", "--from-json", source, "--dry-run", ok=True)
    assert result.out.count("+++ b/") == 2 and tree(repo) == before


def test_parallel_callers_get_distinct_ids_and_numbers(cli: Cli, repo: Path) -> None:
    (repo / "x.json").write_text(json.dumps([{**ONE, "title": f"Bug {number}"} for number in range(5)]))
    command = [sys.executable, "-m", "reversa", "new", "--from-json", "x.json", "--json"]
    running = [subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE) for _ in range(4)]
    made = [bug for process in running for bug in json.loads(process.communicate()[0])["data"]["bugs"]]
    assert len({bug["id"] for bug in made}) == 20
    assert sorted(bug["display_number"] for bug in made) == list(range(1, 21))
    assert cli("check", "--strict").code == 0


# --- inspections

REPORT = """# Sweep

```python
- finding_id: not this one
```

## Edge cases

```yaml
# what the lens of edge cases found
- finding_id: F-1   # the first
  lens: edge-cases
  summary: "Totals: a negative one is taken"
  confidence: high
  evidence:
    - "`_reversa_sdd/sales.md#totals`"
    - src/cart.py:2
    - seen by hand, twice
  suspected_severity: High
  signals: [negative sums, "two: tabs"]
  promoted_to: null   # not yet

- finding_id: F-2
  lens: edge-cases
  summary: An empty cart is sold
  evidence: []
  suspected_severity: terrible
```

Text between.

~~~yml
- {finding_id: F-3, summary: Tax of nothing, evidence: [{ref: src/cart.py, observation: nothing is taxed}]}
- {finding_id: F-4, summary: Known already, promoted_to: BUG-20260101-AAAA}
~~~
"""


@pytest.fixture
def sweep(repo: Path) -> Path:
    (repo / "_reversa_sdd").mkdir()
    (repo / "_reversa_sdd/sales.md").write_text("# Sales\n\n## Totals\n")
    (repo / "src").mkdir()
    (repo / "src/cart.py").write_text("one\ntwo\nthree\n")
    path = repo / "_reversa_bugs/shop/inspections/2026-08-30-sweep/report.md"
    path.parent.mkdir(parents=True)
    path.write_text(REPORT)
    return path


def test_findings_become_bugs(cli: Cli, repo: Path, sweep: Path) -> None:
    result = cli("new", "--from-inspection", str(sweep), "--json", ok=True)
    made = {bug["key"]: shown(cli, bug["id"]) for bug in result.json["data"]["bugs"]}
    assert list(made) == ["F-1", "F-2", "F-3"]
    first = made["F-1"]
    assert (first["title"], first["severity"], first["context"]) == ("Totals: a negative one is taken", "high", "shop")
    assert first["origin"] == {"type": "inspection", "external_ref": None}
    assert first["traceability"]["specs"] == ["_reversa_sdd/sales.md#totals"]
    assert first["traceability"]["affected_code"] == ["src/cart.py:2"]
    assert "- seen by hand, twice" in first["sections"]["Evidence"]
    notes = first["sections"]["Agent Notes"]
    assert "F-1" in notes and "edge-cases" in notes and "high" in notes and "negative sums; two: tabs" in notes
    link = notes[notes.index("(<") + 2 : notes.index(">)")]
    assert (record(repo, first["id"]).parent / link).resolve() == sweep.resolve()
    assert "severity medium" in made["F-2"]["sections"]["Agent Notes"]
    assert made["F-3"]["sections"]["Evidence"] == "- src/cart.py: nothing is taxed"
    assert sweep.read_text() == REPORT, "written back only on request"
    assert cli("check", "--strict").code == 0


@pytest.mark.parametrize(
    "shape", [str, lambda text: text.replace("\n", "\r\n"), str.rstrip, lambda text: "\ufeff" + text]
)
def test_written_back_on_request_and_nothing_else_moves(
    cli: Cli, repo: Path, sweep: Path, shape: Callable[[str], str]
) -> None:
    before = shape(REPORT).encode()
    sweep.write_bytes(before)
    made = cli("new", "--from-inspection", str(sweep), "--write-back", "--json", ok=True).json["data"]["bugs"]
    ids = {bug["key"]: bug["id"] for bug in made}
    end = b"\r\n" if b"\r\n" in before else b"\n"
    expected = before.replace(b"promoted_to: null ", f"promoted_to: {ids['F-1']} ".encode())
    expected = expected.replace(
        b"severity: terrible" + end, b"severity: terrible" + end + f"  promoted_to: {ids['F-2']}".encode() + end
    )
    expected = expected.replace(b"is taxed}]}", f"is taxed}}], promoted_to: {ids['F-3']}}}".encode())
    assert sweep.read_bytes() == expected
    again = cli("new", "--from-inspection", str(sweep), "--write-back", ok=True)
    assert again.out == "" and "Nothing was left" in again.err and sweep.read_bytes() == expected


def test_chosen_findings(cli: Cli, repo: Path, sweep: Path) -> None:
    made = cli("new", "--from-inspection", str(sweep), "--finding", "f-3", "--json", ok=True).json["data"]["bugs"]
    assert [bug["key"] for bug in made] == ["F-3"]
    before = tree(repo)
    for name, code, message in (("F-9", 2, "no finding F-9"), ("F-4", 4, "BUG-20260101-AAAA")):
        result = cli("new", "--from-inspection", str(sweep), "--finding", name)
        assert result.code == code and message in result.err
    assert tree(repo) == before


def test_a_report_outside_of_all_contexts_needs_one(cli: Cli, repo: Path, sweep: Path) -> None:
    shutil.move(sweep, repo / "report.md")
    result = cli("new", "--from-inspection", "report.md")
    assert result.code == 2 and "-c CONTEXT" in result.err
    made = cli("new", "--from-inspection", "report.md", "-c", "Cart", "--json", ok=True).json["data"]["bugs"]
    notes = shown(cli, made[0]["id"])["sections"]["Agent Notes"]
    link = notes[notes.index("(<") + 2 : notes.index(">)")]
    assert (record(repo, made[0]["id"]).parent / link).resolve() == (repo / "report.md").resolve()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# Sweep\n", "no findings"),
        ("```yaml\n- finding_id: F-1\n  summary: [\n```\n", "report.md:4:"),
        (
            "x\n\n```yaml\n- finding_id: F-1\n  summary: a\n- finding_id: F-1\n  summary: b\n```\n",
            "report.md:6: finding",
        ),
        ("```yaml\n- finding_id: F-1\n- summary: a\n```\n", "report.md:2: finding F-1 has no summary"),
        ("```yaml\n- finding_id: F-1\n  summary: a\n- summary: b\n```\n", "report.md:4: the finding has no finding_id"),
        ("```yaml\n- finding_id: &a F-1\n  summary: *a\n```\n", "report.md:2:"),
    ],
)
def test_reports_that_cannot_be_used(cli: Cli, repo: Path, sweep: Path, text: str, message: str) -> None:
    sweep.write_text(text)
    before = tree(repo)
    result = cli("new", "--from-inspection", str(sweep))
    assert result.code == 2 and message in result.err and tree(repo) == before


def test_a_report_that_is_no_utf_8_or_no_file(cli: Cli, repo: Path, sweep: Path) -> None:
    sweep.write_bytes(b"\xff")
    assert "UTF-8" in cli("new", "--from-inspection", str(sweep), ok=False).err
    assert "not a regular file" in cli("new", "--from-inspection", str(sweep.parent), ok=False).err
    assert "no file" in cli("new", "--from-inspection", "gone.md", ok=False).err


def test_the_report_of_the_example(cli: Cli, shop: Path) -> None:
    [report] = EXAMPLE.glob("_reversa_bugs/*/inspections/*/report.md")
    here = shop / report.relative_to(EXAMPLE)
    made = cli("new", "--from-inspection", str(here), "--write-back", "--json", ok=True).json["data"]["bugs"]
    assert [bug["key"] for bug in made] == ["F-search-04"]
    changed = [a for a, b in zip(report.read_text().split("\n"), here.read_text().split("\n"), strict=True) if a != b]
    assert changed == ["  promoted_to: null"]


def test_a_report_in_a_locked_folder_is_not_written(cli: Cli, shop: Path) -> None:
    lock = next((shop / "_reversa_bugs").glob("*/bugs/*/DONE.md"))
    report = lock.parent / "evidence" / "report.md"
    report.parent.mkdir(exist_ok=True)
    report.write_text(REPORT)
    before = tree(shop)
    result = cli("new", "--from-inspection", str(report), "-c", "checkout", "--write-back")
    assert result.code == 4 and "locked" in result.err and tree(shop) == before


@pytest.mark.parametrize(
    "args",
    [("--from-json", "/dev/zero"), ("x", "--body", "/dev/zero")],
)
def test_a_file_without_end_is_refused(cli: Cli, repo: Path, args: tuple[str, ...]) -> None:
    before = tree(repo)
    result = cli("new", "-c", "shop", *args)
    assert result.code == 2 and "64 MiB" in result.err and tree(repo) == before
