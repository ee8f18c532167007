"""The fastest motion along a path: toppra's numbers, toppra itself where it is there, closed forms, limits kept everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from random_robots import random_robot
from real_robots import real_robot
from sweeps import many
from trajectory.known_motions import ACCELERATION, POINTS, TORQUE, VELOCITY, D, quintic

import robosym
from robosym.errors import RobosymError
from robosym.options.errors import ArgumentError
from robosym.reals import Floats
from robosym.robot import Robot
from robosym.trajectory import Path, Trajectory, TrajectoryError, fastest


def torques(robot: Robot, motion: Trajectory, t: Floats, friction: bool = False) -> Floats:
    """By the interpreter of the model, not by what was compiled for the motion."""
    model = robosym.models.inverse_dynamics(robot, friction=friction)
    return np.array([model.evaluate(q=q, qd=qd, qdd=qdd) for q, qd, qdd in zip(*motion(t), strict=True)])


# --- known numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "known"),
    [
        ({"torque": TORQUE}, 0.766049278),
        ({"torque": TORQUE, "velocity": VELOCITY}, 2.304903076),
        ({"velocity": VELOCITY, "acceleration": ACCELERATION}, 3.298515925),
    ],
)
def test_toppras_durations(limits: dict[str, Floats], known: float) -> None:
    found = fastest(real_robot("puma"), Path.spline(POINTS), **limits)
    assert found.duration == pytest.approx(known, abs=5e-6)
    assert max(found.excess.values()) < 1.0002
    assert found.excess.keys() == limits.keys()


def test_finer_grids_converge() -> None:
    robot, path = real_robot("puma"), Path.spline(POINTS)
    assert fastest(robot, path, torque=TORQUE, steps=30_000).duration == pytest.approx(0.764990, abs=5e-5)
    both = fastest(robot, path, torque=TORQUE, velocity=VELOCITY, steps=30_000)
    assert both.duration == pytest.approx(2.301251, abs=2e-4)


def test_a_straight_line_is_the_homothetic_trapeze() -> None:
    robot = real_robot("puma")
    found = fastest(robot, Path.line(0 * D, D), velocity=VELOCITY, acceleration=ACCELERATION)
    assert found.duration == pytest.approx(1.4, abs=1e-9)
    alone = fastest(robot, Path.line(0 * D, D), acceleration=ACCELERATION)
    assert alone.duration == pytest.approx(2 / math.sqrt((ACCELERATION / np.abs(D)).min()), abs=1e-9)


def test_the_fastest_motion_with_the_geometry_of_a_quintic_is_that_of_its_line() -> None:
    found = fastest(real_robot("puma"), quintic(0 * D, D, 3.0), velocity=VELOCITY, acceleration=ACCELERATION)
    assert found.duration == pytest.approx(1.4, abs=1e-4)


def test_toppra_itself() -> None:
    toppra = pytest.importorskip("toppra")
    from toppra import algorithm, constraint

    robot = real_robot("puma")
    f = robosym.models.inverse_dynamics(robot).compile()
    interpolated = constraint.DiscretizationType.Interpolation
    random = np.random.default_rng(3)
    for _ in range(3):
        points = np.cumsum(random.uniform(-0.6, 0.6, (5, 6)), axis=0)
        limits = TORQUE * random.uniform(0.6, 1.5, 6)
        rows = np.stack([-limits, limits], axis=1)
        torque = constraint.JointTorqueConstraint(
            lambda q, qd, qdd: f(q=q, qd=qd, qdd=qdd), rows, np.zeros(6), discretization_scheme=interpolated
        )
        speed = constraint.JointVelocityConstraint(np.stack([-VELOCITY, VELOCITY], axis=1))
        curve = toppra.SplineInterpolator(np.linspace(0, 1, 5), points)
        known = algorithm.TOPPRA([torque, speed], curve, gridpoints=np.linspace(0, 1, 1001), solver_wrapper="seidel")
        found = fastest(robot, Path.spline(points), torque=limits, velocity=VELOCITY)
        assert found.duration == pytest.approx(known.compute_trajectory(0, 0).duration, abs=1e-4)


# --- limits are kept --------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(3)))
def test_random_robots_and_paths(seed: int) -> None:
    random = np.random.default_rng(seed)
    robot = random_robot(random, int(random.integers(2, 7)))
    n = len(robot.joint_names)
    path = Path.spline(np.cumsum(random.uniform(-0.7, 0.7, (int(random.integers(2, 6)), n)), axis=0))
    hold = robosym.models.inverse_dynamics(robot).compile()
    s = np.linspace(0, 1, 400)
    still = np.abs(hold(q=path(s)[0], qd=np.zeros((400, n)), qdd=np.zeros((400, n)))).max(axis=0)
    limit = 1.3 * still + random.uniform(1, 5, n)
    found = fastest(robot, path, torque=limit, velocity=2.0, acceleration=20.0, steps=2000)
    t = np.linspace(0, found.duration, 3001)
    q, qd, qdd = found(t)
    tau = hold(q=q, qd=qd, qdd=qdd)
    used = np.stack([np.abs(tau) / limit, np.abs(qd) / 2.0, np.abs(qdd) / 20.0])
    assert used.max() < 1.001
    assert np.median(used.max(axis=(0, 2))) > 0.995
    assert max(found.excess.values()) < 1.001


def test_paths_of_many_pieces() -> None:
    """Pieces that meet between two equal steps: without a place of the grid where they do it was 1.02."""
    robot, random = real_robot("puma"), np.random.default_rng(0)
    for _ in range(many(20)):
        path = Path.spline(np.cumsum(random.uniform(-0.7, 0.7, (int(random.integers(2, 9)), 6)), axis=0))
        for limits in (
            {"torque": TORQUE * random.uniform(0.7, 2, 6)},
            {"torque": TORQUE, "velocity": VELOCITY},
            {"velocity": VELOCITY, "acceleration": ACCELERATION},
        ):
            excess = fastest(robot, path, **limits).excess
            assert max(excess.values()) < 1.001, (path, excess)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "end"), [("sr400", [0.5, 0.3, 0.8, -0.4, 0.6, 0.3]), ("five-bar", None), ("five-bar-general", None)]
)
def test_closed_loops(name: str, end: list[float] | None) -> None:
    robot = robosym.load(name)
    n = len(robot.joint_names)
    start = np.array(robosym.models.inverse_dynamics(robot).random_state(np.random.default_rng(1))["q"])
    goal = start + 0.3 * np.sign(np.arange(n) - 0.5) if end is None else np.array(end)
    start = start if end is None else np.zeros(n)
    path = Path.spline([start, (start + goal) / 2 + 0.05, goal])
    model = robosym.models.inverse_dynamics(robot)
    f = model.compile()

    def tau(q: Floats, qd: Floats, qdd: Floats) -> Floats:
        found = f(q=q, qd=qd, qdd=qdd)
        return found["tau"] if isinstance(found, dict) else found

    q = path(np.linspace(0, 1, 100))[0]
    limit = 2 * np.abs(tau(q, 0 * q, 0 * q)).max(axis=0) + 1
    found = fastest(robot, path, torque=limit)
    used = np.abs(tau(*found(np.linspace(0, found.duration, 2000)))) / limit
    assert used.max() < 1.001
    assert np.median(used.max(axis=1)) > 0.995


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("reverse", [False, True])
def test_friction_takes_its_part_of_the_torque(reverse: bool) -> None:
    """Viscous friction is no line in x: the motion found keeps the limits with the friction it really has, and uses them."""
    robot = robosym.load("puma560")
    path = Path.spline(POINTS[::-1] if reverse else POINTS)
    without = fastest(robot, path, torque=True)
    found = fastest(robot, path, torque=True, friction=True)
    t = np.linspace(0, found.duration, 301)[1:-1]
    used = np.abs(torques(robot, found, t, friction=True)) / TORQUE
    assert used.max() < 1.001
    assert np.median(used.max(axis=1)) > 0.995
    assert found.duration > without.duration
    assert found.excess["torque"] < 1.001


def test_a_corner_is_a_stop() -> None:
    robot = robosym.load("planar-2r")
    bent = np.array([[[0.0, 0.1], [1.0, 0.0]], [[1.0, 0.1], [0.0, 1.0]]])
    path = Path(Trajectory(("a", "b"), np.array([0.0, 1.0, 2.0]), bent))
    found = fastest(robot, path, acceleration=[1.0, 4.0], velocity=10.0, steps=100)
    assert found.duration == pytest.approx(2.0 + 1.0, abs=1e-9)
    assert found.speeds[found.places == 1.0] == 0


def test_speeds_at_the_ends() -> None:
    robot = robosym.load("planar-2r")
    path = Path.line([0, 0], [1, 1])
    found = fastest(robot, path, acceleration=1.0, v0=0.5, vf=0.25)
    assert found(0.0)[1].tolist() == [0.5, 0.5]
    np.testing.assert_allclose(found(found.duration)[1], 0.25, atol=1e-12)
    top = math.sqrt((2 + 0.5**2 + 0.25**2) / 2)
    assert found.duration == pytest.approx(2 * top - 0.75, abs=1e-6)


# --- hostile input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({}, "no limit of acceleration or torque"),
        ({"velocity": 1.0}, "no limit of acceleration or torque"),
        ({"acceleration": [1, 2, 3]}, "expected a number or one for each"),
        ({"acceleration": -1}, "above zero"),
        ({"acceleration": 0}, "above zero"),
        ({"acceleration": "fast"}, "real numbers"),
        ({"acceleration": np.nan}, "above zero"),
        ({"acceleration": {"elbo": 1.0}}, "no joint elbo"),
        ({"acceleration": True}, "the description has no limit for shoulder, elbow"),
        ({"acceleration": 1.0, "steps": 0}, "steps"),
        ({"acceleration": 1.0, "steps": 1.5}, "steps"),
        ({"acceleration": 1.0, "v0": -1}, "v0"),
        ({"acceleration": 1.0, "v0": True}, "v0: got True, expected a number of at least 0"),
        ({"acceleration": np.inf}, "nothing limits the motion at s = .*: the joints that move there have no limits"),
        ({"acceleration": 1.0, "v0": 2.0}, "can be followed from 0 to 1.41421"),
        ({"acceleration": 1.0, "velocity": 1.0, "vf": 2.0}, "vf: 2 is too fast: at most 1 at the end"),
        ({"acceleration": 1.0, "vf": 2.0}, "v0: got 0, the path can be followed from 1.41421"),
    ],
)
def test_bad_requests_get_a_clear_word(options: dict[str, object], word: str) -> None:
    with pytest.raises(RobosymError, match=word):
        fastest(robosym.load("planar-2r"), Path.line([0, 0], [1, 1]), **options)  # type: ignore[arg-type]


def test_a_limit_of_a_joint_that_does_not_move_is_none() -> None:
    with pytest.raises(TrajectoryError, match="the joints that move there have no limits"):
        fastest(robosym.load("planar-2r"), Path.line([0, 0], [0, 1]), acceleration={"shoulder": 1.0})


def test_what_is_no_path_is_said() -> None:
    with pytest.raises(ArgumentError, match=r"path: got .*, expected a Path"):
        fastest(robosym.load("planar-2r"), [[0, 0], [1, 1]], acceleration=1.0)  # type: ignore[arg-type]


def test_torques_that_cannot_hold_still_name_the_joint_and_the_place() -> None:
    with pytest.raises(TrajectoryError, match=r"joint 'j2' needs [\d.]+ to hold still at s = [\d.]+.*j1 = "):
        fastest(real_robot("puma"), Path.spline(POINTS), torque=0.05 * TORQUE)


def test_the_path_must_be_of_the_robots_joints() -> None:
    with pytest.raises(RobosymError, match="2 driven joints"):
        fastest(robosym.load("planar-2r"), Path.line([0], [1]), acceleration=1.0)


def test_loops_that_do_not_close_are_named() -> None:
    robot = robosym.load("five-bar-general")
    with pytest.raises(TrajectoryError, match="loops do not close"):
        fastest(robot, Path.line([-3.0, 0.0], [3.0, 3.0]), torque=100.0)
