"""Exact trigonometry, and turns and signs taken out of angles."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robosym.expr import (
    Expr,
    ExprError,
    acos,
    asin,
    atan,
    atan2,
    cos,
    evaluate,
    number,
    parameter,
    parse,
    pi,
    sin,
    sqrt,
    step,
    tan,
    variable,
)
from robosym.expr.trig import angle

q, p, k = variable("q"), variable("p"), parameter("k")

# (twelfths of a half turn): sin, written out by hand
_SINES = {
    0: number(0),
    2: number(Fraction(1, 2)),
    3: sqrt(2) / 2,
    4: sqrt(3) / 2,
    6: number(1),
    8: sqrt(3) / 2,
    9: sqrt(2) / 2,
    10: number(Fraction(1, 2)),
}
SINES = {**_SINES, **{12 + t: -s for t, s in _SINES.items()}}


@pytest.mark.parametrize("twelfths", range(-60, 61))
def test_exact_values(twelfths: int) -> None:
    angle = pi * Fraction(twelfths, 12)
    value = math.pi * twelfths / 12
    assert math.isclose(evaluate([sin(angle)], {})[0], math.sin(value), abs_tol=1e-14)
    assert math.isclose(evaluate([cos(angle)], {})[0], math.cos(value), abs_tol=1e-14)
    if twelfths % 24 in SINES:
        assert sin(angle) is SINES[twelfths % 24]
        assert cos(angle - pi / 2) is SINES[twelfths % 24]
        if SINES[(twelfths + 6) % 24].is_zero:
            with pytest.raises(ExprError, match="infinite"):
                tan(angle)
        else:
            assert math.isclose(evaluate([tan(angle)], {})[0], math.tan(value), abs_tol=1e-12)


def test_quarter_turns_and_signs() -> None:
    assert sin(-q) is -sin(q)
    assert cos(-q) is cos(q)
    assert tan(-q) is -tan(q)
    assert sin(q + pi / 2) is cos(q)
    assert sin(pi / 2 - q) is cos(q)
    assert cos(q - pi / 2) is sin(q)
    assert cos(pi - q) is -cos(q)
    assert sin(q - 3 * pi) is -sin(q)
    assert tan(q + pi) is tan(q)
    assert tan(q + pi / 2) is -1 / tan(q)
    assert sin(p - q) is -sin(q - p)
    assert cos(p - q) is cos(q - p)
    assert cos(2 * (q + pi / 2)) is -cos(2 * q)
    assert cos(2 * (q + p)) is cos(2 * q + 2 * p)
    assert cos(q + 0.5 * pi) is -sin(q)
    assert sin(0.25 * pi) is sqrt(2) / 2
    assert sin(number(-2)) is -sin(number(2))
    assert sin(pi / 2 - 2) is cos(number(2))
    assert sin(step(q + p) + pi) is -sin(step(q + p))


turns = st.fractions(-3, 3, max_denominator=12)
angles = st.one_of(
    turns.map(lambda half: half * pi),
    st.tuples(turns.filter(bool), turns, turns, turns, turns).map(
        lambda c: c[0] * q + c[1] * p + c[2] * k + c[3] * pi + c[4]
    ),
)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(angles, st.sampled_from([1, 2, -1, Fraction(1, 2)]))
def test_value_and_canonical_angle(angle: Expr, factor: int) -> None:
    angle = angle * factor
    values = {"q": 0.3, "p": -1.1, "k": 0.7}
    (theta,) = evaluate([angle], values)
    s, c, minus_s, minus_c, s_turned = evaluate(
        [sin(angle), cos(angle), sin(-angle), cos(-angle), sin(angle + 2 * pi)], values
    )
    for got, wanted in [(s, math.sin(theta)), (c, math.cos(theta)), (s_turned, s), (minus_s, -s), (minus_c, c)]:
        assert math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)
    assert cos(angle) is cos(-angle)
    assert sin(angle) is -sin(-angle)
    assert sin(angle + pi / 2) is cos(angle)
    assert sin(angle + 2 * pi) is sin(angle)
    if abs(math.cos(theta)) > 1e-6:
        assert math.isclose(evaluate([tan(angle)], values)[0], math.tan(theta), rel_tol=1e-6, abs_tol=1e-9)


@pytest.mark.parametrize("value", [0, 1, -1, Fraction(1, 2), Fraction(-1, 2), 0.3, -0.7, Fraction(1, 3)])
def test_inverse_functions(value: float) -> None:
    for ours, reference in [(asin, math.asin), (acos, math.acos), (atan, math.atan)]:
        assert math.isclose(evaluate([ours(value)], {})[0], reference(value), abs_tol=1e-15)
    assert asin(-q) is -asin(q)
    assert atan(-q) is -atan(q)
    assert asin(1) is pi / 2
    assert acos(-1) is pi
    assert acos(Fraction(-1, 2)) is pi * Fraction(2, 3)


@pytest.mark.parametrize("y", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("x", [-2, -1, 0, 1, 2])
def test_atan2(y: int, x: int) -> None:
    assert math.isclose(evaluate([atan2(y, x)], {})[0], math.atan2(y, x), abs_tol=1e-15)
    assert atan2(1, 1) is pi / 4
    assert atan2(0, -3) is pi
    assert atan2(0, 0) is number(0)


@pytest.mark.parametrize("build", [lambda: asin(1.5), lambda: acos(-1.1), lambda: tan(pi / 2), lambda: tan(-pi / 2)])
def test_outside_the_domain(build: object) -> None:
    with pytest.raises(ExprError):
        build()  # type: ignore[operator]


def test_an_angle_of_a_known_sine_and_cosine_gives_them_back() -> None:
    s, c, x = variable("s"), variable("c"), variable("x")
    phi = angle(s, c)
    assert sin(phi) is s
    assert cos(phi) is c
    at = {s: 0.6, c: 0.8, x: 0.7}
    for sign in (1, -1):
        for name, function in (("sin", math.sin), ("cos", math.cos)):
            made = {"sin": sin, "cos": cos}[name](x + sign * phi + pi / 2)
            expected = function(0.7 + sign * math.atan2(0.6, 0.8) + math.pi / 2)
            assert abs(evaluate([made], at)[0] - expected) < 1e-15


def test_the_angle_of_the_sine_and_cosine_of_an_angle_is_that_angle() -> None:
    x = variable("x")
    for S, C in [(a * f(x), b * g(x)) for a in (1, -1) for b in (1, -1) for f, g in ((sin, cos), (cos, sin))]:
        phi = angle(S, C)
        assert phi.op != "angle"
        sine, cosine, there = evaluate([S, C, phi], {x: 1.234})
        assert abs(math.sin(there) - sine) + abs(math.cos(there) - cosine) < 1e-14


def test_nobody_writes_angles_of_what_is_no_sine_and_cosine() -> None:
    with pytest.raises(ExprError, match="angle"):
        parse("sin(angle(2, 3))")
