"""Random positions at which loops close, however little their joints can move."""

from __future__ import annotations

import math
from dataclasses import replace

from models.loops.special_mechanisms import four_bar, slider_crank

from robosym.models.draws import Draws
from robosym.robot import Robot

OWN = {"X": 0.0}


def drawn(robot: Robot, joint: int, count: int = 400) -> list[float]:
    draws, symbol = Draws(robot, 1, OWN), robot.frame(joint).joint.variable
    assert symbol is not None
    return [draws.position(symbol) for _ in range(count)]


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
