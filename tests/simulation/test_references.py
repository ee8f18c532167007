"""What laws follow: motions in space and in joints, targets and functions; what does not fit is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from simulation.tops import LINK, top

import robosym
from robosym import control
from robosym.control import Law
from robosym.robot import Robot
from robosym.simulation import SimulationError, simulate
from robosym.trajectory import TaskMotion, point_to_point, rotation, straight, timed
from robosym.trajectory.task_space_rates import rates

HOME = np.array([0.2, -0.6, 1.1, 0.3, 0.7, -0.2])


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("rx90")


@pytest.fixture(scope="module")
def law(robot: Robot) -> Law:
    return control.resolved_acceleration(robot, bandwidth=20.0)


@pytest.fixture(scope="module")
def pose(robot: Robot, law: Law) -> np.ndarray:
    return np.asarray(simulate(robot, law, np.eye(4), q=HOME, duration=1e-3, friction=False, limits=False).pose()[0])


@pytest.fixture(scope="module")
def motion(pose: np.ndarray) -> TaskMotion:
    turned = pose.copy()
    turned[:3, 3] += [0.02, -0.03, 0.04]
    turned[:3, :3] = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]) @ pose[:3, :3]
    return timed(straight(pose, turned), linear=(0.5, 2.0), angular=(2.0, 6.0), profile="quintic")


@pytest.mark.slow
def test_a_motion_in_space_is_followed(robot: Robot, law: Law, pose: np.ndarray, motion: TaskMotion) -> None:
    run = simulate(robot, law, motion, q=HOME, friction=False, limits=False)
    for name, values in zip(("T_d", "V_d", "A_d"), rates(motion, run.time), strict=True):
        np.testing.assert_array_equal(run.reference[name], values)
    assert np.abs(run.task_error).max() < 2e-3
    assert np.abs(run.pose()[-1] - pose).max() > 0.5
    by_hand = simulate(
        robot,
        law,
        lambda t: tuple(x[0] for x in rates(motion, t)),
        q=HOME,
        duration=motion.duration,
        friction=False,
        limits=False,
    )
    np.testing.assert_allclose(by_hand.q, run.q, atol=1e-13)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (point_to_point([0.0] * 6, [0.1] * 6, duration=0.1), "follows a pose, .* got a trajectory of joints"),
        (np.zeros((3, 3)), r"got the shape \(3, 3\)"),
        (2 * np.eye(4), "the matrix is no pose"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "the matrix is no pose"),
        (lambda t: (np.eye(4), np.zeros(6), np.zeros(5)), r"A_d: got the shape \(5,\), expected \(6,\)"),
    ],
)
def test_what_is_no_pose_is_named(robot: Robot, law: Law, reference: Any, said: str) -> None:
    with pytest.raises(SimulationError, match=f"reference.*{said}"):
        simulate(robot, law, reference, q=HOME, duration=0.01)


def test_a_pose_says_not_where_the_joints_start(robot: Robot, law: Law, motion: TaskMotion) -> None:
    with pytest.raises(SimulationError, match="q: expected where the robot starts"):
        simulate(robot, law, motion)


def test_joints_do_not_follow_a_pose(robot: Robot, motion: TaskMotion) -> None:
    with pytest.raises(SimulationError, match=r"reference: computed-torque follows joints.*to_joints"):
        simulate(robot, control.computed_torque(robot), motion)
    with pytest.raises(SimulationError, match="the trajectory moves 2 joints, the robot has 6"):
        simulate(robot, control.computed_torque(robot), point_to_point([0.0, 0], [0.1, 0], duration=0.1))


def test_torques_of_a_ball_joint_by_name() -> None:
    """All of its axes, one of them, and functions of time: inverse dynamics along a rotation moves the top along it."""
    robot = top()
    move = rotation([0, 0, 0, 1], [0.5, -0.5, 0.1, 0.7] / np.sqrt(0.25 + 0.25 + 0.01 + 0.49), duration=0.5)
    inverse = robosym.models.inverse_dynamics(robot, wrench="none").compile()

    def tau(t: float) -> np.ndarray:
        return np.asarray(inverse(**dict(zip(("q", "qd", "qdd"), move(t), strict=True))))

    run = simulate(robot, q=move(0.0)[0], torque={"hip": tau}, duration=0.5, step=1e-3)
    np.testing.assert_allclose(run.q, move(run.time)[0], atol=1e-8)
    np.testing.assert_allclose(run.tau[100], tau(run.time[100]), atol=1e-12)
    single = simulate(robot, torque={"hip wz": 2.0}, disturbance=[0.1, 0, 0], duration=2e-3, step=1e-3)
    np.testing.assert_array_equal(single.tau, np.tile([0, 0, 2.0], (3, 1)))


@pytest.mark.parametrize(
    ("torque", "message"),
    [
        ({"hip": 2.0}, "torque, 'hip': expected 3 numbers, or a function of t that gives them, got 2.0"),
        ({"hip": lambda t: [t, t]}, "torque, 'hip': expected 3 numbers"),
        ([1.0, 2.0], r"torque: expected 3 torques, got the shape \(2,\)"),
        ({"hip qx": 1.0}, "torque: there is no joint 'hip qx'"),
    ],
)
def test_wrong_torques_of_a_ball_joint(torque: Any, message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        simulate(top(), torque=torque, duration=1e-3, step=1e-3)


def test_a_law_follows_joints_of_several_axes() -> None:
    """Universal, cylindrical, planar and screw joints, entry by entry, also where they are held."""
    rows = [
        {"sigma": "planar", "variable": "table", **LINK},
        {"sigma": "universal", "variable": "wrist", "d": 0.3, **LINK},
        {"sigma": "screw", "variable": "lift", "pitch": 0.3, "alpha": 1.0, **LINK},
        {"sigma": "cylindrical", "variable": "rod", **LINK},
    ]
    robot = Robot.from_table("several", rows, gravity=[0, 0, -9.81])
    goal = np.linspace(-0.4, 0.3, robot.nq)
    law = control.computed_torque(robot, bandwidth=20.0)
    move = point_to_point(np.zeros(robot.nq), goal, duration=0.4, robot=robot)
    run = simulate(robot, law, move)
    assert np.abs(run.error).max() < 1e-3
    np.testing.assert_allclose(run.q[-1], goal, atol=1e-3)
    assert run.joints[:4] == ("table x", "table y", "table angle", "wrist 1")
    assert run.units == ("m", "m", "rad", "rad", "rad", "rad", "rad", "m")
    by_name = dict(zip(run.joints, goal.tolist(), strict=True))
    held = simulate(robot, law, by_name, q=goal, duration=0.01)
    np.testing.assert_allclose(held.q[-1], goal, atol=1e-9)
