"""The joint whose bend tells two ways apart, and its sign."""

from __future__ import annotations

import math

import numpy as np
import pytest
from models.loops.special_mechanisms import four_bar, slider_crank

from robosym.expr import Expr, acos, asin, cos, expr, number, pi, sin
from robosym.models.loops.signs import Bend, bend
from robosym.models.loops.structure import variable_of
from robosym.robot import Robot

ROBOT = four_bar(0.3, 0.7, 0.5, 0.6)
U = variable_of(ROBOT, 1)


def small(least: float, most: float) -> Expr:
    """A function of the crank between two numbers."""
    return expr((least + most) / 2 + (most - least) / 2 * sin(3 * U))


def ways(first: dict[int, Expr], second: dict[int, Expr], there: int = 1) -> list[tuple[dict[int, Expr], Expr]]:
    return [(first, number(there)), (second, number(1))]


def test_a_sine_that_changes_its_sign() -> None:
    angle = small(0.4, 1.9)
    for sign in (1, -1):
        found = bend(ROBOT, ways({2: expr(sign * angle)}, {2: expr(-sign * angle)}))
        assert found is not None
        assert (found.joint, found.function, found.first) == ("coupler", "sin", sign)
        assert 0.35 < found.least < math.sin(0.4) + 0.15
        assert [found.name(k) for k in (0, 1)] == ["coupler+", "coupler-"][::sign]
        assert [found.meaning(k) for k in (0, 1)] == ["sin(coupler) > 0", "sin(coupler) < 0"][::sign]


def test_a_cosine_that_changes_its_sign() -> None:
    angle = asin(small(-0.9, 0.9))
    found = bend(ROBOT, ways({3: angle}, {3: expr(pi - angle)}))
    assert found is not None
    assert (found.joint, found.function, found.first) == ("rocker", "cos", 1)
    assert found.meaning(1) == "cos(rocker) < 0"


def test_a_length_that_changes_its_sign() -> None:
    robot = slider_crank(0.3, 0.8)
    length = expr(0.3 + 0.1 * cos(variable_of(robot, 1)))
    found = bend(robot, ways({3: expr(-length)}, {3: length}))
    assert found is not None
    assert (found.name(0), found.meaning(0)) == ("slider-", "slider < 0")


def test_no_bend() -> None:
    angle = small(0.4, 1.9)
    assert bend(ROBOT, ways({2: angle}, {2: expr(0.01 - angle)})) is None  # by another angle
    assert bend(ROBOT, ways({2: small(-0.4, 1.9)}, {2: expr(-small(-0.4, 1.9))})) is None  # straight between
    assert bend(ROBOT, ways({2: angle}, {2: expr(-angle)}, there=0)) is None  # nowhere
    assert bend(ROBOT, ways({2: acos(2 + angle)}, {2: expr(-acos(2 + angle))})) is None


def test_the_joint_that_bends_least_is_named() -> None:
    more, less = small(0.9, 1.9), small(0.2, 0.9)
    found = bend(ROBOT, ways({2: more, 3: expr(-less)}, {2: expr(-more), 3: less}))
    assert found is not None
    assert found.name(0) == "rocker-"


@pytest.mark.parametrize("lengths", [(0.3, 0.7, 0.5, 0.6), (0.3, 0.72, 0.5, 0.61)])
def test_the_way_of_a_four_bar_is_the_sine_of_its_pin(lengths: tuple[float, ...]) -> None:
    """In complex numbers: the pin's angle between coupler and rocker by the law of cosines, to either side."""
    a, b, c, g = lengths
    robot: Robot = four_bar(a, b, c, g)
    away = expr(a * a + g * g - 2 * a * g * cos(variable_of(robot, 1)))  # squared, from the crank's end to the ground
    angle = acos(expr((b * b + c * c - away) / (2 * b * c)))
    found = bend(robot, ways({4: expr(angle)}, {4: expr(-angle)}))
    assert found == Bend("pin", "sin", 1, found.least if found else 0.0)
    crank = np.linspace(0, 2 * np.pi, 2001)
    pin = np.arccos(np.clip((b * b + c * c - a * a - g * g + 2 * a * g * np.cos(crank)) / (2 * b * c), -1, 1))
    assert found is not None
    assert found.least >= np.sin(pin).min() - 1e-12
