"""Scalars of any kind: one formula on expressions, floats and arrays, and the same numbers from all three."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from robosym.expr import evaluate, number, parameter, variable
from robosym.expr import sin as symbolic_sin
from robosym.spatial.scalar import cos, exactly, is_zero, nearest, sin

x = variable("x")


@pytest.mark.parametrize(("function", "reference"), [(sin, np.sin), (cos, np.cos)])
def test_functions_of_every_kind(function, reference) -> None:
    angles = np.array([-2.0, 0.0, 0.3, 4.0])
    np.testing.assert_allclose(function(angles), reference(angles), rtol=1e-15)
    for angle in angles.tolist():
        assert function(angle) == pytest.approx(float(reference(angle)), abs=1e-15)
        assert type(function(angle)) is float
        assert evaluate([function(x)], {x: angle})[0] == pytest.approx(float(reference(angle)), abs=1e-15)
    assert function(2) == float(reference(2))
    assert sin(x) is symbolic_sin(x)


def test_known_zeros() -> None:
    for zero in (0, 0.0, -0.0, number(0), x - x):
        assert is_zero(zero)
    for other in (1, 1e-300, number(1), x, np.zeros(2), np.zeros(())):
        assert not is_zero(other)


def test_numbers_become_exact_and_nearest() -> None:
    assert exactly(number(0.1)) is number(Fraction(0.1))
    assert nearest(exactly(number(0.1))) is number(0.1)
    total = exactly(number(0.1)) + exactly(number(0.2))
    assert total is number(Fraction(0.1) + Fraction(0.2))
    assert nearest(total) is number(0.3)
    for other in (0.1, x, number(3), number(Fraction(1, 3)), parameter("L") * 0.1):
        assert exactly(other) is other
        assert nearest(other) is other
