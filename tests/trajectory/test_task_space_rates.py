"""Velocities and accelerations of motions in space: circles in closed form, all else by differences in time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.trajectory import TaskMotion, arc, straight, timed, via
from robosym.trajectory.task_space_rates import rates


def pose(position: object, turn: object = (0, 0, 0)) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = np.asarray(position), Rotation.from_rotvec(np.asarray(turn, dtype=float)).as_matrix()
    return T


POSES = [
    pose((0.5, 0, 0.3), (0.1, 0.2, 0.3)),
    pose((0.2, 0.4, 0.5), (-0.5, 0.4, 1.0)),
    pose((-0.3, 0.3, 0.2), (0, 1.2, 0)),
]
LIMITS = {"linear": (0.5, 2.0), "angular": (1.0, 4.0), "profile": "quintic"}
MOTIONS = {
    "straight": lambda: timed(straight(*POSES[:2]), **LIMITS),
    "euler": lambda: timed(straight(*POSES[:2], rotation="euler"), **LIMITS),
    "arc": lambda: timed(arc(*POSES), **LIMITS),
    "via": lambda: timed(via(POSES), **LIMITS),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_beside_differences_in_time(name: str) -> None:
    motion = MOTIONS[name]()
    assert isinstance(motion, TaskMotion)
    t = np.linspace(0.01, motion.duration - 0.01, 83)
    h = 1e-5
    T, V, A = rates(motion, t)
    before, after = rates(motion, t - h), rates(motion, t + h)
    linear = (after[0][:, :3, 3] - before[0][:, :3, 3]) / (2 * h)
    turn = after[0][:, :3, :3] @ before[0][:, :3, :3].transpose(0, 2, 1)
    angular = Rotation.from_matrix(turn).as_rotvec() / (2 * h)
    np.testing.assert_allclose(V, np.concatenate([linear, angular], axis=1), atol=1e-7)
    np.testing.assert_allclose(A, (after[1] - before[1]) / (2 * h), atol=2e-5)
    np.testing.assert_allclose(T[:, 3], np.broadcast_to([0, 0, 0, 1], (83, 4)))
    assert np.abs(V).max() > 0.1


def test_a_circle_in_closed_form() -> None:
    """Radius 0.4 about (0, 0, 0.5), along which s goes with a quintic: v = r phi', and r phi'^2 towards the centre."""
    motion = timed(
        arc(pose((0.4, 0, 0.5)), pose((0, 0.4, 0.5)), pose((-0.4, 0, 0.5))), linear=(0.3, 1.0), profile="quintic"
    )
    t = np.linspace(0, motion.duration, 57)
    T, V, A = rates(motion, t)
    phi = np.unwrap(np.arctan2(T[:, 1, 3], T[:, 0, 3]))
    out = np.column_stack([np.cos(phi), np.sin(phi), 0 * phi])
    along = np.column_stack([-np.sin(phi), np.cos(phi), 0 * phi])
    s, sd, sdd = (x[:, 0] for x in motion.law(t))
    share = 0.4 * np.pi / motion.path.length  # of a length by its parameter
    np.testing.assert_allclose(V[:, :3], share * sd[:, None] * along, atol=1e-9)
    inward = (share * sd) ** 2 / 0.4
    np.testing.assert_allclose(A[:, :3], share * sdd[:, None] * along - inward[:, None] * out, atol=1e-8)
    assert s[-1] == pytest.approx(motion.path.length)


def test_it_rests_outside() -> None:
    motion = MOTIONS["straight"]()
    T, V, A = rates(motion, [-1.0, motion.duration + 1.0])
    np.testing.assert_allclose(T, POSES[:2], atol=1e-12)
    assert (V == 0).all()
    assert (A == 0).all()
