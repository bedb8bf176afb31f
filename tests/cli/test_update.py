"""`reversa update`: any field, nothing else, never a new error."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from reversa.core.fields import FRONT_MATTER, walk
from reversa.store.frontmatter import read

from .conftest import DAY, Cli, new, record, tree


def data(cli: Cli, bug: str) -> dict:  # type: ignore[type-arg]
    return dict(cli("show", bug, "--json", ok=True).json["data"])


VALUES = {
    "display_number": ("9", 9),
    "title": ("Another: title", "Another: title"),
    "status": ("active", "active"),
    "phase": ("diagnosing", "diagnosing"),
    "severity": ("low", "low"),
    "priority": ("P0", "P0"),
    "created": ("2026-08-30", "2026-08-30"),
    "origin.type": ("support", "support"),
    "origin.external_ref": ("provider=github,id=7", {"provider": "github", "id": "7"}),
    "origin.external_ref.provider": ("jira", "jira"),
    "origin.external_ref.id": ("0012", "0012"),
    "area": ("unclassified", "unclassified"),
    "visibility": ("internal", "internal"),
    "security_suspected": ("false", False),
    "reproduction.classification": ("intermittent", "intermittent"),
    "reproduction.rate": ("3/20", "3/20"),
    "traceability.root_cause.state": ("hypothesized", "hypothesized"),
    "traceability.root_cause.hypothesis": ("rounding: twice", "rounding: twice"),
    "express": ("true", True),
    "mitigation.kind": ("feature-flag", "feature-flag"),
    "mitigation.applied_at": ("2026-08-31", "2026-08-31"),
    "mitigation.temporary": ("true", True),
    "data_impact": ("12 orders", "12 orders"),
    "data_repair": ("none needed", "none needed"),
    "regression_analysis.last_known_good": ("7e12345", "7e12345"),
    "regression_analysis.first_known_bad": ("0012345", "0012345"),
    "regression_analysis.culprit_commit": ("1234567", "1234567"),
    "ownership": ("unclassified", "unclassified"),
    "delivery.branch": ("fix/x", "fix/x"),
    "delivery.merged": ("true", True),
    "delivery.version": ("1.10", "1.10"),
    "post_fix_observation.started": ("2026-08-31", "2026-08-31"),
    "post_fix_observation.recurrences": ("0", 0),
    "change_risk.classification": ("baixa", "baixa"),
    "occurrences.count": ("3", 3),
    "closure.policy": ("package", "package"),
}


@pytest.mark.parametrize(("route", "value"), VALUES.items())
def test_scalars_of_the_contract_are_set_and_read_back(
    cli: Cli, repo: Path, route: str, value: tuple[str, object]
) -> None:
    bug = new(cli)
    cli("update", bug, "--set", f"{route}={value[0]}", ok=True)
    found: object = data(cli, bug)
    for step in route.split("."):
        assert isinstance(found, dict)
        found = found[step]
    assert found == value[1]


LISTS = {
    "labels": ("money", "money"),
    "reproduction.suspected_triggers": ("two tabs", "two tabs"),
    "blocking": ("kind=external,reason=credentials,since=2026-08-30",
                 {"kind": "external", "reason": "credentials", "since": "2026-08-30"}),
    "traceability.specs": ("a.md#b", "a.md#b"),
    "traceability.affected_code": ("src/a.py:3", "src/a.py:3"),
    "traceability.reproduction_tests": ("tests/a.py::t", "tests/a.py::t"),
    "traceability.regression_tests": ("tests/a.py::t", "tests/a.py::t"),
    "traceability.root_cause.causal_path": ("first", "first"),
    "traceability.root_cause.evidence": ("ref=a.py:3,observation=seen", {"ref": "a.py:3", "observation": "seen"}),
    "traceability.root_cause.code_refs": ('{"file": "src/a.py", "symbol": "f", "commit": "7e12345"}',
                                          {"file": "src/a.py", "symbol": "f", "commit": "7e12345"}),
    "change_set": ("id=CHG-001,kind=code,artifact=src/a.py,purpose=mend it",
                   {"id": "CHG-001", "kind": "code", "artifact": "src/a.py", "purpose": "mend it"}),
    "backports": ("version=1.2,required=true,released=false", {"version": "1.2", "required": True, "released": False}),
    "change_risk.motivos": ("small", "small"),
    "occurrences.dumps": ("core.1", "core.1"),
}  # fmt: skip


@pytest.mark.parametrize(("route", "value"), LISTS.items())
def test_lists_are_added_to_and_taken_from(cli: Cli, repo: Path, route: str, value: tuple[str, object]) -> None:
    bug = new(cli)
    cli("update", bug, "--add", f"{route}={value[0]}", ok=True)
    found: object = data(cli, bug)
    for step in route.split("."):
        assert isinstance(found, dict)
        found = found[step]
    assert found == [value[1]]
    cli("update", bug, "--remove", f"{route}[0]", ok=True)
    found = data(cli, bug)
    for step in route.split("."):
        assert isinstance(found, dict)
        found = found[step]
    assert found == []


def test_what_a_list_holds_already_is_not_added_twice(cli: Cli, repo: Path) -> None:
    bug = new(cli, "x", "--label", "money")
    before = tree(repo)
    assert "already" in cli("update", bug, "--label", "money", ok=True).err
    assert tree(repo) == before
    cli("update", bug, "--label", "tax", "--label", "tax", ok=True)
    assert data(cli, bug)["labels"] == ["money", "tax"]


def test_references_take_aliases_and_changes_are_named_by_route(cli: Cli, repo: Path) -> None:
    bug, other = new(cli), new(cli, "other")
    cli("update", bug, "--add", f"blocking=kind=bug,target={other[-4:].lower()}", ok=True)
    cli("update", bug, "--add", "relationships=bug=2,type=related-to,state=proposed", ok=True)
    shown = data(cli, bug)
    assert shown["blocking"][0]["target"] == other and shown["relationships"][0]["bug"] == other
    result = cli("update", bug, "--set", "reproduction.rate=1/2", "--label", "x", "--json", ok=True)
    assert result.json["data"]["bugs"] == [{"id": bug, "changed": ["labels", "reproduction.rate"]}]


def test_new_warnings_are_said_at_once(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    assert "RV409" in cli("update", bug, "--code", "nope.py:3", ok=True).err
    assert "RV150" in cli("update", bug, "--set", "security_suspected=true", ok=True).err
    assert "check will warn" not in cli("update", bug, "--severity", "low", ok=True).err
    assert "RV409" in cli("new", "x", "-c", "checkout", "--code", "nope.py:3", ok=True).err


def test_updated_can_be_set_and_then_stays_as_set(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    assert "updated" in cli("update", bug, "--set", "updated=2026-09-05", ok=True).out
    assert data(cli, bug)["updated"] == "2026-09-05"


def test_removing_null_never_removes_the_key(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("update", bug, "--set", 'versions=["1.0"]', ok=True)
    assert cli("update", bug, "--remove", "versions=null").code == 2
    assert data(cli, bug)["versions"] == ["1.0"]
    cli("update", bug, "--remove", "versions", ok=True)
    assert data(cli, bug)["versions"] is None


def test_the_tables_above_reach_every_top_level_field_but_the_fixed_ones() -> None:
    reached = {route.split(".")[0] for route in (*VALUES, *LISTS)} | {
        "updated", "module", "feature", "relationships", "spec_verdict", "resolution_kind", "versions", "traceability",
    }  # fmt: skip
    assert {field.name for field in FRONT_MATTER.fields} - reached == {"schema_version", "id", "decisions"}
    assert any(route == "relationships[].state" for route, _ in walk())


@pytest.mark.parametrize("route", ["id", "schema_version", "decisions"])
def test_what_is_fixed_cannot_be_set(cli: Cli, repo: Path, route: str) -> None:
    bug = new(cli)
    assert cli("update", bug, "--set", f"{route}=x").code == 2
    assert cli("update", bug, "--remove", route).code == 2


def test_an_unknown_key_is_refused_with_the_nearest_unless_the_record_has_it(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("update", bug, "--set", "sevrity=low")
    assert result.code == 2 and "severity" in result.err
    path = record(repo, bug)
    path.write_text(path.read_text().replace("closure:\n", "team: red\nclosure:\n"))
    cli("update", bug, "--set", "team=blue", ok=True)
    assert data(cli, bug)["team"] == "blue"


def test_updated_moves_only_when_something_changes(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = new(cli)
    monkeypatch.setenv("REVERSA_TODAY", "2026-10-01")
    before = tree(repo)
    result = cli("update", bug, "--set", "severity=medium", ok=True)
    assert "already" in result.err and tree(repo) == before
    cli("update", bug, "--set", "severity=low", ok=True)
    assert data(cli, bug)["updated"] == "2026-10-01"


def test_only_the_lines_of_the_edited_keys_and_the_mirrors_differ(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("labels: []", "labels: []   # money and the like"))
    before = path.read_text()
    cli("update", bug, "--add", "labels=money", "--severity", "low", ok=True)
    lines = list(difflib.ndiff(before.split("\n"), path.read_text().split("\n")))
    assert [line for line in lines if line.startswith(("- ", "+ "))] == [
        "- severity: medium",
        "+ severity: low",
        "- labels: []   # money and the like",
        "+ labels:   # money and the like",
        "+   - money",
    ]


def test_the_mirror_follows_the_yaml_and_a_record_without_markers_is_left_alone(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("update", bug, "--add", "traceability.specs=a.md#b", ok=True)
    path = record(repo, bug)
    assert "`a.md#b`" in read(path.read_bytes()).body
    bare = "".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("<!-- reversa:"))
    path.write_text(bare)
    body = read(path.read_bytes()).body
    cli("update", bug, "--add", "traceability.specs=c.md#d", ok=True)
    assert read(path.read_bytes()).body == body


def test_a_phase_beyond_triaging_makes_an_open_bug_active_and_says_so(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("update", bug, "--phase", "diagnosing", ok=True)
    assert "active" in result.err
    assert (data(cli, bug)["status"], data(cli, bug)["phase"]) == ("active", "diagnosing")


def test_resolved_is_reached_by_close_alone(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("update", bug, "--status", "resolved")
    assert result.code == 4 and "reversa close" in result.err
    assert data(cli, bug)["status"] == "open"


def test_a_status_that_is_said_is_kept_and_no_activation_claimed(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("update", bug, "--set", "phase=diagnosing", "--set", "status=open", ok=True)
    assert "active" not in result.err and data(cli, bug)["status"] == "open"


def test_an_old_error_may_be_mended_step_by_step(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    path.write_text(path.read_text().replace("resolution_kind: null", "resolution_kind: fixed"))
    cli("update", bug, "--set", "traceability.root_cause.state=hypothesized", ok=True)
    cli("update", bug, "--set", "traceability.root_cause.state=supported", ok=True)
    assert data(cli, bug)["traceability"]["root_cause"]["state"] == "supported"


def test_free_text_of_a_decision_never_leaves_its_line(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    reason = "see ../x\n\n## Summary\n\nno"
    cli("update", bug, "--set", "spec_verdict=spec-gap", "--by", "x\n\n# T2", "--reason", reason, ok=True)
    assert cli("check", "--strict").code == 0
    assert "see ../x ## Summary no." in data(cli, bug)["sections"]["Agent Notes"]


def test_views_that_cannot_be_drawn_are_a_note_and_the_write_stands(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    cli("graph", ok=True)
    index = repo / "_reversa_bugs/checkout/generated/index.md"
    index.unlink()
    index.mkdir()
    result = cli("update", bug, "--severity", "low", ok=True)
    assert "views are not" in result.err and data(cli, bug)["severity"] == "low"
    assert "Registered BUG-" in cli("new", "another", "-c", "checkout", ok=True).out


def test_an_interrupt_between_two_records_undoes_the_first(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = new(cli), new(cli, "second")
    before = tree(repo)
    real, calls = __import__("os").replace, []

    def interrupted(source: object, target: object) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise KeyboardInterrupt
        real(source, target)

    monkeypatch.setattr("os.replace", interrupted)
    assert cli("update", first, second, "--severity", "low").code == 130
    assert tree(repo) == before


def test_a_new_error_is_refused_and_an_old_one_elsewhere_is_not(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    before = tree(repo)
    result = cli("update", bug, "--set", "resolution_kind=fixed", "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "would-add-error"
    codes = {finding["code"] for finding in result.json["findings"]}
    assert codes == {"RV231", "RV232", "RV233"}
    assert all(finding["line"] > 1 for finding in result.json["findings"])
    assert tree(repo) == before
    path = record(repo, bug)
    path.write_text(path.read_text().replace("schema_version: 1\n", ""))
    assert cli("check").code == 1
    cli("update", bug, "--severity", "low", ok=True)
    assert data(cli, bug)["severity"] == "low"


def test_many_bugs_are_all_changed_or_none(cli: Cli, repo: Path) -> None:
    first, second = new(cli), new(cli, "second")
    cli("update", first, second, "--severity", "low", ok=True)
    assert {data(cli, bug)["severity"] for bug in (first, second)} == {"low"}
    (record(repo, second).parent / "DONE.md").write_text("locked\n")
    before = tree(repo)
    assert cli("update", first, second, "--severity", "high").code == 4
    assert tree(repo) == before


def test_a_failed_second_write_puts_the_first_back(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = new(cli), new(cli, "second")
    before = tree(repo)
    real, calls = __import__("os").replace, []

    def flaky(source: object, target: object) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr("os.replace", flaky)
    result = cli("update", first, second, "--severity", "low")
    assert result.code == 5 and "No space left" in result.err
    assert tree(repo) == before


def test_the_verdict_is_a_persons_decision(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    result = cli("update", bug, "--set", "spec_verdict=spec-correta", "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "needs-human"
    assert "reversa" not in (result.json["error"]["hint"] or "")
    cli("update", bug, "--set", "spec_verdict=spec-correta", "--by", "Ana", "--reason", "the code was wrong", ok=True)
    record_ = data(cli, bug)
    assert record_["spec_verdict"] == "spec-correta"
    assert record_["decisions"] == [
        {
            "what": "spec_verdict",
            "value": "spec-correta",
            "by": "Ana",
            "on": DAY,
            "via": "delegated",
            "reason": "the code was wrong",
        }
    ]
    assert "by Ana (delegated): the code was wrong." in record_["sections"]["Agent Notes"]
    assert cli("check", "--strict").code == 0


def test_waiving_an_observation_is_a_decision_too(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    value = "post_fix_observation.waived=by=Ana,on=2026-09-01,reason=no traffic"
    assert cli("update", bug, "--set", value, "--json").json["error"]["kind"] == "needs-human"
    cli("update", bug, "--set", value, "--by", "Ana", ok=True)
    assert data(cli, bug)["post_fix_observation"]["waived"]["reason"] == "no traffic"


@pytest.mark.parametrize(
    "args",
    [
        ["--set", "spec_verdict=spec-gap"],
        ["--remove", "spec_verdict"],
        ["--set", 'post_fix_observation={"started": "2026-09-01", "waived": {"by": "x", "reason": "y"}}'],
        ["--set", "post_fix_observation.waived.by=x"],
        ["--remove", "post_fix_observation"],
        ["--set", "post_fix_observation=null"],
        ["--set", "post_fix_observation.waived={}"],
        ["--set", 'closure={"policy": "x", "post_fix_observation": {"waived": {"by": "x"}}}'],
    ],
)
def test_no_route_changes_a_decision_without_a_person(cli: Cli, repo: Path, args: list[str]) -> None:
    bug = new(cli)
    waived = "post_fix_observation.waived=by=Ana,on=2026-09-01,reason=no traffic"
    cli("update", bug, "--set", "spec_verdict=spec-correta", "--set", waived, "--by", "Ana", ok=True)
    before = tree(repo)
    result = cli("update", bug, *args, "--json")
    assert result.code in (2, 4), result.out
    assert tree(repo) == before
    if result.code == 4:
        assert result.json["error"]["kind"] == "needs-human"


def test_a_supervised_registry_takes_no_delegated_decision(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    readme = repo / "_reversa_bugs/README.md"
    readme.write_text(readme.read_text().replace("control_mode: gated", "control_mode: supervised"))
    result = cli("update", bug, "--set", "spec_verdict=spec-gap", "--by", "Ana", "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "needs-human"


@pytest.mark.parametrize(
    "args", [["--visibility", "normal"], ["--remove", "visibility", "--set", "security_suspected=false"]]
)
def test_restricted_is_never_relaxed(cli: Cli, repo: Path, args: list[str]) -> None:
    bug = new(cli, "Token leaks", "--security")
    before = tree(repo)
    result = cli("update", bug, *args, "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "needs-human"
    assert tree(repo) == before


def test_suspicion_without_a_visibility_is_not_talked_away(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Token leaks", "--security")
    path = record(repo, bug)
    path.write_text(path.read_text().replace("visibility: restricted\n", ""))
    assert cli("update", bug, "--set", "security_suspected=false").code == 4


def test_locked_and_unreadable_records_are_refused(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    done = record(repo, bug).parent / "DONE.md"
    done.write_bytes(b"\xff not even text")
    result = cli("update", bug, "--severity", "low")
    assert result.code == 4 and "--regression-of" in result.err
    done.unlink()
    record(repo, bug).write_bytes(b"---\nid: [\n---\n")
    result = cli("update", bug, "--severity", "low")
    assert result.code == 4 and "reversa check" in result.err


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--set", "severity"],
        ["--set", "severity=huge"],
        ["--set", "created=2026-02-30"],
        ["--set", "display_number=seven"],
        ["--set", "security_suspected=maybe"],
        ["--set", "title=null"],
        ["--set", "change_set[CHG-009].purpose=x"],
        ["--add", "severity=low"],
        ["--remove", "labels=never-there"],
        ["--title", ""],
        ["--add", "blocking=kind=bug,target=ZZZZ"],
        ["--area", "no-such-area-anywhere"],
    ],
)
def test_wrong_usage_is_one_or_two_lines(cli: Cli, repo: Path, args: list[str]) -> None:
    bug = new(cli)
    before = tree(repo)
    result = cli("update", bug, *args)
    assert result.code in (2, 4), result
    assert 1 <= len(result.err.strip().split("\n")) <= 2
    assert tree(repo) == before


def test_dry_run_prints_the_diff_alone(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    before = tree(repo)
    result = cli("update", bug, "--severity", "low", "--dry-run", ok=True)
    assert "-severity: medium\n+severity: low\n" in result.out
    assert tree(repo) == before


def test_someone_else_changing_the_file_meanwhile_is_never_overwritten(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reversa.commands import gate

    bug = new(cli)
    path = record(repo, bug)
    real = gate.refuse_new_errors

    def slow(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        path.write_text(path.read_text() + "\nwritten by hand\n")

    monkeypatch.setattr(gate, "refuse_new_errors", slow)
    result = cli("update", bug, "--severity", "low")
    assert result.code == 5
    assert "written by hand" in path.read_text() and "severity: medium" in path.read_text()


@pytest.mark.parametrize(
    "readme",
    [
        "```yaml\ncontrol_mode: [supervised]\n```\n",
        "x" * 2_000_000 + "\n```yaml\ncontrol_mode: supervised\n```\n",
        "```yaml\ncontrol_mode: supervized\n```\n",
        "x" * 5_000_000,
        None,
    ],
)
def test_a_control_mode_in_doubt_is_no_permission(cli: Cli, repo: Path, readme: str | None) -> None:
    bug = new(cli)
    path = repo / "_reversa_bugs/README.md"
    path.unlink()
    if readme is None:
        __import__("os").mkfifo(path)
    else:
        path.write_text(readme)
    result = cli("update", bug, "--set", "spec_verdict=spec-gap", "--by", "Ana", "--json")
    assert result.code == 4 and result.json["error"]["kind"] == "needs-human"


def test_a_write_that_cannot_be_undone_is_said(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = new(cli), new(cli, "second")
    real, calls = __import__("os").replace, []

    def stuck(source: object, target: object) -> None:
        calls.append(target)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr("os.replace", stuck)
    result = cli("update", first, second, "--severity", "low")
    assert result.code == 5 and first in result.err and "Nothing was written" not in result.err


def test_a_folder_in_a_hostile_name_is_never_echoed_raw(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    folder = record(repo, bug).parents[2]
    folder.rename(folder.with_name("a\x1b[31m\u202eb\nc"))
    for args in (
        ["show", bug],
        ["check", "--all"],
        ["list", "-c", "x"],
        ["graph"],
        ["update", bug, "--severity", "low"],
    ):
        result = cli(*args)
        assert "\x1b" not in result.out + result.err and "\u202e" not in result.out + result.err, args
