"""The pieces of the general method, each against what it stands for."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.expr import evaluate, expr, variable
from robosym.models.inverse_geometry.general.arm import Arm, screw_x, screw_z
from robosym.models.inverse_geometry.general.invariants import (
    AXIS,
    joint_forms,
    joint_motion,
    joint_terms,
    line_functions,
    representation,
)
from robosym.models.inverse_geometry.general.labelling import inverse, labellings
from robosym.models.inverse_geometry.general.roots import Elimination, solved
from robosym.models.inverse_geometry.general.three_prismatic import ThreePrismatic
from robosym.models.inverse_geometry.general.trial import distance, refined


def motion(rng: np.random.Generator) -> np.ndarray:
    a, b, c, d = rng.uniform(-2, 2, 4)
    return screw_z(a, b) @ screw_x(c, d)


def functions_of_a_line(p: np.ndarray, l: np.ndarray) -> np.ndarray:
    return np.concatenate([p, l, [p @ p, p @ l], np.cross(p, l), (p @ p) * l - 2 * (p @ l) * p, [1]])


def arm(rng: np.random.Generator, kinds: tuple[int, ...]) -> Arm:
    signs = rng.choice([-1.0, 1.0], 6)
    return Arm(kinds, np.array([motion(rng) for _ in range(7)]), signs).reduced()


def test_the_representation_moves_lines() -> None:
    rng = np.random.default_rng(0)
    g, h = motion(rng), motion(rng)
    p, l = rng.normal(size=3), rng.normal(size=3)
    l /= np.linalg.norm(l)
    moved = functions_of_a_line(g[:3, :3] @ p + g[:3, 3], g[:3, :3] @ l)
    assert np.allclose(representation(g) @ functions_of_a_line(p, l), moved, atol=1e-12)
    assert np.allclose(representation(g @ h), representation(g) @ representation(h), atol=1e-12)
    assert np.allclose(line_functions(p, l), functions_of_a_line(p, l), atol=1e-14)
    assert np.array_equal(AXIS, functions_of_a_line(np.zeros(3), np.array([0.0, 0, 1])))


@pytest.mark.parametrize("kind", [0, 1])
def test_joint_forms(kind: int) -> None:
    q = 0.83
    u, v = (1.0, q) if kind else (np.cos(q / 2), np.sin(q / 2))
    expected = representation(joint_motion(kind, q))
    forms = np.einsum("a,aij->ij", [u * u, np.sqrt(2) * u * v, v * v], joint_forms(kind))
    terms = np.einsum("a,aij->ij", [1, q, q * q] if kind else [1, np.cos(q), np.sin(q)], joint_terms(kind))
    assert np.allclose(forms, expected, atol=1e-14)
    assert np.allclose(terms, expected, atol=1e-14)


def test_inverse() -> None:
    g = motion(np.random.default_rng(1))
    assert np.allclose(inverse(g) @ g, np.eye(4), atol=1e-14)


@pytest.mark.parametrize("kinds", [(0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 1, 0, 0, 1, 0), (1, 1, 0, 0, 0, 0)])
def test_every_labelling_finds_the_configuration(kinds: tuple[int, ...]) -> None:
    """Before any Newton step, and with the same hidden angles whatever its zero."""
    rng = np.random.default_rng(2)
    robot = arm(rng, kinds)
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


@pytest.mark.parametrize(("kinds", "size"), [((0,) * 6, 16), ((0, 0, 1, 0, 0, 0), 16), ((1, 0, 0, 1, 0, 0), 8)])
def test_the_pencil_has_no_spurious_factor(kinds: tuple[int, ...], size: int) -> None:
    robot = arm(np.random.default_rng(4), kinds)
    for label in labellings(kinds):
        made = Elimination(robot, label).pencil
        assert (made.size, made.infinite) == (size, 0)


def test_newton_converges_and_keeps_the_best() -> None:
    rng = np.random.default_rng(5)
    robot = arm(rng, (0, 0, 0, 1, 0, 0))
    q = rng.uniform(-1, 1, (50, 6))
    T = robot.poses(q)
    near, residual = refined(robot, T, q + 1e-4 * rng.normal(size=q.shape))
    assert residual.max() < 1e-12
    assert np.median(np.abs(near - q).max(axis=1)) < 1e-12
    far = np.tile(np.eye(4), (50, 1, 1))
    far[:, 0, 3] = 100
    _, residual = refined(robot, far, q)
    assert np.isfinite(residual).all()
    assert residual.min() > 1


def test_distance_is_modulo_whole_turns_of_angles() -> None:
    a = np.array([[np.pi, 0.1, 3 * np.pi, 0, 0, 7.0], [0, 0, 0, 0, 0, 2 * np.pi]])
    assert np.allclose(distance((0, 0, 0, 0, 0, 1), a, np.array([-np.pi, 0.0, np.pi, 0, 0, 7.0])), [0.1, np.pi])


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
    robot = arm(rng, kinds)
    X = robot.poses(rng.uniform(-1, 1, (1, 6)))[0]
    symbols = np.array([variable(f"x{i}") for i in range(12)], dtype=object).reshape(3, 4)
    pose = np.vstack([symbols, np.array([[0, 0, 0, 1]], dtype=object)])
    a, b, hidden = variable("a"), variable("b"), variable("hidden")
    known = dict(zip(symbols.ravel(), X[:3].ravel().tolist(), strict=True)) | {a: 0.4, b: 0.003, hidden: 0.8}
    for label in labellings(kinds):
        method = Elimination(robot, label)
        m = rng.normal(size=method.pencil.size)
        v = np.array([variable(f"v{i}") for i in range(len(m))], dtype=object)
        values = known | dict(zip(v, m.tolist(), strict=True))
        assert np.allclose(evaluated(method.features(pose), values), method.features(X), atol=1e-12)
        assert np.allclose(evaluated(method.root(a, b), values), method.root(np.float64(0.4), np.float64(0.003)))
        expected = method.joints(X[None], np.array([0.8]), m[None])[0]
        made = evaluated(method.joints(pose, hidden, v), values)
        assert distance(kinds, made, expected) < 1e-9


@pytest.mark.parametrize("kinds", [(1, 1, 1, 0, 0, 0), (0, 1, 0, 1, 0, 1), (1, 0, 0, 0, 1, 1)])
def test_three_prismatic_joints_close(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(8)
    method = ThreePrismatic(arm(rng, kinds))
    X = method.arm.poses(rng.uniform(-1, 1, (20, 6)))
    angles, possible = method.angles(X)
    assert possible.all()
    for k in range(2):
        directions, way = method.lengths_equation(X, angles[:, k])
        lengths = np.linalg.solve(directions, way[:, :, None])[:, :, 0]
        assert np.allclose(method.arm.poses(method.joints(angles[:, k], lengths)), X, atol=1e-9)
