"""Ways between frames: the poses of an independent product, and what two of them share is made once."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import frame_poses, numbers
from random_robots import random_robot
from sweeps import many

import robosym
from robosym.expr import expr
from robosym.models.tree.paths import Poses, Ways
from robosym.program import Unmarked
from robosym.robot import Robot
from robosym.spatial.screws import Product
from robosym.spatial.vectors import Vector


def matrix(robot: Robot, pose: tuple[tuple[Vector, Vector, Vector], Vector], q: np.ndarray) -> np.ndarray:
    columns, position = pose
    T = np.eye(4)
    T[:3] = np.reshape(numbers(robot, [expr(x) for vector in (*columns, position) for x in vector], q), (4, 3)).T
    return T


@pytest.mark.parametrize("seed", range(many(2)))
def test_between_any_two_frames_there_and_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 9, rich=seed % 2 == 0)
    q = rng.uniform(-2, 2, robot.nq)
    expected = {0: np.eye(4), **frame_poses(robot, q)}
    ways, poses = Ways(robot), Poses(Unmarked())
    for start in range(len(robot.frames) + 1):
        for end in range(len(robot.frames) + 1):
            T = matrix(robot, poses(ways(start, end)), q)
            np.testing.assert_allclose(T, np.linalg.inv(expected[start]) @ expected[end], atol=1e-12)
            there, back = ways(start, end), ways(end, start)
            assert len([*there]) == len([*back])


def test_the_way_back_is_the_inverse_of_every_motion() -> None:
    ways = Ways(robosym.load("rx90"))
    there = ways(1, 6)
    backwards = []
    while there.before is not None:
        backwards.append(there.back)
        there = there.before
    assert [(m.axis, m.angle, m.shift) for m in backwards] == [(m.axis, m.angle, m.shift) for m in ways(6, 1)]


@pytest.mark.parametrize("start", [0, 30, 60])
def test_every_motion_is_multiplied_once(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    then = Product.then
    monkeypatch.setattr(Product, "then", lambda self, *rest: made.append(1) or then(self, *rest))
    robot = robosym.load("general-60r")
    ways, poses = Ways(robot), Poses(Unmarked())
    for j in (*range(60, 0, -1), *range(61)):
        poses(ways(start, j))
    assert len(made) <= 4 * 60  # three motions a frame; where two frames' screws join, one more
