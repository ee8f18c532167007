"""Sums of angles: the identities, hidden in random sums, joined and equal in value."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings

from robosym.expr import Expr, cos, evaluate, join_angles, number, parameter, sin, step, variable

from .strategies import expressions, points

p, q, r = variable("p"), variable("q"), variable("r")
a, b = parameter("a"), parameter("b")
K = step(a + b)


@pytest.mark.parametrize(
    "factor", [number(1), number(-1), 2 * a, Fraction(1, 3) * a * b, 0.5 * K, a + b, sin(r), cos(q)]
)
@pytest.mark.parametrize(
    ("written", "joined"),
    [
        (lambda k: k * cos(p) * cos(q) - k * sin(p) * sin(q), cos(p + q)),
        (lambda k: k * cos(p) * cos(q) + k * sin(p) * sin(q), cos(p - q)),
        (lambda k: k * sin(p) * cos(q) + k * cos(p) * sin(q), sin(p + q)),
        (lambda k: k * sin(p) * cos(q) - k * cos(p) * sin(q), sin(p - q)),
        (lambda k: k * cos(p) * sin(q) - k * sin(p) * cos(q), sin(q - p)),
        (lambda k: k * cos(p) ** 2 + k * sin(p) ** 2, number(1)),
        (lambda k: k * cos(p) ** 2 - k * sin(p) ** 2, cos(2 * p)),
        (lambda k: k * sin(p) ** 2 - k * cos(p) ** 2, -cos(2 * p)),
    ],
)
def test_identities_with_common_factors(written: object, joined: Expr, factor: Expr) -> None:
    assert join_angles([written(factor)]) == [factor * joined]  # type: ignore[operator]


def test_other_terms_stay_and_different_sizes_do_not_join() -> None:
    whole = a * cos(p) * cos(q) - a * sin(p) * sin(q) + b * sin(p) + 3
    assert join_angles([whole]) == [a * cos(p + q) + b * sin(p) + 3]
    for alone in (
        a * cos(p) * cos(q) - b * sin(p) * sin(q),
        2 * cos(p) * cos(q) - sin(p) * sin(q),
        cos(p) * cos(q) - sin(p) * sin(r),
        sin(p) * cos(p),
        cos(p) / sin(q) - sin(p) / cos(q),
    ):
        assert join_angles([alone]) == [alone]


def test_chains_join_into_one_angle() -> None:
    angles = [variable(f"q{i}") for i in range(1, 7)]
    c, s = number(1), number(0)
    for angle in angles:
        c, s = c * cos(angle) - s * sin(angle), s * cos(angle) + c * sin(angle)
    total = sum(angles, number(0))
    assert join_angles([c, s]) == [cos(total), sin(total)]
    assert join_angles([c**2 + s**2]) == [number(1)]
    expanded = cos(p) * cos(q) * cos(r) - sin(p) * sin(q) * cos(r) - sin(p) * cos(q) * sin(r) - cos(p) * sin(q) * sin(r)
    assert join_angles([expanded]) == [cos(p + q + r)]


def test_constants_and_steps_are_angles_too() -> None:
    angle = step(p + q)
    assert join_angles([cos(angle) * cos(a) - sin(angle) * sin(a)]) == [cos(angle + a)]
    assert join_angles([step(cos(p) * cos(q) - sin(p) * sin(q)) * a]) == [a * step(cos(p + q))]


def test_double_angles_only_on_request() -> None:
    e = 2 * a * sin(p) * cos(p)
    assert join_angles([e]) == [e]
    assert join_angles([e], double=True) == [a * sin(2 * p)]
    four = sin(p) * cos(p) * sin(q) * cos(q)
    assert join_angles([four], double=True) == [sin(2 * p) * sin(2 * q) / 4]
    assert join_angles([sin(p) * cos(p) * cos(2 * p)], double=True) == [sin(4 * p) / 4]


def test_random_trigonometric_sums_keep_their_value() -> None:
    rng = random.Random(2)
    joined_some = 0
    for _ in range(300):
        angles = [p, q, r, a, p + q, p - r][: rng.randint(2, 6)]
        total = number(0)
        for _ in range(rng.randint(1, 4)):
            u, v = rng.choice(angles), rng.choice(angles)
            k = rng.choice([1, -1, 2, Fraction(1, 2)]) * rng.choice([number(1), a, cos(r), b * sin(q)])
            total = total + k * rng.choice(
                [
                    cos(u) * cos(v) - sin(u) * sin(v),
                    sin(u) * cos(v) + cos(u) * sin(v),
                    cos(u) * cos(v),
                    sin(u) ** 2 + cos(u) ** 2,
                ]
            )
        for double in (False, True):
            (new,) = join_angles([total], double)
            joined_some += new is not total
            assert join_angles([new], double) == [new]
            for _ in range(2):
                values = {s: rng.uniform(-3, 3) for s in (p, q, r, a, b)}
                assert math.isclose(*evaluate([total, new], values), rel_tol=1e-11, abs_tol=1e-11)
    assert joined_some > 200


@settings(deadline=None, max_examples=60)
@given(expressions, points)
def test_any_expression_keeps_its_value(e: Expr, point: dict[str, float]) -> None:
    (new,) = join_angles([e])
    u, v = evaluate([e, new], point)
    assert u == v or math.isclose(u, v, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.slow
def test_wide_and_deep_graphs() -> None:
    wide = sum((a * cos(variable(f"x{i}")) ** 2 + a * sin(variable(f"x{i}")) ** 2 for i in range(2000)), number(0))
    (new,) = join_angles([wide])
    assert evaluate([new], {"a": 1.0})[0] == 2000
    deep = p
    for _ in range(20_000):
        deep = sin(deep) + 1
    assert join_angles([deep]) == [deep]
