"""Factoring: a b + a c = a (b + c), where it saves operations and nothing that is shared is computed again."""

from __future__ import annotations

import random

import pytest
from program.random_graphs import random_graph, random_values, small_graph

from robosym.expr import Expr, add, evaluate, mul, parameter, sin, variable
from robosym.program import optimised
from robosym.program.passes.factor import factor, factored_sum

a, b, c, d, e = (variable(name) for name in "abcde")
p, q = parameter("p"), parameter("q")


def factored(*roots: Expr) -> list[Expr]:
    return factor(small_graph(*roots)).roots


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (a * b + a * c, a * (b + c)),
        (a * b - a * c, a * (b - c)),
        (a * b + a * c + 1, a * (b + c) + 1),
        (-a * b - a * c, -a * (b + c)),
        (a * b + a * c + d * b + d * c, (a + d) * (b + c)),
        (a * a * b + a * a * c, a**2 * (b + c)),
        (a * b * c + a * b * d, a * b * (c + d)),
        (a * b * c + a * b * d + a * e, a * (b * (c + d) + e)),
        (2 * a + 2 * b, 2 * (a + b)),
        (2 * a - 2 * b + c, 2 * (a - b) + c),
        (3 * a * b + 2 * a * c, a * (3 * b + 2 * c)),
        (a + a * b, a + a * b),  # one multiplication either way
        (a * b + c * d, a * b + c * d),
        (a + a * b + a * c, a * (1 + b + c)),
        (p * a + q * a + b, a * (p + q) + b),  # the sum of parameters is made off-line
        (a / b + c / b, a / b + c / b),  # quotients are left alone
        (sin(a) * b + sin(a) * c, sin(a) * (b + c)),
    ],
)
def test_sums(root: Expr, expected: Expr) -> None:
    assert factored(root) == [expected]


def test_shared_products_are_computed_anyway() -> None:
    roots = [a * b + a * c, sin(a * b)]
    assert factored(*roots) == roots
    assert factored_sum(a * b + a * c, {a * b}) is a * b + a * c
    assert factored_sum(a * b + a * c + a * d, {a * b}) is a * b + a * (c + d)


def test_the_factor_that_saves_most_comes_first() -> None:
    root = a * b + a * c + a * d + e * b
    assert factored(root) == [a * (b + c + d) + b * e]


@pytest.mark.parametrize("seed", range(15))
def test_expanded_products_keep_their_value_and_cost_less(seed: int) -> None:
    """(sum of factors)(sum of factors) written out, with numbers and parameters among them."""
    rng = random.Random(seed)
    pool = [a, b, c, d, e, p, q]
    roots = []
    for _ in range(4):
        first, second = (rng.sample(pool, rng.randint(2, 3)) for _ in range(2))
        terms = [mul(rng.choice([1, -1, 2, -0.5]), x, y) for x in first for y in second]
        roots.append(add(rng.choice([0, 1]), *terms, rng.choice([0, 1]) * rng.choice(pool)))
    graph = small_graph(*roots)
    found = factor(graph)
    values = {symbol: rng.uniform(-2, 2) for symbol in pool}
    assert evaluate(found.roots, values) == pytest.approx(evaluate(roots, values), rel=1e-11, abs=1e-12)
    assert found.operations.total < graph.operations.total


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_keep_their_values(seed: int) -> None:
    graph, values = random_graph(seed), random_values(seed)
    assert evaluate(factor(graph).roots, values) == pytest.approx(evaluate(graph.roots, values), rel=1e-12)


def test_factoring() -> None:
    program = optimised(small_graph(a * b + a * c - a * d))
    assert (program.operations.mul, program.operations.add) == (1, 2)


def test_factoring_twice() -> None:
    program = optimised(small_graph(a * b + a * c + d * b + d * c))
    assert (program.operations.mul, program.operations.add) == (1, 2)


def test_factoring_leaves_a_shared_product_alone() -> None:
    program = optimised(small_graph(a * b + a * c, a * b - d, a * c - e))
    assert program.operations.total == 2 + 3
