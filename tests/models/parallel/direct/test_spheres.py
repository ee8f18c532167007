"""All poses of a platform six of whose points are on spheres."""

from __future__ import annotations

import json

import numpy as np
import pytest
from models.parallel.direct_robots import X, Z, lengths, pose, random_pose, turn
from published_mechanisms import Dietmaier
from scipy.spatial.transform import Rotation
from sweeps import crossed

from robosym.errors import RobosymError
from robosym.models.parallel.direct import spheres
from robosym.models.parallel.direct.paths import Ends, follow
from robosym.models.parallel.direct.spheres import sphere_poses


def hexagon(radius: float, half: float) -> np.ndarray:
    """Three pairs of points, each pair this angle to both sides."""
    angles = np.array([2 * np.pi / 3 * i + side * half for i in range(3) for side in (1, -1)])
    return np.array([radius * np.cos(angles), radius * np.sin(angles), 0 * angles]).T


def is_closed(found, points, centres, radii) -> None:
    assert (found.residuals < 1e-12).all()
    for T in found:
        np.testing.assert_allclose(lengths(points, centres, T), radii, rtol=0, atol=1e-12 * found.size)
        np.testing.assert_allclose(T[:3, :3] @ T[:3, :3].T, np.eye(3), atol=1e-14)
        assert np.linalg.det(T[:3, :3]) > 0


def by_newton(points: np.ndarray, centres: np.ndarray, radii: np.ndarray, starts: int) -> np.ndarray:
    """Poses (N, 4, 4) to which Newton's iteration leads from random ones: six lengths, by the rotation vector and the place."""
    rng = np.random.default_rng(1998)
    R, p = Rotation.random(starts, random_state=1998).as_matrix(), rng.normal(size=(starts, 3))
    for _ in range(40):
        arms = np.einsum("nij,kj->nki", R, points)
        ways = arms + p[:, None] - centres
        error = ((ways**2).sum(axis=2) - radii**2) / 2
        J = np.concatenate(
            [ways, np.cross(arms, ways)], axis=2
        )  # of half the squared length, by p and a turn of the platform
        step = np.linalg.solve(
            J.transpose(0, 2, 1) @ J + 1e-12 * np.eye(6), -np.einsum("nki,nk->ni", J, error)[:, :, None]
        )[:, :, 0]
        step *= np.minimum(1, 0.5 / np.linalg.norm(step, axis=1).clip(1e-9))[:, None]
        p = p + step[:, :3]
        R = Rotation.from_rotvec(step[:, 3:]).as_matrix() @ R
    found = np.tile(np.eye(4), (starts, 1, 1))
    found[:, :3, :3], found[:, :3, 3] = R, p
    return found[np.abs(error).max(axis=1) < 1e-12]


def test_dietmaier() -> None:
    """Forty real poses (Dietmaier 1998), as many as there can be, and those that Newton's iteration leads to."""
    points, centres, radii = Dietmaier.platform, Dietmaier.base, Dietmaier.lengths
    found = sphere_poses(points, centres, radii)
    assert len(found) == 40
    assert found.complete
    assert not found.singular.any()
    is_closed(found, points, centres, radii)
    poses = np.array(list(found))
    apart = np.abs(poses[:, None] - poses[None]).max(axis=(2, 3)) + np.eye(40)
    assert apart.min() > 1e-2
    others = by_newton(points, centres, radii, 1200)
    near = np.abs(others[:, None] - poses[None]).max(axis=(2, 3))
    assert near.min(axis=1).max() < 1e-9
    assert len(set(near.argmin(axis=1))) >= 36


@pytest.mark.parametrize(
    ("kind", "seed"), crossed(["general", "small platform", "planar", "near", "pairs", "large"], range(4), every=2)
)
def test_a_known_pose_is_among_them(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(kind)])
    points, centres, T = rng.normal(size=(6, 3)) / 2, rng.normal(size=(6, 3)), random_pose(rng)
    if kind == "small platform":
        points /= 50
    elif kind == "near":
        points, centres = points / 100, centres / 100
    elif kind == "planar":
        points[:, 2] = centres[:, 2] = 0
    elif kind == "pairs":
        points[1], points[3], points[5] = points[0], points[2], points[4]
    elif kind == "large":
        points, centres, T[:3, 3] = points * 1e4, centres * 1e4 + 1e5, T[:3, 3] * 1e4 + 1e5
    radii = lengths(points, centres, T)
    found = sphere_poses(points, centres, radii)
    is_closed(found, points, centres, radii)
    assert found.near(T)[1] < 1e-8
    assert found.complete
    assert len(found) % 2 == 0
    if kind == "planar":  # each pose has its image in the plane of the base
        assert len(found) % 4 == 0
    if kind == "pairs":
        assert len(found) <= 16


def test_other_ways_and_starts_give_the_same() -> None:
    rng = np.random.default_rng(8)
    points, centres = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    radii = lengths(points, centres, random_pose(rng))
    one, two = sphere_poses(points, centres, radii, seed=0), sphere_poses(points, centres, radii, seed=1)
    np.testing.assert_allclose(one.poses, two.poses, atol=1e-11)
    order = [3, 1, 5, 0, 2, 4]
    three = sphere_poses(points[order], centres[order], radii[order])
    np.testing.assert_allclose(one.poses, three.poses, atol=1e-11)


