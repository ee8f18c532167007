"""Results are kept with their robot: each made once, the last ones only, and gone with the robot."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import robosym
from robosym.caches import Kept
from robosym.robot import Robot


class Counted:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> object:
        self.calls += 1
        return object()


def one() -> Robot:
    return robosym.load("planar-2r").replace(name="one of its own")


def test_made_once_for_each_robot_owner_and_key() -> None:
    robot, same, make = one(), one(), Counted()
    numbers, others = Kept[object](), Kept[object]()
    first = numbers.of(robot, "a", make)
    assert numbers.of(robot, "a", make) is first
    assert numbers.of(robot, "b", make) is not first
    assert others.of(robot, "a", make) is not first
    assert robot == same
    assert numbers.of(same, "a", make) is not first
    assert make.calls == 4


def test_the_last_used_stay() -> None:
    robot, make, few = one(), Counted(), Kept[object](2)
    kept = few.of(robot, 0, make)
    few.of(robot, 1, make)
    assert few.of(robot, 0, make) is kept
    few.of(robot, 2, make)  # 1 goes, which was used longest ago
    assert few.of(robot, 0, make) is kept
    assert make.calls == 3
    few.of(robot, 1, make)
    assert make.calls == 4


def test_results_that_hold_the_robot_go_with_it() -> None:
    robot = one()
    here = weakref.ref(robot)
    Kept[list[Robot]]().of(robot, "itself", lambda of=robot: [of])  # type: ignore[misc]
    del robot
    gc.collect()
    assert here() is None


def test_copies_and_other_processes_begin_without_them() -> None:
    robot, make, numbers = one(), Counted(), Kept[object]()
    first = numbers.of(robot, "a", make)
    for other in (copy.copy(robot), copy.deepcopy(robot), pickle.loads(pickle.dumps(robot))):
        assert other == robot
        assert numbers.of(other, "a", make) is not first
    assert make.calls == 4
