"""The formats of forges: what they may hold, what they must not, and that findings keep their fingerprints."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.core.finding import Finding, Severity
from reversa.core.rules import RULES
from reversa.report import github
from reversa.report.findings import Found
from reversa.report.formats import FORMATS, render

BUG = "BUG-20260715-A7K3"


def finding(code: str = "RV110", **given_: Any) -> Finding:
    values: dict[str, Any] = {
        "code": code,
        "severity": RULES[code].severity,
        "path": f"shop/bugs/{BUG}-total/bug.md",
        "line": 6,
        "column": 9,
        "bug": BUG,
        "message": "status is opne",
        "hint": "reversa update A7K3 --set status=open",
        "title": RULES[code].title,
        "width": 4,
        "fingerprint": "f" * 32,
    }
    return Finding(**{**values, **given_})


def found(*findings: Finding, prefix: str = "app/_reversa_bugs") -> Found:
    errors = [each for each in findings if each.severity is Severity.ERROR]
    warnings = [each for each in findings if each.severity is Severity.WARNING]
    bugs = [("shop", BUG), ("shop", "BUG-20260716-Q2R8"), ("", "BUG-20260717-XXXX")]
    return Found(errors, warnings, RULES, bugs, prefix, "1.2.3", "2 bugs: 1 error.")


HIDDEN = finding(restricted=True, path=f"{BUG}/bug.md", message="Status is missing (restricted)", hint="")


def test_every_format_is_there_and_says_what_it_is_for() -> None:
    assert set(FORMATS) == {"github", "gitlab", "sarif", "junit"}
    for name in FORMATS:
        assert FORMATS[name].doc and render(name, found(finding())).endswith("\n")


# --- GitHub


def annotations(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Read workflow commands as GitHub's runner does."""
    out = []
    for line in text.split("\n"):
        match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        if match:
            pairs = dict(pair.split("=", 1) for pair in match[2].split(","))
            decoded = {key: unquote(value) for key, value in pairs.items()}
            out.append((match[1], decoded, unquote(match[3])))
    return out


def test_annotations_are_read_back() -> None:
    odd = finding(path="a, b:c%d/bug.md", message="50 % of :: that\nand more", hint="")
    [(level, place, text)] = annotations(render("github", found(odd)))
    assert level == "error" and text == "50 % of :: that\nand more"
    assert place == {
        "file": "app/_reversa_bugs/a, b:c%d/bug.md",
        "line": "6",
        "col": "9",
        "endColumn": "13",
        "title": f"RV110 {RULES['RV110'].title}",
    }


def test_ten_annotations_a_level_and_the_rest_in_the_summary() -> None:
    errors = [finding(message=f"error {n}") for n in range(25)]
    warnings = [finding("RV408", message=f"warning {n}") for n in range(12)]
    run = found(*errors, *warnings)
    text = render("github", run)
    levels = [level for level, _, _ in annotations(text)]
    assert (levels.count("error"), levels.count("warning")) == (10, 10)
    assert all(f"error {n}" in text for n in range(25)), "the log has them all"
    summary = github.summary(run)
    assert summary.count("| RV110 |") == 25 and summary.count("| RV408 |") == 12
    many = github.summary(found(*(finding() for _ in range(1500))))
    assert many.count("| RV110 |") == 1000 and "And 500 more" in many and len(many) < 1024 * 1024


