"""Linear algebra on arrays of expressions, against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.expr import evaluate, expr, variable
from robosym.models.inverse_geometry.special_poses.linear_algebra import (
    back,
    chosen,
    forth,
    least_squares,
    norm,
    shortened,
    wrapped,
)
from robosym.program import Program
from robosym.program.of_arrays import program_of


def least_squares_program(m: int, n: int) -> Program:
    def body(J: np.ndarray, e: np.ndarray, b: np.ndarray, damping: object) -> dict[str, object]:
        R, y = least_squares(J, e, damping)
        return {"R": R, "y": y, "s": back(R, y), "t": forth(R, b)}

    return program_of("least squares", {"J": (m, n), "e": (m,), "b": (n,), "damping": ()}, body)


@pytest.mark.parametrize(("m", "n"), [(3, 2), (3, 5), (6, 4)])
def test_damped_least_squares_and_triangular_systems(m: int, n: int) -> None:
    rng = np.random.default_rng(m * n)
    program = least_squares_program(m, n)
    J, e, b = rng.normal(size=(m, n)), rng.normal(size=m), rng.normal(size=n)
    for damping in (0.0, 1e-3, 2.0)[m < n :]:
        made = program.call(J=J, e=e, b=b, damping=np.array(damping))
        stacked, right = np.vstack([J, damping * np.eye(n)]), np.concatenate([e, np.zeros(n)])
        expected = np.linalg.lstsq(stacked, right, rcond=None)[0]
        np.testing.assert_allclose(made["s"], expected, rtol=1e-9, atol=1e-9)
        R = np.triu(made["R"], 1) + np.diag(1 / np.diag(made["R"]))  # the diagonal holds the inverses
        np.testing.assert_allclose(R.T @ R, stacked.T @ stacked, atol=1e-12)
        np.testing.assert_allclose(R @ made["s"], made["y"], atol=1e-9)
        np.testing.assert_allclose(R.T @ made["t"], b, atol=1e-9)


def test_nearly_dependent_columns_keep_their_digits() -> None:
    """Columns 1e-9 apart: the normal equations would have none left."""
    program = least_squares_program(4, 2)
    rng = np.random.default_rng(3)
    a, b = np.linalg.qr(rng.normal(size=(4, 2)))[0].T
    J, s = np.column_stack([a, a + 1e-9 * b]), np.array([2.0, -3.0])
    made = program.call(J=J, e=J @ s, b=s, damping=np.array(0.0))
    np.testing.assert_allclose(made["s"], s, rtol=1e-5)


def test_chosen() -> None:
    x, a, b = variable("x"), np.array([1, 2]), np.array([3, 4])
    made = chosen(x > 0, a, b)
    assert evaluate(list(made), {x: 0.5}) == [1, 2]
    assert evaluate(list(made), {x: -0.5}) == [3, 4]


@pytest.mark.parametrize("turning", [None, (True, False, True), (False, False, False)])
def test_shortened(turning: tuple[bool, ...] | None) -> None:
    s = np.array([variable(f"s{k}") for k in range(3)], dtype=object)
    made = [expr(x) for x in shortened(s, 0.5, turning)]
    for values in ([0.1, -0.2, 0.3], [0.1, -4.0, 0.2], [-2.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.5, -0.5, 0.0]):
        counted = [abs(v) for k, v in enumerate(values) if turning is None or turning[k]]
        factor = min(1.0, 0.5 / max([*counted, 1e-300]))
        got = evaluate(made, dict(zip(s, values, strict=True)))
        np.testing.assert_allclose(np.array(got, dtype=float), np.array(values) * factor, atol=1e-15)


def test_wrapped_is_above_minus_pi_and_up_to_pi() -> None:
    x = variable("x")
    made = wrapped(x)
    for angle in (*np.random.default_rng(4).uniform(-30, 30, 50).tolist(), 0.0, 3.0, math.pi, -3.0, 7 * math.pi + 0.1):
        got = float(evaluate([made], {x: angle})[0])
        assert -math.pi < got <= math.pi
        assert math.remainder(got - angle, 2 * math.pi) == pytest.approx(0, abs=1e-13)
    assert evaluate([made], {x: math.pi})[0] == pytest.approx(math.pi)


def test_norm_is_never_zero() -> None:
    v = np.array([variable("a"), variable("b")], dtype=object)
    assert evaluate([norm(v)], {v[0]: 3.0, v[1]: -4.0})[0] == 5
    assert evaluate([norm(v)], {v[0]: 0.0, v[1]: 0.0})[0] == 1e-300
