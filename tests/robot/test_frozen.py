"""Robots are values: equal ones have equal hashes, in sets, in dictionaries and from other processes, and nothing in them changes."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from random_robots import random_robot

import robosym
from robosym.models import base_parameters
from robosym.robot import Robot, Value
from robosym.robot.frozen import FrozenDict


@pytest.mark.parametrize("name", robosym.robot_names())
def test_equal_robots_have_equal_hashes(name: str) -> None:
    one, two = robosym.load(name), robosym.load(name)
    assert one is not two
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two}) == 1
    other = one.replace(name="other")
    assert other != one
    assert len({one, other}) == 2


@pytest.mark.parametrize("seed", range(5))
def test_random_robots_from_pickles_and_copies(seed: int) -> None:
    robot = random_robot(np.random.default_rng(seed), 4, symbolic=bool(seed % 2), rich=True)
    for again in (pickle.loads(pickle.dumps(robot)), copy.deepcopy(robot), copy.copy(robot)):
        assert again == robot
        assert hash(again) == hash(robot)


def test_the_order_of_values_does_not_matter() -> None:
    values = {"L1": Value(1.0), "L2": Value(2.0)}
    rows = [{"d": "L1"}, {"d": "L2"}]
    one = Robot.from_table("x", rows).replace(values=values)
    two = one.replace(values=dict(reversed(values.items())))
    assert one == two
    assert hash(one) == hash(two)


def test_nothing_in_a_robot_changes() -> None:
    values = {"L1": Value(1.0)}
    robot = Robot.from_table("x", [{"d": "L1"}]).replace(values=values)
    before = hash(robot)
    for change in (
        lambda: robot.values.update(L1=Value(2.0)),
        lambda: robot.values.pop("L1"),
        lambda: robot.values.clear(),
        lambda: robot.values.setdefault("L2", Value(2.0)),
        lambda: robot.values.__setitem__("L1", Value(2.0)),
        lambda: robot.values.__delitem__("L1"),
        lambda: robot.values.__ior__({"L1": Value(2.0)}),
        lambda: robot.values.popitem(),
    ):
        with pytest.raises(TypeError, match=r"do not change: robot.replace"):
            change()
    with pytest.raises(FrozenInstanceError):
        robot.name = "y"  # type: ignore[misc]
    values["L1"] = Value(2.0)  # of whoever made it
    assert robot.values["L1"].number == 1.0
    assert hash(robot) == before


def test_robots_that_carry_more() -> None:
    """In base parameters, and closed loops assembled to a tree."""
    regrouped = base_parameters(robosym.load("rx90")).robot
    assert regrouped.regrouping is not None
    assert isinstance(hash(regrouped), int)
    assert isinstance(regrouped.regrouping.expressions, FrozenDict)


def test_lists_become_tuples() -> None:
    robot = robosym.load("rx90")
    again = Robot(**{**{f: getattr(robot, f) for f in robot.__dataclass_fields__}, "frames": list(robot.frames)})
    assert hash(again) == hash(robot)
