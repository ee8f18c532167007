"""Numbers inside expressions: one form each, exact powers, and squares taken out of roots."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robosym.expr import ExprError
from robosym.expr.numbers import magnitude, normal, number_power, pull_squares, tag_of, times_power

from .strategies import exact_numbers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2.0, 2),
        (2.5, 2.5),
        (2.0**53, 2.0**53),
        (-(2.0**53) + 1, -(2**53) + 1),
        (Fraction(6, 3), 2),
        (Fraction(6, 4), Fraction(3, 2)),
        (10**200, 10**200),
        (True, 1),
        (np.int32(3), 3),
        (np.float32(0.5), 0.5),
        (np.float64(4.0), 4),
        (np.array(7), 7),
    ],
)
def test_every_number_has_one_form(value: object, expected: object) -> None:
    assert normal(value) == expected
    assert type(normal(value)) is type(expected)


@pytest.mark.parametrize(
    "value", [math.nan, -math.inf, 10**400, -(10**400), Fraction(1, 2**4097), 1j, np.complex128(1), "1", [1], None]
)
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ExprError):
        normal(value)


def test_the_longest_numbers() -> None:
    assert normal(Fraction(1, 2**4096)) == Fraction(1, 2**4096)
    largest = int(np.finfo(float).max)
    assert normal(largest) == largest
    assert normal(-largest) == -largest
    for value in (largest + 1, -largest - 1):
        with pytest.raises(ExprError, match="too many digits"):
            normal(value)


def test_tags_tell_equal_numbers_apart() -> None:
    assert tag_of([1, -2]) is None
    assert tag_of([1, 0.5, Fraction(1, 2)]) == "ifr"
    assert tag_of([]) is None


@given(exact_numbers, st.integers(-5, 5))
def test_exact_powers(value: Fraction, exponent: int) -> None:
    value = Fraction(value)
    if value == 0 and exponent < 0:
        with pytest.raises(ExprError, match="division by zero"):
            number_power(value, exponent)
        return
    found = number_power(value, exponent)
    product = Fraction(1)
    for _ in range(abs(exponent)):
        product *= value
    assert found == (1 / product if exponent < 0 else product)
    assert not isinstance(found, float)


def test_powers_that_are_too_large() -> None:
    assert number_power(2, -4096) == Fraction(1, 2**4096)
    assert number_power(1, 10**9) == 1
    assert number_power(-1, 10**9 + 1) == -1
    assert number_power(0, 10**9) == 0
    assert number_power(1.5, 3) == 1.5**3
    for value, exponent in ((2, 4097), (3, 5000), (Fraction(1, 7), -5000)):
        with pytest.raises(ExprError, match="too large"):
            number_power(value, exponent)
    with pytest.raises(ExprError, match="too large"):
        number_power(10.0, 400)


def test_a_quotient_is_rounded_once() -> None:
    assert times_power(0.1, 7, -1) == 0.1 / 7 != 0.1 * (1 / 7)
    assert times_power(3, 0.7, -1) == 3 / 0.7
    assert times_power(2, Fraction(2, 3), -1) == 3
    assert times_power(0.5, 3, 2) == 4.5
    with pytest.raises(ExprError):
        times_power(0.5, 0, -1)


@given(st.fractions(0, 2000, max_denominator=500))
def test_squares_leave_a_root(value: Fraction) -> None:
    outside, inside = pull_squares(value)
    assert outside * outside * inside == value
    assert outside >= 0
    assert isinstance(inside, int)
    for factor in range(2, 32):  # numerator and denominator together have no other factor twice below 100
        assert inside == 0 or inside % (factor * factor)


def test_large_squares_leave_a_root() -> None:
    assert pull_squares(10007**2) == (10007, 1)
    assert pull_squares(97**4) == (97**2, 1)
    assert pull_squares(Fraction(1, 8)) == (Fraction(1, 4), 2)


def test_magnitudes() -> None:
    assert [magnitude(x) for x in (-2, 2, 0, Fraction(-1, 3), -0.5)] == [2, 2, 0, Fraction(1, 3), 0.5]
