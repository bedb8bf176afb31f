"""Walking and reading a registry: what is a context, what is set aside, and what no file can do to the walk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reversa.core.bug import Registry
from reversa.store import layout, raw, registry, tree
from reversa.store.raw import MAX_BYTES
from reversa.store.settings import read_taxonomy
from reversa.store.tree import Disk

from .places import ID, as_another_user, load, no_users_git, odd, open_folder, record, repository, write

IDS = [f"BUG-20260715-AAA{letter}" for letter in "ABCDEFGH"]


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    no_users_git(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "_reversa_bugs").mkdir()
    return tmp_path / "_reversa_bugs"


def bugs(root: Path, *folders: str) -> Path:
    for index, folder in enumerate(folders):
        write(root, {f"{folder}/bug.md": record(IDS[index])})
    return root


def paths(found: Registry) -> list[str]:
    return [bug.path for bug in found.bugs]


# --- contexts


def test_a_context_has_one_of_three_children(root: Path) -> None:
    for folder in ("a/bugs", "b/intake", "c/inspections", "d/generated", "e/BUG-20260715-A7K3", "f"):
        (root / folder).mkdir(parents=True)
    write(root, {"g/bugs": "a file", "h": "a file", "README.md": "", "notes.md": "", "templates/index.md.j2": ""})
    found = load(root)
    assert found.contexts == ("a", "b", "c")
    assert (found.bugs, found.set_aside, found.oddities) == ((), (), ())


def test_names_of_contexts_are_taken_as_they_are(root: Path) -> None:
    names = ["Ação e reação", "a b", "UPPER", "ctx-1", "-dash", "中", "dot.ted"]
    bugs(root, *(f"{name}/bugs/{IDS[index]}" for index, name in enumerate(names)))
    found = load(root)
    assert found.contexts == tuple(sorted(names))
    assert [bug.context for bug in found.bugs] == names
    assert found.oddities == ()


def test_the_flat_layout_is_one_unnamed_context(root: Path) -> None:
    bugs(root, f"bugs/{IDS[0]}-x", f"shop/bugs/{IDS[1]}")
    found = load(root)
    assert found.contexts == ("", "shop")
    assert [(bug.context, bug.path, bug.folder) for bug in found.bugs] == [
        ("", f"bugs/{IDS[0]}-x/bug.md", f"{IDS[0]}-x"),
        ("shop", f"shop/bugs/{IDS[1]}/bug.md", IDS[1]),
    ]
    assert found.oddities == ()


def test_names_that_are_set_aside(root: Path) -> None:
    bugs(root, f"_old/bugs/{IDS[0]}", f".hidden/bugs/{IDS[1]}", f"shop/bugs/{IDS[2]}")
    for folder in ("_empty/bugs", "_only/intake", ".git/hooks", "_old/intake"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    write(root, {f"_old/bugs/{IDS[3]}/notes.txt": "no record"})
    found = load(root)
    assert found.contexts == ("shop",)
    assert [bug.id for bug in found.bugs] == [IDS[2]]
    assert [bug.id for bug in found.set_aside] == IDS[:2]
    assert odd(found) == [("RV024", ".hidden"), ("RV024", "_old")]
    assert found.oddities[1].params == {"context": "_old", "count": 1}
    assert found.bug(IDS[0]) is not None


def test_an_id_that_is_set_aside_is_taken(root: Path) -> None:
    bugs(root, f"_old/bugs/{IDS[0]}")
    write(root, {f"shop/bugs/{IDS[0]}/bug.md": record(IDS[0])})
    assert [bug.path for bug in load(root).by_key[IDS[0]]] == [
        f"shop/bugs/{IDS[0]}/bug.md",
        f"_old/bugs/{IDS[0]}/bug.md",
    ]


def test_what_is_no_record_in_a_context(root: Path) -> None:
    bugs(root, f"shop/bugs/{IDS[0]}", f"shop/bugs/{IDS[0]}/evidence/inner", "shop/bugs/no-id-at-all")
    write(
        root,
        {f"shop/bugs/{IDS[2]}/DONE.md": "", "shop/bugs/bug-lower/x": "", "shop/bugs/loose/x": "", "shop/bugs/x.md": ""},
    )
    write(root, {"shop/bugs/.reversa-abcd1234.new/bug.md": record(IDS[3]), "shop/bugs/.BUG-20260715-XXXX/x": ""})
    write(root, {f"shop/other/{IDS[4]}/bug.md": record(IDS[4]), f"shop/{IDS[5]}/bug.md": record(IDS[5])})
    found = load(root)
    assert paths(found) == [f"shop/bugs/{IDS[0]}/bug.md", "shop/bugs/no-id-at-all/bug.md"]
    assert odd(found) == [("RV023", f"shop/bugs/{IDS[2]}"), ("RV023", "shop/bugs/bug-lower")]


def test_an_empty_or_missing_root_is_an_empty_registry(root: Path) -> None:
    for place in (root, root / "gone"):
        found = load(place)
        assert (found.bugs, found.contexts, found.oddities) == ((), (), ())


def test_the_order_of_the_disk_does_not_matter(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bugs(root, *(f"{name}/bugs/{IDS[index]}-{name}" for index, name in enumerate(("z", "a", "_m", "k"))))
    write(root, {f"z/bugs/{IDS[1]}-twice/bug.md": record(IDS[1]), f"a/bugs/{IDS[5]}/x": "", f"z/bugs/{IDS[4]}/x": ""})
    write(root, {"README.md": "closure_policy: package", "taxonomy.yaml": "area: [b, a]\n"})

    def told(found: Registry) -> Any:
        return paths(found), found.contexts, found.set_aside, found.oddities, found.taxonomy, found.policy

    first = told(load(root))
    scan = os.scandir

    class Backwards(list[Any]):
        def __enter__(self) -> Backwards:
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing is open."""

    monkeypatch.setattr(os, "scandir", lambda path: Backwards(sorted(scan(path), key=lambda e: e.name, reverse=True)))
    assert told(load(root)) == first
    assert first[0] == sorted(first[0], key=lambda path: (path.split("/")[2][:17], path))


