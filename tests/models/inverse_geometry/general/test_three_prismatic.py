"""Three prismatic joints: the rotations close, the lengths follow, and both solutions make the pose."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import THREE_PRISMATIC, random_arm
from random_poses import random_pose

from robosym.models.inverse_geometry.general.three_prismatic import ThreePrismatic


@pytest.mark.parametrize("kinds", THREE_PRISMATIC)
def test_three_prismatic_joints_close(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(8)
    method = ThreePrismatic(random_arm(rng, kinds))
    q = rng.uniform(-1, 1, (20, 6))
    X = method.arm.poses(q)
    angles, possible = method.angles(X)
    assert possible.all()
    made = []
    for k in range(2):
        directions, way = method.lengths_equation(X, angles[:, k])
        lengths = np.linalg.solve(directions, way[:, :, None])[:, :, 0]
        made.append(method.joints(angles[:, k], lengths))
        assert np.allclose(method.arm.poses(made[-1]), X, atol=1e-9)
    apart = np.array(made) - q
    apart[..., method.revolute] = (apart[..., method.revolute] + np.pi) % (2 * np.pi) - np.pi
    assert np.abs(apart).max(axis=2).min(axis=0).max() < 1e-9  # one of them is where the pose came from


@pytest.mark.parametrize("kinds", THREE_PRISMATIC)
def test_the_equation_and_the_polynomial_of_the_middle_joint(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(9)
    arm = random_arm(rng, kinds)
    method = ThreePrismatic(arm)
    turning = [i for i, kind in enumerate(kinds) if kind == 0]
    assert (method.revolute, method.hidden) == (turning, turning[1])
    for q in rng.uniform(-3, 3, (5, 6)):
        X = arm.poses(q[None])[0]
        p, r, s = method.equation(X)
        b = arm.signs[method.hidden] * q[method.hidden]
        assert p * np.cos(b) + r * np.sin(b) == pytest.approx(s, abs=1e-12)
        coefficients, x = method.polynomial(X), np.tan(q[method.hidden] / 2)
        assert np.abs(coefficients).max() == pytest.approx(1)
        assert np.polyval(coefficients, x) == pytest.approx(0, abs=1e-10 * (1 + x * x))


def test_an_orientation_out_of_reach() -> None:
    """Axes of revolute joints that are nearly parallel tilt the frame by little; as far as they can, they turn."""
    rng = np.random.default_rng(10)
    arm = random_arm(rng, THREE_PRISMATIC[0])
    method = ThreePrismatic(arm)
    p, q, s = method.equation(np.eye(4))
    offset, reach = method._wanted(np.eye(4))[2, 2] - s, np.hypot(p, q)  # zz = offset + p cos b + q sin b
    least, most = offset - reach, offset + reach
    X = np.array([random_pose(rng) for _ in range(200)])
    zz = method._wanted(X)[:, 2, 2]
    angles, possible = method.angles(X)
    assert 0 < possible.sum() < 200
    np.testing.assert_array_equal(possible, (least <= zz) & (zz <= most))
    both = np.exp(1j * angles[~possible])
    np.testing.assert_allclose(both[:, 0], both[:, 1], atol=1e-12)  # as far as they can: both at the same angle
