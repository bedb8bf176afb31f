"""One place per thing (docs/architecture.md): what is added in its one place shows up everywhere it should."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest
from house import PACKAGE, ROOT

from reversa.cli.app import COMMANDS, GROUPS, function_of, group
from reversa.core.fields import FRONT_MATTER, Field, Kind, walk
from reversa.core.rules import RULES
from reversa.core.schema import json_schema
from reversa.views.table import VIEWS

FIELDS = dict(walk())
PAGES = runpy.run_path(str(ROOT / "docs" / "generate.py"))
TEMPLATES = {path.name: path.read_text("utf-8") for path in (ROOT / "templates").iterdir()}
SOURCE = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
CLI: Any = group()


# --- fields


def in_schema(route: str) -> dict[str, Any]:
    """Give the part of the JSON Schema that describes a route; fails where there is none."""
    here: dict[str, Any] = json_schema()
    for step in route.split("."):
        here = here["properties"][step.removesuffix("[]")]
        if step.endswith("[]"):
            here = here["items"]
            here = here["anyOf"][0] if "anyOf" in here else here
    return here


@pytest.mark.parametrize("route", FIELDS)
def test_field_is_in_the_schema(route: str) -> None:
    field, found = FIELDS[route], in_schema(route)
    assert found["description"] == field.doc
    assert set(field.values) <= set(found.get("enum", []))
    types = found.get("type", [])
    assert ("null" in types) == (field.nullable and field.kind is not Kind.ANY)


@pytest.mark.parametrize("name", PAGES["PAGES"])
def test_generated_page_is_current(name: str) -> None:
    """`make docs` mends it."""
    assert (ROOT / name).read_text("utf-8") == PAGES["PAGES"][name]()


def test_fields_page_has_every_field() -> None:
    page = (ROOT / "docs" / "fields.md").read_text("utf-8")
    assert [route for route in FIELDS if f"| `{route}` |" not in page] == []


def test_field_table_is_sound() -> None:
    def look(field: Field, route: str) -> None:
        names = [known.name for known in field.fields]
        assert len(names) == len(set(names)), route
        assert (field.kind is Kind.ENUM) == bool(field.values), route
        assert field.kind is Kind.MAP or not field.fields, route
        assert field.kind is not Kind.LIST or field.item is not None, route
        assert field.doc.strip().endswith(".") or not route or "?" in field.doc, route

    look(FRONT_MATTER, "")
    for route, field in FIELDS.items():
        look(field, route)


# --- rules


@pytest.mark.parametrize("code", RULES)
def test_rule_has_its_manual_page(code: str) -> None:
    rule = RULES[code]
    assert re.fullmatch(r"RV\d{3}", code)
    assert rule.title and "\n" not in rule.title
    assert re.search(r"^\s*## Bad\n\s*\n\s*```yaml\n", rule.doc, re.M)
    assert re.search(r"^\s*## Good\n\s*\n\s*```yaml\n", rule.doc, re.M)
    assert rule.message and not rule.message.endswith(".")


def test_rules_page_has_every_rule() -> None:
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    assert [code for code in RULES if code not in page] == []


def test_every_family_is_loaded() -> None:
    """A rule in a file that nobody imports would be no rule."""
    declared = {code for path, text in SOURCE.items() for code in re.findall(r'^@\w+\(\s*"(RV\d{3})"', text, re.M)}
    assert declared == set(RULES)


# --- views


def test_every_view_has_a_module_and_a_template() -> None:
    assert [view.template for view in VIEWS.values() if view.template not in TEMPLATES] == []
    modules = {view.context.__module__ for view in VIEWS.values()}
    assert len(modules) == len(VIEWS)
    files = [view.file for view in VIEWS.values()]
    assert len(files) == len(set(files))


def test_every_template_is_used() -> None:
    named = {view.template for view in VIEWS.values()}
    for text in (*SOURCE.values(), *TEMPLATES.values()):
        named |= set(re.findall(r"[\"']([\w.-]+\.j2)[\"']", text))
    parts = {name for name in TEMPLATES if name.endswith((".css.j2", ".js.j2"))}
    pages = {name.removesuffix(".html.j2") for name in named if name.endswith(".html.j2")}
    assert {name for name in parts if name.split(".")[0] not in pages} == set()
    assert set(TEMPLATES) - named - parts == set()


# --- commands


def test_every_command_is_in_the_app() -> None:
    assert set(COMMANDS) | {"help"} == set(CLI.list_commands(None))
    called = {function_of(name).__module__ for name in COMMANDS}
    declaring = {
        f"reversa.cli.{path.stem}"
        for path in (PACKAGE / "cli").glob("*.py")
        if re.search(r"^from reversa\.cli\.options import", path.read_text("utf-8"), re.M)
    }
    assert declaring == called


def test_everyday_commands_are_few_and_grouped() -> None:
    everyday = [name for names in GROUPS.values() for name in names]
    assert len(GROUPS) == 3
    assert len(everyday) == len(set(everyday)) <= 14
    assert set(everyday) <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_explains_itself(name: str) -> None:
    command = CLI.get_command(None, name)
    assert command.help and command.help.strip().endswith(".")
    silent = [parameter.name for parameter in command.params if not getattr(parameter, "help", None)]
    assert silent == []
    assert "--json" in {option for parameter in command.params for option in parameter.opts}


def test_every_use_case_has_a_command() -> None:
    """A module of commands/ is either a use case that cli/ calls, or something that use cases share."""
    shells = "".join(text for path, text in SOURCE.items() if path.parent.name == "cli")
    inner = "".join(text for path, text in SOURCE.items() if path.parent.name == "commands")
    modules = {path.stem for path in (PACKAGE / "commands").glob("*.py")} - {"__init__"}

    def known(module: str, text: str) -> bool:
        return bool(re.search(rf"reversa\.commands(\.{module} | import .*\b{module}\b)", text))

    assert {module for module in modules if not known(module, shells) and not known(module, inner)} == set()


# --- texts that follow


def test_the_map_of_the_house_names_every_room_and_the_modules_of_the_inner_two() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert [room for room in rooms if f"  {room}/" not in page] == []
    inner = {path.name for room in ("core", "store") for path in (PACKAGE / room).glob("[!_]*.py")}
    assert [module for module in sorted(inner) if module not in page] == []
