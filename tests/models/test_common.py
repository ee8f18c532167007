"""What every model needs: robots it is not true of are refused, numbers are checked, parameters follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robosym
from robosym import RobosymError
from robosym.expr import number, parameter, variable
from robosym.models import base_parameters, inverse_dynamics
from robosym.models.common import (
    ASSEMBLED,
    follows,
    graph_of,
    model,
    numbers_given,
    open_tree,
    require_no_platform,
    require_own_rotors,
    require_robot,
    require_standard,
)
from robosym.program import Array, optimised
from robosym.robot import Robot, RobotError
from robosym.robot.parts import Closure, Regrouping


def regrouped(referred: bool = False) -> Robot:
    robot = Robot.from_table("two", [{"M": "M1"}, {"d": "L", "M": "M2"}], values={"M1": 1.0, "M2": 2.0, "L": 0.5})
    pivots = (parameter("L"),)
    sources = Regrouping(
        {"ZZ1R": parameter("M2") * parameter("L")}, dict(robot.values), pivots=pivots, referred=referred
    )
    return replace(robot, regrouping=sources)


def test_what_is_no_robot_is_named() -> None:
    require_robot(robosym.load("planar-2r"))
    with pytest.raises(RobotError, match=r"robot: got 'rx90', expected a Robot \(load it first"):
        require_robot("rx90")
    with pytest.raises(RobotError) as raised:
        require_robot("x" * 1000)
    assert len(str(raised.value)) < 200


def test_trees_only() -> None:
    robot = robosym.load("planar-2r")
    assert open_tree(robot) is robot
    with pytest.raises(RobotError, match="has closed loops, which this function does not close"):
        open_tree(robosym.load("four-bar"))
    with pytest.raises(RobotError, match="a platform on legs"):
        open_tree(robosym.load("gough-stewart"))
    with pytest.raises(RobotError, match="platform: a platform on legs"):
        require_no_platform(robosym.load("gough-stewart"))
    require_no_platform(robosym.load("four-bar"))


def test_base_parameters_keep_the_torques_only() -> None:
    require_standard(robosym.load("planar-2r"), "the energy")
    require_own_rotors(robosym.load("planar-2r"))
    require_own_rotors(regrouped())
    with pytest.raises(RobotError, match="which keep the torques, not the energy: expected standard ones"):
        require_standard(regrouped(), "the energy")
    with pytest.raises(
        RobotError, match="rotor_inertia: the robot is written in base parameters that hold the inertia"
    ):
        require_own_rotors(regrouped(referred=True))


def test_a_graph_says_whether_loops_close() -> None:
    """Where they may not, and no iteration says it."""
    robot = robosym.load("planar-2r")
    q = variable("q1")
    inputs, outputs = (Array("q", (1,), (q,)),), (Array("y", (), (q * q,)),)
    plain = graph_of(robot, "square", inputs, outputs, {q * q: "y1"})
    assert plain.name == "planar-2r square"
    assert [array.name for array in plain.outputs] == ["y"]
    assert plain.names == {q * q: "y1"}
    closure = Closure("+", {}, {}, {}, {}, exists=q > 0)
    for one, expected in (
        (closure, ["y", ASSEMBLED]),
        (replace(closure, exists=number(1)), ["y"]),
        (replace(closure, exists=parameter("L") > 0), ["y", ASSEMBLED]),
        (replace(closure, found=(q,)), ["y"]),
    ):
        made = graph_of(replace(robot, closure=one), "square", inputs, outputs)
        assert [array.name for array in made.outputs] == expected
        if ASSEMBLED in expected:
            assert made.outputs[-1].entries == (one.exists,)
            assert made.outputs[-1].shape == ()


def test_a_model_has_the_values_its_program_needs() -> None:
    robot = robosym.load("planar-2r")
    y = parameter("L1") * variable("q1")
    graph = graph_of(robot, "way", (Array("q", (1,), (variable("q1"),)),), (Array("y", (), (y,)),))
    made = model(robot, "way", optimised(graph), {"a": 1}, optional={"wrench": ("x",)}, more={"TOOL"})
    assert made.values == {"L1": robot.values["L1"].number}
    assert made.options == {"a": 1}
    assert made.optional == {"wrench": ("x",)}
    assert made.known == robot.parameter_names | {"TOOL"}
    assert made.robot is robot
    described = robosym.load("planar-3r")
    assert model(robot, "way", optimised(graph), {}, described=described).robot is described
    assert float(made.evaluate(q=np.array([2.0]))) == pytest.approx(2 * robot.values["L1"].number)


def test_parameters_follow_from_those_of_the_description() -> None:
    robot = regrouped()
    made = follows(robot, {"ZZ1R"})
    assert set(made.expressions) == {"ZZ1R"}
    assert made.values == {"M1": 1.0, "M2": 2.0, "L": 0.5}
    assert made.pivots == (parameter("L"),)
    assert follows(robot, {"M1"}).expressions == {}
    plain = robosym.load("planar-2r")
    assert not follows(plain, {"L1"}).restricts
    limited = Robot.from_table("root", [{"d": "sqrt(A)"}], values={"A": 4.0})
    assert follows(limited, ()).restricts
    assert follows(limited, ()).limited == limited.limited
    based = inverse_dynamics(base_parameters(robosym.load("planar-2r")).robot)
    assert based.derived.expressions


def test_numbers_given() -> None:
    robot = robosym.load("planar-2r")
    assert numbers_given(robot, None) is None
    made = numbers_given(robot, {"L1": 2, "L2": [1, 2], "TOOL": 0.1}, more={"TOOL"})
    assert made is not None
    assert made["L1"] == 2.0
    assert made["L2"].tolist() == [1.0, 2.0]
    with pytest.raises(RobosymError, match="planar-2r has no parameter 'TOOL', 'X'"):
        numbers_given(robot, {"L1": 1.0, "TOOL": 0.1, "X": 0})
    with pytest.raises(RobosymError, match="expected a mapping from names to numbers"):
        numbers_given(robot, [("L1", 2.0)])  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="parameter 'L1'"):
        numbers_given(robot, {"L1": np.inf})
