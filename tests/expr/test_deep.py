"""Graphs of 100 000 nodes: everything is a loop, nothing meets the recursion limit, all work is linear.

What takes the square of 100 000 steps would not end; small graphs are counted.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from counted import calls

from robosym.expr import (
    Expr,
    count,
    derivative,
    evaluate,
    free_symbols,
    interned_count,
    latex,
    parameter,
    sin,
    step,
    substitute,
    text,
    variable,
)
from robosym.expr.serial import read_table, to_table

x, y, a = variable("x"), variable("y"), parameter("a")
DEPTH = 25_000  # of levels with four nodes each


@pytest.fixture(scope="module")
def deep() -> Expr:
    return chain(DEPTH)


def chain(depth: int) -> Expr:
    node = x
    for i in range(depth):
        node = step(sin(node) * a + (i % 7))
    return node


WALKS: dict[str, Callable[[Expr], object]] = {
    "count": lambda node: count([node]),
    "symbols": free_symbols,
    "evaluate": lambda node: evaluate([node], {x: 0.3, a: 0.5}),
    "derivative": lambda node: derivative(node, x),
    "substitute": lambda node: substitute([node], {x: y}),
    "text": text,
    "latex": latex,
    "serialise": lambda node: read_table(to_table([node])),
}


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("walk", WALKS)
def test_work_is_linear(walk: str) -> None:
    small, large = chain(250), chain(1000)
    WALKS[walk](chain(2))  # what is imported or compiled once
    assert calls(lambda: WALKS[walk](large)) < 5 * calls(lambda: WALKS[walk](small))


@pytest.mark.slow
def test_size(deep: Expr) -> None:
    assert count([deep]).trig == DEPTH
    assert count([deep]).mul == DEPTH
    assert free_symbols(deep) == [a, x]


def test_evaluate(deep: Expr) -> None:
    value = 0.3
    for i in range(DEPTH):
        value = math.sin(value) * 0.5 + (i % 7)
    assert math.isclose(evaluate([deep], {x: 0.3, a: 0.5})[0], value, rel_tol=1e-12)
    (batch,) = evaluate([deep], {x: np.array([0.3, 0.4]), a: 0.5})
    assert math.isclose(batch[0], value, rel_tol=1e-12)


@pytest.mark.slow
def test_differentiate_and_substitute(deep: Expr) -> None:
    assert math.isfinite(evaluate([derivative(deep, x)], {x: 0.3, a: 0.5})[0])
    (other,) = substitute([deep], {x: y})
    assert free_symbols(other) == [a, y]


@pytest.mark.slow
def test_print(deep: Expr) -> None:
    assert text(deep).count("sin(") == DEPTH
    assert latex(deep).count(r"\sin") == DEPTH
    assert len(repr(deep)) < 200


@pytest.mark.slow
def test_serialise(deep: Expr) -> None:
    assert read_table(to_table([deep])) == [deep]
    assert pickle.loads(pickle.dumps(deep)) is deep


def test_delete() -> None:
    node = y
    before = interned_count()
    for i in range(DEPTH):
        node = sin(node) * a + (i % 7)
    assert interned_count() > before + 2 * DEPTH
    del node
    assert interned_count() <= before + 10
