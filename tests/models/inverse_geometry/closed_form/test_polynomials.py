"""Polynomials of joints against numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.expr import evaluate, number, variable
from robosym.models.inverse_geometry.closed_form.polynomials import (
    ONE,
    ZERO,
    Polynomial,
    atom,
    constant,
    matrix_product,
    product,
    reduced,
    scaled,
    split,
    total,
    unknowns,
)

k = variable("k")
NUMBERS = {"S1": math.sin(0.4), "C1": math.cos(0.4), "S2": math.sin(-2.0), "C2": math.cos(-2.0), "r3": 0.7}
P: Polynomial = {("C1",): k, ("S1", "S2"): number(3), (): number(-2)}
Q: Polynomial = {("S1",): number(2), ("r3",): k * k, (): number(5)}


def value(p: Polynomial) -> float:
    coefficients = evaluate(list(p.values()), {k: 1.3})
    return float(sum(c * math.prod(NUMBERS[a] for a in m) for c, m in zip(coefficients, p, strict=True)))


def test_sum_product_and_multiple_against_numbers() -> None:
    assert value(total(P, Q)) == pytest.approx(value(P) + value(Q))
    assert value(product(P, Q)) == pytest.approx(value(P) * value(Q))
    assert value(scaled(P, -4)) == pytest.approx(-4 * value(P))
    assert product(P, Q) == product(Q, P)


def test_what_cancels_is_gone() -> None:
    assert total(P, scaled(P, -1)) == ZERO
    assert product(P, ZERO) == ZERO
    assert constant(number(0)) == ZERO
    assert product(ONE, P) == P
    square = product(total(atom("C1"), atom("S1")), total(atom("C1"), scaled(atom("S1"), -1)))
    assert set(square) == {("C1", "C1"), ("S1", "S1")}


def test_reduced_has_no_squared_sine_and_the_same_value() -> None:
    p = product(product(atom("S1"), atom("S1")), product(atom("S1"), P))
    found = reduced(p)
    assert value(found) == pytest.approx(value(p))
    assert all(m.count("S1") < 2 for m in found)
    circle = total(product(atom("C1"), atom("C1")), product(atom("S1"), atom("S1")), scaled(ONE, -1))
    assert reduced(circle) == ZERO


def test_split_by_a_joint_adds_up_again() -> None:
    parts = split(product(P, Q), "1")
    assert all(unknowns(part) <= {"2", "3"} for part in parts.values())
    assert sum(math.prod(NUMBERS[a] for a in own) * value(part) for own, part in parts.items()) == pytest.approx(
        value(product(P, Q))
    )


def test_unknowns_are_the_joints() -> None:
    assert unknowns(P) == {"1", "2"}
    assert unknowns(Q) == {"1", "3"}
    assert unknowns(ONE) == frozenset()


def test_matrix_product_is_of_homogeneous_matrices() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 4))
    rows = [[[constant(number(float(x))) for x in row] for row in m] for m in (a, b)]
    found = np.array([[value(p) for p in row] for row in matrix_product(*rows)])
    expected = np.vstack([a, [0, 0, 0, 1]]) @ np.vstack([b, [0, 0, 0, 1]])
    np.testing.assert_allclose(found, expected[:3], atol=1e-14)
