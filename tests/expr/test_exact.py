"""Doubles of exact constants are recognised, and nothing else is; sums of decimals leave no noise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from robosym.expr import add, evaluate, number, parameter, parse
from robosym.expr.exact import exact
from robosym.expr.latex import latex
from robosym.expr.text import readable, text


def recognised(seed: int) -> None:
    """A random p/q sin(k pi/n), sqrt or multiple of pi is found again, with the value of its double to two roundings."""
    rng = np.random.default_rng(seed)
    p, q, n = (int(x) for x in rng.integers(1, 13, 3))
    k = int(rng.integers(1, n + 1))
    for core in (math.pi, math.sin(k * math.pi / n), math.cos(k * math.pi / n), math.sqrt(n)):
        value = float(rng.choice([-1, 1])) * p * core / q
        found = exact(value)
        if found is None:
            continue
        assert abs(float(evaluate([found.expr], {})[0]) - value) <= 2 * math.ulp(value)
        again = parse(readable(number(value) * parameter("x") + parameter("y")), parameter)
        assert abs(float(evaluate([again], {"x": 1.0, "y": 0.0})[0]) - value) <= 4 * math.ulp(value)


@pytest.mark.parametrize("seed", range(40))
def test_constants_are_recognised(seed: int) -> None:
    recognised(seed)


def test_what_is_recognised() -> None:
    for value, written in (
        (math.sqrt(3) / 2, "sqrt(3)/2"),
        (-math.sqrt(0.5), "-sqrt(2)/2"),
        (math.sin(math.pi / 5), "sin(pi/5)"),
        (math.cos(math.pi / 5) / 2, "cos(pi/5)/2"),
        (math.pi / 7, "pi/7"),
        (2 * math.pi / 3, "2*pi/3"),
    ):
        assert readable(number(value)) == written
        assert text(number(value)) == repr(value)  # what files hold stays as it is
    assert readable(number(math.sqrt(3) / 2) * parameter("L") - 1) == "sqrt(3)/2*L - 1"
    assert latex(number(math.pi / 7) + parameter("q")) == r"q + \frac{1}{7} \, \pi"


def test_nothing_else_is() -> None:
    rng = np.random.default_rng(0)
    doubles = [*rng.uniform(-5, 5, 3000), *(float(Fraction(int(p), int(q))) for p, q in rng.integers(1, 50, (500, 2)))]
    decimals = [
        round(float(x), int(n)) for x, n in zip(rng.uniform(-5, 5, 1000), rng.integers(1, 14, 1000), strict=True)
    ]
    assert not [x for x in (*doubles, *decimals, 0.8660254, 1.570796326795, 1.5707963) if exact(float(x)) is not None]


# --- noise -----------------------------------------------------------------------------------------------------------


def cancelling(seed: int) -> None:
    """Decimals that add up to zero do, as constants and as coefficients; a difference that is none of rounding stays."""
    rng = np.random.default_rng(seed)
    parts = [round(float(x), int(rng.integers(1, 7))) for x in rng.uniform(-10, 10, int(rng.integers(2, 20)))]
    decimals = [Fraction(repr(x)) for x in parts]
    parts.append(float(-sum(decimals)))
    x = parameter("x")
    constant, coefficient = add(*parts), add(*(part * x for part in parts))
    assert constant.is_zero, text(constant)
    assert coefficient.is_zero, text(coefficient)
    left = float(10 ** rng.uniform(-11, 0))
    assert abs(float(evaluate([constant + left], {})[0]) - left) < 1e-14
    assert not ((number(parts[0]) + left) - parts[0]).is_zero
    a, b = (round(float(x), 3) for x in rng.uniform(1, 9, 2))
    c = float(Fraction(repr(a)) + Fraction(repr(b)))
    assert (number(a) + b - c).is_zero  # one after the other


@pytest.mark.parametrize("seed", range(40))
def test_decimals_cancel(seed: int) -> None:
    cancelling(seed)


def small_term_stays(seed: int) -> None:
    """Large decimals that cancel leave the small one that stands between them."""
    rng = np.random.default_rng(seed)
    large = float(f"{10.0 ** rng.uniform(3, 9):.9g}")
    small = float(f"{large * 10.0 ** rng.uniform(-15.5, -12):.3g}")
    for terms in ((large, small, -large), (small, large, -large), (large, -large, small)):
        assert evaluate([add(*terms)], {})[0] == small, terms
        assert math.isclose(evaluate([add(*terms, 0.1, 0.2, -0.3)], {})[0], small, rel_tol=0, abs_tol=1e-16), terms


@pytest.mark.parametrize("seed", range(8))
def test_small_terms_stay(seed: int) -> None:
    small_term_stays(seed)
