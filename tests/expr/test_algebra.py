"""Canonical sums, products and steps, and the attempts to break them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from operator import add as plus
from operator import mul as times

import numpy as np
import pytest
from counted import calls
from hypothesis import given, settings
from hypothesis import strategies as st

from robosym.expr import (
    Expr,
    ExprError,
    add,
    cos,
    evaluate,
    expr,
    linear,
    mul,
    number,
    parameter,
    pi,
    power,
    power_product,
    sin,
    sqrt,
    step,
    variable,
)
from robosym.expr.algebra import LARGEST_EXPONENT, OPEN_LIMIT, ZERO, is_scaled, negate, split_coefficient
from robosym.expr.node import LIN, NUM, PROD
from robosym.expr.walk import postorder, rebuild

from .strategies import expressions, points, random_association, random_coefficient

a, b, c, d = (parameter(n) for n in "abcd")
x, y = variable("x"), variable("y")


def _terms(count: int, rng: random.Random) -> list[Expr]:
    plain = [variable(f"t{i}") for i in range(count)]
    wrapped = [plain[0] * a, sin(plain[1 % count]), step(a + plain[2 % count]), plain[3 % count] ** 2]
    return [random_coefficient(rng) * (wrapped[i] if i < len(wrapped) else t) for i, t in enumerate(plain)]


@settings(deadline=None, max_examples=150)
@given(st.integers(2, OPEN_LIMIT), st.integers(0, 10**9))
def test_sums_of_distinct_terms_do_not_depend_on_association(count: int, seed: int) -> None:
    rng = random.Random(seed)
    terms = _terms(count, rng)
    at_once = add(*terms)
    assert random_association(terms, rng, plus) is at_once
    assert reduce(plus, terms) is at_once
    assert -random_association([-t for t in terms], rng, plus) is at_once
    halves = rng.sample(terms, count // 2)
    others = [t for t in terms if t not in halves]
    assert add(*halves) - -add(*others) is at_once
    assert add(*others) - add(*[-t for t in halves]) is at_once


@settings(deadline=None, max_examples=100)
@given(st.integers(2, OPEN_LIMIT), st.integers(0, 10**9))
def test_products_of_distinct_factors_do_not_depend_on_association(count: int, seed: int) -> None:
    rng = random.Random(seed)
    factors = [rng.choice([1, 2, -1, -2]) * (variable(f"t{i}") ** rng.choice([1, 1, 2, -1])) for i in range(count)]
    at_once = mul(*factors)
    assert random_association(factors, rng, times) is at_once
    assert at_once / mul(*factors[1:]) is factors[0]
    assert mul(*factors[::-1]) / at_once is number(1)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(expressions)
def test_every_node_is_a_fixed_point_of_its_constructor(e: Expr) -> None:
    for node in postorder([e]):
        if node.args:
            assert rebuild(node, node.args) is node


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(1, 60), min_size=2, max_size=5), st.integers(0, 10**9))
def test_long_sums_and_products_are_fixed_points_too(lengths: list[int], seed: int) -> None:
    """Beyond OPEN_LIMIT some sums stay closed; what remains must still be what its constructor makes of it."""
    rng = random.Random(seed)
    pool = [variable(f"t{i}") for i in range(70)]
    for combine, total in ((plus, add), (times, mul)):
        pieces = [total(*rng.sample(pool, n)) for n in lengths]
        whole = random_association(pieces, rng, combine)
        back = whole
        for piece in rng.sample(pieces, len(pieces) - 1):
            back = back - piece if combine is plus else back / piece
        for root in (whole, back):
            for node in postorder([root]):
                if node.args:
                    assert rebuild(node, node.args) is node
        values = {t: rng.uniform(0.9, 1.1) for t in pool}
        expected = [evaluate([p], values)[0] for p in pieces]
        wanted = sum(expected) if combine is plus else math.prod(expected)
        assert math.isclose(evaluate([whole], values)[0], wanted, rel_tol=1e-9)


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(expressions, expressions, expressions, points)
def test_ring_laws_hold_in_value(e: Expr, f: Expr, g: Expr, point: dict[str, float]) -> None:
    pairs = [
        (e + f, f + e),
        (e - f, -(f - e)),
        (e * f, f * e),
        ((e + f) + g, e + (f + g)),
        (negate(-e), e),
        (e - e, ZERO),
    ]
    for left, right in (*pairs, ((e * f) * g, e * (f * g))):
        u, v = evaluate([left, right], point)
        assert u == v or math.isclose(u, v, rel_tol=1e-9, abs_tol=1e-9) or not math.isfinite(u + v)
    for left, right in pairs[:3]:
        assert left is right


def test_like_terms_and_numbers_fold() -> None:
    assert x + x is 2 * x
    assert x - x is ZERO
    assert x + 0 is x
    assert x * 1 is x
    assert x * 0 is ZERO
    assert 0 / x is ZERO
    assert x / x is number(1)
    assert x**0 is number(1)
    assert 3 * cos(x) - cos(x) is 2 * cos(x)
    assert (x + 1) - 1 is x
    assert 2 * x / 2 is x
    assert x * 0.5 * 2 is x
    assert (x + y) + (x - y) is 2 * x
    assert Fraction(1, 3) * x * 3 is x


def test_signs_are_shared() -> None:
    for left, right in [(a, b), (a * x, sin(y)), (x, 2 * y), (a, number(3)), (a - b, c * (b - a))]:
        forward, backward = left - right, right - left
        assert forward is -backward
        shared = forward if not is_scaled(forward) else backward
        assert shared in postorder([forward])
        assert shared in postorder([backward])
    assert (a - b) * (b - a) is -((a - b) ** 2)
    assert (b - a) * x is -((a - b) * x)
    assert (b - a) ** 2 is (a - b) ** 2
    assert x / (b - a) is -(x / (a - b))


def test_scaled_sums_stay_closed_but_cancel() -> None:
    s = a + b
    assert split_coefficient(2 * s) == (2, s)
    assert 2 * s - s is s
    assert 3 * s - 2 * s is s
    assert 3 * s - 2 * s + c is a + b + c
    assert (2 * s + c) - s is a + b + c
    assert (2 * s + c) - 2 * s is c
    assert 2 * s + c is c + s * 2
    assert -(2 * s) is 2 * -s is -2 * s
    assert (2 * (a - b)) is -2 * (b - a)
    assert 2 * s * Fraction(1, 2) is s


def test_square_roots() -> None:
    r = sqrt(x)
    assert r * r is x
    assert r**3 is x * r
    assert r**4 is x**2
    assert r**-2 is 1 / x
    assert sqrt(r) ** 4 is x
    assert power(x, Fraction(3, 2)) is x * r
    assert power(x, 0.5) is r
    assert power(x, -1.5) is 1 / (x * r)
    assert sqrt(2) * sqrt(2) is number(2)
    assert 1 / sqrt(2) is sqrt(2) / 2
    assert sqrt(8) is 2 * sqrt(2)
    assert sqrt(Fraction(1, 2)) is sqrt(2) / 2
    assert sqrt(Fraction(9, 4)) is number(Fraction(3, 2))
    assert sqrt(2) ** 5 is 4 * sqrt(2)
    assert (x * sqrt(a)) ** 2 is x**2 * a
    assert sqrt(10**40) is number(10**20)


@pytest.mark.parametrize(
    "build",
    [
        lambda: x / 0,
        lambda: x / (y - y),
        lambda: number(0) ** -1,
        lambda: sqrt(-1),
        lambda: number(math.inf),
        lambda: number(math.nan),
        lambda: x * math.nan,
        lambda: number(10**400),
        lambda: number(10) ** 5000,
        lambda: number(2) ** (10**30),
        lambda: number(1e200) * 1e200,
        lambda: x * 1e200 * 1e200,
        lambda: 1e308 * x + 1e308 * x,
        lambda: number(1e308) + 1e308,
        lambda: mul(10**300, 10**300, 0.5),
        lambda: mul(0.5, 10**300, 10**300),
        lambda: linear(10**300, [(x, 1), (number(10**300), 10**300), (number(0.5), 1)]),
        lambda: number(Fraction(1, 2**5000)),
        lambda: number(0.5) ** -5000,
        lambda: number(1e-200) ** -2,
        lambda: x ** (LARGEST_EXPONENT + 1),
        lambda: x ** (10**100),
        lambda: (x**4000) * (x**4000),
        lambda: (x * y) ** -(10**6),
        lambda: sqrt(x) ** (10**30),
        lambda: expr("x"),  # type: ignore[arg-type]
        lambda: expr(None),  # type: ignore[arg-type]
        lambda: add(x, "1"),  # type: ignore[arg-type]
        lambda: number(1j),  # type: ignore[arg-type]
    ],
)
def test_what_has_no_value_is_an_expression_error(build: object) -> None:
    with pytest.raises(ExprError):
        build()  # type: ignore[operator]


def test_tiny_floats_vanish_as_they_do_in_arithmetic() -> None:
    assert 1e-200 * x * 1e-200 is ZERO
    assert number(1e-200) ** 2 is ZERO
    assert add(1e-200 * x, -1e-200 * x) is ZERO
    assert (-1) ** 3 * x is -x
    assert number(-1) ** 4001 is number(-1)


def test_large_exact_numbers_evaluate() -> None:
    big = 10**308
    assert evaluate([number(big), big * x, x + big, number(Fraction(1, 2**4000)) * x], {x: 1.0}) == [
        1e308,
        1e308,
        1e308 + 1,
        0.0,
    ]


def test_division_of_floats_is_rounded_once() -> None:
    for u, v in [(0.1, 3), (1.5, 7), (2, 0.3), (0.7, 0.9)]:
        assert (number(u) / v).value == u / v
        assert split_coefficient(u * x / v)[0] == u / v


def test_numbers_of_other_libraries() -> None:
    assert np.float64(0.5) * x is 0.5 * x
    assert x * np.int64(2) is 2 * x
    assert np.float32(0.5) + x is x + 0.5
    assert number(np.array(1.5)) is number(1.5)  # type: ignore[arg-type]
    assert number(Decimal("0.5")) is number(0.5)  # type: ignore[arg-type]
    array = np.array([1.0, 2.0])
    assert list(x * array) == [x, 2 * x]
    assert list(array * x) == [x, 2 * x]
    assert list(np.array([x, y]) + x) == [2 * x, x + y]
    with pytest.raises(TypeError):
        x + "1"  # type: ignore[operator]
    with pytest.raises(TypeError):
        None * x  # type: ignore[operator]


def test_steps_keep_sums_apart_and_signs_outside() -> None:
    s = step(a + x)
    assert s + b != a + x + b
    assert len((s + b).args) == 2
    assert step(s) is s
    assert step(x) is x
    assert step(number(3)) is number(3)
    assert step(-(a + x)) is -s
    assert step(-2 * x) is -step(2 * x)
    assert step(b - x) is -step(x - b)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("combine", "neutral"), [(plus, 0), (times, 1)])
def test_combining_one_by_one_takes_linear_work(combine: Callable[[Expr, Expr], Expr], neutral: int) -> None:
    """Calls grow with the number of terms, and so do the entries that are copied into partial results, which no call shows."""

    def combined(terms: int) -> list[Expr]:
        return list(accumulate((variable(f"x{i}") for i in range(terms)), combine, initial=number(neutral)))

    def copied(terms: int) -> int:
        return sum(len(partial.args) for partial in combined(terms))

    assert calls(lambda: combined(1_000)) < 5 * calls(lambda: combined(250))
    assert copied(1_000) < 5 * copied(250)
    made = combined(10_000)[-1]
    assert evaluate([made], {f"x{i}": 1.0 for i in range(10_000)}) == [1.0 if neutral else 10_000.0]
    assert len(postorder([made])) < 11_000


def test_canonical_shape_of_every_sum_and_product() -> None:
    rng = random.Random(5)
    pool: list[Expr] = [x, y, a, b, pi, number(2), number(0.5), number(Fraction(-1, 3))]
    for _ in range(3000):
        u, v = rng.choice(pool), rng.choice(pool)
        new = rng.choice([u + v, u - v, -u, sin(u), step(u), u if u.op == PROD else u * v])
        if len(pool) < 300:
            pool.append(new)
        else:
            pool[rng.randrange(8, 300)] = new
        if new.op == LIN and not is_scaled(new):
            assert new.value[1][0] > 0
            assert all(not is_scaled(t) and t.op != NUM for t in new.args)
        if new.op == LIN:
            assert all(c != 0 for c in new.value[1])
        if new.op == PROD:
            assert 0 not in new.value
            assert all(t.op != NUM and not is_scaled(t) for t in new.args)
        if new.op in (LIN, PROD):
            assert list(new.args) == sorted(new.args, key=lambda n: n.key)
            assert len(set(new.args)) == len(new.args)


def test_general_constructors_agree_with_the_short_ways() -> None:
    rng = random.Random(11)
    atoms: list[Expr] = [x, y, a, b, sin(x), step(a + x), x * y, pi, number(3), number(-0.5), a + b - 2 * c]
    for _ in range(2000):
        u, v = (random_coefficient(rng) * rng.choice(atoms) for _ in range(2))
        assert u + v is linear(0, [(u, 1), (v, 1)])
        assert u - v is linear(0, [(u, 1), (v, -1)])
        assert u * v is power_product([(u, 1), (v, 1)])
        assert -u is linear(0, [(u, -1)])
        assert u**2 is power_product([(u, 2)])
        if len(atoms) < 60:
            atoms.append(u + v)
        else:
            atoms[rng.randrange(11, 60)] = u - v
