"""`reversa check`: all of it in one pass, with positions; what counts and what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli, new, record, tree


def test_an_error_shows_its_line_with_a_caret_a_cause_and_a_mend(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("resolution_kind: null", "resolution_kind: fixed"))
    result = cli("check")
    assert result.code == 1
    line = path.read_text().split("\n").index("resolution_kind: fixed") + 1
    assert f"error RV232 _reversa_bugs/checkout/bugs/{path.parent.name}/bug.md:" in result.out
    assert "mend:" in result.out
    assert result.out.rstrip().endswith("1 bug in 1 context: 3 errors, 0 warnings.")
    found = cli("check", "--json").json["findings"]
    assert {f["code"] for f in found} == {"RV231", "RV232", "RV233"}
    assert all(f["line"] <= line and f["path"] == f"checkout/bugs/{path.parent.name}/bug.md" for f in found)
    carets = [text for text in result.out.split("\n") if text.strip().startswith("^")]
    assert len(carets) == 3


def test_the_caret_points_at_the_value_in_code_points(cli: Cli, repo: Path) -> None:
    bug = new(cli, "ação 中文 🐞")
    path = record(repo, bug)
    path.write_text(path.read_text().replace("phase: triaging", 'phase: "中x"'))
    (finding,) = (f for f in cli("check", "--json").json["findings"] if f["code"] == "RV112")
    lines = path.read_text().split("\n")
    assert lines[finding["line"] - 1][finding["column"] - 1 :].startswith('"中x"')
    shown = cli("check", "--all").out.split("\n")
    row = next(i for i, text in enumerate(shown) if 'phase: "中x"' in text)
    assert shown[row + 1].index("^") == shown[row].index('"中x"')
    assert shown[row + 1].count("^") >= 5  # the wide character takes two columns


def test_all_faults_come_in_one_pass_and_one_hides_no_other(cli: Cli, repo: Path) -> None:
    first, second = new(cli), new(cli, "second")
    path = record(repo, first)
    path.write_text(
        path.read_text()
        .replace("status: open", "status: done")
        .replace("schema_version: 1\n", "")
        .replace("severity: medium", "severity: 5")
        .replace("phase: triaging", "phase: closed")
        .replace("created: 2026-09-01", "created: soon")
        .replace("labels: []", "labels: {a: b}")
    )
    record(repo, second).write_bytes(b"---\nid: [\n---\n")
    codes = [f["code"] for f in cli("check", "--json").json["findings"]]
    for code in ("RV110", "RV101", "RV113", "RV112", "RV131", "RV130", "RV004"):
        assert code in codes, (code, codes)


def test_warnings_are_grouped_and_all_shows_each(cli: Cli, repo: Path) -> None:
    for name in "abc":
        bug = new(cli, name)
        path = record(repo, bug)
        path.write_text(path.read_text().replace("phase: triaging", "phase: closed"))
    result = cli("check", ok=True)
    (line,) = (text for text in result.out.split("\n") if "RV112" in text)
    assert " 3" in line and "e.g. BUG-" in result.out
    assert "--all shows each" in result.out
    assert cli("check", "--all", ok=True).out.count("warning RV112") == 3
    assert cli("check", "--strict").code == 1
    assert cli("check", "--strict", "--ignore", "RV112").code == 0


def test_warnings_inside_locks_are_counted_shown_on_request_and_never_strict(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    cli("close", bug, "--as", "invalid", "--reason", "x", ok=True)
    lock = path.parent / "DONE.md"
    lock.write_text("\n".join(line for line in lock.read_text().split("\n") if not line.startswith("seal:")))
    path.write_text(path.read_text().replace("phase: triaging", "phase: closed"))
    result = cli("check", "--strict", ok=True)
    assert "1 warning inside locked bugs; --locked shows them." in result.out
    assert cli("check", "--json").json["data"]["hidden_locked"] == 1
    result = cli("check", "--locked", "--strict", ok=True)
    assert "RV112" in result.out
    assert any(f["code"] == "RV112" for f in cli("check", "--locked", "--json").json["findings"])


def test_select_and_ignore_take_codes_and_prefixes(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("phase: triaging", "phase: x").replace("status: open", "status: x"))
    codes = {f["code"] for f in cli("check", "--select", "RV110", "--json").json["findings"]}
    assert codes == {"RV110"}
    codes = {f["code"] for f in cli("check", "--select", "rv11", "--json").json["findings"]}
    assert codes == {"RV110", "RV112"}
    assert cli("check", "--select", "RV999").code == 2
    result = cli("check", "--ignore", "RV110")
    assert result.code == 2 and "cannot be ignored" in result.err


def test_names_restrict_what_is_shown_not_what_is_checked(cli: Cli, repo: Path) -> None:
    good, bad = new(cli, "good"), new(cli, "bad", context="other")
    path = record(repo, bad)
    path.write_text(path.read_text().replace("status: open", "status: x"))
    assert cli("check", good).code == 0
    assert cli("check", "checkout").code == 0
    assert cli("check", "other").code == 1
    assert cli("check", bad[-4:]).code == 1
    result = cli("check", "nowhere")
    assert result.code == 2 and "checkout, other" in result.err
    path.write_text(path.read_text().replace(bad, good))
    assert any(f["code"] == "RV107" for f in cli("check", "checkout", "--json").json["findings"])


def test_nothing_is_ever_repaired(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("status: open", "status: x"))
    before = tree(repo)
    cli("check")
    assert tree(repo) == before


def test_restricted_bugs_show_id_and_code_alone(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Token leaks in the log", "--security", "--label", "marker-label")
    path = record(repo, bug)
    path.write_text(path.read_text().replace("phase: triaging", "phase: marker-phase"))
    folder = path.parent
    folder.rename(folder.with_name(folder.name + "-marker-slug"))
    for args in (["check", "--all"], ["check", "--json"], ["check"], ["list"], ["list", "--json"], ["list", "--all"]):
        out = cli(*args).out
        assert bug in out, args
        for marker in ("Token", "marker"):
            assert marker not in out, (args, marker)
    assert "marker-phase" in cli("check", "--all", "--include-restricted").out
    assert "Token" in cli("list", "--include-restricted").out
    assert "Token" in cli("show", bug).out


def test_an_unreadable_record_that_may_be_restricted_is_not_shown(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Token leaks", "--security")
    path = record(repo, bug)
    path.write_text(path.read_text().replace("title: Token leaks", 'title: "Token leaks'))
    result = cli("check", "--all")
    assert result.code == 1 and bug in result.out and "Token" not in result.out


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_long_lines_are_windowed_and_the_path_is_never_cut(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    bug = new(cli, "x" * 200)
    path = record(repo, bug)
    wide = (
        "traceability: {specs: [" + ", ".join(f'"a{i}.md"' for i in range(60)) + "], root_cause: {state: sure}}\nx: ["
    )
    text = path.read_text()
    start, end = text.index("traceability:"), text.index("spec_verdict:")
    path.write_text(text[:start] + wide + "]\n" + text[end:])
    monkeypatch.setenv("COLUMNS", columns)
    out = cli("check").out
    assert f"_reversa_bugs/checkout/bugs/{path.parent.name}/bug.md:" in out
    (caret,) = (line for line in out.split("\n") if line.strip().startswith("^"))
    source = out.split("\n")[out.split("\n").index(caret) - 1]
    assert len(source) <= max(int(columns), 50)
    assert source[caret.index("^") :].startswith("sure")


def test_unknown_things_at_the_root_are_ignored(cli: Cli, repo: Path) -> None:
    new(cli)
    (repo / "_reversa_bugs/notes.txt").write_text("x")
    (repo / "_reversa_bugs/interactions").mkdir()
    (repo / "_reversa_bugs/interactions/a.json").write_text("{}")
    assert cli("check", "--strict").code == 0


def test_rules_lists_and_explains(cli: Cli, repo: Path) -> None:
    listed = cli("rules", ok=True).out
    assert "RV231" in listed and len(listed.strip().split("\n")) > 60
    page = cli("rules", "rv231", ok=True).out
    assert "RV231" in page and "Bad" in page and "Good" in page
    assert cli("rules", "RV999").code == 2
    assert len(cli("rules", "--json").json["data"]["rules"]) == len(listed.strip().split("\n"))


def test_a_record_of_many_findings_is_reported_in_linear_time(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    edges = "".join(f"  - {{bug: BUG-20200101-{n:04d}, type: caused-by, state: proposed}}\n" for n in range(10_000))
    path.write_text(path.read_text().replace("relationships: []\n", f"relationships:\n{edges}"))
    found = cli("check", "--json").json["findings"]
    lines = path.read_text().split("\n")
    errors = [f for f in found if f["code"] == "RV303"]
    assert len(errors) == 10_000
    assert all("BUG-20200101" in lines[f["line"] - 1] for f in errors[::999])


VEILED = [
    "title: !!str zqmark\nvisibility: !!str restricted",
    "title: zqmark\nvisibility: &v restricted",
    "title: zqmark\nsecurity_suspected: !!bool true",
    "title: *zqmark\nvisibility: >-\n  restricted",
    "title: *zqmark\nvisibility: # note\n  restricted",
    "title: *zqmark\nvisibility:\n\n  restricted",
    "title: *zqmark\n? visibility\n: restricted",
    'title: *zqmark\n"visib\\x69lity": restricted',
    'title: *zqmark\nvisibility: "\\x72estricted"',
    "title: *zqmark",
    "title: *zqmark\nvisibility: normal\nvisibility: restricted",
    "title: *zqmark\nvisibility: normal\nsecurity_suspected: true",
]
"""Front matters that no reader takes and that say, or may have said, that they are restricted."""


@pytest.mark.parametrize("matter", VEILED)
def test_a_doubt_hides_what_an_unreadable_record_holds(cli: Cli, repo: Path, matter: str) -> None:
    bug = new(cli, "zqmark title")
    path = record(repo, bug)
    path.write_text(f"---\nid: {bug}\n{matter}\n---\n\n# zqmark\n")
    for args in (
        ["check"], ["check", "--all"], ["check", "--json"], ["list"], ["list", "--json"], ["list", "zqmark"],
        ["graph", "--json"], ["update", bug, "--severity", "low"], ["show", bug], ["close", bug, "--as", "fixed"],
    ):  # fmt: skip
        result = cli(*args)
        assert "zqmark" not in (result.out + result.err).replace("'zqmark'", ""), args
    assert bug in cli("check").out and "--include-restricted" in cli("check").out
    assert "zqmark" in cli("check", "--include-restricted").out


def test_what_an_unreadable_visible_record_holds_is_shown(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("title: Total", "title: *Total"))
    assert "title: *Total is wrong" in cli("check").out


def test_a_missing_record_tells_no_slug(cli: Cli, repo: Path) -> None:
    bug = new(cli, "zqmark")
    record(repo, bug).unlink()
    result = cli("check", "--all")
    assert "RV023" in result.out and bug in result.out and "zqmark" not in result.out
