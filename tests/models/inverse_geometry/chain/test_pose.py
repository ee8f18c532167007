"""The symbols of a pose, and how far a matrix is from one."""

from __future__ import annotations

import numpy as np
import pytest
from random_poses import random_rotation

from robosym.expr import evaluate
from robosym.models.inverse_geometry.chain.pose import defect, pose_symbols


def defect_of(T: np.ndarray) -> float:
    symbols = pose_symbols()
    known = {
        symbol: float(x) for row, values in zip(symbols, T, strict=False) for symbol, x in zip(row, values, strict=True)
    }
    return float(evaluate([defect(symbols)], known)[0])


def test_names_are_columns_and_axes() -> None:
    assert [[x.name for x in row] for row in pose_symbols()] == [[f"{c}{axis}" for c in "snaP"] for axis in "xyz"]


def test_a_rotation_has_no_defect_wherever_it_is() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        assert defect_of(np.column_stack([random_rotation(rng), 1e3 * rng.normal(size=3)])) < 1e-14


def test_the_defect_adds_up_what_is_missing() -> None:
    """|s.s - 1| + |n.n - 1| + |s.n| + the entries of s x n - a."""
    rng = np.random.default_rng(1)
    for _ in range(5):
        R = random_rotation(rng) + 0.1 * rng.normal(size=(3, 3))
        s, n, a = R.T
        expected = abs(s @ s - 1) + abs(n @ n - 1) + abs(s @ n) + np.abs(np.cross(s, n) - a).sum()
        assert defect_of(np.column_stack([R, np.zeros(3)])) == pytest.approx(expected, rel=1e-12)
    reflected = np.diag([1.0, 1, -1])
    assert defect_of(np.column_stack([reflected, np.zeros(3)])) == 2
