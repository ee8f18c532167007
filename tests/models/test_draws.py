"""Random positions at which loops close, however little their joints can move."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from models.loops.special_mechanisms import four_bar, slider_crank

from robosym.expr import parameter, sqrt, variable
from robosym.models.draws import Draws, parameter_numbers, reach, values_at
from robosym.robot import Robot

OWN = {"X": 0.0}


def drawn(robot: Robot, joint: int, count: int = 400) -> list[float]:
    draws, symbol = Draws(robot, 1, OWN), robot.frame(joint).joint.variable
    assert symbol is not None
    return [draws.position(symbol) for _ in range(count)]


def test_a_batch_is_drawn_one_by_one() -> None:
    robot = slider_crank(0.2, 0.5, driven="slider")
    for joint, half in ((1, math.pi), (3, Draws(robot, 1, OWN).reach)):
        symbol = robot.frame(joint).joint.variable
        assert symbol is not None
        assert Draws(robot, 1, OWN).positions(symbol, 20).tolist() == drawn(robot, joint, 20)
        assert Draws(robot, 1, OWN).whole(symbol) == half


def at(robot: Robot, joint: int, position: float) -> Robot:
    """With a position in the description."""
    frames = list(robot.frames)
    own = frames[joint - 1]
    frames[joint - 1] = replace(own, joint=replace(own.joint, position=position))
    return robot.replace(frames=tuple(frames))


def test_angles_are_anywhere_and_often_near_quarters_of_a_turn() -> None:
    found = drawn(four_bar(0.2, 0.5, 0.4, 0.6), 1)
    assert min(found) < -2.5
    assert max(found) > 2.5
    near = [x for x in found if abs(math.remainder(x, math.pi / 2)) < 0.011]
    assert len(near) > 20


def test_angles_are_often_near_those_of_the_description() -> None:
    found = drawn(at(four_bar(0.2, 0.5, 0.4, 0.6), 1, 0.7654), 1)
    assert sum(abs(x - 0.7654) < 0.01 for x in found) > 20


def test_a_slider_is_drawn_by_the_size_of_the_robot() -> None:
    for size in (1e-6, 1.0, 1e4):
        found = drawn(slider_crank(0.2 * size, 0.5 * size, driven="slider"), 3)
        assert 0.5 * size < max(map(abs, found)) < 3 * size
        assert sum(0.3 * size < abs(x) < 0.7 * size for x in found) > 100


def test_numbers_for_symbols() -> None:
    robot = slider_crank(0.2, 0.5, driven="slider")
    known, unknown, x = parameter("A"), parameter("B"), variable("x")
    draws = Draws(robot, 1, {"A": 7.0})
    found = draws.numbers([known, unknown, x])
    assert found[known] == 7.0
    assert 0.5 <= found[unknown] <= 1.5
    assert abs(found[x]) <= 3 * math.pi
    assert draws.numbers([known], {"A": 8.0}) == {known: 8.0}
    assert draws.numbers([unknown, x]) != {s: found[s] for s in (unknown, x)}
    own = next(iter(robot.values), None)
    symbols = [unknown, x, *([] if own is None else [parameter(own)])]
    numbers = parameter_numbers(robot, symbols, np.random.default_rng(0))
    assert set(numbers) == set(symbols) - {x}
    assert 0.5 <= numbers[unknown] <= 1.5
    assert all(numbers[s] == robot.values[s.name].number for s in numbers if s.name in robot.values)


def test_values_of_expressions() -> None:
    a = parameter("A")
    assert values_at([a * 2, sqrt(a)], {a: 4.0}) == [8.0, 2.0]
    assert values_at([a * 2, sqrt(a)], {a: -4.0}) is None
    assert values_at([1 / a], {a: 0.0}) is None
    assert values_at([parameter("other")], {a: 1.0}) is None


def test_the_size_of_a_robot_is_that_of_all_its_lengths() -> None:
    assert reach(four_bar(0.2, 0.5, 0.4, 0.6), {}) == Draws(four_bar(0.2, 0.5, 0.4, 0.6), 1, {}).reach
    assert abs(reach(four_bar(0.2, 0.5, 0.4, 0.6), {}) - 1.7) < 1e-12
    assert reach(Robot.from_table("pendulum", [{}]), {}) == 1.0
