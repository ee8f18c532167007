"""The files in Python: each is run, and has what the robot has, whatever its names hold."""

from __future__ import annotations

import ast
import math
import sys
import types
from collections.abc import Mapping
from typing import Any

import numpy as np
import package_robots as robots
import pytest
from package_parts import called

import robosym
from robosym.codegen.layout import render
from robosym.packaging import python
from robosym.packaging.calls import parameter_values
from robosym.packaging.joints import Joints, joints_of
from robosym.packaging.python import texts


def run(template: str, blocks: Mapping[str, str]) -> dict[str, Any]:
    """The names of a file that is made from a template."""
    module = types.ModuleType(template)
    sys.modules[template] = module  # for the dataclasses in it
    try:
        exec(compile(render(python.__package__, f"{template}.template", **blocks), template, "exec"), vars(module))
    finally:
        del sys.modules[template]
    return vars(module)


# --- joints --------------------------------------------------------------------------------------------------------------


def same(found: Any, expected: float) -> bool:
    return found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize("robot", ["hostile", "planar-2r", "sr400", "floating", "mimic", "rock"])
def test_the_file_of_joints(robot: str) -> None:
    made = {
        "hostile": robots.hostile,
        "floating": robots.floating,
        "rock": lambda: robosym.load("planar-2r").replace(frames=()),
        "mimic": lambda: robosym.Robot.from_table(
            "x", [{"joint": 'a"'}, {"mimic": {"frame": 1, "ratio": "k", "offset": 0.5}}]
        ),
    }
    own: Joints = joints_of(made[robot]() if robot in made else robosym.load(robot))
    found = run("joints", texts.joints(own))
    assert found["joint_names"] == tuple(joint.name for joint in own.driven)
    assert found["all_joint_names"] == tuple(joint.name for joint in own.all)
    assert found["following_joint_names"] == tuple(joint.name for joint in own.following)
    assert list(found["limits"]) == [joint.name for joint in own.all]
    for joint in own.all:
        b = joint.bounds
        assert found["limits"][joint.name] == (b.lower, b.upper, b.velocity, b.effort, b.acceleration, b.jerk)
    following = {joint.name: joint.following for joint in own.following if joint.following is not None}
    assert list(found["mimic"]) == list(following)
    for name, one in following.items():
        master, ratio, offset = found["mimic"][name]
        assert master == own.driven[one.master].name
        assert same(ratio, one.ratio)
        assert same(offset, one.offset)


# --- results -------------------------------------------------------------------------------------------------------------


def test_the_file_of_results() -> None:
    """A class for each model with several outputs, with these as fields, in their order."""
    _, calls, _ = called(["gravity", "energy", "inverse-geometric", "step"])
    found = run("results", texts.results(calls))
    assert set(found["__all__"]) == {"Floats", "EnergyResult", "InverseGeometricResult", "StepResult"}
    for call in calls[1:]:
        kind = found[python.texts.result_class(call)]
        assert list(kind.__dataclass_fields__) == [one.name for one in call.outputs]
        made = kind(*(np.zeros(one.shape) for one in call.outputs))
        with pytest.raises(AttributeError):
            made.anything = 1
    assert run("results", texts.results(calls[:1]))["__all__"] == ["Floats"]


# --- the package and its types -------------------------------------------------------------------------------------------


def test_the_first_file() -> None:
    robot = robots.hostile()
    missing = next(s.name for s in robosym.models.gravity(robot).code.parameter_symbols)
    robot = robot.replace(values={name: value for name, value in robot.values.items() if name != missing})
    order, calls, _ = called(["gravity", "energy"], robot, kind="python", frame=1)
    values = parameter_values(order, calls)
    text = render(python.__package__, "init.template", **texts.initial(order, calls, values))
    tree = ast.parse(text)
    said = ast.get_docstring(tree) or ""
    assert robosym.__version__ in said
    assert "gravity: " in said
    assert "Models of one frame are about " in said
    assigned = {
        getattr(node, "target", None) and node.target.id: node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
    }
    assert ast.literal_eval(assigned["missing_parameters"]) == (missing,)
    assert ast.literal_eval(assigned["parameters"].args[0]) == {name: x for name, x in values.items() if x is not None}
    (listed,) = (node.value for node in tree.body if isinstance(node, ast.Assign))
    names = ast.literal_eval(listed)
    imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(names) <= imported | {"missing_parameters", "parameters"}
    assert {"gravity", "energy", "EnergyResult", "check"} <= set(names)
    assert len(set(names)) == len(names)


def test_modes_are_named() -> None:
    order, calls, _ = called(["gravity"], "four-bar", mode="cut-")
    assert " Closed loops are assembled in the mode cut-." in texts.initial(order, calls, {})["about"]
    order, calls, _ = called(["gravity"])
    assert "mode" not in texts.initial(order, calls, {})["about"]


def test_the_types() -> None:
    """Arguments as in the signature; what may be left out says so."""
    _, calls, _ = called(["inverse-dynamics", "energy"], "rx90")
    tree = ast.parse(render(python.__package__, "stub.template", **texts.stub(calls)))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert list(functions) == ["inverse_dynamics", "energy"]
    typed = functions["inverse_dynamics"]
    assert [argument.arg for argument in typed.args.args] == ["q", "qd", "qdd", "wrench"]
    assert [argument.arg for argument in typed.args.kwonlyargs] == ["parameters"]
    assert [ast.unparse(argument.annotation) for argument in typed.args.args if argument.annotation] == [
        *["ArrayLike"] * 3,
        "ArrayLike | None",
    ]
    assert ast.unparse(typed.returns or ast.Constant(None)) == "Floats"
    assert ast.unparse(functions["energy"].returns or ast.Constant(None)) == "EnergyResult"
    assert "q (6,): waist [rad]" in " ".join((ast.get_docstring(typed) or "").split())


@pytest.mark.parametrize("names", [(), ("a",), ("a", 'b"'), ("肘", "\n", "\\")])
def test_tuples(names: tuple[str, ...]) -> None:
    assert ast.literal_eval(f"({texts._tuple(names)})") == names


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (1, 1, 4)])
def test_the_example_takes_arrays_of_the_right_shape(shape: tuple[int, ...]) -> None:
    assert np.shape(eval(texts._zeros(shape))) == shape
    assert np.ravel(eval(texts._zeros(shape))).tolist() == [0.0] * int(np.prod(shape, dtype=int))


def test_the_example_calls_the_first_model() -> None:
    order, calls, _ = called(["inverse-dynamics", "gravity"], "rx90")
    node = ast.parse(texts.example(order, calls)).body[0]
    assert isinstance(node, ast.Assign)
    assert isinstance(node.value, ast.Call)
    assert ast.unparse(node.value.func) == "rx90.inverse_dynamics"
    given = {one.arg: np.shape(eval(ast.unparse(one.value))) for one in node.value.keywords}
    assert given == {"q": (6,), "qd": (6,), "qdd": (6,)}
