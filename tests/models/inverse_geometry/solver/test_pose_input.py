"""The pose as it is given: what is no pose is named, and a rough rotation is repaired by the nearest one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.solver.solvers import has, pose_of, solver_of
from random_poses import random_pose
from scipy.linalg import polar

from robosym import RobosymError
from robosym.models.inverse_geometry.solver.pose_input import (
    as_poses,
    checked,
    each_in_a_row,
    normalised,
    poses_lie,
    refuse,
)


@pytest.mark.parametrize(
    ("T", "words"),
    [
        (np.eye(3), r"shape \(.*3, 3\), expected \(.*4, 4\)"),
        ([["a"] * 4] * 4, "expected real numbers"),
        (np.diag([1, 1, np.nan, 1]), "not finite"),
        (np.array([[1, 0, 0, np.inf], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), "not finite"),
        (np.diag([1, 1, -1, 1.0]), "reflection"),
        (np.diag([1, 1, 1.001, 1]), "not orthonormal: R\\^T R misses the identity by 0.002"),
        (np.diag([1, 1, 1, 2.0]), "last row"),
    ],
)
def test_what_is_no_pose_is_named(T: Any, words: str) -> None:
    solver = solver_of("puma560")
    with pytest.raises(RobosymError, match=words):
        solver(T)
    with pytest.raises(RobosymError, match=words):
        solver.batch([T, T])


def test_a_batch_names_the_pose_that_is_wrong() -> None:
    poses = np.tile(np.eye(4), (5, 1, 1))
    poses[3, 0, 0] = 1.1
    with pytest.raises(RobosymError, match=r"T\[3\]: its rotation"):
        solver_of("puma560").batch(poses)


def test_a_rough_rotation_is_repaired_if_asked() -> None:
    solver, q = solver_of("puma560"), np.array([0.4, -0.5, 0.6, 0.7, -0.8, 0.9])
    T = pose_of("puma560", q)
    rough = T.copy()
    rough[:3, :3] *= 1.01
    with pytest.raises(RobosymError, match="normalise=True"):
        solver(rough)
    assert has(solver(rough, normalise=True).solutions, q)
    assert has(solver.batch([rough], normalise=True).of(0), q)
    with pytest.raises(RobosymError, match="reflection"):
        solver(np.diag([1, 1, -1, 1.0]), normalise=True)


@pytest.mark.parametrize("seed", range(6))
def test_a_matrix_that_is_no_pose_is_not_repaired(seed: int) -> None:
    not_repaired(seed)


def not_repaired(seed: int) -> None:
    """``normalise`` repairs a rotation and nothing else: a last row other than (0, 0, 0, 1) is named."""
    rng = np.random.default_rng(seed)
    solver, q = solver_of("puma560"), rng.uniform(-1, 1, 6)
    T = pose_of("puma560", q)
    rough = T.copy()
    rough[3] += rng.uniform(-1e-8, 1e-8, 4)
    assert has(solver(rough, normalise=True).solutions, q)
    wrong = T.copy()
    wrong[3, rng.integers(4)] += rng.choice([-1, 1]) * 10 ** rng.uniform(-5, 1)
    wrong[3] = [0, 0, 1, 1] if not seed else wrong[3]
    transposed = T.T
    for matrix in (wrong, transposed):
        for call in (lambda m: solver(m, normalise=True), lambda m: solver.batch([T, m], normalise=True)):
            with pytest.raises(RobosymError, match=r"T(\[1\])?: the last row is .*, expected \[0, 0, 0, 1\]"):
                call(matrix)
    wrong[3] = np.nan
    with pytest.raises(RobosymError, match="not finite"):
        solver(wrong, normalise=True)


# --- the functions -----------------------------------------------------------------------------------------------------


def random_poses(count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([random_pose(rng) for _ in range(count)])


def test_one_or_many_poses_or_places() -> None:
    poses = random_poses(3)
    np.testing.assert_array_equal(as_poses(poses.tolist(), batched=True), poses)
    np.testing.assert_array_equal(as_poses(poses[1], batched=False), poses[1:2])
    assert as_poses(poses[:0], batched=True).shape == (0, 4, 4)
    places = as_poses(poses[:, :3, 3], batched=True, position=True)
    np.testing.assert_array_equal(places[:, :3, 3], poses[:, :3, 3])
    np.testing.assert_array_equal(places[:, :3, :3], [np.eye(3)] * 3)
    np.testing.assert_array_equal(as_poses([1, 2, 3], batched=False, position=True)[0, :3, 3], [1, 2, 3])
    np.testing.assert_array_equal(as_poses(poses, batched=True, position=True), poses)
    for wrong, batched, position, words in (
        (poses, False, False, r"got shape \(3, 4, 4\), expected \(4, 4\)$"),
        (poses[0], True, False, r"got shape \(4, 4\), expected \(N, 4, 4\)$"),
        (poses[0, :3], False, True, r"expected \(4, 4\) or \(3,\)$"),
        (poses[:, :3], True, True, r"expected \(N, 4, 4\) or \(N, 3\)$"),
        ([1.0, 2, 3], False, False, "the whole pose of this frame is solved for"),
    ):
        with pytest.raises(RobosymError, match=words):
            as_poses(wrong, batched, position)


@pytest.mark.parametrize(
    ("shape", "position", "lead"),
    [
        ((4, 4), False, ()),
        ((5, 4, 4), False, (5,)),
        ((2, 5, 4, 4), True, (2, 5)),
        ((3,), True, ()),
        ((2, 7, 3), True, (2, 7)),
        ((2, 7, 3), False, (2,)),
    ],
)
def test_the_axes_in_front(shape: tuple[int, ...], position: bool, lead: tuple[int, ...]) -> None:
    assert poses_lie(np.zeros(shape), position) == lead
    assert poses_lie(np.zeros(shape).tolist(), position) == lead


def test_what_is_given_for_each_pose_in_a_row() -> None:
    value = np.arange(12.0).reshape(2, 3, 2)
    np.testing.assert_array_equal(each_in_a_row("seed", value, (2, 3), 1), value.reshape(6, 2))
    np.testing.assert_array_equal(
        each_in_a_row("seed", value[:, :1], (2, 3), 1), value[:, :1].repeat(3, 1).reshape(6, 2)
    )
    np.testing.assert_array_equal(each_in_a_row("seed", value[0], (2, 3), 1), np.concatenate([value[0], value[0]]))
    single = [1.0, 2.0]
    assert each_in_a_row("seed", single, (2, 3), 1) is single
    assert each_in_a_row("seed", None, (2, 3), 1) is None
    assert each_in_a_row("parameter", 2.0, (2, 3), 0) == 2.0
    with pytest.raises(RobosymError, match=r"seed: got shape \(4, 2, 3, 2\), expected the axes \(2, 3\) of the poses"):
        each_in_a_row("seed", np.zeros((4, 2, 3, 2)), (2, 3), 1)
    with pytest.raises(RobosymError, match="do not broadcast"):
        each_in_a_row("seed", np.zeros((3, 2, 2)), (2, 3), 1)


def test_a_rotation_is_repaired_by_the_nearest() -> None:
    """The orthogonal factor of the polar decomposition."""
    poses = random_poses(6, seed=1)
    rough = poses.copy()
    rough[:, :3, :3] += 0.1 * np.random.default_rng(2).normal(size=(6, 3, 3))
    found = normalised(rough)
    np.testing.assert_allclose(found[:, :3, :3], [polar(R)[0] for R in rough[:, :3, :3]], atol=1e-12)
    np.testing.assert_array_equal(found[:, :, 3], poses[:, :, 3])
    np.testing.assert_allclose(normalised(poses), poses, atol=1e-14)
    assert normalised(np.zeros((0, 4, 4))).shape == (0, 4, 4)
    for factor in (0.45, 2.1):
        with pytest.raises(RobosymError, match="too far from orthonormal"):
            normalised(poses * [[[factor] * 3 + [1]]] * np.array([1, 1, 1, 1])[:, None])


def test_which_of_many_is_none() -> None:
    poses = random_poses(4, seed=3)
    assert checked(poses, batched=True) is poses
    for entry, change, words in (
        ((2, 0, 0), 1e-3, r"T\[2\]: its rotation is not orthonormal"),
        ((1, 3, 2), 1e-5, r"T\[1\]: the last row is"),
        ((3, 1, 3), np.nan, r"T\[3\]: holds numbers that are not finite"),
        ((0, 2, 2), -2 * poses[0, 2, 2], r"T\[0\]: its rotation"),
    ):
        wrong = poses.copy()
        wrong[entry] += change
        with pytest.raises(RobosymError, match=words):
            checked(wrong, batched=True)
        with pytest.raises(RobosymError, match=words):
            refuse(wrong, batched=True)
    tiny = poses.copy()
    tiny[:, :3, :3] += 1e-12
    checked(tiny)
    with pytest.raises(RobosymError, match=r"^T: its rotation is not orthonormal \(normalise"):
        refuse(poses, batched=False)
    swapped = poses.copy()
    swapped[0, :3, :3] = swapped[0, :3, :3] @ np.diag([1, 1, -1])
    with pytest.raises(RobosymError, match="T: its rotation is a reflection"):
        checked(swapped)
