"""The quadratic forms of spheres in Study's parameters, and the start system with its forty solutions."""

from __future__ import annotations

import numpy as np
from models.parallel.direct_robots import random_pose

from robosym.models.parallel.direct.family import coefficients, pose_of, start, system
from robosym.models.parallel.direct.paths import refined


def _study(T: np.ndarray) -> np.ndarray:
    """Quaternion x, w first, and y = p x / 2 with p a vector quaternion."""
    R, p = T[:3, :3], T[:3, 3]
    x = np.linalg.eigh(_quaternion_form(R))[1][:, -1]
    w, v = x[0], x[1:]
    return np.array([*x, -p @ v / 2, *((w * p + np.cross(p, v)) / 2)])


def _quaternion_form(R: np.ndarray) -> np.ndarray:
    """Its largest eigenvector is the quaternion of R (Bar-Itzhack 2000)."""
    K = np.zeros((4, 4))
    K[0, 0] = np.trace(R)
    K[0, 1:] = K[1:, 0] = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    K[1:, 1:] = R + R.T - np.trace(R) * np.eye(3)
    return K


def test_forms_are_the_equation_of_a_sphere() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        T, a, c, l = random_pose(rng), rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.uniform(1, 2, 6)
        z = _study(T)
        values = np.einsum("a,iab,b->i", z, system(coefficients(a, c, l)), z).real
        d = a @ T[:3, :3].T + T[:3, 3] - c
        np.testing.assert_allclose(values, [*((d**2).sum(axis=1) - l**2), 0], atol=1e-12)
        R, p = pose_of(z[None])
        np.testing.assert_allclose(R[0], T[:3, :3], atol=1e-13)
        np.testing.assert_allclose(p[0], T[:3, 3], atol=1e-13)


def test_the_start_system_has_forty_regular_solutions() -> None:
    matrices, z = start()
    z, off, sigma = refined(matrices, z)
    assert z.shape == (40, 8)
    assert off.max() < 1e-12
    assert sigma.min() > 1e-3
    assert np.abs(np.einsum("na,iab,nb->ni", z, matrices, z)).max() < 1e-12
    assert (np.abs(z.conj() @ z.T) - np.eye(40)).max() < 0.999
