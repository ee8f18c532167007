"""The way to a frame of a robot with closed loops: which joints are on it, which motors move the frame, and what is free."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.closed_loops import five_bar, linked_arm, palletizer, slider_crank
from models.loops.described_places import place, values_at

import robosym
from robosym.expr import evaluate, expr, free_symbols, logical_and, variable
from robosym.models.inverse_geometry.chain.chain import rows_of
from robosym.models.loops.assembled import assembled
from robosym.models.loops.inverse import route as module
from robosym.models.loops.inverse.route import Route, route_of
from robosym.models.tree.paths import motions
from robosym.robot import Robot, RobotError


def names(robot: Robot, frames: object) -> list[str]:
    return [robot.frame(j).joint.name for j in frames]  # type: ignore[attr-defined]


def way(robot: Robot, frame: int, task: str = "auto", given: tuple = ()) -> Route:
    return route_of(assembled(robot), frame, 0, task, given)


def test_routes_of_known_robots() -> None:
    sr400 = robosym.load("sr400")
    found = way(sr400, 6)
    assert names(sr400, [joint.frame for joint in found.chain.joints]) == [
        "waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange",
    ]  # fmt: skip
    assert names(sr400, [joint.frame for joint in found.motors.joints]) == list(sr400.joint_names)
    assert found.task == "pose"
    held = way(sr400, 5, given=("waist",))
    assert held.known == (*(joint.frame for joint in held.chain.joints), 1)
    assert "waist" not in names(sr400, [joint.frame for joint in held.motors.joints])
    slide = way(slider_crank(), 3)
    assert [joint.prismatic for joint in slide.chain.joints] == [True]
    assert names(slider_crank(), [joint.frame for joint in slide.motors.joints]) == ["crank"]
    assert slide.motors.units == (1.0,)
    five = way(five_bar(), 6)
    assert five.task == "position"
    assert len(five.chain.joints) == 2


def test_what_leaves_joints_free_is_refused() -> None:
    robot = palletizer()
    with pytest.raises(RobotError, match=r"leaves \d of these \d free"):
        way(robot, robot.frames.index(next(f for f in robot.frames if f.joint.name == "flange")) + 1, "position")
    with pytest.raises(RobotError, match="task: got 'all', expected 'auto', 'pose' or 'position'"):
        way(five_bar(), 6, "all")
    with pytest.raises(RobotError, match="left_elbow is not driven: it follows from the loops"):
        way(five_bar(), 6, given=("left_elbow",))


@pytest.mark.parametrize("make", [five_bar, linked_arm, palletizer])
def test_a_random_position_closes_the_loops(make) -> None:
    robot = make()
    tree = assembled(robot)
    rows = [x for row in rows_of(motions(tree, 0, 3)) for x in row]
    values = module.sample(tree, rows)
    assert tree.closure is not None
    assert evaluate([tree.closure.exists], values)[0]
    numbers = evaluate(list(tree.closure.positions.values()), values)
    at = {robot.frame(j).joint.name: float(x) for j, x in zip(tree.closure.positions, numbers, strict=True)}
    at |= {robot.frame(j).joint.name: values[robot.frame(j).joint.variable] for j in robot.moving}
    own = values_at(robot, at)
    np.testing.assert_allclose(
        np.array([float(x) for x in evaluate(rows, values)]).reshape(3, 4), place(robot, 3, own)[:3], atol=1e-9
    )
    for k in range(robot.n_links + 1, robot.n_links + robot.loops + 1):
        np.testing.assert_allclose(place(robot, k, own), place(robot, k + robot.loops, own), atol=1e-9)


def test_the_rank_of_the_position() -> None:
    tree = assembled(five_bar())
    assert module._position_rank(tree, 3, 0, tree.moving) == 0  # a frame on the base's axis
    assert module._position_rank(tree, 2, 0, tree.moving) == 1
    assert module._position_rank(tree, 6, 0, tree.moving) == 2
    sr400 = assembled(robosym.load("sr400"))
    assert module._position_rank(sr400, 4, 0, sr400.moving) == 3


def test_conditions_and_where_joints_are() -> None:
    a, b, c = (variable(name) for name in "abc")
    parts = [expr(a > 0), expr(b > 0), expr(c > 0)]
    both = logical_and(logical_and(parts[0], parts[1]), parts[2])
    assert sorted(map(str, module._conditions(both))) == sorted(map(str, parts))
    assert module._conditions(parts[0]) == [parts[0]]
    robot = five_bar()
    found = way(robot, 6)
    assert found.position(1) is robot.frame(1).joint.variable
    assert found.position(2) is found.closure.positions[2]
    assert found.free.closure is None
    lone = way(two_four_bars(), 2, "pose")  # what another motor drives does not count
    used = {s.name for s in free_symbols(lone.exists)}
    assert variable("q4").name not in used


def two_four_bars() -> Robot:
    rows = [
        {"joint": "crank", "antecedent": 0},
        {"joint": "coupler", "antecedent": 1, "d": 0.35, "active": False},
        {"joint": "rocker", "antecedent": 0, "d": 1.0, "active": False},
        {"joint": "crank_2", "antecedent": 0, "d": 2.9},
        {"joint": "coupler_2", "antecedent": 4, "d": 0.5, "active": False},
        {"joint": "rocker_2", "antecedent": 0, "d": 3.4, "active": False},
        {"joint": "cut", "antecedent": 2, "d": 0.8, "active": False},
        {"joint": "cut_2", "antecedent": 5, "d": 0.5, "active": False},
        {"joint": "twin", "antecedent": 3, "d": 0.7, "sigma": "fixed"},
        {"joint": "twin_2", "antecedent": 6, "d": 0.45, "sigma": "fixed"},
    ]
    return Robot.from_table("two", rows, loops=2)
