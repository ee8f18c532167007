"""A payload is a point mass: torques grow by what it takes to move that mass, by the Jacobian of its place."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.robot import RobotError


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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"frame": 99}, "99"),
        ({"frame": 6, "mass": float("nan")}, "payload load"),
        ({"frame": 6, "position": (1, 2)}, "three numbers"),
        ({"frame": 6, "mass": "two"}, "payload load"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, object], said: str) -> None:
    with pytest.raises(RobotError, match=said):
        robosym.load("ur5").with_payload(**given)  # type: ignore[arg-type]


def test_a_name_that_is_taken_is_refused() -> None:
    once = robosym.load("ur5").with_payload(6)
    with pytest.raises(RobotError, match="already"):
        once.with_payload(5)
    assert {"load", "other"} <= once.with_payload(5, name="other").parameter_names
