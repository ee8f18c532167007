"""A tool's tip: three coordinates that do not move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym.expr import number, parameter
from robosym.models.kinematic.columns import Point
from robosym.models.kinematic.jacobian import jacobian
from robosym.models.kinematic.tools import tool_point
from robosym.robot import RobotError

ROBOT = robosym.load("planar-2r")


def test_numbers_texts_and_expressions() -> None:
    LT = parameter("LT")
    assert tool_point(ROBOT, 2, None) == Point(2)
    assert tool_point(ROBOT, 2, ("LT/2", 0, LT)) == Point(2, (LT / 2, number(0), LT))
    assert tool_point(ROBOT, 2, np.array([1, 2, 3])) == tool_point(ROBOT, 2, [1, 2, 3])  # type: ignore[arg-type]


@pytest.mark.parametrize("tool", ["0,0,1", 5, (1, 2), {"x": 0, "y": 0, "z": 0}, {1, 2, 3}])
def test_what_is_not_three_coordinates(tool: Any) -> None:
    with pytest.raises(RobotError, match=r"tool: got .*, expected three coordinates"):
        tool_point(ROBOT, 2, tool)


@pytest.mark.parametrize("value", [float("nan"), 1j, None, True, "1 +", [1], "q1"])
def test_what_is_no_coordinate(value: Any) -> None:
    with pytest.raises(RobotError, match="tool 2: "):
        jacobian(ROBOT, tool=(0, value, 0))


def test_a_tip_moves_by_its_lever() -> None:
    q, tip = [0.3, 0.5], np.array([0.2, -0.1, 0.4])
    J, at_tip = jacobian(ROBOT).compile()(q=q), jacobian(ROBOT, tool=tuple(tip)).compile()(q=q)
    turn = np.array([[np.cos(0.8), -np.sin(0.8), 0], [np.sin(0.8), np.cos(0.8), 0], [0, 0, 1]])
    np.testing.assert_allclose(at_tip[:3], J[:3] + np.cross(J[3:].T, turn @ tip).T, atol=1e-14)
