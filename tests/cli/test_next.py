"""`reversa next`: the order of work and why."""

from __future__ import annotations

from pathlib import Path

from .conftest import Cli, new, record


def ids(cli: Cli, *args: str) -> list[str]:
    return [bug["id"] for bug in cli("next", "--json", *args, ok=True).json["data"]["bugs"]]


def test_order_and_reasons(cli: Cli, repo: Path) -> None:
    low = new(cli, "Low", "--priority", "P3")
    urgent = new(cli, "Urgent", "--priority", "P0")
    waits = new(cli, "Waits", "--priority", "P0")
    cause = new(cli, "Cause", "--priority", "P0")
    cli("update", waits, "--add", f"blocking=kind=bug,target={low}", ok=True)
    cli("link", urgent, "caused-by", cause, "--state", "supported", "--evidence", "evidence/a.log=seen", ok=True)
    data = cli("next", "--json", ok=True).json["data"]
    assert [bug["id"] for bug in data["bugs"]] == [cause, urgent, low, waits]
    assert [bug["reason"] for bug in data["bugs"]] == [
        f"before {urgent[-4:]} by impact: 3 over 0",
        f"before {low[-4:]} by priority: P0 over P3",
        f"before {waits[-4:]}, which is blocked",
        f"after {low[-4:]}, because it is blocked",
    ]
    assert data["hidden"] == 0
    assert "sections" not in data["bugs"][0] and data["bugs"][0]["impact"] == 3
    out = cli("next", ok=True).out
    assert out.index(cause) < out.index(urgent) < out.index(low) < out.index(waits)
    assert "impact: 3 over 0" in out and "4 open or active bugs." in out


def test_limit_filters_and_footer(cli: Cli, repo: Path) -> None:
    bugs = [new(cli, f"Bug {n}", "--label", "odd" if n % 2 else "even") for n in range(12)]
    search = new(cli, "Accents", context="search")
    assert ids(cli) == bugs[:10]
    assert ids(cli, "-n", "0") == [*bugs, search]
    assert cli("next", "-n", "2", "--json").json["data"]["hidden"] == 11
    assert "2 of 13 open or active bugs; -n 0" in cli("next", "-n", "2").out
    assert ids(cli, "-c", "search") == [search]
    assert ids(cli, "--label", "odd", "-n", "3") == [bugs[1], bugs[3], bugs[5]]
    assert "the only one" in cli("next", "-c", "search").out
    assert cli("next", "-c", "serch").code == 2
    assert cli("next", "--priority", "p9").code == 2
    assert cli("next", "-n", "-1").code == 2


def test_narrow_terminal_gives_reasons_their_own_lines(cli: Cli, repo: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    first, second = new(cli, "A title that is rather longer than what fits here"), new(cli, "Second")
    monkeypatch.setenv("COLUMNS", "80")
    lines = cli("next").out.split("\n")
    assert first in lines[1] and lines[2].strip() == f"before {second[-4:]} by number: 1 before 2"
    assert max(map(len, lines)) <= 80


def test_resolved_and_locked_bugs_are_not_next(cli: Cli, shop: Path) -> None:
    shown = {bug["id"]: bug for bug in cli("list", "--all", "--json").json["data"]["bugs"]}
    for bug in ids(cli, "-n", "0"):
        assert shown[bug].get("restricted") or shown[bug]["status"] in ("open", "active")
    broken = new(cli, "Locked though open")
    (record(shop, broken).parent / "DONE.md").write_text("done\n")
    assert broken not in ids(cli, "-n", "0")


def test_nothing_open(cli: Cli, repo: Path) -> None:
    assert ids(cli) == []
    assert "Nothing is open" in cli("next").out


def test_restricted_bugs_come_last_by_id_alone(cli: Cli, repo: Path) -> None:
    calm = new(cli, "Calm", "--priority", "P3")
    secrets = [new(cli, "Key leaks", "--security", "--priority", p, context="vault") for p in ("P3", "P0", "P1")]
    waits = new(cli, "Waits")
    cli("update", waits, "--add", f"blocking=kind=bug,target={secrets[1]}", ok=True)
    rows = cli("next", "--json").json["data"]["bugs"]
    assert [row["id"] for row in rows[:2]] == [calm, waits]
    assert rows[2:] == [{"id": bug, "restricted": True} for bug in sorted(secrets)]
    text = cli("next").out
    assert "Key leaks" not in text and "P0" not in text
    assert secrets[1][-4:] not in text.replace(secrets[1], "")  # nor as what blocks another bug
    assert secrets[1] not in str(rows[:2])
    whole = cli("next", "--json", "--include-restricted").json["data"]["bugs"]
    assert whole[0]["id"] == secrets[1] and whole[0]["title"] == "Key leaks"


def test_list_tells_neither_the_order_nor_the_edges_of_restricted_bugs(cli: Cli, repo: Path) -> None:
    secrets = [new(cli, "Key leaks", "--security", "--priority", p) for p in ("P3", "P0", "P1", "P2")]
    waits = new(cli, "Waits")
    cli("update", waits, "--add", f"blocking=kind=bug,target={secrets[1]}", ok=True)
    rows = cli("list", "--json").json["data"]["bugs"]
    assert [row["id"] for row in rows[1:]] == sorted(secrets)
    out = cli("list").out
    assert "blocked by restricted" in out
    assert secrets[1][-4:] not in out.replace(secrets[1], "")


def test_guessed_verbs(cli: Cli, repo: Path) -> None:
    assert "reversa next" in cli("ready").err
