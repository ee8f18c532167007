"""Tables: JSON round trips, and hostile tables that only ever give an ExprError."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robosym.expr import Expr, ExprError, cos, parameter, select, step, variable
from robosym.expr.serial import read_table, to_table

from .strategies import expressions

x, a = variable("x"), parameter("a")


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.lists(expressions, min_size=1, max_size=3))
def test_round_trip_through_json(roots: list[Expr]) -> None:
    back = read_table(json.loads(json.dumps(to_table(roots))))
    assert all(new is old for new, old in zip(back, roots, strict=True))


def test_steps_survive() -> None:
    root = step(x + a) * step(cos(x) - a)
    assert read_table(to_table([root])) == [root]


@pytest.mark.parametrize(
    "table",
    [
        None,
        [],
        {},
        {"nodes": {}, "roots": []},
        {"nodes": [], "roots": [0]},
        {"nodes": [["num", 1, []]], "roots": [1]},
        {"nodes": [["num", 1, []]], "roots": [-1]},
        {"nodes": [["num", 1, []]], "roots": [True]},
        {"nodes": [["num", None, []]], "roots": [0]},
        {"nodes": [["num", True, []]], "roots": [0]},
        {"nodes": [["num", "1/0", []]], "roots": [0]},
        {"nodes": [["num", "²/3", []]], "roots": [0]},
        {"nodes": [["num", "1" * 2000 + "/3", []]], "roots": [0]},
        {"nodes": [["num", float("nan"), []]], "roots": [0]},
        {"nodes": [["num", 10**999, []]], "roots": [0]},
        {"nodes": [["const", "e", []]], "roots": [0]},
        {"nodes": [["sym", ["x", "nothing"], []]], "roots": [0]},
        {"nodes": [["sym", ["x y", "variable"], []]], "roots": [0]},
        {"nodes": [["sym", "xy", []]], "roots": [0]},
        {"nodes": [["sym", [1, 2], []]], "roots": [0]},
        {"nodes": [["sin", None, [0]]], "roots": [0]},
        {"nodes": [["num", 1, []], ["sin", None, [0, 0]]], "roots": [1]},
        {"nodes": [["num", 1, []], ["lin", [0, [1, 2]], [0]]], "roots": [1]},
        {"nodes": [["num", 1, []], ["lin", None, [0]]], "roots": [1]},
        {"nodes": [["num", 0, []], ["prod", [-1], [0]]], "roots": [1]},
        {"nodes": [["num", 2, []], ["prod", [1.5], [0]]], "roots": [1]},
        {"nodes": [["num", 2, []], ["prod", [10**9], [0]]], "roots": [1]},
        {"nodes": [["step", None, []]], "roots": [0]},
        {"nodes": [[["sin"], None, []]], "roots": [0]},
        {"nodes": [["__import__", None, []]], "roots": [0]},
        {"nodes": [[]], "roots": []},
        {"nodes": ["abc"], "roots": []},
        {"nodes": [17], "roots": []},
    ],
)
def test_hostile_tables(table: Any) -> None:
    with pytest.raises(ExprError):
        read_table(table)


def test_deeply_nested_values_are_refused() -> None:
    value: Any = 1
    for _ in range(5000):
        value = [value]
    for op in ("num", "sym", "lin", "prod", value):
        with pytest.raises(ExprError):
            read_table({"nodes": [[op, value, []]], "roots": [0]})


def test_mutated_tables_never_surprise() -> None:
    rng = random.Random(9)
    good = to_table([select(x < a, cos(x) ** 2 / 3 + 0.5, step(x * a - 1))])
    junk = [None, -1, 0, 1, 5, 10**6, 10**400, 1.5, float("inf"), "", "x", "1/2", "lin", [], [0], [1, [2]], {}, True]
    refused = 0
    for _ in range(4000):
        table = copy.deepcopy(good)
        row = rng.choice(table["nodes"])
        place = rng.randrange(4)
        if place < 3:
            row[place] = rng.choice(junk)
        elif isinstance(row[1], list) and row[1]:
            row[1][rng.randrange(len(row[1]))] = rng.choice(junk)
        else:
            row.append(rng.choice(junk))
        try:
            assert all(isinstance(e, Expr) for e in read_table(table))
        except ExprError:
            refused += 1
    assert 1000 < refused < 4000
