"""Graphs of 100 000 nodes: everything is a loop, nothing meets the recursion limit, nothing takes long."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Iterator

import numpy as np
import pytest

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
    node = x
    for i in range(DEPTH):
        node = step(sin(node) * a + (i % 7))
    return node


@pytest.fixture(autouse=True)
def in_seconds() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < 20


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


def test_differentiate_and_substitute(deep: Expr) -> None:
    assert math.isfinite(evaluate([derivative(deep, x)], {x: 0.3, a: 0.5})[0])
    (other,) = substitute([deep], {x: y})
    assert free_symbols(other) == [a, y]


def test_print(deep: Expr) -> None:
    assert text(deep).count("sin(") == DEPTH
    assert latex(deep).count(r"\sin") == DEPTH
    assert len(repr(deep)) < 200


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
