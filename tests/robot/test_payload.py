"""A payload is a body: torques grow by what it takes to move it, and what is wrong with one is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym import RobosymError, models
from robosym.robot import Robot, RobotError


def test_torques_are_those_of_one_more_body() -> None:
    """With the Jacobian of the point: tau = J^T m (a - g), a from J qdd + Jdot qd."""
    robot = robosym.load("panda")
    frame = robot.moving[-1]
    random = np.random.default_rng(1)
    mass, at = 2.5, np.array([0.1, -0.05, 0.2])
    loaded = robot.with_payload(frame, mass, at.tolist())
    state = {name: random.normal(size=robot.nv) for name in ("q", "qd", "qdd")}
    torques = [robosym.models.inverse_dynamics(one).compile()(**state) for one in (robot, loaded)]
    tool = np.eye(4)
    tool[:3, 3] = at
    J = robosym.models.jacobian(robot, frame=frame, tool=tool.tolist()).compile()(q=state["q"])[:3]
    moved = robosym.models.accelerations(robot, frame=frame, tool=tool.tolist()).compile()(**state)
    a = np.asarray(moved["a"] if isinstance(moved, dict) else moved)[:3]
    g = np.array([float(x.value) if x.is_number else robot.values[x.name].number for x in robot.gravity])
    np.testing.assert_allclose(torques[1] - torques[0], J.T @ (mass * (a - g)), atol=1e-11)


def test_values_may_come_late() -> None:
    robot = robosym.load("ur5")
    symbolic, given = robot.with_payload(6), robot.with_payload(6, 3.0, (0, 0, 0.1))
    q = np.full(6, 0.3)
    late = robosym.models.gravity(symbolic).compile()(q=q, parameters={"load": 3.0, "load_z": 0.1})
    np.testing.assert_allclose(late, robosym.models.gravity(given).compile()(q=q), atol=1e-12)
    np.testing.assert_allclose(
        robosym.models.gravity(symbolic).compile()(q=q), robosym.models.gravity(robot).compile()(q=q), atol=1e-12
    )


def loads(robot: Robot) -> set[str]:
    return {name for name in robot.parameter_names if name.startswith("load")}


def test_what_is_a_parameter_and_what_a_number() -> None:
    robot = robosym.load("ur5")
    four = {"load", "load_x", "load_y", "load_z"}
    ten = four | {f"load_{key}" for key in ("XX", "XY", "XZ", "YY", "YZ", "ZZ")}
    assert loads(robot.with_payload(6)) == ten
    assert loads(robot.with_payload(6, centre=(0, 0, 0.1))) == ten
    assert loads(robot.with_payload(6, inertia=0)) == four
    assert loads(robot.with_payload(6, 2.0)) == set()
    given = robot.with_payload(6, 2.0, (0, 0, 0.1), [0.1, 0.1, 0.1], symbolic=True)
    assert loads(given) == ten
    assert (given.values["load"].number, given.values["load_z"].number, given.values["load_YY"].number) == (2, 0.1, 0.1)
    assert {given.values[name].unit for name in ten} == {"kg", "m", "kg m^2"}


@pytest.mark.parametrize(
    "inertia",
    [
        [[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]],
        np.array([[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]]),
        [0.02, 0.001, 0, 0.03, 0, 0.04],
    ],
)
def test_inertia_is_given_about_the_centre_of_mass(inertia: Any) -> None:
    """The link gains it with the parallel axis theorem: 2 kg at 0.1 m add 0.02 about x and y, not about z."""
    robot = Robot.from_table("one", [{"d": 0}]).with_payload(1, 2, np.array([0, 0, 0.1]), inertia)
    found = [float(x.value) for x in robot.frame(1).link.inertial]
    np.testing.assert_allclose(found, [0.04, 0.001, 0, 0.05, 0, 0.04, 0, 0, 0.2, 2], atol=1e-15)


def test_the_base_carries_too() -> None:
    robot = robosym.load("ur5", floating=True)
    loaded = robot.with_payload(robot.base.name, 3.0)
    q = np.r_[0, 0, 0, 0, 0, 0, 1, np.zeros(6)]
    heavier = models.inertia_matrix(loaded).compile()(q=q) - models.inertia_matrix(robot).compile()(q=q)
    np.testing.assert_allclose(heavier[:3, :3], 3 * np.eye(3), atol=1e-12)


def test_where_a_robot_is_loaded() -> None:
    assert loads(robosym.load("ur5", payload="link6")) == loads(robosym.load("ur5").with_payload("link6"))
    one, other = {"frame": "link6", "mass": 2.0}, {"frame": 5, "name": "held"}
    both = robosym.load("ur5", payload=[one, other])
    assert "held" in both.parameter_names
    assert not loads(both)
    for wrong in ({"mass": 2.0}, {"frame": 6, "weight": 3}):
        with pytest.raises(RobotError, match=r"payload: got .* expected a frame, or a mapping"):
            robosym.load("ur5", payload=wrong)


def test_a_joint_that_moves_a_payload_alone() -> None:
    """Without a mass its acceleration is not determined, and that is said; values make it so, and may be changed later."""
    arm = Robot.from_table("light", [{"ZZ": 0.3, "M": 1, "MX": 0.2}, {"d": 0.5}], gravity=[0, -9.81, 0])
    with pytest.raises(RobotError, match="moves no inertia"):
        models.forward_dynamics(arm.with_payload(2))
    state = {"q": [0.1, 0.2], "qd": [0.3, 0.4], "tau": [1.0, 2.0]}
    known = arm.with_payload(2, 1.0, (0.3, 0, 0), symbolic=True)
    found = models.forward_dynamics(known).compile()(**state, parameters={"load": 2.0})
    own = models.forward_dynamics(arm.with_payload(2, 2.0, (0.3, 0, 0))).compile()(**state)
    np.testing.assert_allclose(found, own, rtol=1e-12)


FLAT = [0.01, 0.01, 0.05]  # no body: one moment exceeds the sum of the others


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"frame": 99}, "payload: there is no frame 99"),
        ({"frame": "link7"}, "payload: there is no frame 'link7' .did you mean 'link"),
        ({"frame": 6, "mass": float("nan")}, "^mass: got nan, expected a number of at least 0"),
        ({"frame": 6, "mass": "two"}, "^mass: got 'two', expected a number of at least 0"),
        ({"frame": 6, "mass": -1.0}, "^mass: got -1.0, expected a number of at least 0"),
        ({"frame": 6, "mass": True}, "^mass: got True, expected a number"),
        ({"frame": 6, "symbolic": False}, "payload mass: a payload in numbers needs one"),
        ({"frame": 6, "symbolic": "yes"}, "^symbolic: got 'yes', expected True, False or None"),
        ({"frame": 6, "centre": (1, 2)}, "payload centre: got 2 numbers, expected three"),
        ({"frame": 6, "centre": "0,0,1"}, "^centre: got '0,0,1', expected a list of finite numbers"),
        (
            {"frame": 6, "centre": (0, 0, float("inf"))},
            r"^centre: got \(0, 0, inf\), expected a list of finite numbers",
        ),
        ({"frame": 6, "mass": 1, "inertia": 0.3}, "payload inertia: got 0.3, expected a 3 x 3 matrix"),
        ({"frame": 6, "mass": 1, "inertia": [1, 2]}, "payload inertia: got 2 numbers, expected a 3 x 3 matrix"),
        ({"frame": 6, "mass": 1, "inertia": np.eye(2)}, "payload inertia: got 2 rows of 4 entries"),
        ({"frame": 6, "mass": 1, "inertia": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]}, "the matrix is not symmetric"),
        ({"frame": 6, "mass": 1, "inertia": [-0.1, 0.1, 0.1]}, "payload inertia: physically impossible: the principal"),
        ({"frame": 6, "mass": 1, "inertia": FLAT}, "exceeds the sum of the others"),
        ({"frame": 6, "name": "my load"}, "payload name: got 'my load'"),
        ({"frame": 6, "name": ""}, "payload name: got ''"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(RobosymError, match=said):
        robosym.load("ur5").with_payload(**given)


def test_a_name_that_is_taken_is_refused() -> None:
    once = robosym.load("ur5").with_payload(6)
    with pytest.raises(RobotError, match="already"):
        once.with_payload(5)
    with pytest.raises(RobotError, match="has a symbol 'q1' already"):
        robosym.load("planar-2r").with_payload("tip", name="q1")
    assert {"load", "other"} <= once.with_payload(5, name="other").parameter_names


def test_base_parameters_hold_the_links_together() -> None:
    regrouped = models.base_parameters(robosym.load("ur5")).robot
    with pytest.raises(RobotError, match="written in base parameters"):
        regrouped.with_payload(6)
