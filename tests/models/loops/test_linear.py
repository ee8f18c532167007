"""Loops whose joints add up, against products of matrices with other numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from models.loops.described_places import opening, values_at
from models.loops.path_following import four_bar_anywhere
from models.loops.special_mechanisms import four_bar, slider_crank

from robosym.expr import Expr, evaluate, expr, number, parameter, pi
from robosym.models.loops import linear
from robosym.models.loops.solutions import solved_loop
from robosym.models.loops.structure import loops_of, variable_of
from robosym.robot import Robot

HOW = ("angle", "symbol", "space")


def sums_of(robot: Robot) -> list[dict[int, Expr]]:
    (loop,) = loops_of(robot)
    one = solved_loop(robot, loop, set(robot.moving))
    return linear.linear_solutions(robot, [loop], robot.moving, one.rows(robot)[0], one.frames)


@pytest.mark.parametrize(("seed", "how"), list(enumerate(HOW)))
def test_a_parallelogram_anywhere(how: str, seed: int) -> None:
    """With other lengths, and another angle of its ground, the sums close it as well."""
    rng = np.random.default_rng(seed)
    crank, coupler = rng.uniform(0.2, 1.0, 2)
    robot = four_bar_anywhere(rng, (crank, coupler, crank, coupler), how)
    (made,) = sums_of(robot)
    assert set(made) == {2, 3, 4}
    values = values_at(robot)
    for q in rng.uniform(-3, 3, 5):
        at = values | {variable_of(robot, 1): float(q)}
        if how == "symbol":
            at[parameter("turned")] = float(rng.uniform(-3, 3))
        numbers = [float(x) for x in evaluate(list(made.values()), at)]
        at |= {variable_of(robot, j): x for j, x in zip(made, numbers, strict=True)}
        assert opening(robot, at) < 1e-12
    slopes = []
    for j in (2, 3, 4):
        here, there = (float(evaluate([made[j]], values | {variable_of(robot, 1): x})[0]) for x in (0.0, 1.0))
        slopes.append(there - here)
    np.testing.assert_allclose(slopes, [-1, 1, 1], atol=1e-12)


def test_a_rhombus_has_both_and_other_loops_have_none() -> None:
    rhombus = four_bar("A", "A", "A", "A", {"A": 0.4})
    both, q = sums_of(rhombus), variable_of(rhombus, 1)
    assert len(both) == 2
    assert both[0] == {2: expr(-q), 3: expr(q), 4: expr(q)}
    for made in both:  # the second has its links on each other
        at = values_at(rhombus, {"crank": 0.7})
        numbers = [float(x) for x in evaluate(list(made.values()), at)]
        assert opening(rhombus, at | {variable_of(rhombus, j): x for j, x in zip(made, numbers, strict=True)}) < 1e-12
    assert abs(float(evaluate([both[1][2]], {})[0])) == pytest.approx(math.pi)
    assert sums_of(four_bar("A", "B", "C", "B", {"A": 0.3, "B": 0.7, "C": 0.3})) == []  # of its own values only
    assert sums_of(four_bar(0.3, 0.7, 0.5, 0.6)) == []
    assert sums_of(slider_crank(0.3, 0.3)) == []


def test_fixed_angles_are_those_that_are_no_part_of_a_turn() -> None:
    rng = np.random.default_rng(0)
    symbol = four_bar_anywhere(rng, (0.3, 0.7, 0.3, 0.7), "symbol")
    found = linear.fixed_angles(symbol, loops_of(symbol))
    assert parameter("turned") in found
    assert len(found) == 3  # and the zeros of crank and coupler
    assert linear.fixed_angles(four_bar(0.3, 0.7, 0.3, 0.7), loops_of(four_bar(0.3, 0.7, 0.3, 0.7))) == []
    rows = [
        {"joint": "crank", "antecedent": 0, "gamma": "pi/4"},
        {"joint": "coupler", "antecedent": 1, "d": 0.3, "gamma": 0.3, "active": False},
        {"joint": "rocker", "antecedent": 0, "d": 0.7, "gamma": -0.3, "active": False},
        {"joint": "pin", "antecedent": 2, "d": 0.7, "gamma": "W", "active": False},
        {"joint": "twin", "antecedent": 3, "d": 0.3, "gamma": "-W", "sigma": "fixed"},
    ]
    robot = Robot.from_table("x", rows, loops=1)
    assert len(linear.fixed_angles(robot, loops_of(robot))) == 2  # each up to its sign


def test_parts_of_a_turn() -> None:
    for k in (-12, -1, 0, 1, 7):
        assert linear.part_of_turn(k * math.pi / 12 + 1e-8) == expr(pi * number(k) / 12)
    assert linear.part_of_turn(0.5) == number(0.5)
    assert linear.part_of_turn(math.pi / 12 + 1e-5) == number(math.pi / 12 + 1e-5)


def test_a_constant_is_a_sum_of_as_few_fixed_angles_as_it_takes() -> None:
    a, b, c = (parameter(name) for name in "abc")
    sizes = {a: 0.3, b: 0.7, c: 1.0}
    symbols, numbers = list(sizes), list(sizes.values())
    for value, expected in (
        (math.pi / 3 + 2 * math.pi, pi / 3),
        (0.3, a),
        (-0.7 - math.pi / 2, -b - pi / 2),
        (1.0, c),  # not a + b
        (0.3 - 0.7 + math.pi / 4, a - b + pi / 4),
    ):
        assert linear._constant(value, symbols, numbers) == expr(expected)
    alone = linear._constant(0.123 + 2 * math.pi, symbols, numbers)
    assert float(evaluate([alone], {})[0]) == pytest.approx(0.123)
