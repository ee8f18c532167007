"""The shortest duration within limits of torque: known numbers, dense samples, closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from random_robots import random_robot
from real_robots import real_robot
from sweeps import crossed, many
from trajectory.known_motions import TORQUE, D, quintic

import robosym
from robosym.errors import RobosymError
from robosym.trajectory import Trajectory, TrajectoryError, scaled_to_torque
from robosym.trajectory.scaling import largest


@pytest.mark.parametrize(
    ("part", "sampled", "exact"), [(1.0, 0.457959652, 0.4579596538), (0.6, 0.591223369, 0.5912233708)]
)
def test_a_quintic_of_the_puma(part: float, sampled: float, exact: float) -> None:
    """The reference was taken at 20 001 samples, at .19165 of the time; the largest torque is between two of them."""
    found = scaled_to_torque(real_robot("puma"), quintic(0 * D, D, 3.0), torque=part * TORQUE)
    assert found.duration == pytest.approx(sampled, abs=3e-9)
    assert found.duration == pytest.approx(exact, abs=1e-10)
    assert found.joint == "j1"
    assert found.when / found.duration == pytest.approx(0.19166662, abs=1e-6)
    assert found.factor == pytest.approx(3.0 / found.duration)
    np.testing.assert_allclose(found.end, D, atol=1e-12)


@pytest.mark.parametrize(("seed", "friction"), crossed(range(many(5)), [False, True], every=2))
def test_random_robots_use_all_of_a_torque_and_no_more(seed: int, friction: bool) -> None:
    random = np.random.default_rng(seed)
    robot = random_robot(random, int(random.integers(1, 6)), rich=False)
    n = len(robot.joint_names)
    motion = quintic(random.uniform(-1, 1, n), random.uniform(-1, 1, n), float(random.uniform(0.5, 4)))
    f = robosym.models.inverse_dynamics(robot, friction=friction).compile()
    q = motion(np.linspace(0, motion.duration, 300))[0]
    limit = 1.5 * np.abs(f(q=q, qd=0 * q, qdd=0 * q)).max(axis=0) + 1.0
    found = scaled_to_torque(robot, motion, torque=limit, friction=friction)
    q, qd, qdd = found(np.linspace(0, found.duration, 20_001))
    used = np.abs(f(q=q, qd=qd, qdd=qdd)) / limit
    assert used.max() == pytest.approx(1, abs=1e-5)
    q, qd, qdd = found(found.when)
    at = np.abs(f(q=q, qd=qd, qdd=qdd)) / limit
    assert at[robot.joint_names.index(found.joint)] == pytest.approx(1, abs=1e-9)


def test_friction_of_the_puma_costs_time() -> None:
    robot, motion = robosym.load("puma560"), quintic(0 * D, D, 1.0)
    durations = [scaled_to_torque(robot, motion, friction=friction).duration for friction in (False, True)]
    assert durations[0] < durations[1]
    found = scaled_to_torque(robot, motion, friction=True)
    f = robosym.models.inverse_dynamics(robot, friction=True).compile()
    q, qd, qdd = found(np.linspace(0, found.duration, 20_001))
    assert (np.abs(f(q=q, qd=qd, qdd=qdd)) / TORQUE).max() == pytest.approx(1, abs=1e-6)


def test_accelerations_that_jump_count_on_both_sides() -> None:
    """Bang-bang: the torque just before the middle is far from that after it."""
    robot = real_robot("puma")
    halves = np.stack([np.stack([0 * D, 0 * D, 2 * D]), np.stack([D / 2, 2 * D, -2 * D])])
    motion = Trajectory(robot.joint_names, np.array([0.0, 0.5, 1.0]), halves)
    found = scaled_to_torque(robot, motion, torque=TORQUE)
    f = robosym.models.inverse_dynamics(robot).compile()
    times = np.concatenate(
        [np.linspace(0, found.times[1] - 1e-9, 5001), np.linspace(found.times[1], found.duration, 5001)]
    )
    q, qd, qdd = found(times)
    assert (np.abs(f(q=q, qd=qd, qdd=qdd)) / TORQUE).max() == pytest.approx(1, abs=1e-6)


def test_the_largest_factor_by_the_definition() -> None:
    random = np.random.default_rng(2)
    c = np.linspace(0, 30, 30_001)[:, None]
    for _ in range(many(40)):
        A, B, C = random.normal(size=(3, 1, 3))
        limit = np.abs(C[0]) + random.uniform(0.01, 1, 3)
        allowed = (np.abs((A * c + B) * c + C) <= limit).all(axis=1)
        assert largest(A, B, C, limit) == pytest.approx(float(c[allowed].max()), abs=2e-3)


def test_closed_loops() -> None:
    robot = robosym.load("sr400")
    motion = quintic(np.zeros(6), np.array([0.5, 0.3, 0.8, -0.4, 0.6, 0.3]), 1.0)
    f = robosym.models.inverse_dynamics(robot).compile()
    q = motion(np.linspace(0, 1, 50))[0]
    limit = 2 * np.abs(f(q=q, qd=0 * q, qdd=0 * q)).max(axis=0) + 1
    found = scaled_to_torque(robot, motion, torque=limit)
    q, qd, qdd = found(np.linspace(0, found.duration, 20_001))
    assert (np.abs(f(q=q, qd=qd, qdd=qdd)) / limit).max() == pytest.approx(1, abs=1e-6)


def test_bad_requests_get_a_clear_word() -> None:
    robot, motion = real_robot("puma"), quintic(0 * D, D, 1.0)
    with pytest.raises(TrajectoryError, match=r"joint 'j2' needs 37.\d+ to hold still at 0.000 s.*j1 = 0, j2 = 0"):
        scaled_to_torque(robot, motion, torque=0.1 * TORQUE)
    with pytest.raises(TrajectoryError, match="expected limits of torque"):
        scaled_to_torque(robot, motion, torque=None)
    with pytest.raises(TrajectoryError, match="no limit for shoulder, elbow"):
        scaled_to_torque(robosym.load("planar-2r"), quintic(np.zeros(2), np.ones(2), 1.0))
    with pytest.raises(RobosymError, match="6 driven joints"):
        scaled_to_torque(robot, quintic(np.zeros(2), np.ones(2), 1.0), torque=TORQUE)
    with pytest.raises(TrajectoryError, match="takes no time"):
        scaled_to_torque(robot, Trajectory(robot.joint_names, np.zeros(2), np.zeros((1, 1, 6))), torque=TORQUE)
    weak = robosym.load("puma560")
    with pytest.raises(TrajectoryError, match=r"'waist' needs .* to move slowly"):
        scaled_to_torque(weak, motion, torque={"waist": 20.0}, friction=True)
