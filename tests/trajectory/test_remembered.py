"""What was made for a robot is made once, of the last few robots, and holds none of them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace

import robosym
from robosym.trajectory.remembered import MOST, _last, remembered


def counted() -> tuple[list[int], Callable[[], object]]:
    calls: list[int] = []

    def make() -> object:
        calls.append(1)
        return object()

    return calls, make


def test_made_once_for_each_robot_and_kind() -> None:
    robot = robosym.load("planar-2r")
    same = robot.replace(name=robot.name)
    calls, make = counted()
    first = remembered(robot, "a", make)
    assert remembered(robot, "a", make) is first
    assert remembered(robot, "b", make) is not first
    assert remembered(same, "a", make) is not first  # equal, and another robot
    assert len(calls) == 3
    assert remembered(robot, "a", make) is first


def test_the_last_ones_stay() -> None:
    robot = robosym.load("planar-2r")
    calls, make = counted()
    kept = remembered(robot, "kept", make)
    for k in range(MOST - 1):
        remembered(robot, k, make)
    assert remembered(robot, "kept", make) is kept  # used again, and first in the row now
    remembered(robot, MOST, make)
    assert len(_last) == MOST
    assert remembered(robot, "kept", make) is kept
    before = len(calls)
    remembered(robot, 0, make)  # forgotten meanwhile
    assert len(calls) == before + 1


def test_a_robot_that_is_gone_is_not_held() -> None:
    robot = replace(robosym.load("planar-2r"), name="short-lived")
    calls, make = counted()
    remembered(robot, "x", make)
    del robot
    gc.collect()
    assert any(known() is None for known, of, _ in _last if of == "x")
    assert len(calls) == 1
