"""Trigonometric polynomials written out: the same values, equal ones the same, and an end to their terms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robosym.expr import Expr, ExprError, cos, evaluate, expr, parameter, sin, step, variable
from robosym.expr.fourier import TooManyTermsError, expanded

a, b, r = variable("a"), variable("b"), variable("r")
L, D = parameter("L"), parameter("D")
AT = {a: 0.3, b: -1.1, r: 0.7, L: 0.45, D: 1.3}


def one(root: Expr, most_terms: int | None = None) -> Expr:
    return expanded([root], most_terms)[0]


@pytest.mark.parametrize(
    ("given", "short"),
    [
        (sin(a) ** 2 + cos(a) ** 2, expr(1)),
        (sin(a) * cos(b) + cos(a) * sin(b), sin(a + b)),
        (cos(a) * cos(b) - sin(a) * sin(b) - cos(a + b), expr(0)),
        (1 - cos(a) ** 2, sin(a) ** 2),
        (cos(b) + cos(2 * a + b), 2 * cos(a) * cos(a + b)),
        (sin(2 * a), 2 * sin(a) * cos(a)),
        (L * (D * cos(a) + L) - L**2, D * L * cos(a)),
        (step(r + step(L * sin(a))) - L * sin(a), r),
    ],
)
def test_what_cancels_and_what_joins(given: Expr, short: Expr) -> None:
    assert one(given) == short


def products() -> st.SearchStrategy[Expr]:
    leaves = st.sampled_from([sin(a), cos(a), sin(b), cos(a + b), cos(2 * a - b), r, L, expr(2), expr(-1) / 3])
    return st.recursive(
        leaves, lambda x: st.tuples(x, x, st.booleans()).map(lambda t: t[0] * t[1] if t[2] else t[0] + t[1])
    )


@given(products(), products())
def test_values_stay_and_equal_polynomials_are_the_same(p: Expr, q: Expr) -> None:
    value, expected = evaluate([one(p * q), p * q], AT)
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-9)
    assert one((p + q) * (p - q) - p * p + q * q) == expr(0)


def test_more_terms_than_allowed_are_refused() -> None:
    root = (cos(a) + L) * (cos(b) + D)  # four terms before any join
    assert one(root, 4) == one(root)
    with pytest.raises(TooManyTermsError, match="more than 3 terms"):
        one(root, 3)
    power = (1 + cos(a) + cos(b)) ** 40
    with pytest.raises(TooManyTermsError):  # before it is multiplied out
        one(power, 1000)


@pytest.mark.parametrize("root", [1 / cos(a), sin(a) / r])
def test_what_is_no_polynomial(root: Expr) -> None:
    with pytest.raises(ExprError, match="cannot be written out"):
        one(root)
