"""Parameters brought together: the same values, one parameter factor for each product, one parameter term for each sum."""

from __future__ import annotations

import random

import pytest
from program.random_graphs import INPUTS, PARAMETERS, random_graph, random_values

from robosym.expr import Expr, add, cos, evaluate, number, parameter, pi, sin, sqrt, step, text, variable
from robosym.expr.node import CONSTANT, LIN, PROD, VARIABLE
from robosym.program import Array, Graph
from robosym.program.gather import LONGEST, gather, without_cancellation

a, b = variable("a"), variable("b")
p, q, r = parameter("p"), parameter("q"), parameter("r")


def gathered(*roots: Expr, **how: object) -> list[Expr]:
    graph = Graph("small", (Array("x", (2,), (a, b)),), (Array("y", (len(roots),), roots),))
    return gather(graph, **how).roots  # type: ignore[arg-type]


@pytest.mark.parametrize("open_steps", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_values_stay_and_parameters_meet(seed: int, open_steps: bool) -> None:
    graph = random_graph(seed)
    found = gather(graph, open_steps)
    values = random_values(seed)
    assert evaluate(found.roots, values) == pytest.approx(evaluate(graph.roots, values), rel=1e-12)
    if open_steps:  # what was opened is gathered again by the next one
        found = gather(found)
    for node in found.nodes:
        if node.level == VARIABLE and node.op == PROD:
            assert sum(base.level < VARIABLE for base in node.args) <= 1, text(node)
            assert all(e == 1 for base, e in zip(node.args, node.value, strict=True) if base.level < VARIABLE)
        if node.level == VARIABLE and node.op == LIN and len(node.args) > 1:
            fixed = [c for term, c in zip(node.args, node.value[1], strict=True) if term.level < VARIABLE]
            assert len(fixed) + (node.value[0] != 0) <= 1, text(node)
    assert all(one.level != CONSTANT or not one.args for one in found.nodes)
    assert set(found.names.values()) <= set(graph.names.values())


def test_products() -> None:
    (found,) = gathered(2 * p * q * a / r**2)
    assert found is step(2 * p * q / r**2) * a
    assert gathered(p * a * b)[0] is p * a * b
    assert gathered(a * b / p)[0] is step(1 / p) * a * b
    assert gathered(a**2 * p**2)[0] is step(p**2) * a**2
    assert gathered(step(p * q) * r * a)[0] is step(p * q * r) * a  # a unit is opened for a larger one


def test_sums() -> None:
    assert gathered(a + p + q - 2)[0] is a + step(p + q - 2)
    assert gathered(a - p)[0] is a - p
    assert gathered(a + 2 * p)[0] is a + step(2 * p)
    assert gathered(a + step(p + q) + r)[0] is a + step(p + q + r)
    assert gathered(3 * a + b - 1)[0] is 3 * a + b - 1
    assert gathered(3 * p * a - 2 * q * b)[0] is step(3 * p) * a - step(2 * q) * b
    assert gathered(a + p * q * b - r * p)[0] is a + step(p * q) * b - p * r
    assert gathered(-(a + p + q))[0] is -(a + step(p + q))
    assert gathered(a + step(p - 1) - p)[0] is a - 1  # the parameters cancel


def test_constants_become_numbers() -> None:
    (found,) = gathered(sqrt(number(2)) * a + cos(number(1)) * sin(b) + pi)
    expected = (
        2**0.5 * 0.3
        + float(evaluate([cos(number(1.0))], {})[0]) * float(evaluate([sin(number(0.7))], {})[0])
        + 3.141592653589793
    )
    assert evaluate([found], {a: 0.3, b: 0.7})[0] == pytest.approx(expected)
    assert not any(node.level == CONSTANT and node.args for node in Graph("g", (), (Array("y", (), (found,)),)).nodes)


def test_steps_used_once_are_opened() -> None:
    once, twice = step(p * a + b), step(a * b + 1)
    found = gathered(q * once, twice * a, twice * b, open_steps=True)
    assert found[0] is q * (p * a + b)
    assert found[1:] == [twice * a, twice * b]
    assert gathered(q * once)[0] is q * once


def test_what_is_settled_is_left_alone() -> None:
    node = p * q * a
    assert gathered(sin(node) + b, settled={node})[0] is sin(node) + b
    assert gathered(sin(node) + b)[0] is sin(step(p * q) * a) + b


# --- cancellation ------------------------------------------------------------------------------------------------------


def test_what_was_brought_in_is_not_taken_away() -> None:
    assert without_cancellation([(p + q) / 2 - (p - q) / 2]) == [q]
    assert without_cancellation([step(p + q) - p]) == [q]
    assert without_cancellation([p + step(q + step(r - p))]) == [q + r]
    assert without_cancellation([3 - step(p + 1) + 2 * p]) == [p + 2]
    assert without_cancellation([p * (step(p + q) - p)]) == [p * q]
    assert without_cancellation([2 * step(step(p + q) + r) - 2 * step(p + q)]) == [2 * r]


def test_sums_without_cancellation_stay() -> None:
    for root in (p + q, step(p + q) + r, step(p + q) * r - p, sin(p + q) - p, 2 * step(p + q) + 3 * r):
        assert without_cancellation([root]) == [root]


@pytest.mark.parametrize(("count", "opened"), [(LONGEST // 2 - 1, True), (LONGEST, False)])
def test_long_sums_are_multiplied_out_up_to_a_length(count: int, opened: bool) -> None:
    """Sums inside sums of sums: all of them together have to be short."""
    symbols = [parameter(f"u{k}") for k in range(count)]
    inner = step(add(p, *symbols))
    root = step(inner + q) - p
    (found,) = without_cancellation([root])
    assert (found is add(q, *symbols)) == opened


@pytest.mark.parametrize("seed", range(20))
def test_random_sums_keep_their_value(seed: int) -> None:
    rng = random.Random(seed)
    pool: list[Expr] = [*PARAMETERS]
    for _ in range(12):
        chosen = rng.sample(pool, min(len(pool), rng.randint(2, 4)))
        total = add(rng.choice([0, 1]), *[rng.choice([1, -1, 2, 0.5]) * term for term in chosen])
        pool.append(step(total) if rng.random() < 0.5 and total.args else total)
    roots = pool[len(PARAMETERS) :]
    found = without_cancellation(roots)
    values = {symbol: rng.uniform(-1, 1) for symbol in (*PARAMETERS, *INPUTS)}
    assert evaluate(found, values) == pytest.approx(evaluate(roots, values), abs=1e-12)
