"""The rooms of the package stand on each other in one order: a room imports only those beneath it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from robosym.models import inverse_geometry

PACKAGE = Path(inverse_geometry.__file__).parent
# Each room with those beneath it that it may import, as the docstring of the package says.
BENEATH: dict[str, set[str]] = {
    "chain": set(),
    "special_poses": {"chain"},
    "closed_form": {"chain", "special_poses"},
    "general": {"chain", "special_poses"},
    "solver": {"chain", "closed_form", "special_poses", "general"},
}


def imported(room: str) -> set[str]:
    """The other rooms, or files beside them, that the files of a room import, anywhere in their text."""
    found = set()
    for path in (PACKAGE / room).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return found - {room}


def test_every_room_is_in_the_table() -> None:
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} == set(BENEATH)


@pytest.mark.parametrize("room", BENEATH)
def test_a_room_imports_only_those_beneath_it(room: str) -> None:
    assert imported(room) <= BENEATH[room]


def test_the_map_of_the_package_names_every_room() -> None:
    text = inverse_geometry.__doc__ or ""
    assert [room for room in BENEATH if f"``{room}``" not in text] == []


@pytest.mark.parametrize("room", BENEATH)
def test_the_map_of_a_room_names_every_file(room: str) -> None:
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text())) or ""
    files = {path.stem for path in (PACKAGE / room).glob("*.py")} - {"__init__"}
    assert [file for file in sorted(files) if f"``{file}``" not in text] == []