@given(st.text())
def test_no_text_becomes_a_command_of_the_runner(text: str) -> None:
    rest = [finding(message=f"{text}##[add-mask]x::y", hint=text) for _ in range(12)]
    lines = render("github", found(*rest)).split("\n")
    commands = [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
    assert len(commands) == 10 and all(line.startswith("::error file=") for line in commands)


@given(st.text())
def test_no_text_leaves_its_cell(text: str) -> None:
    rows = [line for line in github.summary(found(finding(message=text))).split("\n") if line.startswith("| RV110")]
    assert len(rows) == 1 and len(re.findall(r"(?<!\\)\|", rows[0])) == 4


# --- GitLab


def test_a_code_quality_report() -> None:
    [issue, other] = json.loads(render("gitlab", found(finding(), finding("RV408"))))
    assert issue == {
        "description": "status is opne",
        "check_name": "RV110",
        "fingerprint": "f" * 32,
        "severity": "critical",
        "location": {"path": f"app/_reversa_bugs/shop/bugs/{BUG}-total/bug.md", "lines": {"begin": 6}},
    }
    assert other["severity"] == "minor"
    assert json.loads(render("gitlab", found())) == []


def test_fingerprints_are_unique_and_hold_no_line() -> None:
    both = json.loads(render("gitlab", found(finding(line=3), finding(line=30))))
    moved = json.loads(render("gitlab", found(finding(line=4), finding(line=400))))
    prints = [issue["fingerprint"] for issue in both]
    assert len(set(prints)) == 2 and prints == [issue["fingerprint"] for issue in moved]


# --- SARIF


def test_sarif_names_rule_place_and_fingerprint() -> None:
    log = json.loads(render("sarif", found(finding(path="shop/bugs/ä b/bug.md"), finding("RV408"))))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["RV110", "RV408"]
    for rule in rules:
        assert rule["help"]["text"] and "```yaml" in rule["help"]["markdown"] and rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] == RULES[rule["id"]].severity.value
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert list(result["partialFingerprints"].values()) == ["f" * 32] or result["ruleId"] == "RV408"
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "app/_reversa_bugs/shop/bugs/%C3%A4%20b/bug.md", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 6, "startColumn": 9, "endColumn": 13}
    assert run["columnKind"] == "unicodeCodePoints"


def test_the_names_of_rules_are_unique() -> None:
    every = [finding(code, severity=rule.severity) for code, rule in RULES.items()]
    rules = json.loads(render("sarif", found(*every)))["runs"][0]["tool"]["driver"]["rules"]
    assert len({rule["name"] for rule in rules}) == len(RULES)
    assert all(re.fullmatch(r"([A-Z][a-z0-9]*)+", rule["name"]) for rule in rules)


# --- JUnit


def test_a_case_a_bug() -> None:
    root = ElementTree.fromstring(render("junit", found(finding(), finding("RV408", message="a warning"))))
    [suite] = root
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == {BUG, "BUG-20260716-Q2R8", "BUG-20260717-XXXX"}
    assert cases[BUG].get("classname") == "shop"
    failure = cases[BUG].find("failure")
    assert failure is not None and failure.get("type") == "RV110" and "bug.md:6: status" in str(failure.text)
    assert "a warning" in str(cases[BUG].findtext("system-out"))
    assert [*cases["BUG-20260716-Q2R8"]] == []


def test_a_finding_of_no_bug_has_a_case() -> None:
    text = render("junit", found(finding("RV026", bug="", path="taxonomy.yaml")))
    assert 'name="app/_reversa_bugs/taxonomy.yaml"' in text


# --- all of them


@pytest.mark.parametrize("name", FORMATS)
def test_of_a_hidden_bug_only_its_id_is_told(name: str) -> None:
    text = render(name, found(HIDDEN))
    assert BUG in text and f"{BUG}/bug.md" not in text and "shop/bugs" not in text
    assert "app/_reversa_bugs/README.md" in text
    assert not re.search(r"\b(?:6|9|13)\b", re.sub(r"BUG-\S+|f{32}|1\.2\.3|2\.1\.0|RV\d+|errata01", "", text)) or (
        name in ("sarif", "junit")
    )


READ: dict[str, Callable[[str], object]] = {
    "github": annotations,
    "gitlab": json.loads,
    "sarif": json.loads,
    "junit": ElementTree.fromstring,
}


@pytest.mark.parametrize("name", FORMATS)
@given(text=st.text(alphabet=st.characters(codec=None)))
def test_any_text_is_written_and_read_back(name: str, text: str) -> None:
    out = render(name, found(finding(message=text, hint=text, path=f"shop/{text}", bug="")))
    READ[name](out)
    if name == "junit":
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", out)
