"""The files of a package of Python as text: what is built, what is installed, and the states of its self-check."""

from __future__ import annotations

import ast
import json
import tomllib

import numpy as np
import pytest
from package_parts import called, ordered
from package_robots import EVIL, hostile

import robosym
from robosym.packaging import Part
from robosym.packaging.c_check import DOUBLES, ROUTINES
from robosym.packaging.names import plain
from robosym.packaging.python import files


def made(
    models: list[str], robot: robosym.Robot | str = "planar-2r", refused: str = "", **options: object
) -> dict[str, str]:
    order, parts = ordered(models, robot, kind="python", **options)
    return files(order, parts, refused)


def test_the_files() -> None:
    """All Python is Python, and everything is in its place."""
    found = made(["gravity", "energy"])
    own = ("__init__", "__main__", "_arrays", "_check", "_joints", "_results")
    assert {name for name in found if name.startswith("src/")} == {
        *(f"src/planar_2r/{name}.py" for name in own),
        *(f"src/planar_2r/{name}" for name in ("_native.pyi", "samples.json", "py.typed")),
    }
    assert {name for name in found if "/" not in name} == {"setup.py", "pyproject.toml", "MANIFEST.in", "README.md"}
    parts: list[Part] = ordered(["gravity", "energy"])[1]
    assert {f"c/{name}" for part in parts for name in part.files} | {"c/module.c", "c/table.h"} == {
        n for n in found if n.startswith("c/")
    }
    for name, text in found.items():
        if name.endswith((".py", ".pyi")):
            ast.parse(text)
        assert text.isascii()


def test_all_code_in_c_is_built() -> None:
    found = made(["gravity", "inverse-geometric"])
    tree = ast.parse(found["setup.py"])
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert {name for name in found if name.endswith(".c")} <= texts
    assert "planar_2r._native" in texts
    assert found["MANIFEST.in"] == "include c/*.h\n"


@pytest.mark.parametrize("name", ["planar-2r", EVIL, 'a"b\\', "[x]\n# y"])
def test_no_name_of_a_robot_ends_a_text(name: str) -> None:
    robot = robosym.load("planar-2r").replace(name=name)
    found = made(["gravity"], robot)
    project = tomllib.loads(found["pyproject.toml"])["project"]
    (package,) = {path.split("/")[1] for path in found if path.startswith("src/")}
    assert project["name"].replace("-", "_") == package
    assert "numpy" in " ".join(project["dependencies"])
    for path, text in found.items():
        if path.endswith((".py", ".pyi")):
            ast.parse(text)


# --- the states of the self-check -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["gravity", "inverse-geometric", "step"])
def test_samples_are_those_of_the_reference(model: str) -> None:
    """Read back from JSON, with the numbers that JSON itself has not."""
    _, (call,), _ = called([model], kind="python")
    reference = call.part.reference
    assert reference is not None
    (sample,) = json.loads(made([model])["src/planar_2r/samples.json"]).values()
    assert sample["tolerance"] == (ROUTINES if model == "inverse-geometric" else DOUBLES)
    assert sample["parameters"] == {}
    left_out = {"seed", "seeded"}
    for state, given in zip(sample["states"], reference.states, strict=True):
        assert set(state) == {one.name for one in call.asked} - left_out
        for name, array in state.items():
            np.testing.assert_array_equal(np.array(array), given[name])
    for expected, arrays in zip(sample["expected"], reference.expected, strict=True):
        assert list(expected) == [one.name for one in call.outputs]
        for name, array in expected.items():
            np.testing.assert_array_equal(np.array(array), arrays[name])


def test_parameters_without_a_value_are_made_up_in_the_samples_alone() -> None:
    robot = robosym.load("planar-2r")
    some = {name: value for name, value in robot.values.items() if name != "L1"}
    found = made(["transform"], robot.replace(values=some))
    (sample,) = json.loads(found["src/planar_2r/samples.json"]).values()
    assert list(sample["parameters"]) == ["L1"]
    assert 0.5 <= sample["parameters"]["L1"] < 1.5
    assert "Without a value, and to be given in `parameters`: L1." in " ".join(found["README.md"].split())
    assert "'L1':" not in found["src/planar_2r/__init__.py"]


def test_parameters_that_no_model_reads_may_be_given() -> None:
    """But not what the parameters of a regrouped robot are made of."""
    robot = robosym.load("planar-2r")
    table = made(["transform"], robot)["c/table.h"]
    assert all(f'"{name}"' in table for name in robot.values)
    regrouped = robosym.models.base_parameters(robot).robot
    table = made(["transform"], regrouped)["c/table.h"]
    known = table[table.index("known_parameters") :].partition("};")[0]
    assert f'"{next(iter(set(regrouped.values) - {"L1", "L2"}))}"' not in known


# --- the page -------------------------------------------------------------------------------------------------------------


def test_the_page() -> None:
    robot = hostile()
    found = made(["gravity", "energy"], robot, "Left out:\n\n- step: it is not")["README.md"]
    _, calls, joints = called(["gravity", "energy"], robot, kind="python")
    for call in calls:
        assert f"| `{call.name}` | {call.part.cost} |" in found
    assert "- step: it is not" in found
    for joint in joints.driven:
        assert plain(joint.name) in found
    assert ", ".join(robosym.load("rx90").joint_names) in made(["gravity"], "rx90")["README.md"]
    assert '"' not in found.partition("\n")[0]
    assert "Joints that follow: elbow, coupler, cut." in made(["gravity"], "sr400")["README.md"]
    assert "Joints that follow" not in found
