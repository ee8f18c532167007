"""Our atan2 against numbers of forty digits, and against the library where it leaves the work to it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.expr import atan2, variable
from robosym.program import Array, Program
from robosym.runtime import compile_program

mpmath = pytest.importorskip("mpmath")


def compiled() -> object:
    y, x = variable("y"), variable("x")
    array = Array("p", (2,), (y, x))
    return compile_program(Program("angle", (array,), (), (), (), (Array("a", (1,), (atan2(y, x),)),)))


def test_within_two_units_in_the_last_place() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(4000, 2)) * 10.0 ** rng.uniform(-8, 8, (4000, 2))
    points[:1000] = rng.choice([-1.0, 1.0], (1000, 2)) * (1 + rng.uniform(-1e-6, 1e-6, (1000, 2)))
    found = compiled()(p=points)[:, 0]  # type: ignore[operator]
    mpmath.mp.dps = 40
    for (y, x), angle in zip(points.tolist(), found.tolist(), strict=True):
        exact = mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))
        assert abs(float((mpmath.mpf(angle) - exact) / math.ulp(float(exact)))) <= 2, (y, x)


def test_zeros_infinities_and_nan_are_the_librarys() -> None:
    special = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e308, -1.7e308, math.inf, -math.inf, math.nan]
    points = np.array([(y, x) for y in special for x in special])
    found = compiled()(p=points)[:, 0]  # type: ignore[operator]
    for (y, x), angle in zip(points.tolist(), found.tolist(), strict=True):
        expected = math.atan2(y, x)
        if math.isnan(expected):
            assert math.isnan(angle)
        else:
            assert angle == pytest.approx(expected, rel=4e-16, abs=0)
            assert math.copysign(1, angle) == math.copysign(1, expected)
