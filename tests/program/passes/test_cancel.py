"""Cancelling: what multiplies a divisor inside a sum comes out of it, and the values stay."""

from __future__ import annotations

import numpy as np
import pytest
from program.random_graphs import INPUTS, PARAMETERS, random_graph
from sweeps import many

from robosym.expr import Expr, evaluate, expr, step, variable
from robosym.program import Array, Graph
from robosym.program.passes.cancel import CANCEL, cancel

a, b, c, x, y, z = (variable(name) for name in "abcxyz")


def graph(*roots: Expr) -> Graph:
    inputs = tuple(Array(s.name, (), (s,)) for s in (a, b, c, x, y, z))
    return Graph("test", inputs, (Array("out", (len(roots),), tuple(map(expr, roots))),))


def values_of(made: Graph, at: dict[Expr, float]) -> np.ndarray:
    return np.array([float(v) for v in evaluate(list(made.roots), at)])


def numbers(seed: int) -> dict[Expr, float]:
    drawn = np.random.default_rng(seed).uniform(0.5, 2, 6)
    return dict(zip((a, b, c, x, y, z), map(float, drawn), strict=True))


def test_a_sum_over_what_it_holds() -> None:
    inverse = step(1 / x)
    before = graph(expr((a + b * x) * inverse), inverse)
    after = cancel(before)
    assert after.roots[0] is expr(a * inverse + b)
    assert np.allclose(values_of(before, numbers(1)), values_of(after, numbers(1)), rtol=1e-14)


def test_a_shorter_inverse_that_is_there() -> None:
    """y / (x y) is 1 / x, if that is computed anyway; else it stays."""
    both, one = step(1 / (x * y)), step(1 / x)
    assert cancel(graph(one, expr(c * y * both))).roots[1] is expr(c * one)
    alone = graph(expr(c * y * both))
    assert cancel(alone).roots == alone.roots


def test_all_of_it() -> None:
    assert cancel(graph(expr(c * x * step(1 / x)))).roots[0] is c


@pytest.mark.parametrize("size", [2, -3, 0.5])
def test_coefficients_of_inverses(size: float) -> None:
    """3 / (x y) beside 2 / x: numbers of the two divide each other."""
    both, one = step(size / (x * y)), step(-2 / x)
    before = graph(one, both, expr(c * y * both), expr((a + b * x * y + z * x * y * y) * both))
    after = cancel(before)
    for seed in range(3):
        assert np.allclose(values_of(before, numbers(seed)), values_of(after, numbers(seed)), rtol=1e-13)


def test_powers() -> None:
    square = step(1 / (x * x))
    before = graph(square, step(1 / x), expr((a + b * x * x + c * x) * square), expr(x * y * square))
    after = cancel(before)
    assert np.allclose(values_of(before, numbers(4)), values_of(after, numbers(4)), rtol=1e-13)
    assert after.operations.total <= before.operations.total


def test_what_holds_no_divisor_stays() -> None:
    plain = graph(expr((a + b * y) * step(1 / x)), expr(a * b + c))
    assert cancel(plain).roots == plain.roots


def test_it_is_a_pass_with_a_name() -> None:
    assert CANCEL.name == "cancel"


def test_sums_over_sums_that_share_divisors() -> None:
    """Solutions of small systems by a shared inverse, drawn at random: values stay."""
    rng = np.random.default_rng(7)
    for seed in range(many(20)):
        terms = [expr(p * q) for p in (a, b, c, 1) for q in (x, y, x * y, x * x, 1)]
        divisors = [step(float(rng.integers(1, 4)) / d) for d in (x, expr(x * y), expr(x * x), y)]
        roots = list(divisors)
        for _ in range(6):
            some = rng.choice(len(terms), 3, replace=False)
            total = expr(sum((int(rng.integers(-3, 4)) * terms[k] for k in some), 0))
            roots.append(expr(total * divisors[int(rng.integers(4))] * (y if rng.random() < 0.5 else 1)))
        before = graph(*roots)
        after = cancel(before)
        at = numbers(seed)
        assert np.allclose(values_of(before, at), values_of(after, at), rtol=1e-11, atol=1e-11)


def test_random_graphs_keep_their_values() -> None:
    for seed in range(many(5)):
        before = random_graph(seed)
        rng = np.random.default_rng(seed)
        at = {s: float(rng.uniform(0.5, 1.5)) for s in (*INPUTS, *PARAMETERS)}
        assert np.allclose(values_of(before, at), values_of(cancel(before), at), rtol=1e-11, atol=1e-11)
