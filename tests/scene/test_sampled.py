"""The Jacobian matrix of the tip in numbers: against differences of the poses, its ranks and its samples."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import robosym
from robosym.robot import Robot
from robosym.scene import measures_module
from robosym.scene.measures import tip_jacobian
from robosym.scene.mechanism import Mechanism, mechanism_of
from robosym.scene.sampled import FAR, SAMPLES, TURNED, Sampled

STEP = 1e-6


def sampled(robot: Robot, frame: str | None = None) -> Sampled:
    made = mechanism_of(robot, frame)
    model = tip_jacobian(made, None)
    assert model is not None
    return Sampled(made, model)


def begun(made: Mechanism) -> np.ndarray:
    return np.array([one.at for one in made.controls])


def twists(found: Sampled, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The twists of the tip in world axes, and the speeds of the motors, for a unit speed of each control of a joint or a platform."""
    made = found.made
    columns, speeds = [], []
    for k, control in enumerate(made.controls):
        if control.group == "base":
            continue
        ways = [x + sign * STEP * np.eye(len(x))[k] for sign in (1, -1)]
        T, (after, before) = made.poses(x)[made.tip], (made.poses(one)[made.tip] for one in ways)
        slope = (after - before) / (2 * STEP)
        turning = slope[:3, :3] @ T[:3, :3].T
        columns.append([*slope[:3, 3], turning[2, 1], turning[0, 2], turning[1, 0]])
        states = [np.array(made.state(one)) for one in ways]
        speeds.append(((states[0] - states[1]) / (2 * STEP))[-len(made.robot.moving) :])
    return np.array(columns).T, np.array(speeds).T


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize(
    ("name", "floating"), [("planar-2r", False), ("scara", False), ("stanford-3", False), ("stanford-3", True), ("five-bar", False), ("planar-3rrr", False), ("delta", False)]
)  # fmt: skip
def test_the_matrix_is_the_slope_of_the_poses(name: str, floating: bool) -> None:
    """With lengths over the size of the robot: of the tip, and of joints that slide."""
    found = sampled(robosym.load(name, floating=floating))
    x = begun(found.made) + np.linspace(0.02, 0.1, len(found.made.controls))
    J = found.matrix(x)
    assert J is not None
    V, speeds = twists(found, x)
    assert J.shape == (6, len(found.made.robot.moving))
    lengths = np.array([found.unit] * 3 + [1.0] * 3)[:, None]
    np.testing.assert_allclose(J @ (speeds / np.array(found.units)[:, None]), V / lengths, atol=1e-7)
    slides = [robot_joint for robot_joint, unit in enumerate(found.units) if unit != 1.0]
    assert slides == [k for k, one in enumerate(found.made.controls[-len(found.units) :]) if one.kind == "prismatic"]


def test_a_robot_of_another_size_has_the_same_matrix() -> None:
    """All lengths ten times as long: no singular value changes, and none of a mixed arm."""
    rows = [{"alpha": "pi/2"}, {"d": 0.4, "r": 0.1}, {"sigma": "prismatic", "d": 0.3, "alpha": "pi/3"}]
    small, large = (
        sampled(Robot.from_table("arm", [{**row, **{key: row[key] * size for key in ("d", "r") if key in row}} for row in rows]))
        for size in (1, 10)
    )  # fmt: skip
    assert large.unit == pytest.approx(10 * small.unit)
    one, other = small.matrix([0.3, 0.4, 0.2]), large.matrix([0.3, 0.4, 2.0])
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(one, other, atol=1e-14)


