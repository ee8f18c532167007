"""The largest inertias: beside Pinocchio on fine grids, in closed form, and the accelerations that follow."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from models.pinocchio_states import Twin
from real_robots import urdf_file
from scipy.optimize import minimize

import robosym
from robosym.analysis import acceleration_limits, largest_inertia
from robosym.options.errors import ArgumentError
from robosym.robot import Limits, Robot, RobotError, RobotWarning
from robosym.trajectory import TrajectoryError, point_to_point, through

BALL = {"XX": 0.1, "YY": 0.1, "ZZ": 0.1}


def test_puma() -> None:
    """The value of a search of its own, and one with SciPy from many positions through Pinocchio."""
    path = urdf_file("puma")
    with pytest.warns(RobotWarning, match="physically impossible"):
        robot = robosym.load(path)
    found = largest_inertia(robot)
    assert found[0] == pytest.approx(4.254828832, rel=1e-8)
    twin = Twin.of_urdf(path, robot)
    pairs = [(x.lower, x.upper) for x in (robot.frame(j).joint.limits for j in robot.moving)]
    rng = np.random.default_rng(0)
    for k in (0, 1):
        best = 0.0
        for _ in range(3):
            start = [rng.uniform(*pair) for pair in pairs]
            best = max(best, -minimize(lambda q, k=k: -twin.crba(q)[k, k], start, bounds=pairs).fun)
        assert best <= found[k] * (1 + 1e-8)
        assert found[k] == pytest.approx(best, rel=1e-2)


def planar(*limits: Limits) -> Robot:
    """Two links of length 1, a mass of 2 at the end of the second."""
    robot = Robot.from_table("arm", [BALL, {"d": 1, "M": 2, "MX": 2, "XX": 0.1, "YY": 2.1, "ZZ": 2.1}])
    frames = [replace(f, joint=replace(f.joint, limits=x)) for f, x in zip(robot.frames, limits, strict=True)]
    return robot.replace(frames=tuple(frames))


def test_closed_form() -> None:
    """A11 = 0.1 + 2.1 + 2 + 4 cos q2: largest stretched out, or as far as the elbow opens."""
    np.testing.assert_allclose(largest_inertia(planar(Limits(), Limits())), [8.2, 2.1], rtol=1e-12)
    for lower, upper in ((0.5, 2.0), (-3.0, -1.0), (-2.0, 3.0)):
        found = largest_inertia(planar(Limits(), Limits(lower, upper)))
        at = 0.0 if lower < 0 < upper else min(abs(lower), abs(upper))
        np.testing.assert_allclose(found, [4.2 + 4 * np.cos(at), 2.1], rtol=1e-10)
    robot = planar(Limits(), Limits())
    name = robot.joint_names[1]
    np.testing.assert_allclose(largest_inertia(robot, limits={name: (1.0, 1.0)})[0], 4.2 + 4 * np.cos(1.0))


def test_no_grid_finds_more() -> None:
    robot = robosym.load("rx90")
    found = largest_inertia(robot)
    A = robosym.models.inertia_matrix(robot).compile()
    axes = [np.linspace(-np.pi, np.pi, 13)] * 4
    q = np.array([[0, *rest, 0] for rest in product(*axes)])
    limits = [robot.frame(j).joint.limits for j in robot.moving]
    inside = np.all([(q[:, k] >= (x.lower or -9)) & (q[:, k] <= (x.upper or 9)) for k, x in enumerate(limits)], axis=0)
    largest = np.diagonal(A(q=q[inside]), axis1=1, axis2=2).max(axis=0)
    assert (largest <= found * (1 + 1e-12)).all()
    assert (found <= largest * 1.2).all()


def test_prismatic_joints_need_limits_if_they_matter() -> None:
    rows = [BALL, {"sigma": 1, "alpha": "pi/2", "M": 1, **BALL}]
    with pytest.raises(RobotError, match="prismatic joint 'q2' has no limits"):
        largest_inertia(Robot.from_table("slide", rows))
    np.testing.assert_allclose(largest_inertia(Robot.from_table("slide", rows), limits={"q2": (0, 2)}), [4.2, 1])
    first = [{"sigma": 1, "M": 1, **BALL}, {"M": 1, "alpha": "pi/2", **BALL}]  # moves all alike
    np.testing.assert_allclose(largest_inertia(Robot.from_table("gantry", first)), [2, 0.1])


def test_closed_loops_and_free_bases() -> None:
    robot = robosym.load("sr400")
    A, q = robosym.models.inertia_matrix(robot).compile(), np.random.default_rng(0).uniform(-1, 1, (200, 6))
    made = A(q=q)
    found = largest_inertia(robot)
    assert (np.diagonal(made, axis1=1, axis2=2).max(axis=0) <= found * (1 + 1e-12)).all()
    held = planar(Limits(), Limits())
    free = held.replace(base=replace(held.base, floating=True, link=held.frame(2).link))
    np.testing.assert_allclose(largest_inertia(free), [8.2, 2.1], rtol=1e-12)  # as if the base was held


def test_acceleration_limits() -> None:
    robot = planar(Limits(effort=16.4), Limits(acceleration=3.0, effort=1.0))
    with pytest.warns(RobotWarning, match="no limit of acceleration for q1: the effort over the largest inertia"):
        found = acceleration_limits(robot)
    np.testing.assert_allclose(found, [2.0, 3.0])
    np.testing.assert_array_equal(acceleration_limits(planar(Limits(), Limits())), [np.inf, np.inf])


def test_trajectories_use_them() -> None:
    robot = planar(Limits(velocity=5.0, effort=16.4), Limits(velocity=5.0, acceleration=3.0))
    with pytest.warns(RobotWarning, match="no limit of acceleration for q1"):
        move = point_to_point([0, 0], [1, 0], "bang-bang", robot=robot)
    assert move.duration == pytest.approx(2 * np.sqrt(1 / 2.0))
    with pytest.warns(RobotWarning, match="no limit of acceleration for q1"):
        through([[0, 0], [1, 0], [1, 1]], robot=robot)
    assert point_to_point([0, 0], [1, 0], "bang-bang", robot=robot, acceleration=1).duration == pytest.approx(2)
    quick = point_to_point([0, 0], [1, 0], "quintic", robot=robot, duration=1)  # an estimate refuses nothing
    assert quick.duration == 1
    with pytest.raises(TrajectoryError, match="needs a limit of acceleration"):
        point_to_point([0, 0], [1, 0], "trapeze", robot=planar(Limits(velocity=1), Limits(velocity=1)))


def test_what_is_refused() -> None:
    with pytest.raises(ArgumentError, match="expected a Robot"):
        largest_inertia("rx90")  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="there is no moving joint 'elbw'"):
        largest_inertia(planar(Limits(), Limits()), limits={"elbw": (0, 1)})
