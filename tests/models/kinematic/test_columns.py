"""The columns of a Jacobian matrix, on any axes and points: the derivative of positions, whatever the form."""

from __future__ import annotations

import numpy as np
import pytest
from models.kinematic.mass_states import random_placed
from models.reference import frame_poses, numbers

import robosym
from robosym.expr import expr
from robosym.models.kinematic.columns import LEVERS, Column, Joints, Point, about_middle, origins
from robosym.models.kinematic.jacobian import rows_of
from robosym.program import Scope, Unmarked
from robosym.robot import Robot
from robosym.spatial.screws import from_left


def values(robot: Robot, joints: Joints, axes: int, point: Point, lever: str, q: np.ndarray) -> np.ndarray:
    rows = rows_of(joints.columns(axes, point, lever))  # type: ignore[arg-type]
    return np.array(numbers(robot, [x for row in rows for x in row], q)).reshape(6, -1)


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 7])
def test_they_are_derivatives(seed: int) -> None:
    """Of a point of the last link, in the axes of another frame; the angular half of its orientation."""
    robot = random_placed(seed, 6)
    n, rng = len(robot.frames), np.random.default_rng(seed)
    q, axes, tip, h = rng.uniform(-1, 1, robot.nq), int(rng.integers(0, n + 1)), np.array([0.3, -0.2, 0.5]), 1e-6
    point = Point(n, tuple(expr(float(x)) for x in tip))  # type: ignore[arg-type]

    def placed(at: np.ndarray) -> np.ndarray:
        return frame_poses(robot, at)[n]

    R = frame_poses(robot, q)[axes][:3, :3].T
    expected = np.zeros((6, robot.nv))
    for k, step in enumerate(np.eye(robot.nq) * h):
        slope = (placed(q + step) - placed(q - step)) / (2 * h)
        spin = slope[:3, :3] @ placed(q)[:3, :3].T
        expected[:3, k] = R @ (slope @ [*tip, 1])[:3]
        expected[3:, k] = R @ [spin[2, 1], spin[0, 2], spin[1, 0]]
    for add_angles in (True, False):
        joints = Joints(robot, n, Scope(), add_angles)
        for lever in LEVERS:
            np.testing.assert_allclose(values(robot, joints, axes, point, lever, q), expected, atol=1e-8)


def test_a_pose_is_the_product_of_its_path_in_any_order_of_asking() -> None:
    robot = robosym.load("rx90")
    for ends in ((6, 2, 4), (2, 4, 6)):
        joints = Joints(robot, 6, Unmarked())
        for start in (0, 3, 6):
            for end in ends:
                columns, position = from_left(joints.path(start, end), Unmarked())
                assert joints.orientation(start, end) == columns
                assert joints.position(Point(end), start) == position


def test_origins_that_coincide_count_once() -> None:
    robot = robosym.load("rx90")  # shoulder at frames 1 and 2, wrist at frames 4, 5 and 6
    assert origins(robot, 6) == [0, 3, 4]


def test_columns_add_and_scale() -> None:
    one = Column((1, 2, 3), (4, 5, 6))
    assert (one + one.scaled(2)).entries == (3, 6, 9, 12, 15, 18)


def test_the_middle_of_a_way() -> None:
    assert about_middle(list(range(10)), 4) == [3, 4, 5, 6]
    assert about_middle(list(range(3)), 4) == [0, 1, 2]
