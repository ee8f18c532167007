"""Vectors of three scalars: what NumPy gives for floats, and the same formulas on expressions."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.expr import evaluate, variable
from robosym.spatial.vectors import AXES, ZERO, apply, cross, dot, plus, times

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_floats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, k, M = rng.normal(size=3), rng.normal(size=3), float(rng.normal()), rng.normal(size=(3, 3))
    columns = tuple(tuple(column) for column in M.T)
    np.testing.assert_allclose(plus(tuple(a), tuple(b)), a + b)
    np.testing.assert_allclose(times(k, tuple(a)), k * a)
    assert dot(tuple(a), tuple(b)) == pytest.approx(a @ b)
    np.testing.assert_allclose(cross(tuple(a), tuple(b)), np.cross(a, b))
    np.testing.assert_allclose(apply(columns, tuple(a)), M @ a)  # type: ignore[arg-type]


def test_expressions() -> None:
    symbols = [variable(f"v{k}") for k in range(6)]
    values = np.random.default_rng(9).normal(size=6)
    found = evaluate(cross(tuple(symbols[:3]), tuple(symbols[3:])), dict(zip(symbols, values, strict=True)))
    np.testing.assert_allclose(found, np.cross(values[:3], values[3:]))


def test_zero_and_axes() -> None:
    a = (1.0, -2.0, 3.0)
    assert plus(a, ZERO) == a
    assert apply(AXES, a) == a
