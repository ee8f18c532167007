"""The elimination: what is projected away, and rows that vanish at true joint positions."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import ALL_REVOLUTE, KINDS, random_arm

from robosym.models.inverse_geometry.general.elimination import TIMES_U, TIMES_V, affine_only, right_side, split_rows
from robosym.models.inverse_geometry.general.invariants import AXIS, PP, W, joint_motion, representation
from robosym.models.inverse_geometry.general.labelling import Labelling, inverse, labellings
from robosym.models.inverse_geometry.general.roots import Elimination


def filled(labelling: Labelling, constants: np.ndarray, seed: int) -> list[np.ndarray]:
    """The gaps with a random pose in the one it belongs to."""
    gaps = labelling.gaps(constants)
    pose = random_arm(np.random.default_rng(seed), ALL_REVOLUTE).constants[1]
    return [pose if gap is None else gap for gap in gaps]


@pytest.mark.parametrize("kinds", KINDS)
def test_the_right_side_is_projected_away(kinds: tuple[int, ...]) -> None:
    """f = C2^-1 J2^-1 C1^-1 J1^-1 C6^-1 on the axis: rows f = 0, and the products of terms of joints 2 and 1 come back."""
    rng = np.random.default_rng(1)
    arm = random_arm(rng, kinds)
    for labelling in labellings(kinds):
        own, gaps = labelling.kinds(arm), filled(labelling, arm.constants, 2)
        side = right_side(own, gaps)
        assert np.linalg.matrix_rank(side.rows) == len(side.rows)
        for q1, q2 in rng.uniform(-2, 2, (3, 2)):
            motions = [inverse(gaps[1]), joint_motion(own[1], -q2), inverse(gaps[0]), joint_motion(own[0], -q1)]
            f = AXIS
            for motion in (inverse(gaps[5]), *reversed(motions)):
                f = representation(motion) @ f
            np.testing.assert_allclose(side.rows @ f, 0, atol=1e-12)
            one, two = (
                [1, -q, q * q] if k else [1, np.cos(q), -np.sin(q)] for k, q in zip(own, (q1, q2), strict=False)
            )
            products = np.outer(two, one).ravel()
            if not affine_only(own):
                got = side.inverse @ (f - side.constant)
                shown = np.array(side.present[1:])
                np.testing.assert_allclose(got[shown], products[1:][shown], atol=1e-8)


def test_one_slide_on_each_side_needs_no_squares() -> None:
    assert affine_only([1, 0, 0, 0, 1, 0])
    assert affine_only([0, 1, 0, 1, 0, 0])
    assert not affine_only([1, 1, 0, 0, 0, 0])
    assert not affine_only([0, 0, 0, 0, 1, 0])
    arm = random_arm(np.random.default_rng(2), (0, 1, 0, 0, 1, 0))
    for labelling in labellings(arm.kinds):
        own = labelling.kinds(arm)
        if affine_only(own):
            rows = right_side(own, filled(labelling, arm.constants, 3)).rows
            assert not rows[:, PP].any()
            assert not rows[:, W].any()


@pytest.mark.parametrize("angle", [-2.9, -0.3, 0.7, 2.0])
def test_split_rows_span_the_turned_rows(angle: float) -> None:
    """Constant, linear and quadratic rows in x at one x are combinations of the rows N turned by the hidden joint, and all of them."""
    phi, rng = 0.7, np.random.default_rng(3)
    arm = random_arm(rng, ALL_REVOLUTE)
    labelling = next(iter(labellings(arm.kinds)))
    N = right_side(labelling.kinds(arm), filled(labelling, arm.constants, 4)).rows
    x = np.tan((angle - phi) / 2)
    rows = split_rows(N, phi, linear_only=False)
    parts = (rows.constant, rows.linear, rows.quadratic)
    at = np.vstack([sum(row * x**k for k, row in enumerate(part)) for part in parts])
    turned = N @ representation(joint_motion(0, angle))
    assert len(at) == len(turned)
    both = np.vstack([at / np.linalg.norm(at, axis=1, keepdims=True), turned])
    assert np.linalg.matrix_rank(both, tol=1e-9) == np.linalg.matrix_rank(turned, tol=1e-9) == len(turned)
    assert not split_rows(N, phi, linear_only=True).quadratic[0].size


def test_the_matrices_that_lift_are_products_with_the_half_angle() -> None:
    u, v = np.cos(0.4), np.sin(0.4)
    forms = np.array([u * u, np.sqrt(2) * u * v, v * v])
    cubic = np.array([u**3, np.sqrt(3) * u * u * v, np.sqrt(3) * u * v * v, v**3])
    np.testing.assert_allclose(TIMES_U @ cubic, u * forms, atol=1e-15)
    np.testing.assert_allclose(TIMES_V @ cubic, v * forms, atol=1e-15)


@pytest.mark.parametrize(("kinds", "size"), [(ALL_REVOLUTE, 16), ((0, 0, 1, 0, 0, 0), 16), ((1, 0, 0, 1, 0, 0), 8)])
def test_the_pencil_has_no_spurious_factor(kinds: tuple[int, ...], size: int) -> None:
    robot = random_arm(np.random.default_rng(4), kinds)
    for label in labellings(kinds):
        made = Elimination(robot, label).pencil
        assert (made.size, made.infinite) == (size, 0)