# --- links


def outside(root: Path) -> Path:
    place = root.parent / "outside"
    write(place, {f"ctx/bugs/{IDS[7]}/bug.md": record(IDS[7], title="not to be read"), "plain/x": ""})
    return place


def test_links_that_lead_outside_are_reported_and_never_read(root: Path) -> None:
    place = outside(root)
    bugs(root, f"shop/bugs/{IDS[0]}")
    (root / "linked-context").symlink_to(place / "ctx")
    (root / "half").mkdir()
    (root / "half" / "bugs").symlink_to("../../outside/ctx/bugs")
    (root / "shop" / "bugs" / IDS[7]).symlink_to(place / "ctx" / "bugs" / IDS[7])
    (root / "bugs").symlink_to(place / "ctx" / "bugs")
    found = load(root)
    assert [bug.id for bug in found.bugs] == [IDS[0]]
    assert odd(found) == [
        ("RV015", "bugs"),
        ("RV015", "half/bugs"),
        ("RV015", "linked-context"),
        ("RV015", f"shop/bugs/{IDS[7]}"),
    ]


def test_links_at_the_root_that_could_be_no_context_are_ignored(root: Path) -> None:
    place = outside(root)
    (root / "assets").symlink_to(place / "plain")
    (root / "gone").symlink_to("nowhere")
    (root / "loop").symlink_to("loop")
    (root / "_aside").symlink_to(place / "ctx")
    (root / "file").symlink_to("/etc/passwd")
    assert odd(load(root)) == []


