"""`reversa intake` keeps a report as it came; `new --from-intake` makes a record of it, and the two name each other."""

from __future__ import annotations

import io
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reversa.core.body import outline

from .conftest import DAY, Cli, record, tree

REPORT = "report-20260901-0000.md"


def place(repo: Path, context: str = "checkout") -> Path:
    return repo / "_reversa_bugs" / context / "intake"


def taken(cli: Cli, *args: str, context: str = "checkout") -> Path:
    result = cli("intake", context, *args, "--json")
    assert result.code == 0, result
    return Path(result.json["data"]["path"])


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_a_report_with_its_images_and_files(cli: Cli, repo: Path) -> None:
    (repo / "My shot (1).PNG").write_bytes(b"\x89PNG\0")
    (repo / "till.txt").write_bytes(b"till\r\n")
    result = cli(
        "intake", "Check Out", "My shot (1).PNG", "till.txt", "--text", "It says *nothing*.\n\nTwice.", "--from", "Ana",
        ok=True,
    )  # fmt: skip
    assert tree(place(repo, "check-out")) == {
        "My-shot-1.PNG": b"\x89PNG\0",
        "till.txt": b"till\r\n",
        REPORT: b"# Report of 2026-09-01, 00:00\n\nFrom: Ana\n\n> It says *nothing*.\n>\n> Twice.\n\n## Files\n\n"
        b"![My-shot-1.PNG](My-shot-1.PNG)\n\n- [till.txt](till.txt)\n",
    }
    assert result.out.splitlines() == [
        f"Taken in: _reversa_bugs/check-out/intake/{REPORT}",
        f"Next: reversa new TITLE -c check-out --from-intake {REPORT}",
    ]
    assert "check-out is a new context." in result.err
    assert not (place(repo, "check-out").parent / "bugs").exists()
    assert cli("check", "--strict").code == 0


