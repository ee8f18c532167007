"""Roots: the eigenvalues of the pencil and all six joints from them, in numbers and as expressions."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import ALL_REVOLUTE, KINDS, random_arm
from sweeps import some

from robosym.expr import evaluate, expr, variable
from robosym.models.inverse_geometry.general.labelling import labellings
from robosym.models.inverse_geometry.general.roots import REAL, Elimination, _eigen, _position, solved
from robosym.models.inverse_geometry.general.trial import distance


@pytest.mark.parametrize("kinds", KINDS)
def test_every_labelling_finds_the_configuration(kinds: tuple[int, ...]) -> None:
    """Before any Newton step, and with the same hidden angles whatever its zero."""
    rng = np.random.default_rng(2)
    robot = random_arm(rng, kinds)
    q = rng.uniform(-1, 1, (5, 6))
    T = robot.poses(q)
    labels = list(labellings(kinds))
    assert len(labels) == {0: 12, 1: 8, 2: len(labels)}[sum(kinds)]
    assert labels
    for label in labels:
        for phi in (0.7, -1.1):
            pose, starts, _ = Elimination(robot, label, phi=phi).starts(T)
            error = np.full(5, np.inf)
            np.minimum.at(error, pose, distance(kinds, starts, q[pose]))
            assert error.max() < 1e-5, label


def test_a_singular_matrix_leaves_the_others_alone() -> None:
    rng = np.random.default_rng(6)
    A, B = rng.normal(size=(9, 4, 4)), rng.normal(size=(9, 4, 1))
    alone = np.linalg.solve(A, B)
    A[3], A[5], A[6] = np.diag([1.0, 2, 0, 4]), np.nan, 0.0  # no inverse, no numbers, nothing
    X = solved(A, B)
    others = [0, 1, 2, 4, 7, 8]
    assert np.array_equal(X[others], alone[others])
    assert not X[[3, 5, 6]].any()


def evaluated(entries: np.ndarray, known: dict) -> np.ndarray:
    return np.array(evaluate([expr(x) for x in np.ravel(entries)], known)).reshape(np.shape(entries))


@pytest.mark.parametrize("kinds", [(0, 0, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0), (1, 0, 0, 1, 0, 0)])
def test_expressions_give_what_numbers_give(kinds: tuple[int, ...]) -> None:
    """The code that tries an elimination on numbers is the code that writes its programs."""
    rng = np.random.default_rng(7)
    robot = random_arm(rng, kinds)
    X = robot.poses(rng.uniform(-1, 1, (1, 6)))[0]
    symbols = np.array([variable(f"x{i}") for i in range(12)], dtype=object).reshape(3, 4)
    pose = np.vstack([symbols, np.array([[0, 0, 0, 1]], dtype=object)])
    a, b, hidden = variable("a"), variable("b"), variable("hidden")
    known = dict(zip(symbols.ravel(), X[:3].ravel().tolist(), strict=True)) | {a: 0.4, b: 0.003, hidden: 0.8}
    for label in some(labellings(kinds), 5):
        method = Elimination(robot, label)
        m = rng.normal(size=method.pencil.size)
        v = np.array([variable(f"v{i}") for i in range(len(m))], dtype=object)
        values = known | dict(zip(v, m.tolist(), strict=True))
        assert np.allclose(evaluated(method.features(pose), values), method.features(X), atol=1e-12)
        assert np.allclose(evaluated(method.root(a, b), values), method.root(np.float64(0.4), np.float64(0.003)))
        expected = method.joints(X[None], np.array([0.8]), m[None])[0]
        made = evaluated(method.joints(pose, hidden, v), values)
        assert distance(kinds, made, expected) < 1e-9


def test_an_eigenvalue_gives_the_hidden_angle() -> None:
    """phi + pi + 2 atan(a + i b), by the arc tangent of complex numbers."""
    rng = np.random.default_rng(8)
    method = Elimination(random_arm(rng, ALL_REVOLUTE), next(iter(labellings(ALL_REVOLUTE))), phi=0.4)
    a, b = rng.normal(size=(2, 50))
    b[:20] *= 1e-3
    b[20:24] = 0
    root = method.root(a, b)
    expected = 0.4 + np.pi + 2 * np.arctan(a + 1j * b)
    np.testing.assert_allclose(np.exp(1j * root.angle), np.exp(1j * expected.real), atol=1e-12)
    np.testing.assert_allclose(root.imaginary, expected.imag, atol=1e-12)
    np.testing.assert_array_equal(root.near, (b >= 0) & (expected.imag <= method.real))
    np.testing.assert_array_equal(root.sure, (b >= 0) & (expected.imag < REAL))
    assert root.sure[20:24].all()
    assert 4 < root.near.sum() < 50


@pytest.mark.parametrize("kinds", KINDS)
def test_the_polynomial_vanishes_at_the_joint(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(9)
    arm = random_arm(rng, kinds)
    q = rng.uniform(-2, 2, 6)
    X = arm.poses(q[None])[0]
    for labelling in list(labellings(kinds))[::3]:
        method = Elimination(arm, labelling)
        polynomial = method.polynomial(X)
        x = np.tan(q[method.hidden] / 2)
        powers = x ** np.arange(len(polynomial))[::-1]
        assert np.abs(polynomial).max() == 1
        assert polynomial @ powers == pytest.approx(0, abs=1e-7 * np.abs(polynomial * powers).max())
        assert method.hidden == labelling.hidden


@pytest.mark.parametrize("kind", [0, 1])
def test_a_joint_from_the_products_of_its_terms(kind: int) -> None:
    """Also where some of the products do not occur, and whatever their common factor is."""
    rng = np.random.default_rng(10)
    for q in (-2.6, -0.4, 0.9, 3.0):
        own = np.array([1, q, q * q] if kind else [1, np.cos(q), np.sin(q)])
        other = rng.normal(size=3)
        table = np.outer(own, other)
        full = np.ones((3, 3), dtype=bool)
        assert _position(kind, table, full) == pytest.approx(q)
        partly = full.copy()
        partly[0, 1] = partly[1, 1] = partly[2, 1] = False
        noise = np.where(partly, 0, 9.0)
        assert _position(kind, table * partly + noise, partly) == pytest.approx(q)


def test_a_matrix_without_eigenvalues_leaves_the_others_alone() -> None:
    rng = np.random.default_rng(11)
    matrices = rng.normal(size=(4, 3, 3))
    alone = np.linalg.eig(matrices)[0]
    spoiled = matrices.copy()
    spoiled[2] = np.nan
    eigenvalues, vectors = _eigen(spoiled)
    np.testing.assert_allclose(np.sort_complex(eigenvalues[[0, 1, 3]]), np.sort_complex(alone[[0, 1, 3]]), atol=1e-12)
    assert not eigenvalues[2].any()
    assert not vectors[2].any()
    for k in (0, 1, 3):
        np.testing.assert_allclose(matrices[k] @ vectors[k], vectors[k] * eigenvalues[k], atol=1e-12)
