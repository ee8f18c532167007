"""Results are kept with their robot: each made once, the last ones only, and gone with the robot."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

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


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("switching")
def test_threads_share_a_robot() -> None:
    robot, few = one(), Kept[int](3)

    def used(first: int) -> bool:
        return all(few.of(robot, k % 4, lambda k=k: k % 4) == k % 4 for k in range(first, first + 20000))  # type: ignore[misc]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(used, range(4)))


def test_threads_that_make_the_same_at_once_get_the_same() -> None:
    robot, numbers, together = one(), Kept[object](), Barrier(2)

    def make() -> object:
        together.wait(10)
        return object()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: numbers.of(robot, "a", make), range(2))
    assert first is second
