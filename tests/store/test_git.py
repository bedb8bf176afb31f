"""The one place that runs git: nothing that a hook or a user has set may mislead it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reversa.errors import Surroundings
from reversa.store import git as runner

from .places import as_another_user, git, no_users_git, open_folder, repository, write


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    no_users_git(monkeypatch)


@pytest.mark.parametrize(
    "variable",
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE"],
)
def test_the_environment_of_a_hook_does_not_mislead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    ours = repository(tmp_path / "ours", {"mine.txt": "x"})
    other = repository(tmp_path / "other", {"theirs.txt": "x"})
    monkeypatch.setenv(variable, str(other if variable == "GIT_WORK_TREE" else other / ".git"))
    assert runner.tracked_or_addable(ours) == ["mine.txt"]
    assert runner.common_dir(ours) == ours / ".git"


def test_a_hook_of_another_repository_asks_about_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = repository(tmp_path / "ours", {"mine.txt": "x"})
    other = repository(tmp_path / "other", {"theirs.txt": "x"})
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    monkeypatch.setenv("GIT_PREFIX", "sub/")
    monkeypatch.chdir(other)
    (ours / "sub").mkdir()
    assert runner.run(ours / "sub", "rev-parse", "--show-toplevel").decode().strip() == str(ours)


def test_the_index_that_is_about_to_be_committed_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path, {"a.txt": "a", ".gitignore": "*.log\n"})
    write(repo, {"b.log": "ignored, but added to the index of the commit"})
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo / ".git" / "next-index"))
    runner.run(repo, "read-tree", "HEAD")
    runner.run(repo, "add", "-f", "b.log")
    assert "b.log" in runner.tracked_or_addable(repo)
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert "b.log" not in runner.tracked_or_addable(repo)


def test_settings_that_make_patterns_of_paths_do_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path, {".gitignore": "*.log\n"})
    for name in ("GIT_GLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_LITERAL_PATHSPECS"):
        monkeypatch.setenv(name, "1")
        assert runner.ignored(repo, ["a.log", "b.txt"]) == ["a.log"]
        assert runner.tracked_or_addable(repo) == [".gitignore"]
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repo))
    (repo / "sub").mkdir()
    assert runner.common_dir(repo / "sub") == repo / ".git"


def test_git_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Surroundings) as caught:
        runner.run(tmp_path, "status")
    assert caught.value.exit_code == 5
    assert caught.value.kind == "git"
    assert caught.value.message == "git is not installed."


def test_a_folder_that_is_missing_is_not_taken_for_git_missing(tmp_path: Path) -> None:
    with pytest.raises(Surroundings, match=r"gone is no folder"):
        runner.run(tmp_path / "gone", "status")


def test_git_that_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"bin/git": b"\x7fELF no program"})
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(Surroundings, match="git status could not be run"):
        runner.run(tmp_path, "status")


def test_git_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"bin/git": "#!/bin/sh\nread forever < fifo\n"})
    (tmp_path / "bin" / "git").chmod(0o755)
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    monkeypatch.setattr(runner, "_TIMEOUT", 0.01)
    with pytest.raises(Surroundings, match="timed out"):
        runner.run(tmp_path, "status")


def test_a_failure_names_its_cause(tmp_path: Path) -> None:
    with pytest.raises(Surroundings) as caught:
        runner.run(tmp_path, "rev-parse", "HEAD")
    assert caught.value.message.startswith("git rev-parse failed: fatal: not a git repository")
    assert "\n" not in caught.value.message


def test_exit_codes_that_are_answers(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    assert runner.run(repo, "diff", "--no-index", "--quiet", "/dev/null", "README.md", ok=(0, 1)) == b""


def test_git_does_not_read_our_standard_input(tmp_path: Path) -> None:
    """A server that speaks over stdin must not lose a message to git."""
    repo = repository(tmp_path)
    assert runner.run(repo, "hash-object", "--stdin").decode().strip() == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def test_root_above(tmp_path: Path) -> None:
    assert runner.root_above(tmp_path) is None
    repo = repository(tmp_path / "repo")
    assert runner.root_above(repo) == runner.root_above(repo / "not" / "there") == repo


def test_root_above_looks_through_folders_that_are_closed_to_us() -> None:
    with open_folder() as folder:
        repo = write(folder / "repo", {"closed/deep/x": ""})
        (repo / ".git").mkdir()
        (repo / "closed").chmod(0)
        with as_another_user():
            assert runner.root_above(repo / "closed" / "deep") == repo


def test_common_dir_is_shared_by_worktrees(tmp_path: Path) -> None:
    repo = repository(tmp_path / "rép o")
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "tree" / "sub").mkdir()
    (repo / "sub").mkdir()
    for place in (repo, repo / "sub", tmp_path / "tree", tmp_path / "tree" / "sub"):
        assert runner.common_dir(place) == repo / ".git"


def test_common_dir_of_a_submodule_is_its_own(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    main = repository(tmp_path / "main")
    git(main, "submodule", "--quiet", "add", str(library), "lib")
    assert runner.common_dir(main / "lib") == main / ".git" / "modules" / "lib"


def test_tracked_or_addable_takes_names_as_they_are(tmp_path: Path) -> None:
    names = ["sp ace", "acção.txt", "new\nline", 'quo"te', "-dash", ":colon", "tab\t", os.fsdecode(b"latin-\xe9")]
    repo = repository(tmp_path, dict.fromkeys(names[:4], "x"))
    write(repo, dict.fromkeys(names[4:], "x"))
    assert sorted(runner.tracked_or_addable(repo)) == sorted(names)


def test_tracked_or_addable_lists_a_file_in_conflict_once(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"a.txt": "base\n"})
    git(repo, "checkout", "-q", "-b", "side")
    write(repo, {"a.txt": "side\n"})
    git(repo, "commit", "-q", "-am", "side")
    git(repo, "checkout", "-q", "main")
    write(repo, {"a.txt": "main\n"})
    git(repo, "commit", "-q", "-am", "main")
    runner.run(repo, "-c", "user.name=a", "-c", "user.email=a@b.c", "merge", "side", ok=(1,))
    assert runner.tracked_or_addable(repo) == ["a.txt"]


def test_ignored_honours_tracked_files_and_nested_rules(tmp_path: Path) -> None:
    repo = repository(tmp_path, {".gitignore": "*.log\n/build/\n", "sub/.gitignore": "!keep.log\n*.tmp\n"})
    write(repo, {"forced.log": "x"})
    git(repo, "add", "-f", "forced.log")
    asked = ["forced.log", "a.log", "sub/keep.log", "sub/x.log", "sub/a.tmp", "a.tmp", "build/x", "sub/build/x"]
    assert runner.ignored(repo, asked) == ["a.log", "sub/x.log", "sub/a.tmp", "build/x"]
    assert runner.ignored(repo / "sub", ["keep.log", "a.tmp", "x.log"]) == ["a.tmp", "x.log"]
    assert runner.ignored(repo, []) == []


def test_why_ignored_names_the_rule_and_its_line(tmp_path: Path) -> None:
    repo = repository(tmp_path, {".gitignore": "# logs\n*.log\n", "sub/.gitignore": "!keep.log\n*.tmp\n"})
    assert runner.why_ignored(repo, "sub/a\n.log") == ".gitignore:2: *.log"
    assert runner.why_ignored(repo / "sub", "x.tmp") == "sub/.gitignore:2: *.tmp"
    assert runner.why_ignored(repo, "a.txt") == ""
    (repo / ".git/info/exclude").write_text("*.key\n")
    assert runner.why_ignored(repo, ":x.key") == ".git/info/exclude:1: *.key"


def test_ignored_takes_names_as_they_are(tmp_path: Path) -> None:
    repo = repository(tmp_path, {".gitignore": "*.log\n"})
    names = [":x.log", ":(glob)y.log", "-z.log", "a\nb.log", "é.log", "*.log", "[a].log", os.fsdecode(b"\xe9.log")]
    assert runner.ignored(repo, [*names, ":kept"]) == names
