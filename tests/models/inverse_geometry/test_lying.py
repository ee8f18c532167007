"""Poses in any arrangement have solutions in that arrangement, each as it has them alone."""

from __future__ import annotations

import numpy as np
import pytest

from robosym import RobosymError, load, models


@pytest.fixture(scope="module")
def solver():
    return models.inverse_geometric(load("rx90"))


@pytest.fixture(scope="module")
def q():
    return np.random.default_rng(0).uniform(-1, 1, (2, 3, 6))


@pytest.fixture(scope="module")
def T(q):
    direct = models.transform(load("rx90")).compile()
    poses = direct(q=q)
    poses[1, 1, 0, 3] = 9.0  # out of reach
    poses[0, 2] = direct(q=np.zeros(6))  # singular
    return poses


def test_as_one_by_one(solver, T):
    many = solver.batch(T)
    assert many.counts.shape == many.status.shape == (2, 3)
    assert many.solutions.shape[:2] == (2, 3)
    assert many.free.shape == many.solutions.shape
    for place in np.ndindex(2, 3):
        alone = solver(T[place])
        np.testing.assert_array_equal(many.of(place), alone.solutions)
        moving = many.free[place].any(axis=0)
        assert tuple(name for name, one in zip(solver.joint_names, moving, strict=True) if one) == alone.free
    assert many.status.tolist() == [[1, 1, 2], [1, 0, 1]]


@pytest.mark.parametrize("T_of", [np.asfortranarray, lambda T: T.tolist(), lambda T: np.repeat(T, 2, axis=1)[:, ::2]])
def test_however_they_are_given(solver, T, T_of):
    np.testing.assert_array_equal(solver.batch(T_of(T)).solutions, solver.batch(T).solutions)


def test_none(solver):
    found = solver.batch(np.zeros((2, 0, 4, 4)))
    assert found.counts.shape == (2, 0)
    assert found.solutions.shape[:2] == (2, 0)


def test_seeds_lie_as_the_poses_or_broadcast(solver, T, q):
    for seed in (q, q[0], q[:, :1], q[0, 0]):
        many = solver.batch(T, seed=seed)
        near = np.broadcast_to(seed, (2, 3, 6))
        for place in np.ndindex(2, 3):
            np.testing.assert_allclose(many.of(place), solver(T[place], seed=near[place]).solutions, atol=1e-14)
    with pytest.raises(RobosymError, match="seed"):
        solver.batch(T, seed=np.zeros((2, 2, 3, 6)))
    with pytest.raises(RobosymError, match="do not broadcast: T"):
        solver.batch(T, seed=np.zeros((4, 6)))


def test_parameters_lie_as_the_poses(solver, T):
    lengths = np.array([[0.45], [0.46]])
    many = solver.batch(T, parameters={"D3": lengths})
    for place in ((0, 0), (1, 2)):
        alone = solver(T[place], parameters={"D3": lengths[place[0], 0]})
        np.testing.assert_array_equal(many.of(place), alone.solutions)
        assert alone.residuals.max() < 1e-12


def test_joints_given_by_name():
    robot = load("planar-3r")
    last = robot.joint_names[-1]
    solver = models.inverse_geometric(robot, task="position", given=[last])
    poses = models.transform(robot).compile()(q=np.random.default_rng(1).uniform(-1, 1, (2, 2, 3)))
    held = np.array([[0.1], [0.2]])
    many = solver.batch(poses, given={last: held})
    for place in np.ndindex(2, 2):
        alone = solver(poses[place], given=[held[place[0], 0]])
        np.testing.assert_array_equal(many.of(place), alone.solutions)
        assert alone.residuals.shape == (len(alone),)
    places = solver.batch(poses[..., :3, 3], given={last: held})
    np.testing.assert_array_equal(places.counts, many.counts)


def test_what_is_no_pose_is_named(solver):
    with pytest.raises(RobosymError, match=r"T: got shape \(.*3, 5\), expected \(N, 4, 4\)"):
        solver.batch(np.zeros((2, 2, 3, 5)))