def test_modes_that_meet_are_listed_once() -> None:
    """Fichter's position: a symmetric platform turned by a right angle is singular, and so is one in the plane of its base."""
    points, centres = hexagon(0.5, 0.85), hexagon(1.0, 0.2)
    for T in (pose(turn(Z, np.pi / 2), 0.8 * Z), np.eye(4)):
        found = sphere_poses(points, centres, lengths(points, centres, T))
        near, far = found.near(T)
        assert far < 1e-4
        assert [
            bool(s) for s, one in zip(found.singular, found, strict=True) if one is near or np.array_equal(one, near)
        ] == [True]
        assert "modes meet" in found.message
        assert found.residuals.max() < 1e-11


def test_near_a_singular_pose_modes_are_not_lost() -> None:
    points, centres = hexagon(0.5, 0.85), hexagon(1.0, 0.2)
    for angle in (0.1, 1e-2, 1e-3):
        T = pose(turn(Z, np.pi / 2 - angle), 0.8 * Z)
        found = sphere_poses(points, centres, lengths(points, centres, T))
        assert found.near(T)[1] < 1e-6
        assert found.near(pose(turn(Z, np.pi / 2 + angle), 0.8 * Z))[1] < 3 * angle
        assert len(found) % 2 == 0


@pytest.mark.parametrize("kind", ["similar", "twice", "on a line"])
def test_platforms_that_move_with_their_motors_at_rest(kind: str) -> None:
    rng = np.random.default_rng(1)
    points, centres, T = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), random_pose(rng)
    if kind == "similar":
        points, centres = hexagon(0.5, 0.3), hexagon(1.0, 0.3)
    elif kind == "twice":
        points[1], centres[1] = points[0], centres[0]
    else:
        points = np.outer(np.arange(6) - 2.2, [0.3, 0.1, 0.2])
    found = sphere_poses(points, centres, lengths(points, centres, T))
    assert found.infinite
    assert not found.complete
    assert len(found) == 0
    assert "infinitely many" in found.message


def test_no_pose() -> None:
    found = sphere_poses(hexagon(0.1, 0.3), hexagon(1.0, 0.8), np.full(6, 0.05))
    assert len(found) == 0
    assert found.complete
    with pytest.raises(RobosymError, match="no pose"):
        found.near(np.eye(4))


def test_more_than_six_spheres() -> None:
    rng = np.random.default_rng(2)
    points, centres, T = rng.normal(size=(8, 3)), rng.normal(size=(8, 3)), random_pose(rng)
    found = sphere_poses(points, centres, lengths(points, centres, T))
    assert len(found) == 1
    assert found.near(T)[1] < 1e-10


def test_result_as_plain_data() -> None:
    points, centres = hexagon(0.5, 0.85), hexagon(1.0, 0.2)
    found = sphere_poses(points, centres, lengths(points, centres, pose(turn(X, 0.1), 0.9 * Z)))
    data = json.loads(json.dumps(found.as_dict()))
    np.testing.assert_array_equal(data["poses"], found.poses)
    assert data["complete"] is True
    assert data["starts"] == found.starts > 40
    assert "8 by spheres, complete" in repr(found)
    np.testing.assert_array_equal(found[1], list(found)[1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"points": np.zeros((5, 3))}, "radii"),
        ({"points": np.zeros((6, 2))}, "points"),
        ({"centres": np.full((6, 3), np.nan)}, "centres"),
        ({"radii": np.array([1, 1, 1, 1, 1, -1.0])}, "radii"),
        ({"radii": "long"}, "radii"),
        ({"points": np.zeros((5, 3)), "centres": np.zeros((5, 3)), "radii": np.ones(5)}, "at least six"),
    ],
)
def test_wrong_input_is_refused(change: dict, said: str) -> None:
    given = {"points": hexagon(0.5, 0.85), "centres": hexagon(1.0, 0.2), "radii": np.ones(6)} | change
    with pytest.raises(RobosymError, match=said):
        sphere_poses(**given)


@pytest.mark.parametrize("loss", ["two paths end at one", "a path stops"])
def test_lost_paths_are_not_called_complete(monkeypatch: pytest.MonkeyPatch, loss: str) -> None:
    """Whatever becomes of the paths, the result does not say that it is all there is."""
    points, centres = hexagon(0.5, 0.85) + 0.05 * np.sin(np.arange(18)).reshape(6, 3), hexagon(1.0, 0.2)
    radii = lengths(points, centres, pose(turn(X, 0.1), 0.9 * Z))
    whole = sphere_poses(points, centres, radii)
    assert whole.complete

    def lossy(*given):
        ends = follow(*given)
        z, t = ends.z.copy(), ends.t.copy()
        if loss == "a path stops":
            t[7] = 0.5
        else:
            z[:] = np.roll(z, 1, axis=0)
            z[7], t[7] = z[8], t[8]
        return Ends(z, t, ends.steps)

    monkeypatch.setattr(spheres, "follow", lossy)
    found = sphere_poses(points, centres, radii)
    assert not found.complete
    assert found.starts > whole.starts  # other ways were tried
    assert len(found) == len(whole)  # by the random starts
    assert "path" in found.message
