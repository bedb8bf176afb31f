"""SARIF as the validator of its authors sees it (npm's @microsoft/sarif-multitool, which `make test` installs)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reversa.core.rules import RULES
from reversa.report.formats import render

from .test_formats import HIDDEN, finding, found

MULTITOOL = Path(sys.prefix) / "node_modules/.bin/sarif-multitool"


def objections(log: Path) -> list[str]:
    """Give the rules of the validator that a log breaks."""
    out = log.with_suffix(".out.sarif")
    command = [MULTITOOL, "validate", log, "--output", out, "--rule-kind", "Sarif;Gh", "--log", "ForceOverwrite"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert out.exists(), done.stdout + done.stderr
    [run] = json.loads(out.read_text("utf-8-sig"))["runs"]
    told = run["invocations"][0].get("toolExecutionNotifications", [])
    return [f"{each['ruleId']} {each['message']}" for each in run.get("results", [])] + [str(each) for each in told]


EVERY = [finding(code, severity=rule.severity, fingerprint=code) for code, rule in RULES.items()]
LOGS = {
    "nothing": [],
    "every rule": EVERY,
    "the same twice": [finding(), finding(line=9)],
    "a hidden bug": [HIDDEN],
    "odd text": [finding(path="shop/ä b%/x.md", message="\x1b[1m\x00{0} [a](b) \ud800 \u202e", hint="")],
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_is_valid(tmp_path: Path, name: str) -> None:
    log = tmp_path / "log.sarif"
    log.write_text(render("sarif", found(*LOGS[name])), encoding="utf-8", errors="surrogatepass")
    # the one it asks for is the address of a home page, which a tool of a repository of one's own has not
    assert [each for each in objections(log) if "SARIF2005" not in each] == []


def test_the_validator_objects_to_what_is_wrong(tmp_path: Path) -> None:
    log = json.loads(render("sarif", found(finding())))
    region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    region["endColumn"] = region["startColumn"] - 1
    file = tmp_path / "log.sarif"
    file.write_text(json.dumps(log))
    assert any("SARIF1007" in each for each in objections(file))