def test_samples_are_within_limits_and_the_same_each_time() -> None:
    limits = {"lower": -0.2, "upper": 0.5}
    robot = Robot.from_table(
        "arm", [{"limits": limits}, {"d": 1}, {"sigma": "prismatic", "d": 1, "limits": {"upper": 0.1}}]
    )
    found = sampled(robot)
    x = np.array(found.positions(200))
    assert x.shape == (200, 3)
    np.testing.assert_array_equal(x, found.positions(200))
    assert not np.array_equal(x, found.positions(200, seed=3))
    lower, upper = x.min(axis=0), x.max(axis=0)
    assert (lower >= [-0.2, -np.pi, -found.unit]).all()
    assert (upper <= [0.5, np.pi, 0.1]).all()
    assert (lower < [-0.15, -3, -0.9 * found.unit]).all()
    assert (upper > [0.45, 3, 0.0]).all()


def test_samples_leave_a_free_base_where_it_is() -> None:
    found = sampled(robosym.load("planar-2r", floating=True))
    x = np.array(found.positions(20))
    assert (x[:, :6] == begun(found.made)[:6]).all()
    assert (np.ptp(x[:, 6:], axis=0) > 1).all()
    assert found.skipped == 6


def test_samples_of_a_platform_are_about_where_it_begins() -> None:
    found = sampled(robosym.load("planar-3rrr"))
    gaps = np.abs(np.array(found.positions(200)) - begun(found.made))
    far = [FAR * found.unit, FAR * found.unit, TURNED]
    assert (gaps <= far).all()
    assert (gaps.max(axis=0) > 0.9 * np.array(far)).all()
    assert 0 < len(found.matrices) <= SAMPLES // 3


@pytest.mark.parametrize(
    ("name", "frame", "position_only", "rank"),
    [
        ("planar-2r", None, True, 2),
        ("scara", None, False, 4),
        ("rx90", None, False, 6),
        ("rx90", "link3", False, 3),
        ("rx90", "link1", False, 1),  # it turns where it stands
        ("panda", None, False, 6),
        ("stanford-3", None, True, 3),
        ("planar-3rrr", None, True, 3),
    ],
)
def test_in_how_many_ways_the_tip_moves(name: str, frame: str | None, position_only: bool, rank: int) -> None:
    found = sampled(robosym.load(name), frame)
    assert found.rank == rank
    assert found.rows == (3 if position_only and name != "planar-3rrr" else 6)
    if name != "planar-3rrr":
        assert found.position_only == position_only
    for J, sizes in zip(found.matrices, found.sizes, strict=True):
        assert all(a >= b for a, b in pairwise(sizes))
        assert np.linalg.norm(J[: found.rows]) == pytest.approx(np.linalg.norm(sizes))


def test_a_direction_is_lost_where_the_arm_is_straight() -> None:
    found = sampled(robosym.load("planar-2r"))
    assert [found.loses_rank([0.3, q]) for q in (0.0, np.pi, 0.5)] == [True, True, False]
    with_base = sampled(robosym.load("planar-2r", floating=True))
    base = begun(with_base.made)[:6].tolist()
    assert [with_base.loses_rank([*base, 0.3, q]) for q in (0.0, 0.5)] == [True, False]


def test_where_it_is_not_assembled_there_is_no_matrix() -> None:
    found = sampled(robosym.load("delta"))
    assert found.matrix([5.0, 0.0, -1.0]) is None
    assert found.loses_rank([5.0, 0.0, -1.0]) is None


def narrow() -> Robot:
    """A platform whose legs are hardly longer than they must be: of the positions about its home, almost none is in reach."""
    robot = robosym.load("planar-3rrr")
    reach = robot.values["RB"].number - robot.values["RP"].number
    values = dict(robot.values)
    for name in ("L1", "L2"):
        values[name] = replace(values[name], number=reach / 2 * (1 + 1e-5))
    return robot.replace(values=values)


def test_a_platform_that_is_assembled_at_no_sample_has_no_measures() -> None:
    found = sampled(narrow())
    assert found.made.is_assembled(begun(found.made))
    assert found.matrices == []
    assert (found.rank, found.sizes, found.position_only) == (0, [], True)
    assert '"singular": []' in measures_module(narrow())
