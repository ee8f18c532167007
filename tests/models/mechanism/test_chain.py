"""Chains of frames in numbers, against products of matrices and differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import place, values_at
from random_robots import random_robot
from scipy.spatial.transform import Rotation

import robosym
from robosym.errors import RobosymError
from robosym.expr import sin
from robosym.models.mechanism.chain import Chain, Geometry, geometry_of, variable_of
from robosym.robot import PRISMATIC, Robot

SIZE = 1.7


def geometry(robot: Robot) -> Geometry:
    values = {s: robot.values[s.name].number for s in robot.parameter_symbols if s.name in robot.values}
    return geometry_of(robot, {j: robot.geometry(j) for j in robot.order}, robot.moving, values)


@pytest.mark.parametrize("seed", range(4))
def test_poses_are_products_of_frames(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 6, rich=True)
    own = geometry(robot)
    slides = np.array([robot.frame(j).sigma == PRISMATIC for j in robot.moving])
    assert own.sliding == tuple(slides.tolist())
    x = rng.uniform(-2, 2, (3, len(robot.moving)))
    for j in robot.order:
        chain = own.chain(robot.path(j), SIZE)
        T = chain.end(x / np.where(slides, SIZE, 1.0))[0]
        for b in range(3):
            at = {robot.frame(i).joint.name: float(v) for i, v in zip(robot.moving, x[b], strict=True)}
            expected = place(robot, j, values_at(robot, at))
            expected[:3, 3] /= SIZE
            np.testing.assert_allclose(T[b], expected, atol=1e-12)
    assert own.length(robot.order) == pytest.approx(sum(np.abs(own.rows[j][[1, 3, 5]]).sum() for j in robot.order))


def test_frames_that_do_not_move() -> None:
    robot = random_robot(np.random.default_rng(3), 6)
    own, last = geometry(robot), max(robot.order)
    expected = own.chain(robot.path(last)).end(np.zeros((1, len(robot.moving))))[0][0]
    np.testing.assert_array_equal(own.still(robot.path(last)), expected)
    scaled = own.still(robot.path(last), SIZE)
    np.testing.assert_allclose(scaled[:3, 3] * SIZE, expected[:3, 3], atol=1e-14)
    np.testing.assert_allclose(scaled[:3, :3], expected[:3, :3], atol=1e-15)
    np.testing.assert_array_equal(own.still(()), np.eye(4))


def test_the_twist_of_the_end() -> None:
    rng = np.random.default_rng(5)
    robot = random_robot(rng, 6, rich=True)
    chain = geometry(robot).chain(robot.path(max(robot.order)), SIZE)
    x, h = rng.uniform(-1, 1, (2, len(robot.moving))), 1e-6
    twist = chain.end(x)[1]
    for k, step in enumerate(np.eye(x.shape[1]) * h):
        after, before = chain.end(x + step)[0], chain.end(x - step)[0]
        np.testing.assert_allclose((after - before)[:, :3, 3] / (2 * h), twist[:, :3, k], atol=1e-8)
        turned = Rotation.from_matrix(after[:, :3, :3] @ np.swapaxes(before[:, :3, :3], 1, 2)).as_rotvec()
        np.testing.assert_allclose(turned / (2 * h), twist[:, 3:, k], atol=1e-8)


def test_a_chain_without_frames_stays() -> None:
    T, twist = Chain(np.zeros((0, 4, 4)), np.zeros((0, 2, 3)), np.zeros((0, 2))).end(np.zeros((2, 3)))
    np.testing.assert_array_equal(T, np.tile(np.eye(4), (2, 1, 1)))
    np.testing.assert_array_equal(twist, np.zeros((2, 6, 3)))


def test_what_is_no_geometry_in_numbers() -> None:
    robot = robosym.load("planar-2r")
    bent = replace(robot.frame(1), theta=sin(robot.frame(1).theta))
    with pytest.raises(RobosymError, match="linear in the positions"):
        geometry(robot.replace(frames=(bent, *robot.frames[1:])))
    nothing = dict.fromkeys(robot.parameter_symbols, np.nan)
    with pytest.raises(RobosymError, match="no value with these parameters"):
        geometry_of(robot, {j: robot.geometry(j) for j in robot.order}, robot.moving, nothing)
    assert variable_of(robot, 1) == robot.frame(1).joint.variable
    fixed = replace(robot.frame(1), joint=replace(robot.frame(1).joint, variable=None))
    with pytest.raises(RobosymError, match="has no variable"):
        variable_of(robot.replace(frames=(fixed, *robot.frames[1:])), 1)
