"""The system J qd = v in other axes and at another point: the same qd, the zeros that are said to be there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from models.kinematic.arms import random_arm
from models.reference import numbers

import robosym
from robosym.expr import expr
from robosym.models.kinematic.columns import Joints
from robosym.models.kinematic.jacobian import asked, jacobian
from robosym.models.kinematic.systems import Numbers, Systems, direct, known, patterns, splits, task
from robosym.program import Unmarked
from robosym.robot import Robot


def values(robot: Robot, entries: Sequence[object], q: np.ndarray) -> np.ndarray:
    return np.array(numbers(robot, [expr(x) for x in entries], q))  # type: ignore[arg-type]


def systems_of(robot: Robot, rows: list[str] | None = None, convention: str = "local-world-aligned") -> Systems:
    of = task(robot, asked(robot, None, convention), rows)  # type: ignore[arg-type]
    return Systems(of, Joints(robot, of.wanted.frame, Unmarked()))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("convention", ["local", "world", "local-world-aligned"])
@pytest.mark.parametrize("wrist", ["wrist", "none"])
def test_every_split_has_the_same_solution(wrist: str, convention: str) -> None:
    robot = random_arm(3, wrist)
    systems = systems_of(robot, convention=convention)
    rng = np.random.default_rng(1)
    q, qd, wrench = (rng.uniform(-2, 2, 6) for _ in range(3))
    J = jacobian(robot, axes=convention).compile()(q=q)
    chosen = splits(systems.task)[::17]
    for split in (direct(systems.task), *chosen):
        inner = values(robot, [x for row in systems.whole(split) for x in row], q).reshape(6, 6)
        twist = values(robot, systems.entering(split, [float(x) for x in J @ qd]), q)
        np.testing.assert_allclose(inner @ qd, twist, atol=1e-12)
        held = values(robot, systems.wrench(split, [float(x) for x in wrench]), q)
        np.testing.assert_allclose(inner.T @ held, J.T @ wrench, atol=1e-12)
        row = values(robot, systems.leaving(split, [float(x) for x in wrench], 1), q)
        np.testing.assert_allclose(row @ (J @ qd), wrench @ twist, atol=1e-12)


@pytest.mark.parametrize("name", ["rx90", "stanford", "scara", "planar-2r"])
def test_zeros_are_zero_everywhere_and_no_others(name: str) -> None:
    robot = robosym.load(name)
    systems = systems_of(robot)
    found = Numbers(systems.task)
    rng = np.random.default_rng(5)
    for split in splits(systems.task)[::7]:
        entries = [x for row in systems.whole(split) for x in row]
        at = np.array([numbers(robot, entries, rng.uniform(-2, 2, robot.nq)) for _ in range(3)]).reshape(3, 6, -1)
        vanish = {(int(i), int(j)) for i, j in np.argwhere(np.abs(at).max(axis=0) < 1e-12)}
        assert found.zeros(split) == vanish


def test_a_wrist_comes_apart() -> None:
    """About the wrist of the rx90, three joints do not move it."""
    of = systems_of(robosym.load("rx90")).task
    assert max(len(one.zeros) for one in patterns(of, splits(of))) >= 9 + 4


def test_what_is_asked_for_and_what_can_be_made() -> None:
    of = systems_of(robosym.load("planar-2r")).task
    assert of.asked == tuple(range(6))
    assert of.rows == of.able == (0, 1, 5)
    assert of.columns == (0, 1)
    assert not of.is_regular
    assert systems_of(robosym.load("planar-2r"), ["vy", "vx"]).task.is_regular
    half = systems_of(robosym.load("rx90"), ["vx", "vy", "wz"]).task
    assert half.whole == (False, False)
    assert splits(half) == [direct(half)]
    assert known([7, 8], (3, 1)) == [0, 8, 0, 7, 0, 0]
