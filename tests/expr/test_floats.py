"""Functions on Python floats: what NumPy gives for the same doubles, at all special values."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from robosym.expr import floats

SPECIAL = (-math.inf, -1e200, -3.0, -2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 1e200, math.inf, math.nan)


def same(found: float, expected: float) -> bool:
    """Also in the sign of zero."""
    if math.isnan(expected):
        return math.isnan(found)
    return math.isclose(found, expected, rel_tol=1e-15) and math.copysign(1, found) == math.copysign(1, expected)


@pytest.mark.parametrize("name", ["log", "sign", "floor"])
def test_functions_of_one_number(name: str) -> None:
    with np.errstate(all="ignore"):
        for x in SPECIAL:
            assert same(getattr(floats, name)(x), float(getattr(np, name)(x))), x


@pytest.mark.parametrize(
    ("function", "reference"),
    [
        (floats.minimum, np.minimum),
        (floats.maximum, np.maximum),
        (floats.power, np.power),
        (floats.divide, np.divide),
    ],
)
def test_functions_of_two_numbers(function: Callable[..., float], reference: Callable[..., float]) -> None:
    with np.errstate(all="ignore"):
        for a, b in product(SPECIAL, SPECIAL):
            found, expected = function(a, b), float(reference([a, a], [b, 7.0])[0])  # no shortcut for one exponent
            if a == b == 0 and reference in (np.minimum, np.maximum):
                assert found == 0  # either zero is the smaller one
            else:
                assert same(found, expected), (a, b, found, expected)


def test_outside_the_domain_and_beyond_the_largest() -> None:
    assert math.isnan(floats.or_nan(math.sqrt)(-1.0))
    assert floats.or_nan(math.exp)(1000.0) == math.inf
    assert floats.or_nan(math.atan2)(1.0, 2.0) == math.atan2(1.0, 2.0)


@pytest.mark.parametrize("exponent", range(1, 40))
def test_integer_powers_by_repeated_squaring(exponent: int) -> None:
    """As many multiplications as the binary digits say: a squaring for each but the first, a product for each one but one."""
    products = []

    class Counted(int):
        def __mul__(self, other: int) -> Counted:
            products.append(1)
            return Counted(int(self) * int(other))

    assert floats.integer_power(Counted(3), exponent) == 3**exponent
    assert len(products) == exponent.bit_length() - 1 + exponent.bit_count() - 1
    np.testing.assert_array_equal(
        floats.integer_power(np.array([2.0, -1.0]), exponent), [2.0**exponent, (-1) ** exponent]
    )