def test_a_neighbour_whose_name_begins_alike_is_outside(root: Path) -> None:
    write(root.parent, {f"_reversa_bugs-old/{IDS[1]}/bug.md": record(IDS[1])})
    bugs(root, f"shop/bugs/{IDS[0]}")
    (root / "shop" / "bugs" / IDS[1]).symlink_to(f"../../../_reversa_bugs-old/{IDS[1]}")
    assert odd(load(root)) == [("RV015", f"shop/bugs/{IDS[1]}")]


def test_links_that_stay_inside_are_fine(root: Path) -> None:
    bugs(root, f"store/{IDS[0]}", f"shop/bugs/{IDS[1]}")
    (root / "shop" / "bugs" / IDS[0]).symlink_to(f"../../store/{IDS[0]}")
    (root / "shop" / "bugs" / "BUG-loop").symlink_to("BUG-loop")
    (root / "shop" / "bugs" / "BUG-gone").symlink_to("nowhere")
    (root / "linked").mkdir()
    (root / "linked" / "bugs").symlink_to("../empty")
    (root / "empty").mkdir()
    (root / "up").mkdir()
    (root / "up" / "bugs").symlink_to("../..")
    (root.parent / "_reversa_bugs" / "self").symlink_to(".")
    found = load(root)
    assert paths(found) == [f"shop/bugs/{IDS[0]}/bug.md", f"shop/bugs/{IDS[1]}/bug.md"]
    assert odd(found) == [("RV015", "up/bugs")]


def test_a_registry_behind_a_link(root: Path) -> None:
    bugs(root, f"shop/bugs/{IDS[0]}")
    (root.parent / "link").symlink_to("_reversa_bugs")
    found = load(root.parent / "link")
    assert (paths(found), odd(found), found.prefix) == ([f"shop/bugs/{IDS[0]}/bug.md"], [], "link")


def test_a_record_that_is_a_link(root: Path) -> None:
    write(root.parent, {"secret.txt": "password: x\n"})
    write(root, {"shop/shared.md": record(IDS[0])})
    for bug_id, target in zip(IDS, ("../../shared.md", "../../../../secret.txt", "nowhere", "bug.md"), strict=False):
        (root / "shop" / "bugs" / bug_id).mkdir(parents=True)
        (root / "shop" / "bugs" / bug_id / "bug.md").symlink_to(target)
    found = load(root)
    assert [(bug.id, bug.readable) for bug in found.bugs] == [(IDS[0], True), (IDS[1], False), (IDS[3], False)]
    assert found.bugs[1].problems[0].params == {"reason": "a link that leads outside the registry"}
    assert odd(found) == [("RV023", f"shop/bugs/{IDS[2]}")]


# --- files that cannot be read


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [fifo, device, folder])
@pytest.mark.parametrize("name", ["shop/bugs/BUG-20260715-A7K3/bug.md", "README.md", "taxonomy.yaml"])
def test_what_is_no_file_is_not_waited_for(root: Path, make: Callable[[Path], None], name: str) -> None:
    bugs(root, f"shop/bugs/{IDS[0]}")
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    make(root / name)
    found = load(root)
    assert IDS[0] in [bug.id for bug in found.bugs]
    assert found.policy == "local-software"
    assert not found.taxonomy.present
    if name.endswith("bug.md"):
        [broken] = [bug for bug in found.bugs if not bug.readable]
        assert (broken.id, broken.problems[0].code, broken.problems[0].line) == (ID, "RV014", 1)
        assert broken.problems[0].params["reason"]
    assert [code for code, _ in odd(found)] == (["RV026"] if name.endswith("yaml") else [])


def test_a_device_as_a_record(root: Path) -> None:
    (root / "shop" / "bugs" / ID).mkdir(parents=True)
    path = root / "shop" / "bugs" / ID / "bug.md"
    try:
        os.mknod(path, 0o20666, os.makedev(1, 5))
    except PermissionError:
        path.symlink_to("/dev/zero")
    [bug] = load(root).bugs
    assert (bug.id, bug.readable, bug.problems[0].code) == (ID, False, "RV014")


