"""`check --fix`: what each safe fix makes of a record, and what none of them touches."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from reversa.core.fixes import FIXES
from reversa.core.rules import RULES

from .conftest import Cli, git, new, record, tree

NOT_ON_RECORDS = {"RV027"}
OTHER = "BUG-20260101-QQQQ"

FORMS = [
    ("RV103", "schema_version: 1", 'schema_version: "1" # v', "schema_version: 1 # v"),
    ("RV108", "display_number: 1", "display_number: BUG-008", "display_number: 8"),
    ("RV108", "display_number: 1", "display_number: '#12'", "display_number: 12"),
    ("RV110", "status: open", "status: Aberto", "status: open"),
    ("RV110", "status: open", "status: en curso", "status: active"),
    ("RV112", "phase: triaging", "phase: Triagem", "phase: triaging"),
    ("RV112", "phase: triaging", "phase: awaiting_human", "phase: awaiting-human"),
    ("RV113", "severity: medium", "severity: Média", "severity: medium"),
    ("RV113", "severity: medium", "severity: crítica", "severity: critical"),
    ("RV114", "priority: P2", "priority: p1 # soon", "priority: P1 # soon"),
    ("RV115", "type: manual-report", "type: relato-manual", "type: manual-report"),
    ("RV117", "visibility: normal", "visibility: restrito", "visibility: restricted"),
    ("RV118", "classification: unknown", "classification: não-reproduzido", "classification: not-reproduced"),
    ("RV119", "change_set: []", "change_set: [{id: CHG-001, kind: código, artifact: a.py}]",
     "change_set: [{id: CHG-001, kind: code, artifact: a.py}]"),
    ("RV120", "closure:", "change_risk: {classification: media, motivos: []}\nclosure:",
     "change_risk: {classification: média, motivos: []}\nclosure:"),
    ("RV123", "blocking: []", "blocking: [{kind: externo, reason: x, since: null}]",
     "blocking: [{kind: external, reason: x, since: null}]"),
    ("RV130", "display_number: 1", 'display_number: "1"', "display_number: 1"),
    ("RV130", "security_suspected: false", "security_suspected: 'false'", "security_suspected: false"),
    ("RV133", "closure:", "delivery:\n  commit: 7e12345 # c\n  ci: green\nclosure:",
     'delivery:\n  commit: "7e12345" # c\n  ci: green\nclosure:'),
    ("RV133", "closure:", "versions: {base_version: 1.10}\nclosure:", 'versions: {base_version: "1.10"}\nclosure:'),
    ("RV206", "root_cause: null", "root_cause: {state: hipótese, hypothesis: x}",
     "root_cause: {state: hypothesized, hypothesis: x}"),
    ("RV306", "relationships: []", f"relationships: [{{bug: {OTHER}, type: causado-por, state: proposed}}]",
     f"relationships: [{{bug: {OTHER}, type: caused-by, state: proposed}}]"),
    ("RV307", "relationships: []", f"relationships: [{{bug: {OTHER}, type: caused-by, state: proposta}}]",
     f"relationships: [{{bug: {OTHER}, type: caused-by, state: proposed}}]"),
    ("RV402", "# Total is wrong", "# BUG: Total wrong  ", "# Total is wrong"),
    ("RV403", "\n# Total is wrong\n\n", "\n", "\n# Total is wrong\n\n"),
]  # fmt: skip


def findings(cli: Cli, *args: str) -> Counter[str]:
    return Counter(f["code"] for f in cli("check", "--locked", "--json", *args).json["findings"])


def write(path: Path, *pairs: tuple[str, str]) -> str:
    text = path.read_text("utf-8")
    for old, by in pairs:
        assert text.count(old) >= 1, old
        text = text.replace(old, by, 1)
    path.write_text(text, "utf-8")
    return text


def unmirrored(text: str) -> str:
    """Give a record without what stands between markers, which every write renders anew."""
    return re.sub(r"(?s)(<!-- reversa:begin \w+ -->).*?(?=<!-- reversa:end)", r"\1", text)


def other(repo: Path, bug: str, *pairs: tuple[str, str]) -> Path:
    """Register a second bug by hand, with an ID that tests can name."""
    source = record(repo, bug)
    target = source.parent.parent / OTHER / "bug.md"
    target.parent.mkdir()
    shutil.copy(source, target)
    write(target, (bug, OTHER), ("display_number: 1", "display_number: 2"), *pairs)
    return target


@pytest.mark.parametrize(("code", "good", "bad", "mended"), FORMS, ids=[f"{f[0]} {f[2][:30]}" for f in FORMS])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_fix_changes_its_own_text_and_the_day(
    cli: Cli, repo: Path, code: str, good: str, bad: str, mended: str, newline: str
) -> None:
    bug = new(cli)
    path = record(repo, bug)
    other(repo, bug)
    before = write(path, ("updated: 2026-09-01", "updated: 2026-08-01"), (good, bad)).replace("\n", newline)
    path.write_bytes(before.encode())
    had = findings(cli)
    assert had[code] >= 1
    assert "1 finding has a safe fix: reversa check --fix" in cli("check").out
    out = cli("check", "--fix", "--select", code, "--json").json
    assert out["data"]["fixed"] == [{"id": bug, "changed": out["data"]["fixed"][0]["changed"], "codes": [code]}]
    opened = f"---{newline}{newline}"
    was, by = (
        (opened, f"{opened}# Total is wrong{newline}{newline}")
        if code == "RV403"
        else (bad.replace("\n", newline), mended.replace("\n", newline))
    )
    wanted = before.replace("2026-08-01", "2026-09-01").replace(was, by, 1)
    assert unmirrored(path.read_bytes().decode()) == unmirrored(wanted)
    has = findings(cli)
    assert has[code] == had[code] - 1 and not has - had
    again = tree(repo)
    cli("check", "--fix")
    assert tree(repo) == again


def test_every_fix_has_a_test_here_and_a_rule() -> None:
    tested = {form[0] for form in FORMS} | {"RV027", "RV309"}
    assert tested == set(FIXES) <= set(RULES)


def test_rules_say_when_a_fix_is_safe(cli: Cli) -> None:
    assert "fix    reversa check --fix --select RV114 writes the P in capitals" in cli("rules", "RV114").out
    rows = {row["code"]: row["fix"] for row in cli("rules", "--json").json["data"]["rules"]}
    assert rows["RV114"] == "writes the P in capitals" and rows["RV121"] is None


PERSONAL = [
    ("status: open", "status: resolvido"),
    ("status: open", "status: Resolved"),
    ("visibility: normal", "visibility: Normal"),
    ("visibility: normal", "visibility: interno"),
    ("spec_verdict: null", "spec_verdict: Spec-Gap"),
    ("satisfied: false", 'satisfied: "false"'),
    ("resolution_kind: null", "resolution_kind: Fixed"),
    ("priority: P2", "priority: P7"),
    ("severity: medium", "severity: blocker"),
    ("# Total is wrong", "Total is wrong\n==="),
]


@pytest.mark.parametrize(("good", "bad"), PERSONAL, ids=[pair[1] for pair in PERSONAL])
def test_what_people_decide_and_what_only_may_be_meant_stays(cli: Cli, repo: Path, good: str, bad: str) -> None:
    path = record(repo, new(cli))
    write(path, (good, bad))
    before = tree(repo)
    assert "No finding here has a safe fix." in cli("check", "--fix").err
    assert tree(repo) == before


def test_a_fix_that_would_bring_another_finding_or_lose_a_comment_is_left(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    other(repo, bug, ("relationships: []", f"relationships:\n  - {{bug: {bug}, type: related-to, state: proposed}}"))
    write(
        path,
        ("root_cause: null", "root_cause: {state: confirmada, hypothesis: x}"),  # would lack evidence then
        ("relationships: []", f"relationships:\n  - bug: {OTHER} # why\n    type: related-to\n    state: proposed"),
        ("priority: P2", "priority: p2"),
    )
    had = findings(cli)
    result = cli("check", "--fix")
    assert "Mended 1 finding in 1 file: RV114 1." in result.err
    assert findings(cli) == had - Counter(["RV114"])


EDGE = "relationships:\n  - bug: {}\n    type: related-to\n    state: {}\n    evidence: {}"


@pytest.mark.parametrize("kept_locked", [False, True])
@pytest.mark.parametrize("evidence", ["[]", "[{ref: fix/plan.html, observation: same}, elsewhere]"])
def test_a_symmetric_edge_that_is_stored_twice(cli: Cli, repo: Path, evidence: str, kept_locked: bool) -> None:
    bug = new(cli)
    path = record(repo, bug)
    proof = "[elsewhere]"
    kept = other(repo, bug, ("relationships: []", EDGE.format(bug, "confirmed", proof)))
    write(path, ("relationships: []", EDGE.format(OTHER, "proposed", evidence)))
    if kept_locked:
        (kept.parent / "DONE.md").write_text("# done\n")
    had = findings(cli)
    before = tree(repo)
    cli("check", "--fix", "--select", "RV309")
    if kept_locked and evidence != "[]":
        assert tree(repo) == before
        return
    assert findings(cli) == had - Counter(["RV309"])
    assert "\nrelationships: []\n" in path.read_text()
    moved = f"ref: _reversa_bugs/checkout/bugs/{path.parent.name}/fix/plan.html" in kept.read_text()
    assert moved is (evidence != "[]")
    assert kept.read_text().count("elsewhere") == 1


def test_copies_that_contradict_each_other_stay(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    other(repo, bug, ("relationships: []", EDGE.format(bug, "confirmed", "[a]")))
    write(record(repo, bug), ("relationships: []", EDGE.format(OTHER, "rejected", "[b]")))
    before = tree(repo)
    cli("check", "--fix")
    assert tree(repo) == before


def test_many_copies_on_one_record(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    other(repo, bug)
    edge = f"  - {{bug: {OTHER}, type: related-to, state: proposed, evidence: [x]}}\n"
    path = record(repo, bug)
    write(path, ("relationships: []\n", f"relationships:\n{edge * 4}"))
    cli("check", "--fix")
    assert path.read_text().count(f"bug: {OTHER}") == 1
    assert findings(cli)["RV309"] == 0


def test_the_last_phase_of_a_resolved_bug_is_in_git(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    path = record(repo, bug)
    for phase in ("diagnosing", "patching", "shipped", "closed"):
        write(path, ("phase: ", f"phase: {phase} #"))
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", phase)
    write(path, ("status: open", "status: resolved"))
    cli("check", "--fix", "--select", "RV112")
    assert "phase: patching" in path.read_text()
    write(path, ("status: resolved", "status: active"), ("phase: patching", "phase: closed"))
    before = tree(repo)
    cli("check", "--fix", "--select", "RV112")  # what an open bug is doing nobody knows
    assert tree(repo) == before


def test_without_history_the_phase_stays(cli: Cli, repo: Path) -> None:
    path = record(repo, new(cli))
    write(path, ("status: open", "status: resolved"), ("phase: triaging", "phase: closed"))
    before = tree(repo)
    cli("check", "--fix", "--select", "RV112")
    assert tree(repo) == before


def test_plural_taxonomy_keys(cli: Cli, repo: Path) -> None:
    path = repo / "_reversa_bugs/taxonomy.yaml"
    path.write_text("# terms\nareas: # of work\n  - sales\n'modules' : [checkout]\nfeature: []\nfeatures: [x]\n")
    result = cli("check", "--fix", "--json").json
    assert (
        path.read_text() == "# terms\narea: # of work\n  - sales\n'module' : [checkout]\nfeature: []\nfeatures: [x]\n"
    )
    assert result["data"]["fixed"] == [{"id": None, "changed": ["area", "module"], "codes": ["RV027"]}]
    assert findings(cli)["RV027"] == 1


def test_a_lock_is_never_touched(cli: Cli, repo: Path) -> None:
    path = record(repo, new(cli))
    write(path, ("priority: P2", "priority: p2"))
    (path.parent / "DONE.md").write_text("# done\n")
    before = tree(repo)
    assert "safe fix" not in cli("check", "--locked").out
    cli("check", "--fix", "--locked")
    assert tree(repo) == before


def test_names_and_codes_choose(cli: Cli, repo: Path) -> None:
    one, two = new(cli), new(cli, context="billing")
    for bug in (one, two):
        write(record(repo, bug), ("priority: P2", "priority: p2"), ("severity: medium", "severity: media"))
    cli("check", "--fix", one, "--select", "RV114")
    assert "priority: P2" in record(repo, one).read_text() and "severity: media" in record(repo, one).read_text()
    assert "priority: p2" in record(repo, two).read_text()
    cli("check", "--fix", "billing", "--ignore", "RV114")
    assert "priority: p2\n" in record(repo, two).read_text() and "severity: medium" in record(repo, two).read_text()
    assert "severity: media\n" in record(repo, one).read_text()


def test_a_dry_run_is_a_patch_and_changes_nothing(cli: Cli, repo: Path) -> None:
    bug = new(cli)
    write(record(repo, bug), ("priority: P2", "priority: p2"), ("# Total is wrong", "# Wrong"))
    (repo / "_reversa_bugs/taxonomy.yaml").write_text("areas: []\n")
    git(repo, "add", "-A")
    before = tree(repo)
    result = cli("check", "--fix", "--dry-run", ok=True)
    assert "--fix would mend 3 findings in 2 files: RV027 1, RV114 1, RV402 1." in result.err
    data = cli("check", "--fix", "--dry-run", "--json", ok=True).json["data"]
    assert data["diff"] == result.out and tree(repo) == before
    subprocess.run(["git", "apply"], input=result.out, text=True, cwd=repo, check=True)
    patched = tree(repo)
    git(repo, "checkout", "-q", ".")
    cli("check", "--fix", "--no-views")
    assert tree(repo) == patched


def test_dry_run_alone_is_wrong_usage(cli: Cli, repo: Path) -> None:
    assert cli("check", "--dry-run").code == 2


def test_the_exit_code_is_that_of_check_afterwards(cli: Cli, repo: Path) -> None:
    path = record(repo, new(cli))
    write(path, ("status: open", "status: aberto"))
    assert cli("check").code == 1
    assert cli("check", "--fix").code == 0
    write(path, ("status: open", "status: gone"))
    assert cli("check", "--fix").code == 1


def test_views_are_drawn_anew(cli: Cli, repo: Path) -> None:
    path = record(repo, new(cli))
    cli("graph", ok=True)
    write(path, ("severity: medium", "severity: alta"))
    assert "Views redrawn" in cli("check", "--fix").err
    assert cli("graph", "--check").code == 0


def test_of_a_restricted_bug_only_its_id_is_told(cli: Cli, repo: Path) -> None:
    bug = new(cli, "Zqmark leaks", "--security")
    path = record(repo, bug)
    write(path, ("priority: P2", "priority: p2"), ("# Zqmark leaks", "# Zqmark leaked"))
    for args in ([], ["--json"], ["checkout"]):
        result = cli("check", "--fix", "--dry-run", *args)
        assert "qmark" not in result.out + result.err and "RV114" in result.out + result.err
    assert "qmark" in cli("check", "--fix", "--dry-run", bug).out
    assert "qmark" in cli("check", "--fix", "--dry-run", "--include-restricted").out
    result = cli("check", "--fix", "--json")
    assert "qmark" not in result.out
    assert result.json["data"]["fixed"] == [{"id": bug, "changed": [], "codes": ["RV114", "RV402"]}]
    assert "priority: P2" in path.read_text()


@pytest.mark.parametrize("name", ["package-22", "local-6"])
@pytest.mark.parametrize("unlocked", [False, True])
def test_real_registries_have_fewer_findings_and_no_other_line_moves(
    cli: Cli, empty: Path, shared: Callable[..., Path], name: str, unlocked: bool
) -> None:
    shutil.copytree(shared("registries", name), empty / "_reversa_bugs", copy_function=shutil.copyfile)
    for path in (empty / "_reversa_bugs").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
        if unlocked and path.name == "DONE.md":
            path.unlink()
    had, before = findings(cli), tree(empty)
    fixed = json.loads(cli("check", "--fix", "--json").out)["data"]["fixed"]
    has, after = findings(cli), tree(empty)
    assert fixed and not has - had and has.total() < had.total()
    touched = {key.partition(".")[0] for entry in fixed for key in entry["changed"]}
    for path, data in after.items():
        if before[path] != data:
            assert outside(before[path].decode(), touched) == outside(data.decode(), touched), path
    cli("check", "--fix")
    assert tree(empty) == after


def outside(text: str, keys: set[str]) -> list[str]:
    """Give the lines of a record that belong to no touched top-level key and are not its first heading."""
    out, key, heading = [], "", False
    for line in text.split("\n"):
        key = line.partition(":")[0] if line[:1].strip(" -#\t") else key
        first = line.startswith("# ") and not heading
        heading = heading or first
        if key not in {*keys, "updated", "areas", "modules", "features"} and not first:
            out.append(line)
    return out
