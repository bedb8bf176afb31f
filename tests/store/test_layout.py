"""Finding the registry, the settings that hold for it, and what `.reversa/state.json` may say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reversa.errors import Surroundings, UsageError
from reversa.store.layout import NAME, SPEC_FOLDER, Layout, find, layout_of, place_for_new, shipped

from .places import git, no_users_git, repository, write


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    no_users_git(monkeypatch)


def registry(folder: Path, name: str = NAME) -> Path:
    (folder / name).mkdir(parents=True)
    return folder / name


def found(start: Path, option: str | None = None, environ: dict[str, str] | None = None) -> Path:
    return find(start, option, environ or {}).root


# --- the order of discovery


def test_each_source_yields_to_the_one_before_it(tmp_path: Path) -> None:
    walked, by_project, by_toml, by_environment, by_option = (
        registry(tmp_path, name) for name in (NAME, "project", "toml", "environment", "option")
    )
    assert found(tmp_path) == walked
    write(tmp_path, {"pyproject.toml": '[tool.reversa]\nregistry = "project"\n'})
    assert found(tmp_path) == by_project
    write(tmp_path, {"reversa.toml": 'registry = "toml"\n'})
    assert found(tmp_path) == by_toml
    assert found(tmp_path, None, {"REVERSA_REGISTRY": "environment"}) == by_environment
    assert found(tmp_path, "option", {"REVERSA_REGISTRY": "environment"}) == by_option
    assert found(tmp_path, "", {"REVERSA_REGISTRY": ""}) == by_toml


def test_the_environment_is_the_process_s_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = registry(tmp_path, "elsewhere")
    monkeypatch.setenv("REVERSA_REGISTRY", str(root))
    assert find(tmp_path).root == place_for_new(tmp_path) == root


def test_a_configured_registry_is_named_from_the_file_that_names_it(tmp_path: Path) -> None:
    root = registry(tmp_path, "docs/bugs")
    write(tmp_path, {"pyproject.toml": '[tool.reversa]\nregistry = "docs/bugs"\n'})
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert found(tmp_path / "a" / "b") == root
    assert place_for_new(tmp_path / "a" / "b", environ={}) == root


def test_reversa_toml_without_a_registry_leaves_that_of_pyproject(tmp_path: Path) -> None:
    root = registry(tmp_path, "bugs-here")
    write(tmp_path, {"reversa.toml": 'views = "ignored"\n'})
    write(tmp_path, {"pyproject.toml": '[tool.reversa]\nregistry = "bugs-here"\nviews = "committed"\n'})
    layout = find(tmp_path, environ={})
    assert (layout.root, layout.views) == (root, "ignored")


@pytest.mark.parametrize("inside", ["", "src/deep", NAME, f"{NAME}/shop/bugs/BUG-20260715-A7K3/evidence"])
def test_walking_up_from_anywhere_in_the_project(tmp_path: Path, inside: str) -> None:
    root = registry(tmp_path)
    (tmp_path / inside).mkdir(parents=True, exist_ok=True)
    layout = find(tmp_path / inside, environ={})
    assert (layout.root, layout.project, layout.prefix, layout.git_root) == (root, tmp_path, NAME, None)


def test_walking_up_ends_at_git_s_root(tmp_path: Path) -> None:
    registry(tmp_path)
    inner = repository(tmp_path / "inner" / "repo")
    (inner / "src").mkdir()
    with pytest.raises(Surroundings) as caught:
        found(inner / "src")
    assert caught.value.exit_code == 5
    assert caught.value.kind == "no-registry"
    assert "reversa init" in caught.value.hint
    root = registry(inner)
    assert found(inner / "src") == root
    assert find(inner / "src", environ={}).git_root == inner


def test_walking_up_ends_at_a_worktree_and_at_a_submodule(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    main = repository(tmp_path / "main")
    registry(tmp_path)
    git(main, "submodule", "--quiet", "add", str(library), "lib")
    git(main, "commit", "-q", "-m", "library")
    git(main, "worktree", "add", "-q", str(main / "tree"))
    for place in (main / "tree", main / "lib"):
        assert (place / ".git").is_file()
        with pytest.raises(Surroundings):
            found(place)
        root = registry(place)
        assert find(place, environ={}).git_root == place
        assert found(place) == root


def test_a_file_of_that_name_is_no_registry(tmp_path: Path) -> None:
    write(tmp_path, {f"sub/{NAME}": "a file"})
    root = registry(tmp_path)
    assert found(tmp_path / "sub") == root


def test_an_option_takes_the_registry_or_the_folder_that_holds_it(tmp_path: Path) -> None:
    root = registry(tmp_path / "shop")
    for option in ("shop", f"shop/{NAME}", f"shop/{NAME}/", f"./shop/../shop/{NAME}", str(root)):
        layout = find(tmp_path, option, {})
        assert (layout.root, layout.project) == (root, tmp_path / "shop")


def test_a_bare_registry_outside_git_has_its_parent_as_project(tmp_path: Path) -> None:
    root = registry(tmp_path, "defects")
    layout = find(tmp_path, "defects", {})
    assert (layout.root, layout.project, layout.prefix, layout.git_root) == (root, tmp_path, "defects", None)
    assert layout.from_git_root(root / "shop" / "x.md") == "defects/shop/x.md"


@pytest.mark.parametrize(("option", "environ"), [("nowhere", {}), (None, {"REVERSA_REGISTRY": "nowhere"})])
def test_a_named_registry_that_does_not_exist(tmp_path: Path, option: str | None, environ: dict[str, str]) -> None:
    registry(tmp_path)
    with pytest.raises(Surroundings) as caught:
        find(tmp_path, option, environ)
    assert "nowhere" in caught.value.message
    assert ("--registry" if option else "REVERSA_REGISTRY") in caught.value.message


def test_a_configured_registry_that_does_not_exist(tmp_path: Path) -> None:
    registry(tmp_path)
    write(tmp_path, {"reversa.toml": 'registry = "gone"\n'})
    with pytest.raises(Surroundings):
        find(tmp_path, environ={})
    write(tmp_path, {"reversa.toml": 'registry = "gone\\u0000"\n'})
    with pytest.raises(UsageError):
        find(tmp_path, environ={})


def test_two_dots_do_not_make_a_sibling_look_like_a_parent(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    root = registry(tmp_path)
    layout = find(repo, "..", {})
    assert (layout.root, layout.git_root) == (root, None)
    assert find(repo, environ={"REVERSA_REGISTRY": f"../{NAME}"}).git_root is None


def test_two_dots_behind_a_link_lead_where_the_link_leads(tmp_path: Path) -> None:
    root = registry(tmp_path / "real" / "project")
    (tmp_path / "real" / "project" / "src").mkdir()
    (tmp_path / "link").symlink_to("real/project/src")
    assert found(tmp_path, f"link/../{NAME}") == root


def test_git_is_that_of_the_registry_when_it_is_a_repository_of_its_own(tmp_path: Path) -> None:
    repository(tmp_path)
    root = repository(registry(tmp_path))
    assert find(tmp_path, environ={}).git_root == root
    assert find(root, environ={}).root == root
    assert find(root, environ={}).project == tmp_path


def test_paths_are_shown_from_git_s_root(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    root = registry(repo / "apps" / "shop")
    layout = find(repo / "apps" / "shop", environ={})
    assert layout.from_git_root(root / "x" / "bug.md") == f"apps/shop/{NAME}/x/bug.md"


# --- where a new one goes


def test_a_new_registry_goes_to_git_s_root_or_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain" / "deep").mkdir(parents=True)
    assert place_for_new(tmp_path / "plain" / "deep", environ={}) == tmp_path / "plain" / "deep" / NAME
    repo = repository(tmp_path / "repo")
    (repo / "src").mkdir()
    assert place_for_new(repo / "src", environ={}) == repo / NAME
    monkeypatch.chdir(repo / "src")
    assert place_for_new(Path(), environ={}) == repo / NAME


def test_a_new_registry_is_the_existing_one_where_there_is_one(tmp_path: Path) -> None:
    root = registry(tmp_path)
    (tmp_path / "src").mkdir()
    assert place_for_new(tmp_path / "src", environ={}) == root
    assert place_for_new(tmp_path / "src", "..", environ={}) == root


def test_a_new_registry_goes_where_it_is_named(tmp_path: Path) -> None:
    assert place_for_new(tmp_path, "defects", {}) == tmp_path / "defects"
    assert place_for_new(tmp_path, None, {"REVERSA_REGISTRY": "defects"}) == tmp_path / "defects"


# --- settings


def test_settings_have_defaults(tmp_path: Path) -> None:
    layout = find(registry(tmp_path), environ={})
    assert (layout.views, layout.auto_views, layout.spec_folder, layout.language) == (
        "committed",
        True,
        SPEC_FOLDER,
        "",
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("reversa.toml", 'views = "ignored"\nauto_views = false\n'),
        ("reversa.toml", '[tool.reversa]\nviews = "ignored"\nauto_views = false\n'),
        ("reversa.toml", 'views = "ignored"\n[tool.reversa]\nauto_views = false\n[tool.other]\nx = 1\n'),
        ("reversa.toml", '\ufeffviews = "ignored"\r\nauto_views = false\r\n'),
        ("pyproject.toml", '[project]\nname = "x"\n[tool.reversa]\nviews = "ignored"\nauto_views = false\n'),
        ("pyproject.toml", '\ufeff[tool.reversa]\nviews = "ignored"\nauto_views = false\n'),
    ],
)
def test_settings_are_read(tmp_path: Path, name: str, text: str) -> None:
    root = registry(tmp_path)
    write(tmp_path, {name: text})
    for layout in (find(tmp_path, environ={}), find(tmp_path.parent, str(root), {})):
        assert (layout.views, layout.auto_views) == ("ignored", False)


def test_the_nearest_file_with_our_table_holds(tmp_path: Path) -> None:
    registry(tmp_path)
    write(tmp_path, {"pyproject.toml": '[tool.reversa]\nviews = "ignored"\n'})
    write(tmp_path, {"sub/pyproject.toml": '[project]\nname = "x"\n'})
    assert find(tmp_path / "sub", environ={}).views == "ignored"


def test_settings_beyond_git_s_root_do_not_hold(tmp_path: Path) -> None:
    write(tmp_path, {"reversa.toml": "colour = 1\n"})
    repo = repository(tmp_path / "repo")
    registry(repo)
    assert find(repo, environ={}).views == "committed"


def test_a_named_registry_brings_its_own_settings(tmp_path: Path) -> None:
    registry(tmp_path / "other")
    write(tmp_path, {"other/reversa.toml": 'views = "ignored"\n', "here/reversa.toml": "auto_views = false\n"})
    layout = find(tmp_path / "here", "../other", {})
    assert (layout.views, layout.auto_views) == ("ignored", True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('registri = "x"\n', "Did you mean registry?"),
        ("auto_view = true\n", "Did you mean auto_views?"),
        ("qqqq = 1\n", "One of registry, views, auto_views, check, evidence."),
        ('"a\\u001b[31m" = 1\n', "\\u001b"),
        ("registry = 3\n", "registry must be text"),
        ("registry = [1]\n", "registry must be text"),
        ("views = true\n", "views must be text"),
        ('auto_views = "no"\n', "auto_views must be true or false"),
        ("auto_views = 1\n", "auto_views must be true or false"),
        ('views = "hidden"\n', 'views is "committed" or "ignored"'),
        ('tool = {reversa = "x"}\n', "tool.reversa must be a table"),
        ("views = \n", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_bad_settings_are_refused(tmp_path: Path, text: str | bytes, said: str) -> None:
    registry(tmp_path)
    write(tmp_path, {"reversa.toml": text})
    with pytest.raises(UsageError) as caught:
        find(tmp_path, environ={})
    assert caught.value.exit_code == 2
    assert "reversa.toml" in caught.value.message
    assert said in f"{caught.value.message} {caught.value.hint}"
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize("text", ["[project\n", b"\xff\xfe", 'tool = "x"\n', "[tool]\nruff = 1\n", "x = 1\nx = 2\n"])
def test_someone_else_s_pyproject_is_not_judged(tmp_path: Path, text: str | bytes) -> None:
    root = registry(tmp_path)
    write(tmp_path, {"sub/pyproject.toml": text, "pyproject.toml": '[tool.reversa]\nviews = "ignored"\n'})
    layout = find(tmp_path / "sub", environ={})
    assert (layout.root, layout.views) == (root, "ignored")


@pytest.mark.parametrize(
    "text",
    ['[tool.reversa]\nregistry = "x"\nregistry = "y"\n', '[tool.reversa]\ncolour = "x"\n', "[tool]\nreversa = 1\n"],
)
def test_our_own_table_in_pyproject_is_judged(tmp_path: Path, text: str) -> None:
    registry(tmp_path)
    write(tmp_path, {"pyproject.toml": text})
    with pytest.raises(UsageError):
        find(tmp_path, environ={})


def test_what_is_no_file_is_no_configuration(tmp_path: Path) -> None:
    root = registry(tmp_path)
    (tmp_path / "reversa.toml").mkdir()
    os.mkfifo(tmp_path / "pyproject.toml")
    assert found(tmp_path) == root


# --- .reversa/state.json


def state(folder: Path, content: str | bytes) -> Layout:
    root = folder / NAME
    root.mkdir(exist_ok=True)
    write(folder, {".reversa/state.json": content})
    return layout_of(root)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_state_gives_spec_folder_and_language(tmp_path: Path, mark: str) -> None:
    layout = state(tmp_path, mark + '{"output_folder": "docs/spec/", "doc_language": " pt-br ", "x": 1}')
    assert (layout.spec_folder, layout.language) == ("docs/spec", "pt-br")


HOSTILE = [
    "",
    "nonsense",
    "[]",
    "null",
    '"text"',
    "{",
    "{}",
    b"\xff\xfe{}",
    "[" * 100_000,
    '{"output_folder": null, "doc_language": 3}',
    '{"output_folder": ["a"], "doc_language": {"a": 1}}',
    '{"output_folder": "/etc"}',
    '{"output_folder": "../outside"}',
    '{"output_folder": "a/../../b"}',
    '{"output_folder": ""}',
    '{"output_folder": "  "}',
    '{"output_folder": "."}',
    '{"output_folder": "a\\u0000b", "doc_language": "p\\u0000t"}',
    '{"output_folder": "\\ud800", "doc_language": "\\udfff"}',
    '{"output_folder": "a\\nb", "doc_language": "\\u001b[31m"}',
    '{"output_folder": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_state_is_as_none(tmp_path: Path, text: str | bytes) -> None:
    layout = state(tmp_path, text)
    assert (layout.spec_folder, layout.language) == (SPEC_FOLDER, "")


def test_state_that_is_no_file(tmp_path: Path) -> None:
    root = registry(tmp_path)
    (tmp_path / ".reversa").mkdir()
    os.mkfifo(tmp_path / ".reversa" / "state.json")  # would wait for ever if it were opened
    assert layout_of(root).spec_folder == SPEC_FOLDER
    (tmp_path / ".reversa" / "state.json").unlink()
    (tmp_path / ".reversa" / "state.json").mkdir()
    assert layout_of(root).spec_folder == SPEC_FOLDER
    (tmp_path / ".reversa" / "state.json").rmdir()
    (tmp_path / ".reversa" / "state.json").symlink_to("state.json")
    assert layout_of(root).spec_folder == SPEC_FOLDER


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_spec_folder_is_below_the_project(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    import json

    folder = tmp_path_factory.getbasetemp() / "any-state"
    folder.mkdir(exist_ok=True)
    layout = state(folder, json.dumps({"output_folder": value, "doc_language": value}))
    inside = os.path.normpath(folder / layout.spec_folder)
    assert inside.startswith(f"{folder}/")
    layout.spec_folder.encode()
    layout.language.encode()


def test_what_we_ship_is_found() -> None:
    assert (shipped() / "taxonomy.yaml").is_file()
    assert (shipped() / "templates" / "bug.md.j2").is_file()
