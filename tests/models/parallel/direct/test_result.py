"""Distances of poses, which of them are one, and the order in which they are listed."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.direct_robots import pose, random_pose, turn
from scipy.spatial.transform import Rotation

from robosym.errors import RobosymError
from robosym.models.parallel.direct.result import Poses, different, distances, unseen


def listed(poses: np.ndarray, **changed: object) -> Poses:
    n = len(poses)
    entries = {"residuals": np.arange(n) / 10, "complete": True, "message": "m", "method": "x", "starts": 3}
    return Poses(np.array(poses), **{**entries, "singular": np.arange(n) == 1, "size": 2.0, **changed})


def test_distances_are_angles_or_lengths_over_the_size() -> None:
    rng = np.random.default_rng(0)
    poses, T = np.array([random_pose(rng) for _ in range(20)]), random_pose(rng)
    turned = Rotation.from_matrix(poses[:, :3, :3]) * Rotation.from_matrix(T[:3, :3]).inv()
    away = np.linalg.norm(poses[:, :3, 3] - T[:3, 3], axis=1)
    for size in (0.3, 2.0):
        np.testing.assert_allclose(distances(poses, T, size), np.maximum(turned.magnitude(), away / size), rtol=1e-6)
    over = pose(turn(rng.normal(size=3), np.pi) @ T[:3, :3], T[:3, 3])
    np.testing.assert_allclose(distances(over[None], T, 1.0), [np.pi], atol=1e-7)


def test_the_nearest_pose() -> None:
    rng = np.random.default_rng(1)
    poses = np.array([random_pose(rng) for _ in range(6)])
    near, far = listed(poses).near(pose(turn([1, 2, 3], 0.02) @ poses[4][:3, :3], poses[4][:3, 3]))
    np.testing.assert_array_equal(near, poses[4])
    assert far == pytest.approx(0.02)
    with pytest.raises(RobosymError, match="4 by 4"):
        listed(poses).near(np.eye(3))
    with pytest.raises(RobosymError, match="no pose"):
        listed(poses[:0]).near(np.eye(4))


def test_the_order_is_by_position_then_rotation_and_everything_moves_along() -> None:
    p = [[1.0, 0, 0], [-1, 5, 0], [-1, 2, 0], [-1, 2, 1e-9]]
    R = [np.eye(3), np.eye(3), np.eye(3), turn([0, 0, 1], 1.0)]
    poses = np.array([pose(one, np.array(at)) for one, at in zip(R, p, strict=True)])
    found = listed(poses, passive=np.arange(4.0)[:, None]).arranged()
    order = [3, 2, 1, 0]  # of the rotations with the same position: cos(1) < 1
    np.testing.assert_array_equal(found.poses, poses[order])
    np.testing.assert_array_equal(found.residuals, np.array(order) / 10)
    np.testing.assert_array_equal(found.singular, np.array(order) == 1)
    np.testing.assert_array_equal(found.passive[:, 0], order)
    assert listed(poses).arranged().passive is None


def test_poses_that_are_one() -> None:
    """Regular ones within 1e-6, singular ones within 1e-4; a regular one stands for the singular one beside it."""
    at = [0.0, 5e-7, 2e-6, 1.0, 1.0 + 5e-5, 2.0, 2.0 + 5e-5]
    poses = np.array([pose(np.eye(3), np.array([x, 0, 0])) for x in at])
    singular = np.array([False, False, False, True, False, False, False])
    chosen, times = different(poses, singular, 1.0)
    assert dict(zip(chosen, times, strict=True)) == {0: 2, 2: 1, 4: 2, 5: 1, 6: 1}
    assert different(poses, singular, 10.0)[0] == [0, 4, 5, 6]
    assert different(poses[:0], singular[:0], 1.0) == ([], [])


def test_good_and_turings_estimate() -> None:
    assert unseen([1, 1, 2, 6]) == 0.2
    assert unseen([]) == 0.0


def test_words_and_data() -> None:
    found = listed(np.array([np.eye(4)]), complete=False, singular=np.array([True]), residuals=np.zeros(1))
    assert "1 by x, may be incomplete. m" in repr(found)
    assert "complete" in repr(listed(np.array([np.eye(4)])))
    data = found.as_dict()
    assert data["singular"] == [True]
    assert data["passive"] is None
    assert set(data) == set(Poses.__dataclass_fields__) - {"size"}
    np.testing.assert_array_equal(found[0], np.eye(4))
    assert len(list(found)) == len(found) == 1
