"""Graphs for the passes: small ones, and random sums of products of earlier results, inputs and parameters."""

from __future__ import annotations

import random

from robosym.expr import Expr, cos, expr, parameter, sin, sqrt, variable
from robosym.program import Array, Graph, Scope

INPUTS = tuple(variable(f"q{i}") for i in range(1, 6))
PARAMETERS = tuple(parameter(f"D{i}") for i in range(1, 5))


def random_graph(seed: int, size: int = 40) -> Graph:
    rng = random.Random(seed)
    pool: list[Expr] = [*INPUTS, *PARAMETERS]
    scope = Scope()
    for k in range(size):
        total: Expr = expr(rng.choice([0, 0, 0, 0.125]))
        for _ in range(rng.randint(2, 5)):
            term = expr(rng.choice([1, -1, 0.5, 0.25]))
            for _ in range(rng.randint(1, 3)):
                term = term * rng.choice(pool)
            total = total + term
        if rng.random() < 0.6:
            total = scope.step(f"V{k}", total)
        wrapped = rng.random()
        if wrapped < 0.2:
            total = sin(total) if wrapped < 0.1 else cos(total)
        elif wrapped < 0.25:
            total = total / (2 + sqrt(total * total + 1))
        pool.append(total)
        if len(pool) > 18:
            pool.pop(rng.randrange(9, 16))
    return Graph("random", (Array("q", (5,), INPUTS),), (Array("y", (2, 2), tuple(pool[-4:])),), scope.names)


def small_graph(*entries: Expr, names: dict[Expr, str] | None = None) -> Graph:
    """The graph a, b, c, d, e -> y of a few expressions."""
    inputs = Array("x", (5,), tuple(variable(name) for name in "abcde"))
    return Graph("small", (inputs,), (Array("y", (len(entries),), entries),), names or {})


def random_values(seed: int) -> dict[Expr, float]:
    """Small numbers: products of many stay well conditioned, so that a wrong pass shows and rounding does not."""
    rng = random.Random(seed)
    return {symbol: rng.uniform(0.05, 0.2) for symbol in (*INPUTS, *PARAMETERS)}
