"""Fields of a robot and its parts: plain numbers are expressions, and anything else is an error where it is given."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot

from robosym import models
from robosym.errors import RobosymError
from robosym.expr import number
from robosym.robot import Base, Coupling, Friction, Joint, Link, Mimic, Motor, Robot, RobotError, Spring, Value

ODD: tuple[Any, ...] = (None, "L1", b"1", True, float("nan"), float("inf"), 1j, {}, [1, 2], object(), np.eye(2))


def plain_numbers(seed: int) -> None:
    """A random robot with fields given as plain numbers is the robot with the expressions of these numbers."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 5, symbolic=True)
    changed = {name: float(rng.uniform(0.2, 1.0)) for name in robot.values if rng.random() < 0.5}
    values = {**robot.values, **{name: Value(x) for name, x in changed.items()}}
    assert robot.replace(values={**robot.values, **changed}) == robot.replace(values=values)
    for pull in ((0, 0, 0), [0.0, 1, -9.81], np.array([0.5, 0.0, -9.81])):
        heavy = robot.replace(gravity=pull)
        exact = robot.replace(gravity=tuple(map(number, map(float, pull))))
        assert heavy == exact
        state = {"q": rng.uniform(-1, 1, robot.nq)}
        np.testing.assert_array_equal(
            models.gravity(heavy).compile()(**state), models.gravity(exact).compile()(**state)
        )
    at = int(rng.integers(5))
    frame = robot.frames[at]
    mass, length = float(rng.uniform(1, 2)), float(rng.uniform(0.1, 0.5))
    given = replace(frame, d=length, link=replace(frame.link, M=mass, wrench=[0, 1, 0.5, 0, 0, 0]))
    wrench = tuple(map(number, (0, 1, 0.5, 0, 0, 0)))
    assert given == replace(frame, d=number(length), link=replace(frame.link, M=number(mass), wrench=wrench))


@pytest.mark.parametrize("seed", range(3))
def test_plain_numbers_are_expressions(seed: int) -> None:
    plain_numbers(seed)


def odd_fields(seed: int) -> None:
    """Any value in any field either raises an error that names the field, or makes a robot whose models work."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 4, symbolic=True, rich=True)
    frame = robot.frames[int(rng.integers(4))]
    for part in (robot, robot.base, frame, frame.joint, frame.link, frame.actuator, frame.actuator.friction):
        for one in fields(part):
            value = ODD[int(rng.integers(len(ODD)))]
            try:
                made = replace(part, **{one.name: value})
            except RobosymError as error:
                assert f"{one.name}: expected" in str(error), (one.name, value, error)  # noqa: PT017
                continue
            if isinstance(made, Robot):
                _use(made)


def _use(robot: Robot) -> None:
    with suppress(RobosymError):
        models.gravity(robot)


@pytest.mark.parametrize("seed", range(12))
def test_a_field_of_another_kind_is_named(seed: int) -> None:
    odd_fields(seed)


def test_parts_take_numbers() -> None:
    joint = Joint("a", spring=Spring(3.0), mimic=Mimic(1, 2))  # type: ignore[arg-type]
    assert (joint.spring, joint.mimic) == (Spring(number(3)), Mimic(1, number(2)))
    assert Friction(points=[[1, 2], [3, 4.5]]).points == ((number(1), number(2)), (number(3), number(4.5)))  # type: ignore[arg-type]
    assert Coupling((1, 2), ((1, 0), (0.5, 1))).matrix[1][0] is number(0.5)  # type: ignore[arg-type]
    assert Base(velocity=(1, 0, 0)).velocity[0] is number(1)  # type: ignore[arg-type]
    for wrong in (lambda: Motor(axis=(0, 1)), lambda: Link(M="M1"), lambda: Link(wrench=(0,) * 5)):  # type: ignore[arg-type]
        with pytest.raises(RobotError, match="expected"):
            wrong()


def test_replace_names_what_it_does_not_know() -> None:
    robot = random_robot(np.random.default_rng(0), 2)
    with pytest.raises(RobotError, match=r"grvity: expected one of .* Did you mean gravity"):
        robot.replace(grvity=(0, 0, 0))
    with pytest.raises(RobotError, match="values, L1: expected a number or a Value, got 'long'"):
        robot.replace(values={"L1": "long"})
    with pytest.raises(RobotError, match="values: expected the name of a parameter, got 1"):
        robot.replace(values={1: 1.0})
