"""The functions of a line and the matrices that move them, against vectors written out."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import random_motion

from robosym.models.inverse_geometry.general.invariants import (
    AXIS,
    TURNING_X,
    TURNING_Y,
    joint_forms,
    joint_motion,
    joint_terms,
    line_functions,
    representation,
    skew,
)


def functions_of_a_line(p: np.ndarray, l: np.ndarray) -> np.ndarray:
    return np.concatenate([p, l, [p @ p, p @ l], np.cross(p, l), (p @ p) * l - 2 * (p @ l) * p, [1]])


def test_the_representation_moves_lines() -> None:
    rng = np.random.default_rng(0)
    g, h = random_motion(rng), random_motion(rng)
    p, l = rng.normal(size=3), rng.normal(size=3)
    l /= np.linalg.norm(l)
    moved = functions_of_a_line(g[:3, :3] @ p + g[:3, 3], g[:3, :3] @ l)
    assert np.allclose(representation(g) @ functions_of_a_line(p, l), moved, atol=1e-12)
    assert np.allclose(representation(g @ h), representation(g) @ representation(h), atol=1e-12)
    assert np.allclose(line_functions(p, l), functions_of_a_line(p, l), atol=1e-14)
    assert np.array_equal(AXIS, functions_of_a_line(np.zeros(3), np.array([0.0, 0, 1])))


def test_many_motions_and_lines_at_once() -> None:
    rng = np.random.default_rng(1)
    motions = np.array([random_motion(rng) for _ in range(6)]).reshape(2, 3, 4, 4)
    lines = rng.normal(size=(2, 2, 3, 3))
    rho, f = representation(motions), line_functions(*lines)
    for i in np.ndindex(2, 3):
        np.testing.assert_array_equal(rho[i], representation(motions[i]))
        np.testing.assert_allclose(f[i], functions_of_a_line(lines[0][i], lines[1][i]), atol=1e-14)


def test_skew_is_the_cross_product() -> None:
    a, b = np.random.default_rng(2).normal(size=(2, 5, 3))
    np.testing.assert_allclose((skew(a) @ b[..., None])[..., 0], np.cross(a, b), atol=1e-14)


@pytest.mark.parametrize("q", [0.83, -2.4, np.pi])
def test_the_rows_that_turn(q: float) -> None:
    """A turn about z mixes the entries TURNING_X and TURNING_Y pair by pair, and leaves all others."""
    expected = np.eye(15)
    expected[TURNING_X, TURNING_X] = expected[TURNING_Y, TURNING_Y] = np.cos(q)
    expected[TURNING_X, TURNING_Y], expected[TURNING_Y, TURNING_X] = -np.sin(q), np.sin(q)
    np.testing.assert_allclose(representation(joint_motion(0, q)), expected, atol=1e-14)


@pytest.mark.parametrize("kind", [0, 1])
def test_joint_motion(kind: int) -> None:
    q = np.array([0.4, -1.2])
    expected = np.tile(np.eye(4), (2, 1, 1))
    if kind:
        expected[:, 2, 3] = q
    else:
        expected[:, :2, :2] = [[[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]] for x in q]
    np.testing.assert_allclose(joint_motion(kind, q), expected, atol=1e-15)


@pytest.mark.parametrize("kind", [0, 1])
def test_joint_forms(kind: int) -> None:
    q = 0.83
    u, v = (1.0, q) if kind else (np.cos(q / 2), np.sin(q / 2))
    expected = representation(joint_motion(kind, q))
    forms = np.einsum("a,aij->ij", [u * u, np.sqrt(2) * u * v, v * v], joint_forms(kind))
    terms = np.einsum("a,aij->ij", [1, q, q * q] if kind else [1, np.cos(q), np.sin(q)], joint_terms(kind))
    assert np.allclose(forms, expected, atol=1e-14)
    assert np.allclose(terms, expected, atol=1e-14)
