from __future__ import annotations

import math

import pytest

from robosym.expr import acos, cos, floor, maximum, number, parameter, sign, sin, sqrt, variable
from robosym.expr.functions import absolute
from robosym.expr.generic import Generic, negligible, opaque_functions

L, q = parameter("L"), variable("q")


@pytest.mark.parametrize(
    "entry",
    [maximum(L - 5, 0), floor(L / 2), L - absolute(L), sign(L - 7), acos(L / 9), sqrt(L - 5), sqrt(L * L) - L],
    ids=str,
)
def test_what_is_zero_for_some_values_only_is_not_zero(entry: object) -> None:
    for seed in range(4):
        (found,) = Generic(seed)([entry])  # type: ignore[list-item]
        assert math.isfinite(found)
        assert abs(found) > 1e-3


def test_what_is_zero_for_all_values_is() -> None:
    there = Generic()
    opaque = maximum(L - 5, 0)
    found = there([sin(q) * sin(q) + cos(q) * cos(q) - 1, opaque * L - L * opaque, cos(opaque + q) - cos(q + opaque)])
    assert max(map(abs, found)) < 1e-15


def test_a_place_does_not_change() -> None:
    there = Generic()
    first = there([L, sqrt(L)])
    assert there([sqrt(L), L, variable("other")])[:2] == first[::-1]
    assert Generic()([L]) == first[:1]


def test_given_numbers_and_constants_are_themselves() -> None:
    assert Generic(given={q: 2.0})([q * 3, sqrt(number(2))]) == [6.0, math.sqrt(2)]
    assert opaque_functions([sqrt(number(2)), sin(q), sqrt(q)]) == [sqrt(q)]


def test_rounding_is_negligible_beside_the_terms_that_cancel() -> None:
    for size in (1e-3, 1.0, 1e6):
        left = (size / 3 + size) - size - size / 3  # not exactly zero for every size
        assert negligible(left, size)
        assert not negligible(1e-6 * size, size)
    assert negligible(0.0, 0.0)
    assert not negligible(1e-6, 0.0)
    assert not negligible(math.nan)


def test_a_caller_may_have_a_finer_tolerance() -> None:
    assert negligible(5e-11)
    assert not negligible(5e-11, tolerance=1e-11)
    assert negligible(-5e-11, 10.0, tolerance=1e-11)