def test_the_text_from_option_file_and_standard_input(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo / "mail.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    typed(monkeypatch, b"three\n")
    paths = [taken(cli, "--text", text) for text in ("zero", "@mail.txt", "-")]
    assert [path.name for path in paths] == [REPORT, REPORT.replace(".md", "-2.md"), REPORT.replace(".md", "-3.md")]
    quoted = [path.read_text().partition("\n\n")[2] for path in paths]
    assert quoted == ["> zero\n", "> one\n> two\n", "> three\n"]
    (repo / "a.png").write_bytes(b"a")
    assert "_Not written yet._" in taken(cli, "a.png").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n## Bugs\n",
        "```\nopen",
        "<!-- open",
        "---\nid: x\n---",
        "tab\there",
        "\x1b[31mred \u202eevil",
        "a\x00b",
    ],
)
def test_no_text_leaves_its_quotation_or_acts_on_a_terminal(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    typed(monkeypatch, text.encode())
    path = taken(cli, "--text", "-", "--from", "Ana\n# Boss <!--")
    written = path.read_text()
    assert [heading.title for heading in outline(written)] == ["Report of 2026-09-01, 00:00"]
    assert all(sign.isprintable() or sign in "\n\t" for sign in written)
    cli("new", "x", "-c", "checkout", "--from-intake", path.name, ok=True)
    assert path.read_text().startswith(written.rstrip("\n"))
    assert [heading.title for heading in outline(path.read_text())][1:] == ["Bugs"]


def test_the_time_comes_from_the_environment(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REVERSA_TODAY")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86461")
    path = taken(cli, "--text", "x")
    assert path.name == "report-19700102-0001.md" and "# Report of 1970-01-02, 00:01\n" in path.read_text()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert re.fullmatch(r"report-\d{8}-\d{4}\.md", taken(cli, "--text", "x").name)
    monkeypatch.setenv("REVERSA_TODAY", "soon")
    assert cli("intake", "checkout", "--text", "x").code == 2


def test_files_of_one_name_and_the_reports_own(cli: Cli, repo: Path) -> None:
    for name in ("a", "b", "c"):
        (repo / name).mkdir()
        (repo / name / "shot.png").write_bytes(name.encode() if name != "c" else b"a")
    (repo / REPORT).write_text("a file with the name that the report will have")
    path = taken(cli, "a/shot.png", "b/shot.png", "c/shot.png", REPORT)
    stem = REPORT.removesuffix(".md")
    assert set(tree(place(repo))) == {"shot.png", "shot-2.png", REPORT, f"{stem}-2.md"}
    assert path.name == REPORT and f"- [{stem}-2.md]({stem}-2.md)" in path.read_text()
    result = cli("intake", "checkout", "a/shot.png", "--json", ok=True)
    assert [row["copied"] for row in result.json["data"]["files"]] == [False]
    assert "![shot.png](shot.png)" in (repo / result.json["data"]["path"]).read_text()


def test_wrong_usage_writes_nothing(cli: Cli, repo: Path) -> None:
    (repo / "good.png").write_bytes(b"x")
    os.mkfifo(repo / "pipe")
    before = tree(repo)
    for args in (
        ["checkout"], ["checkout", "--text", "  \n"], ["checkout", "nowhere.png"], ["checkout", "good.png", "pipe"],
        ["checkout", "--text", "@nowhere.md"], ["bugs", "--text", "x"], ["¿?", "--text", "x"], [],
    ):  # fmt: skip
        result = cli("intake", *args)
        assert result.code == 2 and result.err, args
    assert tree(repo) == before and not place(repo).exists()


def test_the_checks_of_files_are_those_of_evidence(cli: Cli, repo: Path) -> None:
    pytest.importorskip("detect_secrets")
    (repo / ".gitignore").write_text("*.log\n")
    (repo / "reversa.toml").write_text('[evidence]\nmax_size = "20 B"\n')
    (repo / "till.log").write_text("x")
    (repo / "big.png").write_bytes(b"x" * 21)
    (repo / "away.png").symlink_to("/etc/hostname")
    before = tree(repo)
    assert "git add -f _reversa_bugs/checkout/intake/till.log" in cli("intake", "checkout", "till.log").err
    for name in ("till.log", "big.png", "away.png"):
        assert cli("intake", "checkout", "--text", "x", name).code == 4
    assert tree(repo) == before
    (repo / "key.txt").write_text("AKIAIOSFODNN7EXAMPLE")
    result = cli("intake", "checkout", "key.txt", "--text", "the key is\nAKIAIOSFODNN7EXAMPL2", ok=True)
    assert f"{REPORT}:4 looks like a secret (AWS Access Key)." in result.err
    assert "key.txt:1 looks like a secret (AWS Access Key)." in result.err and "AKIA" not in result.err


def test_where_git_ignores_the_reports_their_files_stay_with_them(cli: Cli, repo: Path) -> None:
    (repo / ".gitignore").write_text("intake/\n")
    (repo / "a.png").write_bytes(b"x")
    result = cli("intake", "checkout", "a.png", ok=True)
    assert f"git ignores {REPORT}: it stays on this machine." in result.err
    assert set(tree(place(repo))) == {REPORT, "a.png"}


def test_nothing_is_written_through_a_link(cli: Cli, repo: Path) -> None:
    (repo / "outside").mkdir()
    (repo / "_reversa_bugs/checkout").mkdir()
    place(repo).symlink_to(repo / "outside")
    assert cli("intake", "checkout", "--text", "x").code == 4
    (repo / "_reversa_bugs/shop").symlink_to(repo / "outside")
    assert cli("intake", "shop", "--text", "x").code == 4
    assert list((repo / "outside").iterdir()) == []


def test_a_dry_run_shows_the_report_and_names_the_files(cli: Cli, repo: Path) -> None:
    (repo / "a.png").write_bytes(b"x")
    before = tree(repo)
    out = cli("intake", "fresh", "a.png", "--text", "hello", "--dry-run", ok=True).out
    assert f"+++ b/_reversa_bugs/fresh/intake/{REPORT}\n" in out and "+> hello\n" in out
    assert "Binary files /dev/null and b/_reversa_bugs/fresh/intake/a.png differ\n" in out
    assert tree(repo) == before and not (repo / "_reversa_bugs/fresh").exists()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_or_is_interrupted_leaves_nothing(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    (repo / "a.png").write_bytes(b"x")
    before = tree(repo)
    real = os.replace

    def failing(source: str, target: Path) -> None:
        if Path(target).name == REPORT:
            raise error
        real(source, target)

    monkeypatch.setattr("os.replace", failing)
    assert cli("intake", "fresh", "a.png").code == (5 if isinstance(error, OSError) else 130)
    assert tree(repo) == before and not (repo / "_reversa_bugs/fresh").exists()


def test_parallel_reports_of_one_minute_are_all_kept(cli: Cli, repo: Path) -> None:
    env = {**os.environ, "REVERSA_TODAY": DAY}
    command = [sys.executable, "-m", "reversa", "intake", "checkout", "--text"]
    started = [subprocess.Popen([*command, str(n)], cwd=repo, env=env, stdout=subprocess.PIPE) for n in range(6)]
    for process in started:
        assert process.communicate() and process.returncode == 0
    assert sorted(path.read_text()[-4:] for path in place(repo).iterdir()) == [f"> {n}\n" for n in range(6)]


# --- new --from-intake


def test_record_and_report_name_each_other(cli: Cli, repo: Path) -> None:
    path = taken(cli, "--text", "twice")
    first = cli("new", "Total [is] `wrong`", "-c", "checkout", "--from-intake", REPORT, "--json", ok=True)
    bug, where = first.json["data"]["id"], Path(first.json["data"]["path"])
    sections = cli("show", bug, "--json").json["data"]["sections"]
    assert sections["Evidence"] == f"- [`../../intake/{REPORT}`](../../intake/{REPORT}): the report."
    link = f"- [{bug}](../bugs/{where.parent.name}/bug.md): Total \\[is\\] \\`wrong\\`\n"
    assert path.read_text() == f"# Report of 2026-09-01, 00:00\n\n> twice\n\n## Bugs\n\n{link}"
    assert (where.parent / f"../../intake/{REPORT}").is_file()
    (repo / "a.txt").write_text("a")
    other = cli(
        "new", "Elsewhere", "-c", "stock", "--from-intake", str(path), "--evidence", "a.txt", "--json", ok=True
    ).json["data"]
    elsewhere = f"- [{other['id']}](../../stock/bugs/{other['id']}-elsewhere/bug.md): Elsewhere\n"
    assert path.read_text().endswith(link + elsewhere)
    text = (repo / other["path"]).read_text()
    link = f"- [`../../../checkout/intake/{REPORT}`](../../../checkout/intake/{REPORT}): the report."
    assert f"\n## Evidence\n\n{link}\n- `evidence/a.txt`\n\n" in text
    assert cli("check", "--strict").code == 0


def test_a_restricted_bug_is_named_by_its_id_alone(cli: Cli, repo: Path) -> None:
    path = taken(cli, "--text", "x")
    result = cli("new", "Token leaks", "-c", "auth", "--security", "--from-intake", str(path), ok=True)
    bug = re.findall(r"BUG-\d{8}-\w{4}", result.out)[0]
    assert path.read_text().endswith(f"\n## Bugs\n\n- {bug}\n")
    assert "The report names its ID alone" in result.err


def test_every_other_byte_of_the_report_stays(cli: Cli, repo: Path) -> None:
    place(repo).mkdir(parents=True)
    path = place(repo) / "relato-20260801.md"
    before = "\ufeff---\r\nid: 1\r\n---\r\n# Relato \r\n\r\n## Bugs\r\n\r\n- old\t\r\n\r\n## Depois\r\n".encode()
    path.write_bytes(before)
    bug = cli("new", "x", "-c", "checkout", "--from-intake", path.name, "--json", ok=True).json["data"]["id"]
    link = f"- [{bug}](../bugs/{bug}-x/bug.md): x\r\n".encode()
    assert path.read_bytes() == before.replace(b"- old\t\r\n", b"- old\t\r\n" + link)


def test_the_report_is_found_by_name_and_by_any_path(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = repo / taken(cli, "--text", "x")
    (repo / "src").mkdir()
    monkeypatch.chdir(repo / "src")
    for name in (REPORT, str(path), os.path.relpath(path), f"_reversa_bugs/checkout/intake/{REPORT}"):
        cli("new", "x", "-c", "stock", "--from-intake", name, ok=True)
    assert path.read_text().count("\n- [BUG-") == 4
    monkeypatch.chdir(place(repo))
    cli("new", "x", "-c", "stock", "--from-intake", f"./{REPORT}", ok=True)


def test_a_name_in_several_contexts_is_that_of_the_bugs_own_or_ambiguous(cli: Cli, repo: Path) -> None:
    one, two = taken(cli, "--text", "1", context="one"), taken(cli, "--text", "2", context="two")
    cli("new", "x", "-c", "two", "--from-intake", REPORT, ok=True)
    assert "BUG" in two.read_text() and "BUG" not in one.read_text()
    result = cli("new", "x", "-c", "three", "--from-intake", REPORT)
    assert result.code == 4 and str(one) in result.err and str(two) in result.err


def test_what_is_no_report_of_the_registry_is_refused(cli: Cli, repo: Path) -> None:
    taken(cli, "--text", "x")
    (repo / "note.md").write_text("# Note\n")
    (place(repo) / "link.md").symlink_to(repo / "note.md")
    (place(repo) / "shot.png").write_bytes(b"x")
    (place(repo) / "deep").mkdir()
    (place(repo) / "deep/r.md").write_text("# R\n")
    (place(repo) / "latin.md").write_bytes(b"# Rela\xe7\n")
    (place(repo) / "open.md").write_text("# Open\n\n```\nlog\n")
    os.mkfifo(place(repo) / "pipe.md")
    (repo / "_reversa_bugs/_old/intake").mkdir(parents=True)
    (repo / "_reversa_bugs/_old/intake/r.md").write_text("# R\n")
    before = tree(repo)
    for name, code, said in (
        ("note.md", 4, "in no intake folder"), ("link.md", 4, "is a link"), ("shot.png", 2, "is no report"),
        ("nowhere.md", 2, "There is no report"), ("_reversa_bugs/checkout/intake/deep/r.md", 4, "no intake folder"),
        ("latin.md", 4, "not UTF-8"), ("open.md", 4, "code fence"), ("_reversa_bugs/README.md", 4, "no intake folder"),
        ("_reversa_bugs/_old/intake/r.md", 4, "no intake folder"), ("pipe.md", 2, "no report"),
        ("checkout", 2, "no report"), ("../" * 20 + "etc/passwd", 4, "no intake folder"),
    ):  # fmt: skip
        result = cli("new", "x", "-c", "checkout", "--from-intake", name)
        assert result.code == code and said in result.err, (name, result)
    assert tree(repo) == before


def test_a_dry_run_shows_both_files(cli: Cli, repo: Path) -> None:
    path = taken(cli, "--text", "x")
    before = tree(repo)
    out = cli("new", "Wrong", "-c", "checkout", "--from-intake", REPORT, "--dry-run", ok=True).out
    assert out.startswith(f"--- a/{path}\n+++ b/{path}\n") and "\n+## Bugs\n" in out and "\n+title: Wrong\n" in out
    assert tree(repo) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["os.rename", "os.replace", "os.fsync", "os.mkdir"])
def test_both_files_are_written_or_neither(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    taken(cli, "--text", "x")
    before = tree(repo)
    real = {"os.rename": os.rename, "os.replace": os.replace, "os.fsync": os.fsync, "os.mkdir": os.mkdir}[step]
    for at in range(1, 30):
        calls = itertools.count(1)

        def failing(*args: object, at: int = at, calls: Iterator[int] = calls, **kwargs: object) -> object:
            if next(calls) == at:
                raise error
            return real(*args, **kwargs)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(step, failing)
            result = cli("new", "x", "-c", "fresh", "--from-intake", REPORT, "--no-views")
        now = {name: data for name, data in tree(repo).items() if not name.endswith(".lock")}
        linked = b"BUG-" in now[f"_reversa_bugs/checkout/intake/{REPORT}"]
        made = any("/fresh/bugs/" in name for name in now)
        assert linked == made and (result.code != 0 or made), (at, result)
        if made:
            return
        assert now == before
    raise AssertionError("it never came through")


def test_a_report_that_was_changed_meanwhile_is_left_alone(
    cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = repo / taken(cli, "--text", "x")

    def late(*args: object) -> list[str]:
        path.write_text("written by somebody else\n")
        return []

    monkeypatch.setattr("reversa.store.numbers.reserve", late)  # the last thing before the files are written
    assert cli("new", "x", "-c", "checkout", "--from-intake", REPORT).code == 5
    assert path.read_text() == "written by somebody else\n"
    assert not (repo / "_reversa_bugs/checkout/bugs").exists()


def test_it_works_in_the_flat_layout_and_outside_git(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cli("init", ok=True)
    for name in ("bugs", "intake"):
        (tmp_path / "_reversa_bugs" / name).mkdir()
    (tmp_path / "_reversa_bugs/intake/old.md").write_text("# Old\n")
    bug = cli("new", "x", "-c", "checkout", "--from-intake", "old.md", "--json", ok=True).json["data"]["id"]
    assert f"](../checkout/bugs/{bug}-x/bug.md): x" in (tmp_path / "_reversa_bugs/intake/old.md").read_text()
    assert "](../../../intake/old.md)" in record(tmp_path, bug).read_text()
    taken(cli, "--text", "x")