def test_permissions_are_survived_and_reported() -> None:
    with open_folder() as place:
        root = bugs(place, *(f"{name}/bugs/{IDS[index]}" for index, name in enumerate("abcdef")))
        write(root, {"README.md": "closure_policy: package", "taxonomy.yaml": "area: [x]"})
        closed = ["a", "b/bugs", f"c/bugs/{IDS[2]}", f"d/bugs/{IDS[3]}/bug.md", "README.md", "taxonomy.yaml"]
        write(root, {f"e/bugs/{IDS[4]}/DONE.md": "2026-08-01"})
        for name in (*closed, f"e/bugs/{IDS[4]}/DONE.md"):
            (root / name).chmod(0)
        with as_another_user():
            found = load(root)
            short = load(root, full=False)
        for name in closed[:3]:
            (root / name).chmod(0o700)
    assert found.contexts == short.contexts == ("a", "b", "c", "d", "e", "f")
    assert [(bug.id, bug.readable, bug.locked) for bug in found.bugs] == [
        (IDS[2], False, False),
        (IDS[3], False, False),
        (IDS[4], True, True),
        (IDS[5], True, False),
    ]
    assert {bug.problems[0].params["reason"] for bug in found.bugs[:2]} == {"Permission denied"}
    assert odd(found) == odd(short) == [("RV014", "a/bugs"), ("RV014", "b/bugs"), ("RV026", "taxonomy.yaml")]
    assert found.policy == "local-software"


def test_a_closed_root_is_reported() -> None:
    with open_folder() as place:
        (place / "root").mkdir(mode=0)
        with as_another_user():
            assert odd(load(place / "root")) == [("RV014", "."), ("RV026", "taxonomy.yaml")]


def test_an_error_of_the_disk_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bugs(root, f"shop/bugs/{IDS[0]}", f"shop/bugs/{IDS[1]}")

    def failing(path: str) -> bytes:
        if IDS[0] in path:
            raise OSError(5, "Input/output error")
        return read(path)

    read = raw.read_bytes
    monkeypatch.setattr(tree, "read_bytes", failing)
    found = load(root)
    assert [(bug.id, bug.readable) for bug in found.bugs] == [(IDS[0], False), (IDS[1], True)]
    assert found.bugs[0].problems[0].params == {"reason": "Input/output error"}


def test_a_short_read_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"x": b"0123456789" * 50})
    read = os.read
    monkeypatch.setattr(os, "read", lambda handle, size: read(handle, min(size, 7)))
    assert raw.read_bytes(str(tmp_path / "x")) == b"0123456789" * 50


def test_a_record_of_five_megabytes_is_not_read_to_its_end(root: Path) -> None:
    write(root, {f"shop/bugs/{ID}/bug.md": record(visibility="restricted").encode() + b"x" * 5 * 1024 * 1024})
    [bug] = load(root).bugs
    assert (bug.id, bug.readable, bug.problems[0].code) == (ID, False, "RV011")
    assert bug.restricted
    assert len(raw.read_bytes(str(root / bug.path))) == MAX_BYTES + 1


def test_names_that_are_no_utf_8_are_reported_in_words_that_can_be_written(root: Path) -> None:
    bugs(root, os.fsdecode(f"caf\xe9/bugs/{IDS[0]}".encode("latin-1")), f"shop/bugs/{IDS[1]}")
    write(root, {os.fsdecode(f"shop/bugs/{IDS[2]}-\xe9/bug.md".encode("latin-1")): record(IDS[2])})
    (root / os.fsdecode(b"assets-\xe9")).mkdir()
    found = load(root)
    assert [bug.id for bug in found.bugs] == [IDS[1]]
    assert odd(found) == [("RV014", "caf\\xe9"), ("RV014", f"shop/bugs/{IDS[2]}-\\xe9")]
    assert found.oddities[0].params == {"reason": "its name is not UTF-8"}


