"""Roots on the circle against NumPy's, and against the angles a polynomial was made from."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import Floats, Truths

from robosym.expr import expr, number, variable
from robosym.models.inverse_geometry.closed_form.quartic import DELTAS, circle_roots, half_angle
from robosym.program import Array, Graph, Scope, optimised
from robosym.runtime import CompiledFunction, compile_program

COUNT = 2000


@cache
def compiled_roots() -> CompiledFunction:
    scope = Scope()
    A = [variable(f"A{k}") for k in range(5)]
    found = circle_roots("1", A, number(1e-12), scope.step)
    angles = Array("SC", (4, 2), tuple(x for S, C, _, _ in found for x in (S, C)))
    exists = Array("exists", (4,), tuple(expr(e) for _, _, e, _ in found))
    doubtful = Array("doubtful", (4,), tuple(expr(e) for _, _, _, e in found))
    graph = Graph("circle roots", (Array("A", (5,), tuple(A)),), (angles, exists, doubtful), scope.names)
    return compile_program(optimised(graph))


def roots(A: Floats) -> tuple[Floats, Truths]:
    angles, exists, _ = looked_at(A)
    return angles, exists


def looked_at(A: Floats) -> tuple[Floats, Truths, Truths]:
    """The roots, whether they exist, and whether they are in doubt."""
    out = compiled_roots()(A=A)
    assert np.isfinite(out["SC"]).all()
    for name in ("exists", "doubtful"):
        assert np.isin(out[name], (0, 1)).all()
    return np.arctan2(out["SC"][..., 0], out["SC"][..., 1]), out["exists"] == 1, out["doubtful"] == 1


def value(A: Floats, angle: Floats) -> Floats:
    C, S = np.cos(angle), np.sin(angle)
    A0, A1, A2, A3, A4 = A.T[:, :, None]
    return np.asarray(A0 + A1 * C + A2 * S + A3 * C * C + A4 * C * S)


def with_roots(angles: Floats) -> Floats:
    """The polynomial that vanishes at four angles: a line through two of them times a line through the others."""
    a, b, c = line(angles[:, 0], angles[:, 1])
    d, e, f = line(angles[:, 2], angles[:, 3])
    return np.stack([c * f + b * e, a * f + c * d, b * f + c * e, a * d - b * e, a * e + b * d], axis=1)


def line(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    return np.cos((x + y) / 2), np.sin((x + y) / 2), -np.cos((x - y) / 2)


def missed(expected: Floats, found: Floats, exists: Truths) -> Floats:
    """How far each expected angle is from the nearest root found."""
    apart = np.abs((expected[:, :, None] - found[:, None, :] + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(np.where(exists[:, None, :], apart, np.inf).min(axis=2))


def on_circle(A: Floats) -> tuple[Floats, Truths]:
    """All roots by NumPy: with z = exp(i angle) the polynomial is a quartic in z; those with |z| = 1 count."""
    A0, A1, A2, A3, A4 = A
    outer, inner = (A3 / 2 - 1j * A4 / 2) / 2, (A1 - 1j * A2) / 2
    z = np.roots([outer, inner, A0 + A3 / 2, inner.conjugate(), outer.conjugate()])
    return np.asarray(np.angle(z), dtype=np.float64), np.asarray(np.abs(np.abs(z) - 1) < 1e-7)


def random_angles(seed: int) -> Floats:
    return np.random.default_rng(seed).uniform(-np.pi, np.pi, (COUNT, 4))


@pytest.mark.parametrize("size", [1.0, 1e-6, 1e6])
def test_random_coefficients_against_numpy(size: float) -> None:
    A = np.random.default_rng(1).normal(size=(COUNT, 5))
    found, exists = roots(size * A)
    pairs = [on_circle(row) for row in A]
    expected, real = (np.array(part) for part in zip(*pairs, strict=True))
    assert set(real.sum(axis=1)) == {0, 2, 4}  # all cases are there
    np.testing.assert_array_equal(exists.sum(axis=1), real.sum(axis=1))
    assert np.where(real, missed(expected, found, exists), 0).max() < 1e-6
    assert np.abs(np.where(exists, value(A, found), 0)).max() < 1e-12


@pytest.mark.parametrize("at", [None, 0.0, np.pi / 2, np.pi, -np.pi / 2, *DELTAS])
def test_four_real_roots(at: float | None) -> None:
    angles = random_angles(2)
    if at is not None:
        angles[:, 0] = at
    found, exists = roots(with_roots(angles))
    # The nearest two of four random angles may be close: an error e of the polynomial moves them by its root.
    assert missed(angles, found, exists).max() < 1e-6


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("off", [1e-1, 1e-3, 1e-6, 1e-9, 0.0])
def test_a_root_where_the_tangent_is_infinite(off: float, delta: float) -> None:
    angles = random_angles(3)
    angles[:, 0] = delta + np.pi + off
    found, exists = roots(with_roots(angles))
    far = missed(angles, found, exists) > 1e-6
    assert not far.any(), f"{far.sum()} of {far.size} roots not found, in {far.any(axis=1).sum()} polynomials"


@pytest.mark.parametrize("gap", [1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
def test_two_close_roots(gap: float) -> None:
    angles = random_angles(4)
    angles[:, 1] = angles[:, 0] + gap
    found, exists = roots(with_roots(angles))
    far = missed(angles, found, exists) > gap / 10
    assert not far.any(), f"{far.sum()} of {far.size} roots not found, in {far.any(axis=1).sum()} polynomials"


def test_double_roots_are_found() -> None:
    angles = random_angles(5)
    angles[:, 1] = angles[:, 0]
    found, exists = roots(with_roots(angles))
    far = missed(angles, found, exists) > 1e-5
    assert not far.any(), f"{far.sum()} of {far.size} roots not found, in {far.any(axis=1).sum()} polynomials"


@pytest.mark.parametrize("noise", [0.0, 1e-16, 1e-13])
def test_roots_that_meet_are_in_doubt(noise: float) -> None:
    """Whether two or none exist is for rounding to say; that it may be either is said."""
    angles = random_angles(7)
    angles[:, 1] = angles[:, 0]
    A = with_roots(angles)
    A[:, 0] += noise * np.random.default_rng(8).normal(size=COUNT)
    found, exists, doubtful = looked_at(A)
    near = np.abs((found - angles[:, :1] + np.pi) % (2 * np.pi) - np.pi) < 1e-4
    assert (near & exists & doubtful).any(axis=1).all()


def test_random_roots_are_seldom_in_doubt() -> None:
    _, exists, doubtful = looked_at(np.random.default_rng(9).normal(size=(COUNT, 5)))
    assert (exists & doubtful).any(axis=1).mean() < 5e-3


@pytest.mark.parametrize("degree", ["second", "first", "none"])
def test_polynomials_of_lower_degree(degree: str) -> None:
    """No second harmonic; then no cosine; then nothing but a constant, which has no root."""
    A = np.zeros((4, 5))
    A[:, 0] = [0.1, -0.3, 0.5, 0.7]
    A[:, 2] = {"second": 0.9, "first": 0.8, "none": 0.0}[degree]
    A[:, 1] = 0.4 if degree == "second" else 0.0
    found, exists = roots(A)
    if degree == "none":
        assert not exists.any()
        return
    reach = np.hypot(A[:, 1], A[:, 2])
    middle, half = np.arctan2(A[:, 2], A[:, 1]), np.arccos(-A[:, 0] / reach)
    assert missed(np.stack([middle + half, middle - half], axis=1), found, exists).max() < 1e-9
    np.testing.assert_array_equal(exists.sum(axis=1), 2)


def test_half_angle_is_the_same_polynomial() -> None:
    rng = np.random.default_rng(6)
    c, angle = rng.normal(size=5), rng.uniform(-3, 3)
    t = np.tan(angle / 2)
    p = [float(x) for x in half_angle(*c)]  # type: ignore[arg-type]
    harmonics = [1, np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)]
    assert np.polyval(p, t) / (1 + t * t) ** 2 == pytest.approx(np.dot(c, harmonics), abs=1e-12)
