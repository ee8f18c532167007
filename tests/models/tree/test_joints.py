"""Kinds of joints by their axes, and a free joint's place and rates, against SciPy's rotations."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from robosym.models.tree.joints import FREE, PRISMATIC, REVOLUTE, RIGID, free_motion, free_rates


def random_place(rng: np.random.Generator) -> np.ndarray:
    quaternion = rng.normal(size=4)
    return np.concatenate([rng.normal(size=3), quaternion / np.linalg.norm(quaternion)])


def test_axes_are_unit_twists() -> None:
    assert np.array(REVOLUTE.axes).reshape(-1, 6).tolist() == [[0, 0, 0, 0, 0, 1]]
    assert np.array(PRISMATIC.axes).reshape(-1, 6).tolist() == [[0, 0, 1, 0, 0, 0]]
    assert RIGID.axes == ()
    np.testing.assert_array_equal(np.array(FREE.axes).reshape(6, 6), np.eye(6))


def test_where_a_free_joint_stands() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        q = random_place(rng)
        found = free_motion(q.tolist())
        np.testing.assert_allclose(np.array(found.columns).T, Rotation.from_quat(q[3:]).as_matrix(), atol=1e-14)
        np.testing.assert_array_equal(found.position, q[:3])


def test_its_rates_are_those_of_a_motion_with_this_twist() -> None:
    """The twist is in the moved frame: R(t) = R exp(w t), p' = R v."""
    rng, step = np.random.default_rng(1), 1e-6
    for _ in range(5):
        q, qd = random_place(rng), rng.normal(size=6)
        R = Rotation.from_quat(q[3:])
        after, before = (
            np.concatenate(
                [q[:3] + sign * step * R.apply(qd[:3]), (R * Rotation.from_rotvec(sign * step * qd[3:])).as_quat()]
            )
            for sign in (1, -1)
        )
        for one in (after, before):  # a quaternion and its negative are one orientation
            one[3:] *= np.sign(one[3:] @ q[3:])
        found = np.array(free_rates(q.tolist(), qd.tolist()))
        np.testing.assert_allclose(found, (after - before) / (2 * step), atol=1e-9)
        assert abs(found[3:] @ q[3:]) < 1e-14  # the length stays one