RESTRICTED = [
    "visibility: restricted",
    "visibility: 'restricted'",
    "visibility:   restricted  # why",
    "  visibility : restricted",
    '"visibility": "restricted"',
    "visibility:\n  restricted",
    "visibility: secret",
    "{id: x, visibility: restricted",
    "security_suspected: true",
    "security_suspected: True",
    "<<<<<<< ours\nvisibility: normal\n=======\nvisibility: restricted\n>>>>>>> theirs",
]


@pytest.mark.parametrize("text", RESTRICTED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_unreadable_record_that_may_be_restricted_is(root: Path, text: str, encoding: str, newline: str) -> None:
    whole = f"---\nid: {ID}\n{text}\nbroken: [\n---\n".replace("\n", newline)
    write(root, {f"shop/bugs/{ID}/bug.md": whole.encode(encoding)})
    [bug] = load(root).bugs
    assert not bug.readable
    assert bug.restricted


@pytest.mark.parametrize(
    "text", ["visibility: normal", "visibility: internal", "security_suspected: false", "", "visibility:\ntitle: x"]
)
def test_an_unreadable_record_that_does_not_say_so_is_not_restricted(root: Path, text: str) -> None:
    write(root, {f"shop/bugs/{ID}/bug.md": f"---\nid: {ID}\n{text}\nbroken: [\n---\n"})
    [bug] = load(root).bugs
    assert not bug.restricted


# --- records


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_line_of_the_body(root: Path, mark: str, newline: str) -> None:
    write(root, {f"shop/bugs/{ID}/bug.md": mark + record().replace("\n", newline)})
    [bug] = load(root).bugs
    assert bug.readable
    assert [problem.code for problem in bug.problems] == (["RV020"] if mark else [])
    lines = record().split("\n")
    assert lines[bug.body_line - 1 :] == bug.body.replace("\r\n", "\n").split("\n")
    assert bug.body_line == lines.index("---", 1) + 2
    assert bug.title == "T"


def test_a_record_without_a_body(root: Path) -> None:
    write(root, {f"shop/bugs/{ID}/bug.md": f"---\nid: {ID}\n---"})
    [bug] = load(root).bugs
    assert (bug.body, bug.body_line) == ("", 3)


def test_an_unreadable_record_keeps_the_id_of_its_folder(root: Path) -> None:
    write(root, {f"shop/bugs/{ID}-slug/bug.md": "no front matter"})
    [bug] = load(root).bugs
    assert (bug.id, bug.readable, bug.body) == (ID, False, "")


def test_a_short_look_agrees_with_a_long_one(shared: Callable[..., Path]) -> None:
    places = [shared("registries", name) for name in ("local-6", "package-22")]
    places.append(Path(__file__).parents[2] / "registry-example" / "_reversa_bugs")
    for place in places:
        long, short = load(place), load(place, full=False)
        assert len(long.bugs) == len(short.bugs) > 5
        for name in ("contexts", "taxonomy", "policy", "control_mode", "language", "spec_folder", "oddities", "prefix"):
            assert getattr(long, name) == getattr(short, name)
        for one, other in zip((*long.bugs, *long.set_aside), (*short.bugs, *short.set_aside), strict=True):
            assert (one.path, one.context, one.folder, one.data) == (
                other.path,
                other.context,
                other.folder,
                other.data,
            )
            assert (one.locked, one.problems, one.visibility) == (other.locked, other.problems, other.visibility)
            assert (other.body, other.seal) == ("", "")


def test_the_collector_is_left_as_it_was(root: Path) -> None:
    import gc

    assert gc.isenabled()
    load(root)
    assert gc.isenabled()
    gc.disable()
    try:
        load(root)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_surroundings_that_are_told(root: Path) -> None:
    write(root.parent, {".reversa/state.json": '{"output_folder": "spec", "doc_language": "pt"}', "spec/a.md": ""})
    write(root, {"README.md": "language: en\n"})
    found = load(root)
    assert (found.spec_folder, found.has_spec_folder, found.language) == ("spec", True, "pt")
    write(root.parent, {".reversa/state.json": '{"output_folder": "none"}'})
    found = load(root)
    assert (found.spec_folder, found.has_spec_folder, found.language) == ("none", False, "en")


# --- README.md


def settings(root: Path, text: str | bytes) -> tuple[str, str, str]:
    write(root, {"README.md": text})
    found = load(root)
    return found.policy, found.control_mode, found.language


DEFAULTS = ("local-software", "gated", "")
READMES = [
    ("", DEFAULTS),
    ("# Bugs\n\nNothing is set here.\n", DEFAULTS),
    (
        "```yaml\nclosure_policy: package\ncontrol_mode: supervised\nlanguage: pt\n```\n",
        ("package", "supervised", "pt"),
    ),
    (
        "```yml\nclosure_policy: package   # local-software | package\ncontrol_mode: autonomous # x\n```\n",
        ("package", "autonomous", ""),
    ),
    ("```yaml\nclosure_policy: \"package\"\ncontrol_mode: 'supervised'\n```\n", ("package", "supervised", "")),
    ('```yaml\nclosure_policy: "ours: \\"two\\" # people"\n```\n', ('ours: "two" # people', "gated", "")),
    ("```yaml\nclosure_policy: {{DATA}}\ncontrol_mode: {{MODE}}\n```\n", DEFAULTS),
    ('```yaml\nclosure_policy: "{{DATA}}"\n```\n\nclosure_policy: package\n', ("package", "gated", "")),
    ("```yaml\nclosure_policy: {{DATA}}\n```\n```yaml\nclosure_policy: package\n```\n", ("package", "gated", "")),
    ("```yaml\nclosure_policy:\ncontrol_mode: ~\n```\n", DEFAULTS),
    ("```yaml\nclosure_policy: no\n```\n", ("no", "gated", "")),
    ("- closure_policy: package\n- control_mode: supervised\n", ("package", "supervised", "")),
    ("* `closure_policy`: package\n* **control_mode**: `supervised`\n", ("package", "supervised", "")),
    (
        "- **closure_policy:** package\n- `control_mode: supervised` (padrão): tudo é confirmado.\n",
        ("package", "supervised", ""),
    ),
    ("> closure_policy: package, mas com revisão\n", ("package, mas com revisão", "gated", "")),
    ("closure_policy: it's ours\ncontrol_mode: Supervised, sempre\n", ("it's ours", "supervised", "")),
    ("control_mode: whatever we like\n", ("local-software", "whatever we like", "")),
    ('- `closure_policy` define o que "resolvido" exige:\n- `control_mode: gated` (padrão)\n', DEFAULTS),
    ("The closure_policy: package is set elsewhere.\nmy_closure_policy: package\n", DEFAULTS),
    ("---\nclosure_policy: package\n---\n# Bugs\n", ("package", "gated", "")),
    ("```yaml\nnot: [closed\nclosure_policy: package\n```\n", ("package", "gated", "")),
    (b"\xff\xfe closure\nclosure_policy: package\n", ("package", "gated", "")),
    ("polí\nclosure_policy: produção\n".encode("latin-1"), ("produ\ufffd\ufffdo", "gated", "")),
]


@pytest.mark.parametrize(("text", "told"), READMES, ids=range(len(READMES)))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_settings_of_the_readme(root: Path, text: str | bytes, told: tuple[str, str, str], newline: str) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    assert settings(root, data.replace(b"\n", newline.encode())) == told


def test_a_readme_without_end_is_read_in_part(root: Path) -> None:
    assert settings(root, b"closure_policy: package\n" + b"x" * 2_000_000)[0] == "package"


# --- taxonomy.yaml


def terms(root: Path, text: str | bytes) -> tuple[Any, list[tuple[str, str]]]:
    write(root, {"taxonomy.yaml": text})
    found = load(root)
    return (dict(found.taxonomy.terms) if found.taxonomy.present else None), odd(found)


def three(*area: str) -> dict[str, tuple[str, ...]]:
    return {"area": area, "module": (), "feature": ()}


UNREADABLE = (None, [("RV026", "taxonomy.yaml")])
TAXONOMIES = [
    ("area: [sales, no, 1, 0012345]\n", (three("sales", "no", "1", "0012345"), [])),
    ("# why\narea:\n  - sales  # money\n  # nothing else\nmodule:\nfeature: []\n", (three("sales"), [])),
    ("areas: [sales]\n", (three("sales"), [("RV027", "taxonomy.yaml")])),
    ("area: {sales: money, stock: {x: y}}\nextra: 1\n", (three("sales", "stock"), [])),
    ("area: [sales, null, ~, {x: y, z: 1}, [a], '']\n", (three("sales"), [])),
    ("\ufeffarea: [sales]\r\nmodule: []\r\n", (three("sales"), [])),
    ("{}", (three(), [])),
    ("", (None, [])),
    ("# only a comment\n", (None, [])),
    ("null\n", (None, [])),
    ("- sales\n", UNREADABLE),
    ("sales\n", UNREADABLE),
    ("area:\n\t- sales\n", UNREADABLE),
    ("area: &a [sales]\nmodule: *a\n", UNREADABLE),
    ("area: !!set {sales}\n", UNREADABLE),
    ("area: [sales]\narea: [stock]\n", UNREADABLE),
    ("area: [sales\n", UNREADABLE),
    ("área: x".encode("latin-1"), UNREADABLE),
    (b"area: [sales]\n#" + b"x" * MAX_BYTES, UNREADABLE),
    ("[" * 100_000, UNREADABLE),
]


@pytest.mark.parametrize(("text", "told"), TAXONOMIES, ids=range(len(TAXONOMIES)))
def test_taxonomies(root: Path, text: str | bytes, told: tuple[Any, list[tuple[str, str]]]) -> None:
    assert terms(root, text) == told


def test_without_a_taxonomy_nothing_is_checked(root: Path) -> None:
    found = load(root)
    assert not found.taxonomy.present
    assert found.taxonomy.allows("area", "anything")
    assert found.oddities == ()


def test_why_a_taxonomy_cannot_be_read_is_said_with_its_line(root: Path) -> None:
    write(root, {"taxonomy.yaml": "area: []\nmodule: []\n\t- x\n"})
    [oddity] = load(root).oddities
    assert oddity.line == 3
    assert "\\t" in oddity.params["reason"] or "token" in oddity.params["reason"]


# --- seals are looked up through git once, and git's absence is no reason to hide a registry


def test_a_registry_without_seals_does_not_need_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path, {f"_reversa_bugs/shop/bugs/{ID}/bug.md": record()}) / "_reversa_bugs"
    write(root, {f"shop/bugs/{ID}/DONE.md": "2026-08-01"})
    monkeypatch.setenv("PATH", str(tmp_path))
    [bug] = registry.load(layout.layout_of(root)).bugs
    assert (bug.locked, bug.seal) == (True, "")


def test_a_plural_taxonomy_key_is_found_on_its_line(tmp_path: Path) -> None:
    root = tmp_path / "_reversa_bugs"
    root.mkdir()
    (root / "taxonomy.yaml").write_text("# areas: a comment\nareas:\n  - sales\nmodule: []\n'features' : [x]\n")
    _, oddities = read_taxonomy(Disk(root))
    assert [(odd.params["key"], odd.line) for odd in oddities] == [("areas", 2), ("features", 5)]
