"""Times on a path in space: the closed form of the course, and limits kept by numerical derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from trajectory.test_task_space import pose, random_pose

from robosym.options.errors import ArgumentError
from robosym.trajectory import TaskPath, TrajectoryError, arc, straight, timed, turned, via

LINEAR, ANGULAR = (0.5, 2.0), (1.0, 4.0)


def test_the_trapeze_of_the_course() -> None:
    move = timed(straight(pose(), pose((-0.3, 0.3, 0.3), (0, 0, math.pi / 2))), linear=LINEAR, angular=ANGULAR)
    assert move.duration == pytest.approx(math.pi / 2 + 1 / 4, abs=1e-12)
    np.testing.assert_allclose(move(move.duration), pose((-0.3, 0.3, 0.3), (0, 0, math.pi / 2)), atol=1e-12)


def test_a_short_way_has_no_even_part() -> None:
    move = timed(straight(pose(), pose((0.01, 0, 0))), linear=LINEAR)
    assert move.duration == pytest.approx(2 * math.sqrt(0.01 / 2.0))


def test_the_quintic_has_its_own_times() -> None:
    move = timed(straight(pose(), pose((1, 0, 0))), linear=(0.5, 100.0), profile="quintic")
    assert move.duration == pytest.approx(15 / 8 / 0.5)
    move = timed(straight(pose(), pose((1, 0, 0))), linear=(50, 2.0), profile="quintic")
    assert move.duration == pytest.approx(math.sqrt(10 / math.sqrt(3) / 2.0))


def paths() -> list[TaskPath]:
    random = np.random.default_rng(6)
    poses = [random_pose(random) for _ in range(5)]
    return [
        straight(poses[0], poses[1]),
        turned(poses[0], (1, 2, 3), 5.0),
        arc(poses[0], poses[1][:3, 3], poses[2]),
        via(poses, radian=0.5),
        via([pose(), pose((1, 0, 0)), pose((1, 1, 0))], blend=0.5),
    ]


@pytest.mark.parametrize("profile", ["trapeze", "quintic"])
@pytest.mark.parametrize("path", paths(), ids=lambda path: path.name)
def test_limits_are_kept(path: TaskPath, profile: str) -> None:
    move = timed(path, linear=LINEAR, angular=ANGULAR, profile=profile)  # type: ignore[arg-type]
    h = 1e-4
    t = np.linspace(3 * h, move.duration - 3 * h, 4001)
    a, b, c = move(t - h), move(t), move(t + h)
    speed, acceleration = (c - a)[:, :3, 3] / (2 * h), (c - 2 * b + a)[:, :3, 3] / h**2
    first, second = (
        Rotation.from_matrix(y[:, :3, :3] @ x[:, :3, :3].transpose(0, 2, 1)).as_rotvec() / h
        for x, y in ((a, b), (b, c))
    )
    used = [
        np.linalg.norm(speed, axis=1).max() / LINEAR[0],
        np.linalg.norm(acceleration, axis=1).max() / LINEAR[1],
        np.linalg.norm(first, axis=1).max() / ANGULAR[0],
        np.linalg.norm((second - first) / h, axis=1).max() / ANGULAR[1],
    ]
    assert max(used) < 1 + 1e-3
    assert max(used) > 0.6


def test_missing_limits_are_named() -> None:
    both = straight(pose(), pose((1, 0, 0), (0, 0, 1)))
    with pytest.raises(TrajectoryError, match=r"angular: the path needs"):
        timed(both, linear=LINEAR)
    with pytest.raises(TrajectoryError, match=r"linear: got .* a pair"):
        timed(both, linear=1.0, angular=ANGULAR)
    with pytest.raises(TrajectoryError, match=r"angular: got .* above zero"):
        timed(both, linear=LINEAR, angular=(0, 1))
    with pytest.raises(ArgumentError, match="profile: got 'cubic', expected 'quintic' or 'trapeze'"):
        timed(both, linear=LINEAR, angular=ANGULAR, profile="cubic")  # type: ignore[arg-type]
    assert timed(straight(pose(), pose((1, 0, 0))), linear=LINEAR).duration > 0
