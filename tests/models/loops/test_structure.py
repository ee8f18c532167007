"""The way around a loop, against products of matrices; which joints follow, and what cannot be solved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import frame_matrix, motions_matrix, place, values_at
from models.loops.linkages import driving, six_bar
from models.loops.random_mechanisms import KINDS, random_mechanism

import robosym
from robosym.expr import number
from robosym.models.loops.structure import (
    Passage,
    check,
    driven,
    loop_over,
    loops_of,
    motions_of,
    passive,
    variable_of,
)
from robosym.robot import FIXED, Mimic, Robot, RobotError


@pytest.mark.parametrize("kind", KINDS)
def test_around_a_loop_the_motions_are_the_identity_where_it_is_closed(kind: str) -> None:
    robot = random_mechanism(kind, 5, named=None)
    values = values_at(robot)
    for k, loop in enumerate(loops_of(robot), robot.n_links + 1):
        assert (loop.cut, loop.twin) == (k, k + robot.loops)
        T = np.eye(4)
        for one in loop.around:
            own = frame_matrix(robot, one.frame, values)
            own = np.linalg.inv(own) if one.back else own
            np.testing.assert_allclose(motions_matrix(motions_of(robot, one), values), own, atol=1e-12)
            T = T @ own
        np.testing.assert_allclose(T, np.eye(4), atol=1e-11)
        assert loop.joints(robot) == tuple(p.frame for p in loop.around if robot.frame(p.frame).sigma != FIXED)


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_is_the_difference_of_two_paths(kind: str) -> None:
    """Out to the cut joint and back from its twin, without the links that both paths have in common."""
    robot = random_mechanism(kind, 6)
    rng = np.random.default_rng(0)
    values = {s: float(rng.uniform(-1, 1)) for s in values_at(robot)}
    for loop in loops_of(robot):
        out, back = robot.path(loop.cut), robot.path(loop.twin)
        assert {p.frame for p in loop.around} == set(out) ^ set(back)
        assert [p for p in loop.around if not p.back] == [Passage(j, False) for j in out if j not in back]
        assert [p for p in loop.around if p.back] == [Passage(j, True) for j in reversed(back) if j not in out]
        T = np.eye(4)
        for one in loop.around:
            T = T @ motions_matrix(motions_of(robot, one), values)
        shared = robot.frame(loop.around[0].frame).antecedent
        root = place(robot, shared, values)
        expected = np.linalg.inv(root) @ place(robot, loop.cut, values)
        expected = expected @ np.linalg.inv(np.linalg.inv(root) @ place(robot, loop.twin, values))
        np.testing.assert_allclose(T, expected, atol=1e-10)


def test_joints_that_follow_come_in_order_and_cut_ones_last() -> None:
    robot = six_bar()
    names = lambda frames: [robot.frame(j).joint.name for j in frames]  # noqa: E731
    assert names(driven(robot)) == ["crank"]
    assert names(passive(robot)) == ["coupler", "rocker", "coupler_2", "rocker_2", "cut", "cut_2"]
    both = driving(robot, "rocker", "crank")
    assert names(driven(both)) == ["crank", "rocker"]
    assert names(passive(both)) == ["coupler", "coupler_2", "rocker_2", "cut", "cut_2"]
    (first, second) = loops_of(robot)
    assert second == loop_over(robot, second.cut, second.twin)
    assert names(second.joints(robot)) == ["rocker", "coupler_2", "cut_2", "rocker_2"]
    assert names(first.joints(robot)) == ["crank", "coupler", "cut", "rocker"]
    assert variable_of(robot, 1) is robot.frame(1).joint.variable


def changed(robot: Robot, j: int, **changes: object) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, **changes))
    return robot.replace(frames=tuple(frames))


def test_what_cannot_be_solved() -> None:
    robot = robosym.load("four-bar")
    check(robot)
    with pytest.raises(RobotError, match="rocker depends on another joint"):
        check(changed(robot, 3, mimic=Mimic(1, number(1), number(0)), active=False))
    with pytest.raises(RobotError, match="cut is driven and cut"):
        check(changed(robot, 4, active=True))
    with_tool = Robot.from_table(
        "x",
        [
            {"joint": "crank", "antecedent": 0},
            {"joint": "coupler", "antecedent": 1, "d": 0.2, "active": False},
            {"joint": "rocker", "antecedent": 0, "d": 0.5, "active": False},
            {"joint": "hook", "antecedent": 2, "active": False},
            {"joint": "cut", "antecedent": 2, "d": 0.4, "active": False},
            {"joint": "twin", "antecedent": 3, "d": 0.45, "sigma": "fixed"},
        ],
        loops=1,
    )
    with pytest.raises(RobotError, match="hook is passive, and no loop says where it is"):
        check(with_tool)
    check(changed(with_tool, 4, active=True))
