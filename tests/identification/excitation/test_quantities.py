"""Torques and points of a robot that are bounded, against closed forms of a pendulum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.identification.excitation.checks import Quantity
from robosym.identification.excitation.limits import joint_limits
from robosym.identification.excitation.options import Region
from robosym.identification.excitation.quantities import point_quantities, torque_quantity
from robosym.options.errors import ArgumentError
from robosym.robot import Robot, RobotError

G, M, LENGTH, IA, FV, FS = 9.81, 2.0, 0.5, 0.3, 0.7, 0.4


def pendulum(**settings: Any) -> Robot:
    """A point mass at the end of a bar in a vertical plane, with a rotor and friction; its tip is a fixed frame."""
    rows = [
        {
            "joint": "swing", "M": M, "MX": M * LENGTH, "YY": M * LENGTH**2, "ZZ": M * LENGTH**2,
            "Ia": IA, "Fv": FV, "Fs": FS, "limits": {"lower": -3.0, "upper": 3.0},
        },
        {"name": "tip", "joint": "mount", "sigma": "fixed", "d": LENGTH},
    ]  # fmt: skip
    return Robot.from_table("pendulum", rows, **{"gravity": [0, -G, 0], **settings})


def limits(robot: Robot, torque: Any = None) -> Any:
    return joint_limits(robot, None, None, None, torque)


STATES = tuple(np.random.default_rng(0).normal(size=(3, 40, 1)))


def test_torques_of_a_pendulum() -> None:
    """(M L^2 + Ia) qdd + M g L cos q, and friction apart."""
    robot = pendulum()
    (found,), notes = torque_quantity(robot, limits(robot, 5.0), {}, {})
    q, qd, qdd = STATES
    rigid = (M * LENGTH**2 + IA) * qdd + M * G * LENGTH * np.cos(q)
    values, there = found.smooth(STATES)
    assert there.all()
    np.testing.assert_allclose(values, rigid, atol=1e-12)
    assert found.friction is not None
    np.testing.assert_allclose(found.friction(STATES)[0], rigid + FV * qd + FS * np.sign(qd), atol=1e-12)
    assert (found.limit, found.labels, found.unit) == ("torque", ("swing",), "N m")
    assert (found.lower.tolist(), found.upper.tolist()) == ([-5.0], [5.0])
    assert notes == []


def test_torques_that_have_no_limit_are_not_computed() -> None:
    assert torque_quantity(pendulum(), limits(pendulum()), {}, {}) == ((), [])


@pytest.mark.parametrize(
    ("sigmas", "unit"), [(("revolute",), "N m"), (("prismatic",), "N"), (("revolute", "prismatic"), "N or N m")]
)
def test_units_of_torques(sigmas: tuple[str, ...], unit: str) -> None:
    rows = [{"sigma": sigma, "M": 1, "limits": {"lower": 0.0, "upper": 1.0}} for sigma in sigmas]
    robot = Robot.from_table("some", rows, gravity=[0, 0, 0])
    (found,), _ = torque_quantity(robot, limits(robot, 1.0), {}, {})
    assert found.unit == unit


def test_torques_of_unknown_masses() -> None:
    """An error where the caller limits them, a note where only the description does; by other numbers they are known."""
    rows = [{"M": "M1", "MX": "MX1", "ZZ": 1, "limits": {"lower": 0.0, "upper": 1.0, "effort": 3.0}}]
    robot = Robot.from_table("unknown", rows, gravity=[0, -G, 0])
    with pytest.raises(RobotError, match=r"unknown: torque: torques cannot be limited: no value for MX1"):
        torque_quantity(robot, limits(robot, 5.0), {}, {})
    found, notes = torque_quantity(robot, limits(robot), {}, {})
    assert found == ()
    assert notes == ["torque limits of the description not kept, torques are unknown: no value for MX1"]
    (known,), notes = torque_quantity(robot, limits(robot), {"MX1": 0.25}, {})
    np.testing.assert_allclose(known.smooth(STATES)[0], STATES[2] + 0.25 * G * np.cos(STATES[0]), atol=1e-12)
    assert notes == []


def test_many_unknown_numbers_are_counted() -> None:
    unknown = [{"Ia": f"I{k}", "Fv": f"V{k}", "Fs": f"S{k}", "ZZ": 1} for k in range(4)]
    robot = Robot.from_table(
        "many", [{**row, "limits": {"lower": 0, "upper": 1}} for row in unknown], gravity=[0, 0, 0]
    )
    with pytest.raises(RobotError, match=r"no value for I0, I1, I2, I3, (\w+, ){5}\w+ and 2 more$"):
        torque_quantity(robot, limits(robot, 5.0), {}, {})


# --- points ------------------------------------------------------------------------------------------------------------

BOX = np.array([[-1.0, 1.0], [-math.inf, 2.0], [-0.5, 0.5]])


def points(robot: Robot, **given: Any) -> list[Quantity]:
    return point_quantities(robot, Region(**given), parameters={}, loops={})


def circle(length: float) -> np.ndarray:
    q = STATES[0][:, 0]
    return length * np.stack((np.cos(q), np.sin(q), 0 * q), 1)


def test_the_tip_stays_in_a_box_and_above_a_height() -> None:
    box, height = points(pendulum(), box=BOX, height=0.1)
    for found in (box, height):
        np.testing.assert_allclose(found.smooth(STATES)[0], circle(LENGTH), atol=1e-14)
        assert (found.labels, found.unit, found.friction) == (("tip, x", "tip, y", "tip, z"), "m", None)
    assert (box.limit, height.limit) == ("box", "height")
    np.testing.assert_array_equal([box.lower, box.upper], BOX.T)
    assert height.lower.tolist() == [-math.inf, -math.inf, 0.1]
    assert (height.upper == math.inf).all()


def test_a_tool_is_the_point_that_counts() -> None:
    (found,) = points(pendulum(), box=BOX, tool=[0.25, 0, 0.1])
    np.testing.assert_allclose(found.smooth(STATES)[0], circle(LENGTH + 0.25) + np.array([0, 0, 0.1]), atol=1e-14)


def test_frames_that_do_not_move_are_left_out() -> None:
    """The first frame turns about its own origin."""
    assert [one.labels[0] for one in points(pendulum(), box=BOX, all_frames=True)] == ["tip, x"]
    two = robosym.load("planar-2r")
    found = points(two, height=-2, all_frames=True)
    assert [one.labels[0] for one in found] == ["link2, x", "tip, x"]
    assert points(two, box=BOX, frame="link1") == []
    assert [one.labels[0] for one in points(two, box=BOX, frame="link2", all_frames=True)] == ["link2, x", "tip, x"]


def test_a_base_that_stands_elsewhere_moves_the_points() -> None:
    """Box and height are in the world."""
    place = [[1, 0, 0, 0.1], [0, 0, -1, 0.2], [0, 1, 0, 0.3], [0, 0, 0, 1]]
    (found,) = points(pendulum(base={"location": [float(x) for row in place for x in row]}), box=BOX)
    np.testing.assert_allclose(
        found.smooth(STATES)[0], circle(LENGTH) @ np.array(place)[:3, :3].T + [0.1, 0.2, 0.3], atol=1e-14
    )


@pytest.mark.parametrize("given", [{"frame": "tip"}, {"tool": [0, 0, 1]}, {"all_frames": True}])
def test_a_point_without_a_bound_is_a_mistake(given: dict[str, Any]) -> None:
    with pytest.raises(RobotError, match="but neither is given: give box or height"):
        points(pendulum(), **given)
    assert points(pendulum()) == []


@pytest.mark.parametrize("height", [True, "1", math.nan, math.inf, [1.0]])
def test_heights_are_numbers(height: Any) -> None:
    with pytest.raises(ArgumentError, match=r"height: got .*, expected a finite number or None"):
        points(pendulum(), height=height)


def test_unknown_lengths_are_named() -> None:
    robot = Robot.from_table(
        "arm", [{"limits": {"lower": 0, "upper": 1}}, {"d": "L1", "limits": {"lower": 0, "upper": 1}}]
    )
    with pytest.raises(RobotError, match="arm: parameters: no value for L1: where the robot is must be known"):
        points(robot, box=BOX, frame=2)


def test_all_frames_of_a_tree_need_no_tip() -> None:
    """Two branches: which of them is the tip is not asked."""
    limited = {"limits": {"lower": 0, "upper": 1}}
    rows = [
        limited,
        *({"antecedent": 1, "name": name, "d": d, **limited} for name, d in (("left", 0.3), ("right", 0.4))),
    ]
    found = points(Robot.from_table("tree", rows), height=-1.0, all_frames=True)
    assert [one.labels[0] for one in found] == ["left, x", "right, x"]
