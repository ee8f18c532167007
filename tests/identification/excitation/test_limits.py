"""Limits of motions as users give them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.errors import RobosymError
from robosym.identification.excitation.limits import box_of, joint_limits, per_joint, start_positions
from robosym.robot import Robot

ROBOT = Robot.from_table(
    "two",
    [
        {"joint": "a", "limits": {"lower": -1.0, "upper": 2.0, "velocity": 3.0}},
        {"joint": "b", "sigma": "prismatic", "limits": {"lower": 0.1, "upper": 0.5, "effort": 7.0}},
    ],
)


def test_those_given_before_those_of_the_description() -> None:
    found = joint_limits(ROBOT, None, None, {"b": 4.0}, None)
    assert (found.joints, found.units) == (("a", "b"), ("rad", "m"))
    np.testing.assert_array_equal([found.lower, found.upper, found.width], [[-1, 0.1], [2, 0.5], [3, 0.4]])
    np.testing.assert_array_equal(found.velocity, [3, math.inf])
    np.testing.assert_array_equal(found.acceleration, [math.inf, 4])
    np.testing.assert_array_equal(found.torque, [math.inf, 7])
    assert not found.torque_given
    assert found.notes() == ["velocity not limited: b", "acceleration not limited: a", "torque not limited: a"]
    less = found.reserved(0.1)
    np.testing.assert_allclose([less.lower, less.upper], [[-0.85, 0.12], [1.85, 0.48]])
    np.testing.assert_allclose([less.velocity, less.torque], [[2.7, math.inf], [math.inf, 6.3]])
    other = joint_limits(ROBOT, {"a": (0.0, 1.0)}, 2.0, None, 5.0)
    np.testing.assert_array_equal([other.lower, other.velocity, other.torque], [[0, 0.1], [2, 2], [5, 5]])
    assert other.torque_given


def test_what_is_refused() -> None:
    for given, said in (({"c": 1.0}, "c"), ({"a": -1.0}, "expected a number above zero")):
        with pytest.raises(RobosymError, match=said):
            per_joint("two", ("a", "b"), "velocity", given, [None, None])
    np.testing.assert_array_equal(per_joint("two", ("a", "b"), "velocity", None, [0.0, 2.0]), [math.inf, 2])
    with pytest.raises(RobosymError, match="no motion of a"):
        joint_limits(ROBOT, {"a": (1.0, 1.0)}, None, None, None)


def test_where_motions_begin() -> None:
    limits = joint_limits(ROBOT, None, None, None, None)
    assert start_positions(ROBOT, limits, None) is None
    np.testing.assert_array_equal(start_positions(ROBOT, limits, [0, 0.2]), [0, 0.2])
    for start, said in (([0.0], "expected 2 finite numbers"), ([0, 0.6], "'b' is 0.6 m"), ([2.0, 0.2], "'a' is 2 rad")):
        with pytest.raises(RobosymError, match=said):
            start_positions(ROBOT, limits, start)


def test_boxes() -> None:
    assert box_of(ROBOT, None) is None
    np.testing.assert_array_equal(
        box_of(ROBOT, [None, (None, 1), (-2, 3)]), [[-math.inf, math.inf], [-math.inf, 1], [-2, 3]]
    )
    for box in ([1, 2, 3], [(0, 1)], [(0, 1), (0, math.nan), None], "box"):
        with pytest.raises(RobosymError, match="expected three pairs"):
            box_of(ROBOT, box)
    with pytest.raises(RobosymError, match="along y: expected lower < upper"):
        box_of(ROBOT, [None, (1, 1), None])
