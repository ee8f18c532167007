"""Recombining: P (a + b) + Q (a - b) = (P + Q) a + (P - Q) b, where that saves operations."""

from __future__ import annotations

import random

import pytest
from program.random_graphs import random_graph, random_values, small_graph

from robosym.expr import Expr, add, evaluate, mul, parameter, sin, step, variable
from robosym.program import optimised
from robosym.program.passes.recombine import recombine

a, b, c, d = (variable(name) for name in "abcd")
P, Q, R = (parameter(name) for name in "PQR")


def recombined(*roots: Expr) -> list[Expr]:
    return recombine(small_graph(*roots)).roots


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (P * (a + b) + Q * (a - b), (P + Q) * a + (P - Q) * b),
        (P * (a + b) - Q * (a - b) + 3, (P - Q) * a + (P + Q) * b + 3),
        (P * a + Q * a, (P + Q) * a),
        (P * a * b + Q * a * b + c, (P + Q) * a * b + c),
        (P * (a + b) - P * a, P * b),  # a coefficient that vanishes
        (2 * P * (a + 3 * b) + Q * (a - b), (2 * P + Q) * a + (6 * P - Q) * b),
        (P * step(a + b) + Q * step(a - b), (P + Q) * a + (P - Q) * b),
        (step(P + R) * (a + b) + Q * (a - b), (P + R + Q) * a + (P + R - Q) * b),
        (P * (a + b) + Q * (c - d), P * (a + b) + Q * (c - d)),  # no variable stands twice
        (P * (a + b) + Q * a, (P + Q) * a + P * b),
        (P * (a + b + c) + Q * a, P * (a + b + c) + Q * a),  # as many multiplications, for an addition less off-line
        (a + P * a, (1 + P) * a),
        (P * sin(a) + Q * sin(a) + R * b, (P + Q) * sin(a) + R * b),
        (a * b + a * c, a * b + a * c),  # no parameter
    ],
)
def test_sums(root: Expr, expected: Expr) -> None:
    assert recombined(root) == [expected]


def test_sums_used_elsewhere_stay() -> None:
    """The sums are computed anyway: nothing is saved."""
    roots = [P * (a + b) + Q * (a - b), sin(a + b), sin(a - b)]
    assert recombined(*roots) == roots


def test_products_used_elsewhere_stay_whole() -> None:
    roots = [P * (a + b) + Q * (a - b), sin(P * (a + b))]
    assert recombined(*roots)[0] is roots[0]


def test_groups_that_share_no_variable_are_judged_one_by_one() -> None:
    (found,) = recombined(P * (a + b) + Q * (a - b) + R * c * d + P * c)
    assert found is (P + Q) * a + (P - Q) * b + R * c * d + P * c


@pytest.mark.parametrize("seed", range(15))
def test_random_sums_keep_their_value_and_never_cost_more(seed: int) -> None:
    rng = random.Random(seed)
    variables, parameters = [a, b, c, d, a * b], [P, Q, R, P * Q, step(P + R)]
    roots = []
    for _ in range(4):
        terms = []
        for _ in range(rng.randint(2, 4)):
            inner = add(*[rng.choice([1, -1, 2]) * x for x in rng.sample(variables, rng.randint(1, 3))])
            terms.append(mul(rng.choice([1, -1, 0.5]), rng.choice(parameters), rng.choice([inner, step(inner)])))
        roots.append(add(rng.choice([0, 1]), *terms))
    graph = small_graph(*roots)
    found = recombine(graph)
    values = {symbol: rng.uniform(-2, 2) for symbol in (a, b, c, d, P, Q, R)}
    assert evaluate(found.roots, values) == pytest.approx(evaluate(roots, values), rel=1e-11, abs=1e-12)
    assert found.operations.total <= graph.operations.total


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_keep_their_values(seed: int) -> None:
    graph, values = random_graph(seed), random_values(seed)
    assert evaluate(recombine(graph).roots, values) == pytest.approx(evaluate(graph.roots, values), rel=1e-12)


def test_parameters_beside_one_variable_move_off_line() -> None:
    program = optimised(small_graph(P * a + Q * a + 3 * a))
    assert program.operations.total == 1
    assert program.precompute_operations.total == 2
