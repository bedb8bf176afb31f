"""`reversa evidence add`: what is copied in, listed, refused and warned about; `new --evidence` goes the same way."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from reversa.core.body import section
from reversa.store.frontmatter import read

from .conftest import DAY, Cli, git, new, record, tree

KEY = "AKIAIOSFODNN7EXAMPLE"
TOKEN = "ghp_" + "aB3dE6gH9" * 4


@pytest.fixture
def bug(cli: Cli, repo: Path) -> str:
    return new(cli)


def folder(repo: Path, bug: str) -> Path:
    return record(repo, bug).parent / "evidence"


def kept(repo: Path, bug: str) -> dict[str, bytes]:
    return tree(folder(repo, bug)) if folder(repo, bug).is_dir() else {}


def listed(repo: Path, bug: str) -> str:
    body = read(record(repo, bug).read_bytes()).body
    span = section(body, "Evidence")
    assert span is not None
    return body[span[0] : span[1]].strip()


def test_files_are_copied_in_and_listed(cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo / "close.txt").write_bytes(b"boom\r\n")
    (repo / "shot.png").write_bytes(bytes(range(256)) * 10)
    cli("graph", ok=True)
    monkeypatch.setenv("REVERSA_TODAY", "2026-09-02")
    result = cli("evidence", "add", bug[-4:].lower(), "close.txt", "shot.png", ok=True)
    assert kept(repo, bug) == {"close.txt": b"boom\r\n", "shot.png": bytes(range(256)) * 10}
    assert listed(repo, bug) == "- `evidence/close.txt`\n- `evidence/shot.png`"
    assert result.out == f"Added to {bug}: evidence/close.txt\nAdded to {bug}: evidence/shot.png\n"
    assert "Views redrawn in _reversa_bugs/checkout/generated/" in result.err and "RV406" not in result.err
    data = cli("show", bug, "--json").json["data"]
    assert (data["created"], data["updated"]) == (DAY, "2026-09-02")
    assert cli("check", "--strict").code == 0 and cli("graph", "--check").code == 0


def test_the_note_stands_beside_each_on_one_line(cli: Cli, repo: Path, bug: str) -> None:
    for name in ("a.txt", "b.txt"):
        (repo / name).write_text(name)
    cli("evidence", "add", bug, "a.txt", "b.txt", "--note", "the order\n  before `close`", ok=True)
    note = "the order before `close`"
    assert listed(repo, bug) == f"- `evidence/a.txt`: {note}\n- `evidence/b.txt`: {note}"
    before = tree(repo)
    assert cli("evidence", "add", bug, "a.txt", "--note", "a\x1b[31m").code == 2
    result = cli("evidence", "add", bug, "a.txt", "--note", "another", ok=True)
    assert f"reversa edit {bug[-4:]} adds the note" in result.err
    assert tree(repo) == before
    assert cli("check", "--strict").code == 0


def test_json_names_what_was_copied_and_what_changed(cli: Cli, repo: Path, bug: str) -> None:
    (repo / "a.txt").write_text("a")
    result = cli("evidence", "add", bug, "a.txt", "--json", ok=True)
    files = [{"file": "a.txt", "path": "evidence/a.txt", "copied": True}]
    assert result.json["data"] == {"bugs": [{"id": bug, "changed": ["body"]}], "files": files, "secrets": []}
    files[0]["copied"] = False
    assert cli("evidence", "add", bug, "a.txt", "--json", ok=True).json["data"]["files"] == files


def test_the_same_bytes_are_kept_once_and_others_get_a_number(cli: Cli, repo: Path, bug: str) -> None:
    for place, text in (("a", "one"), ("b", "two"), ("c", "one")):
        (repo / place).mkdir()
        (repo / place / "log.txt").write_text(text)
    cli("evidence", "add", bug, "a/log.txt", "b/log.txt", "c/log.txt", ok=True)
    assert kept(repo, bug) == {"log.txt": b"one", "log-2.txt": b"two"}
    before = tree(repo)
    result = cli("evidence", "add", bug, "c/log.txt", "b/log.txt", ok=True)
    assert "evidence/log.txt holds these bytes already" in result.err
    assert f"{bug} has it all already; nothing was written." in result.err
    assert tree(repo) == before
    (repo / "a/log.txt").write_text("three")
    (repo / "c/LOG.TXT").write_text("four")
    cli("evidence", "add", bug, "a/log.txt", "c/LOG.TXT", ok=True)
    assert kept(repo, bug)["log-3.txt"] == b"three" and kept(repo, bug)["LOG-4.TXT"] == b"four"
    assert listed(repo, bug).count("\n") == 3
    assert cli("check", "--strict").code == 0


def test_what_lies_in_the_folder_already_is_listed_as_it_is(cli: Cli, repo: Path, bug: str) -> None:
    place = folder(repo, bug)
    (place / "run 1").mkdir(parents=True)
    (place / "My shot.txt").write_text("by hand")
    (place / "run 1/a.txt").write_text("deep")
    (place / "odd - (1).txt").write_text("a rule would read this name as another")
    paths = [str(place / name) for name in ("My shot.txt", "run 1/a.txt", "odd - (1).txt")]
    cli("evidence", "add", bug, *paths, ok=True)
    assert listed(repo, bug) == "- `evidence/My shot.txt`\n- `evidence/run 1/a.txt`\n- `evidence/odd-1.txt`"
    assert cli("check", "--strict").code == 0


def test_a_file_that_is_listed_but_gone_comes_back_and_is_not_listed_twice(cli: Cli, repo: Path, bug: str) -> None:
    (repo / "a.txt").write_text("a")
    cli("evidence", "add", bug, "a.txt", ok=True)
    (folder(repo, bug) / "a.txt").unlink()
    assert cli("check", "--strict").code == 1
    cli("evidence", "add", bug, "a.txt", ok=True)
    assert listed(repo, bug) == "- `evidence/a.txt`" and kept(repo, bug) == {"a.txt": b"a"}
    (repo / "a").write_text("the beginning of another name")
    cli("evidence", "add", bug, "a", ok=True)
    assert listed(repo, bug) == "- `evidence/a.txt`\n- `evidence/a`"


HOSTILE = {
    "../up/x.txt": "x.txt",
    "new\nline.txt": "new-line.txt",
    "- `x` ](y) <!--.txt": "x-y.txt",
    "sp ace (1).png": "sp-ace-1.png",
    "ação.txt": "ação.txt",
    "ac\u0327a\u0303o.txt": "ação.txt",
    "हिन्दी.txt": "हिन्दी.txt",
    "-dash.txt": "dash.txt",
    ".hidden": "hidden",
    "...": "file",
    "\u202egnp.exe": "gnp.exe",
    "\x1b[31mred.txt": "31mred.txt",
    "😀.txt": "file.txt",
    "a..b...txt": "a.b.txt",
    "bug.md": "bug-2.md",
    "DONE.md": "DONE-2.md",
    "NUL.txt": "NUL-2.txt",
    "com1": "com1-2",
    "trail. ": "trail",
    "x" * 250: "x" * 120,
    "é" * 100 + ".tar.gz": "é" * 56 + ".tar.gz",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_made_safe(cli: Cli, repo: Path, bug: str, name: str) -> None:
    source = repo / "from" / name
    source.parent.mkdir(parents=True, exist_ok=True)
    source.resolve().parent.mkdir(parents=True, exist_ok=True)
    source.write_text("x")
    cli("evidence", "add", bug, "--", str(source), ok=True)
    assert kept(repo, bug) == {HOSTILE[name]: b"x"}
    assert listed(repo, bug) == f"- `evidence/{HOSTILE[name]}`"
    assert cli("check", "--strict").code == 0
    other = cli("new", "x", "-c", "other", "--evidence", str(source), "--json", ok=True).json["data"]["id"]
    assert kept(repo, other) == {HOSTILE[name]: b"x"}
    assert cli("evidence", "add", bug, "--", str(source), ok=True).out == ""


def test_a_name_of_300_characters_is_no_file(cli: Cli, repo: Path, bug: str) -> None:
    before = tree(repo)
    assert cli("evidence", "add", bug, "x" * 300).code in (2, 5)
    assert tree(repo) == before


def test_all_or_nothing_with_one_that_is_no_file(cli: Cli, repo: Path, bug: str) -> None:
    (repo / "good.txt").write_text("x")
    (repo / "folder").mkdir()
    os.mkfifo(repo / "pipe")
    (repo / "loop").symlink_to("loop")
    before = tree(repo)
    for bad in ("nowhere.txt", "folder", "pipe", "loop", "", "good.txt/x", "/dev/null"):
        for command in (["evidence", "add", bug, "good.txt"], ["new", "x", "-c", "a", "--evidence", "good.txt"]):
            extra = [bad] if command[0] == "evidence" else ["--evidence", bad]
            result = cli(*command, *extra)
            assert result.code == 2 and "is no file" in result.err, (bad, result)
            assert tree(repo) == before
    assert cli("evidence", "add", bug).code == 2
    assert cli("evidence", "drop", bug, "good.txt").code == 2
    assert cli("evidence", "add", "ZZZZ", "good.txt").code == 2


def test_a_file_that_cannot_be_read_is_the_surroundings(
    cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "closed.txt").write_text("x")

    def closed(path: str, limit: int = 0) -> bytes:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("reversa.store.attachments.read_bytes", closed)
    before = tree(repo)
    result = cli("evidence", "add", bug, "closed.txt")
    assert result.code == 5 and "closed.txt: Permission denied." in result.err
    assert tree(repo) == before


def test_a_link_is_followed_within_its_folder_alone(cli: Cli, repo: Path, bug: str) -> None:
    (repo / "logs").mkdir()
    (repo / "logs/run-3.txt").write_text("three")
    (repo / "logs/latest.txt").symlink_to("run-3.txt")
    (repo / "secret").write_text("s")
    (repo / "logs/away.txt").symlink_to("../secret")
    (repo / "elsewhere").symlink_to("logs")
    before = tree(repo)
    result = cli("evidence", "add", bug, "logs/away.txt")
    assert result.code == 4 and str(repo / "secret") in result.err and "leads elsewhere" in result.err
    assert tree(repo) == before
    cli("evidence", "add", bug, "logs/latest.txt", "elsewhere/run-3.txt", ok=True)
    assert kept(repo, bug) == {"latest.txt": b"three", "run-3.txt": b"three"}
    assert not (folder(repo, bug) / "latest.txt").is_symlink()


def test_nothing_is_written_through_a_link_in_the_registry(cli: Cli, repo: Path, bug: str) -> None:
    (repo / "a.txt").write_text("a")
    (repo / "outside").mkdir()
    folder(repo, bug).symlink_to(repo / "outside")
    result = cli("evidence", "add", bug, "a.txt")
    assert result.code == 4 and list((repo / "outside").iterdir()) == []
    folder(repo, bug).unlink()
    folder(repo, bug).mkdir()
    (folder(repo, bug) / "a.txt").symlink_to(repo / "a.txt")
    cli("evidence", "add", bug, "a.txt", ok=True)
    assert (folder(repo, bug) / "a-2.txt").read_text() == "a"
    (repo / "file").write_text("f")
    other = new(cli, "other")
    folder(repo, other).write_text("evidence is a file here")
    assert cli("evidence", "add", other, "file").code == 5


# --- what git ignores


def ignoring(repo: Path, *rules: str) -> None:
    (repo / ".gitignore").write_text("".join(f"{rule}\n" for rule in rules))


@pytest.mark.parametrize("name", ["close.log", "- my `odd` name.log", "a'b c.log"])
def test_what_git_ignores_is_refused_and_its_mend_can_be_pasted(cli: Cli, repo: Path, bug: str, name: str) -> None:
    ignoring(repo, "# logs", "*.log")
    (repo / name).write_text("boom\n")
    (repo / "good.txt").write_text("x")
    before = tree(repo)
    result = cli("evidence", "add", bug, "good.txt", "--", name)
    assert result.code == 4 and ".gitignore:2: *.log" in result.err
    assert tree(repo) == before
    error = cli("evidence", "add", bug, "--json", "--", name).json["error"]
    assert error["kind"] == "ignored-evidence"
    commands = error["hint"].partition(" records it")[0]
    assert commands.rpartition(" && ")[2].startswith("git add -f _reversa_bugs/checkout/bugs/BUG-")
    subprocess.run(["sh", "-c", commands], cwd=repo, check=True)
    cli("evidence", "add", bug, "good.txt", "--", name, ok=True)
    (path,) = [path for path in kept(repo, bug) if path.endswith(".log")]
    assert f"- `evidence/{path}`" in listed(repo, bug)
    assert f"evidence/{path}" in git(repo, "ls-files")
    assert cli("check", "--strict").code == 0


def test_the_mend_fits_the_working_directory_and_names_all(
    cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ignoring(repo, "*.log")
    for name in ("a.log", "b.log"):
        (repo / name).write_text(name)
    folder(repo, bug).mkdir()
    (repo / "src").mkdir()
    monkeypatch.chdir(repo / "src")
    error = cli("evidence", "add", bug, "../a.log", "../b.log", "--json").json["error"]
    assert "a.log and 1 more" in error["message"] and "mkdir" not in error["hint"]
    words = shlex.split(error["hint"].partition(" records it")[0])
    assert words[-2:] == [os.path.relpath(folder(repo, bug) / name) for name in ("a.log", "b.log")]
    (folder(repo, bug) / "a.log").write_text("a.log")
    hint = cli("evidence", "add", bug, "../a.log", "--json").json["error"]["hint"]
    assert hint.startswith("git add -f ../_reversa_bugs/")


def test_new_refuses_it_too_and_says_the_way(cli: Cli, repo: Path) -> None:
    ignoring(repo, "evidence/")
    (repo / "a.txt").write_text("x")
    before = tree(repo)
    result = cli("new", "x", "-c", "fresh", "--evidence", "a.txt")
    assert result.code == 4 and ".gitignore:1: evidence/" in result.err
    assert "reversa evidence add" in result.err and "git add -f" in result.err
    assert tree(repo) == before and not (repo / "_reversa_bugs/fresh").exists()


def test_outside_git_nothing_is_ignored(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cli("init", ok=True)
    ignoring(tmp_path, "*.log")
    (tmp_path / "a.log").write_text("x")
    bug = new(cli, "x", "--evidence", "a.log")
    (tmp_path / "b.log").write_text("x")
    cli("evidence", "add", bug, "b.log", ok=True)
    assert set(kept(tmp_path, bug)) == {"a.log", "b.log"}


# --- size


def test_what_is_over_the_limit_is_refused_with_both_sizes_and_the_setting(cli: Cli, repo: Path, bug: str) -> None:
    big = repo / "big.bin"
    with big.open("wb") as file:
        file.truncate(5_000_001)
    (repo / "good.txt").write_text("x")
    before = tree(repo)
    result = cli("evidence", "add", bug, "good.txt", "big.bin")
    assert result.code == 4 and "big.bin has 5.1 MB, and evidence may have 5 MB" in result.err
    assert 'max_size = "5.1 MB" under [evidence] in reversa.toml' in result.err
    assert cli("new", "x", "-c", "a", "--evidence", "big.bin", "--json").json["error"]["kind"] == "too-large"
    assert tree(repo) == before
    (repo / "reversa.toml").write_text('[evidence]\nmax_size = "5.1 MB"\n')
    cli("evidence", "add", bug, "good.txt", "big.bin", ok=True)
    assert len(kept(repo, bug)["big.bin"]) == 5_000_001


@pytest.mark.parametrize(
    ("value", "size"), [('"10 B"', 10), ("10", 10), ('"0.01kb"', 10), ('"1 KiB"', 1024), ('"1MB"', 10**6)]
)
def test_the_limit_in_any_unit(cli: Cli, repo: Path, bug: str, value: str, size: int) -> None:
    (repo / "pyproject.toml").write_text(f"[tool.reversa.evidence]\nmax_size = {value}\n")
    (repo / "fits").write_bytes(b"x" * size)
    (repo / "over").write_bytes(b"x" * (size + 1))
    cli("evidence", "add", bug, "fits", ok=True)
    assert cli("evidence", "add", bug, "over").code == 4


@pytest.mark.parametrize("value", ['"much"', '"-1 MB"', "0", "true", '"5 TB"', "[]", "1.5", f'"{"9" * 5000}"'])
def test_a_limit_that_is_no_size_is_wrong_usage(cli: Cli, repo: Path, bug: str, value: str) -> None:
    (repo / "reversa.toml").write_text(f"[evidence]\nmax_size = {value}\n")
    (repo / "a.txt").write_text("x")
    result = cli("evidence", "add", bug, "a.txt")
    assert result.code == 2 and "evidence.max_size must be a size" in result.err
    (repo / "reversa.toml").write_text("[evidence]\nmaxsize = 1\n")
    assert "Did you mean max_size?" in cli("evidence", "add", bug, "a.txt").err


# --- secrets

SECRETS = f"""\
started
aws_access_key_id = {KEY}
password = "hunter2hunter2"
remote https://ana:geheim99@shop.example/x
authorization {TOKEN}
-----BEGIN RSA PRIVATE KEY-----
"""
HARMLESS = """\
commit 8f14e45fceea167a5a36dedd4bea2543 sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
request 13727b7f-4aaa-4bbb-8ccc-5d5ec82bb36c from 81.2.69.142
password = "${PASSWORD}"
password = "********"
password = getpass("Password: ")
"""


def values(text: str) -> list[str]:
    return [value for value in (KEY, "hunter2", "geheim99", TOKEN, "RSA PRIVATE") if value in text]


def test_what_looks_like_a_secret_is_named_by_line_and_kind_and_never_shown(cli: Cli, repo: Path, bug: str) -> None:
    pytest.importorskip("detect_secrets")
    (repo / "run.txt").write_text(SECRETS)
    result = cli("evidence", "add", bug, "run.txt", ok=True)
    for line in range(2, 7):
        assert f"evidence/run.txt:{line} looks like a secret (" in result.err
    assert "AWS Access Key" in result.err and "before you commit" in result.err
    assert values(result.out + result.err) == []
    found = cli("evidence", "add", bug, "run.txt", "--json", ok=True)
    assert [one["line"] for one in found.json["data"]["secrets"]] == [2, 3, 4, 5, 6]
    assert all(list(one) == ["severity", "path", "line", "kind"] for one in found.json["data"]["secrets"])
    assert found.json["data"]["secrets"][0]["path"] == "evidence/run.txt"
    assert values(found.out) == []


def test_new_and_dry_runs_warn_too_and_no_diff_shows_a_file(cli: Cli, repo: Path, bug: str) -> None:
    pytest.importorskip("detect_secrets")
    (repo / "run.txt").write_text(SECRETS)
    before = tree(repo)
    for command in (["new", "x", "-c", "a", "--evidence", "run.txt"], ["evidence", "add", bug, "run.txt"]):
        result = cli(*command, "--dry-run", ok=True)
        assert "evidence/run.txt:2 looks like a secret (AWS Access Key)." in result.err
        assert "/evidence/run.txt differ\n" in result.out and values(result.out + result.err) == []
        assert len(cli(*command, "--dry-run", "--json", ok=True).json["data"]["secrets"]) == 5
    assert tree(repo) == before


def test_hashes_addresses_and_placeholders_are_no_secrets(cli: Cli, repo: Path, bug: str) -> None:
    (repo / "run.txt").write_text(HARMLESS)
    (repo / "picture.png").write_bytes(b"\x89PNG\0" + SECRETS.encode())
    data = cli("evidence", "add", bug, "run.txt", "picture.png", "--json", ok=True).json["data"]
    assert data["secrets"] == []
    assert "secrets" not in cli("new", "x", "-c", "a", "--evidence", "run.txt", "--json").json["data"]


def test_long_lines_and_long_files_take_no_time_to_speak_of(cli: Cli, repo: Path, bug: str) -> None:
    pytest.importorskip("detect_secrets")
    filler = "://" * 30_000
    (repo / "line.txt").write_text(f"{filler} {KEY} {filler}\n")
    (repo / "file.txt").write_text("plain words\n" * 90_000 + KEY + "\n")
    result = cli("evidence", "add", bug, "line.txt", "file.txt", ok=True)
    assert "evidence/line.txt:1 looks like a secret (AWS Access Key)." in result.err
    assert "Only the beginning of evidence/file.txt was looked through for secrets." in result.err


def test_without_the_extra_nothing_is_said(cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "detect_secrets"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "detect_secrets", None)
    (repo / "run.txt").write_text(SECRETS)
    result = cli("evidence", "add", bug, "run.txt", ok=True)
    assert "secret" not in result.err
    assert "reversa[secrets]" in cli("evidence", "--help", ok=True).out


def test_no_service_is_asked_whether_a_key_is_valid(
    cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("detect_secrets")
    asked: list[object] = []
    monkeypatch.setattr("socket.socket.connect", lambda *args: asked.append(args))
    monkeypatch.setattr("socket.getaddrinfo", lambda *args, **kwargs: asked.append(args) or [])
    (repo / "run.txt").write_text(f"{SECRETS}aws_secret_access_key = '{'aB3/' * 10}'\nxoxb-123456789012-{'a' * 24}\n")
    cli("evidence", "add", bug, "run.txt", ok=True)
    assert asked == []


def test_the_detector_is_imported_for_files_alone(cli: Cli, repo: Path) -> None:
    program = (
        "import sys; from reversa.cli.boundary import run; code = run(sys.argv[1:]); "
        "sys.exit(code or 'detect_secrets' in sys.modules)"
    )
    command = [sys.executable, "-c", program, "new", "x", "-c", "a"]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- the record


def test_a_locked_bug_is_refused_and_a_restricted_one_that_is_named_is_not(cli: Cli, shop: Path) -> None:
    (shop / "a.txt").write_text("x")
    before = tree(shop)
    result = cli("evidence", "add", "R6MZ", "a.txt")
    assert result.code == 4 and "locked by DONE.md" in result.err
    assert tree(shop) == before
    cli("evidence", "add", "X2HT", "a.txt", ok=True)
    changed = {name for name, data in tree(shop).items() if before.get(name) != data}
    place = "_reversa_bugs/customer-account/bugs/BUG-20260723-X2HT"
    assert changed == {f"{place}/bug.md", f"{place}/evidence/a.txt"}


def test_evidence_named_like_a_lock_and_a_record_locks_nothing(cli: Cli, repo: Path, bug: str) -> None:
    for name in ("bug.md", "DONE.md", "Done.MD"):
        (repo / f"of {name}").mkdir()
        (repo / f"of {name}" / name).write_text(name)
        cli("evidence", "add", bug, f"of {name}/{name}", ok=True)
    assert set(kept(repo, bug)) == {"bug-2.md", "DONE-2.md", "Done-3.MD"}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_other_byte_of_the_record_stays(cli: Cli, repo: Path, bug: str, ending: str) -> None:
    path = record(repo, bug)
    text = path.read_text().replace("None yet.", "Seen by hand.\n\n1. once  \n2. twice\t")
    path.write_bytes(text.replace("\n", ending).encode())
    (repo / "a.txt").write_text("a")
    before = path.read_bytes()
    cli("evidence", "add", bug, "a.txt", "--note", "ação", ok=True)
    wanted = f"2. twice\t{ending}{ending}- `evidence/a.txt`: ação{ending}".encode()
    assert path.read_bytes() == before.replace(f"2. twice\t{ending}".encode(), wanted)
    cli("evidence", "add", bug, "a.txt", "--no-views", ok=True)


def test_a_missing_section_is_made_and_an_open_fence_refused(cli: Cli, repo: Path, bug: str) -> None:
    path = record(repo, bug)
    (repo / "a.txt").write_text("a")
    path.write_text(path.read_text().replace("## Evidence\n\nNone yet.\n\n", ""))
    cli("evidence", "add", bug, "a.txt", ok=True)
    assert "\n## Evidence\n\n- `evidence/a.txt`\n\n## Suspected Area\n" in path.read_text()
    (repo / "b.txt").write_text("b")
    path.write_text(path.read_text().replace("- `evidence/a.txt`", "```\nlog"))
    before = tree(repo)
    assert cli("evidence", "add", bug, "b.txt").code == 4
    assert tree(repo) == before


def test_a_new_error_of_the_record_refuses_it_and_nothing_is_copied(
    cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reversa.errors import Refused

    def refuse(*args: object) -> None:
        raise Refused("This would add an error.", kind="would-add-error")

    monkeypatch.setattr("reversa.commands.gate.refuse_new_errors", refuse)
    (repo / "a.txt").write_text("a")
    before = tree(repo)
    assert cli("evidence", "add", bug, "a.txt").code == 4
    assert tree(repo) == before and not folder(repo, bug).exists()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_write_that_fails_or_is_interrupted_leaves_nothing(
    cli: Cli, repo: Path, bug: str, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException
) -> None:
    for name in ("a.txt", "b.txt"):
        (repo / name).write_text(name)
    before = tree(repo)
    real, calls = os.replace, []

    def failing(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == at:
            raise error
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", failing)
        result = cli("evidence", "add", bug, "a.txt", "b.txt")
    assert result.code == (5 if isinstance(error, OSError) else 130)
    assert tree(repo) == before and not folder(repo, bug).exists()
    cli("evidence", "add", bug, "a.txt", "b.txt", ok=True)


def test_parallel_adds_keep_every_file(cli: Cli, repo: Path, bug: str) -> None:
    env = {**os.environ, "REVERSA_TODAY": DAY}
    started = []
    for number in range(6):
        (repo / str(number)).mkdir()
        (repo / str(number) / "log.txt").write_text(f"run {number // 2}")  # each text twice
        command = [sys.executable, "-m", "reversa", "evidence", "add", bug, f"{number}/log.txt"]
        started.append(subprocess.Popen(command, cwd=repo, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    for process in started:
        assert process.communicate() and process.returncode == 0
    assert sorted(kept(repo, bug).values()) == [b"run 0", b"run 1", b"run 2"]
    assert sorted(listed(repo, bug).split("\n")) == [f"- `evidence/{name}`" for name in sorted(kept(repo, bug))]
    assert cli("check", "--strict").code == 0


def test_files_are_offered_after_the_bug(cli: Cli, shop: Path) -> None:
    def offered(*words: str) -> list[str]:
        return cli("__complete", "--", "evidence", *words, ok=True).out.split()

    assert offered("") == ["add"]
    assert "BUG-20260715-A7K3" in offered("add", "") and "BUG-20260616-R6MZ" not in offered("add", "")
    assert offered("add", "A7K3", "") == offered("add", "A7K3", "a.txt", "") == [":files"]
