"""`check --format`, and what CI runs: the steps of action.yml and the job of docs/ci.md, run as their forges do."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from .conftest import Cli, git, new, record

ROOT = Path(__file__).resolve().parents[2]


def broken(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join("status: opne\n" if line.startswith("status:") else line for line in lines))


@pytest.fixture
def twice(cli: Cli, repo: Path) -> tuple[str, str]:
    """A commit with a broken bug, and another broken bug on top of it: the two commits."""
    broken(record(repo, new(cli, "Old")))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "old")
    broken(record(repo, new(cli, "New")))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "new")
    first, last = git(repo, "rev-list", "HEAD").split()[::-1]
    return first, last


COUNT: dict[str, Callable[[str], int]] = {
    "json": lambda text: int(json.loads(text)["data"]["errors"]),
    "github": lambda text: text.count("::error file="),
    "gitlab": lambda text: sum(issue["severity"] == "critical" for issue in json.loads(text)),
    "sarif": lambda text: sum(r["level"] == "error" for r in json.loads(text)["runs"][0]["results"]),
    "junit": lambda text: len(ElementTree.fromstring(text).findall(".//failure")),
}


@pytest.mark.parametrize("name", COUNT)
def test_each_moment_in_each_format(cli: Cli, twice: tuple[str, str], name: str) -> None:
    for args, count in (((), 2), (("--staged",), 0), (("--range", f"{twice[0]}..{twice[1]}"), 1)):
        result = cli("check", "--format", name, *args)
        assert (COUNT[name](result.out), result.code) == (count, 1 if count else 0), args


@pytest.mark.parametrize("name", COUNT)
def test_without_a_registry_a_format_is_still_the_format(cli: Cli, empty: Path, name: str) -> None:
    (empty / "a").write_text("x")
    git(empty, "add", "-A")
    git(empty, "commit", "-qm", "x")
    result = cli("check", "--format", name, "--staged")
    assert result.code in (0, 5)
    if result.code == 0:
        assert COUNT[name](result.out) == 0


@pytest.mark.parametrize("name", sorted(set(COUNT) - {"json"}))
def test_paths_count_from_the_root_of_git(cli: Cli, empty: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (empty / "app/_reversa_bugs").mkdir(parents=True)
    monkeypatch.chdir(empty / "app")
    bug = new(cli)
    broken(record(empty / "app", bug))
    assert f"app/_reversa_bugs/checkout/bugs/{bug}" in cli("check", "--format", name).out


def test_the_summary_of_a_step_is_added_to(
    cli: Cli, twice: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    cli("check", "--format", "github")
    assert summary.read_text().startswith("before\n### reversa check\n") and "RV110" in summary.read_text()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "none/summary.md"))
    result = cli("check", "--format", "github")
    assert result.code == 5 and "summary.md" in result.err


def test_formats_of_the_whole_history(cli: Cli, twice: tuple[str, str]) -> None:
    result = cli("check", "--all-history", "--format", "sarif")
    assert result.code == 2 and "--format text and json" in result.err
    assert cli("check", "--all-history", "--format", "json").json["data"]["errors"] == 2


# --- what the forges run


def step(name: str) -> str:
    """Give what a step of action.yml runs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    [found] = [each for each in action["runs"]["steps"] if each.get("id") == name]
    return str(found["run"])


def bash(script: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **env}
    return subprocess.run(["bash", "-c", script], cwd=cwd, env=env, capture_output=True, text=True, check=False)


NONE = {"RANGE": "", "BASE": "", "REGISTRY": "", "STRICT": "false"}
ZERO = "0" * 40


def test_the_action_checks_what_a_push_or_a_pull_request_brings(twice: tuple[str, str], repo: Path) -> None:
    first, last = twice
    for given, errors in (
        ({"BASE": first}, 1),
        ({"BASE": ZERO}, 2),
        ({"BASE": last}, 0),
        ({"BASE": "1" * 40}, 2),
        ({"RANGE": f"{first}..{last}", "BASE": last}, 1),
        ({"REGISTRY": "_reversa_bugs"}, 2),
    ):
        done = bash(step("check"), repo, **{**NONE, **given})
        assert (done.stdout.count("::error "), done.returncode) == (errors, 1 if errors else 0), (given, done.stderr)


def test_the_action_holds_warnings_and_views_against_the_records(cli: Cli, shop: Path) -> None:
    assert bash(step("check"), shop, **NONE).returncode == 0
    assert bash(step("check"), shop, **{**NONE, "STRICT": "true"}).returncode == cli("check", "--strict").code
    assert bash(step("graph"), shop, REGISTRY="").returncode == 0
    next(shop.glob("_reversa_bugs/*/generated/index.md")).write_text("x")
    assert bash(step("graph"), shop, REGISTRY="").returncode == 1


def test_every_input_of_the_action_is_used() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    text = (ROOT / "action.yml").read_text()
    for name in action["inputs"]:
        assert f"inputs.{name} " in text, name
    for each in action["runs"]["steps"]:
        run = each.get("run", "")
        assert "${{" not in run, "what a stranger names would be run as a script"
        for variable in each.get("env", {}):
            assert f"${variable}" in run or f"${{{variable}" in run


def test_the_job_for_gitlab(twice: tuple[str, str], repo: Path) -> None:
    blocks = [each.split("```")[0] for each in (ROOT / "docs/ci.md").read_text().split("```yaml\n")[1:]]
    [job] = [yaml.safe_load(block)["bugs"] for block in blocks if "GIT_DEPTH" in block]
    done = bash("set -e\n" + "\n".join(job["script"]), repo)
    assert done.returncode == 1, done.stderr
    reports = job["artifacts"]["reports"]
    assert COUNT["junit"]((repo / reports["junit"]).read_text()) == 2
    assert COUNT["gitlab"]((repo / reports["codequality"]).read_text()) == 2
    assert all(shlex.split(line)[0] in ("reversa-bugs", "test") for line in job["script"])
