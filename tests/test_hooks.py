"""Functions of upper layers that methods of lower layers call."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import robosym
from robosym import hooks

ROBOT = Path(robosym.__file__).parent / "robot"


def test_registered_functions_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "_FUNCTIONS", {})
    hooks.register("add", lambda a, *, b: a + b)
    assert hooks.call("add", 1, b=2) == 3


def test_the_package_of_robots_imports_nothing_above_it_not_even_by_a_string() -> None:
    above = ("models", "runtime", "codegen", "generated", "scene", "views", "cli", "web", "library", "formats")
    for path in sorted(ROBOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in above or node.level < 2, path
                assert node.module != "importlib", path
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not node.value.startswith("robosym."), path


def test_robots_and_models_are_shown_by_the_viewer() -> None:
    robot = robosym.load("rx90")
    assert "in 3D" in repr(robot.show())
    assert "in 3D" in repr(robosym.models.gravity(robot).show())
