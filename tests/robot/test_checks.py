"""Each thing that can be wrong with a robot is found, at its place, together with the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_robots import random_inertia, random_robot

from robosym.expr import number, parameter, pi, variable
from robosym.robot import (
    FIXED,
    INERTIA,
    Base,
    Frame,
    Joint,
    Limits,
    Link,
    Mimic,
    Robot,
    RobotError,
    RobotWarning,
    Value,
)
from robosym.robot.checks import checked, missing_values, numbers, problems


def revolute(j: int, antecedent: int | None = None, **fields) -> Frame:
    q = variable(f"q{j}")
    joint = replace(Joint(f"q{j}", q), **fields.pop("joint", {}))
    return Frame(f"frame{j}", j - 1 if antecedent is None else antecedent, joint, **{"theta": q, **fields})


def fixed(j: int, antecedent: int) -> Frame:
    return Frame(f"frame{j}", antecedent, Joint(f"fixed{j}", active=False), FIXED)


def chain(*frames: Frame, **fields) -> Robot:
    return Robot("robot", frames, **fields)


def found(robot: Robot) -> list[tuple[str, str]]:
    return [(p.where, p.message) for p in problems(robot)]


def link(*inertial: float) -> Link:
    return Link(**dict(zip(INERTIA, map(number, inertial), strict=True)))


FOUR_BAR = (
    revolute(1),
    revolute(2),
    revolute(3, 0, d=parameter("D3")),
    revolute(4, 2, joint={"active": False}),
    fixed(5, 3),
)


@pytest.mark.parametrize("seed", range(20))
def test_random_robots_have_no_problem(seed):
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, int(rng.integers(1, 41)), symbolic=bool(seed % 2), rich=bool(seed % 3))
    assert problems(robot) == []
    assert checked(robot) is robot


def test_closed_loop_is_accepted():
    assert problems(chain(*FOUR_BAR, loops=1)) == []


WRONG = {
    "antecedent beyond": (chain(revolute(1, 7)), "frame 1, antecedent", "from 0 to 1, got 7"),
    "antecedent negative": (chain(revolute(1, -1)), "frame 1, antecedent", "from 0 to 1, got -1"),
    "cycle": (chain(revolute(1), revolute(2, 3), revolute(3, 2)), "frame 2, antecedent", "2 -> 3 -> 2"),
    "own antecedent": (chain(revolute(1, 1)), "frame 1, antecedent", "1 -> 1"),
    "too few frames": (chain(revolute(1), revolute(2), loops=1), "loops", "more than 2 frames"),
    "negative loops": (chain(revolute(1), loops=-1), "loops", "got -1"),
    "no twin": (
        chain(*FOUR_BAR[:4], revolute(5, 3), loops=1),
        "frame 5, sigma",
        "frame 4 is a cut joint and lacks its",
    ),
    "twin on one link": (chain(*FOUR_BAR[:4], fixed(5, 2), loops=1), "frame 5, antecedent", "different links"),
    "cut on cut": (chain(*FOUR_BAR[:4], fixed(5, 4), loops=1), "frame 5, antecedent", "from 0 to 3, or a twin, got 4"),
    "link on a cut frame": (
        chain(*FOUR_BAR[:4], replace(FOUR_BAR[4], link=Link(M=number(1))), loops=1),
        "frame 5, link",
        "carries no link",
    ),
    "frame names": (chain(revolute(1), replace(revolute(2), name="frame1")), "frame 2, name", "'frame1' is used more"),
    "base name": (chain(replace(revolute(1), name="base")), "frame 1, name", "the base, frame 1"),
    "joint names": (chain(revolute(1), revolute(2, joint={"name": "q1"})), "frame 2, joint name", "more than once"),
    "variables": (
        chain(revolute(1), replace(revolute(1), name="b", antecedent=1, joint=Joint("b", variable("q1")))),
        "frame 2, variable",
        "'q1' is used more than once",
    ),
    "sigma": (chain(replace(revolute(1), sigma=4)), "frame 1, sigma", "got 4"),
    "no variable": (chain(revolute(1, joint={"variable": None})), "frame 1, variable", "expected the symbol"),
    "parameter as variable": (
        chain(revolute(1, joint={"variable": parameter("q1")}, theta=parameter("q1"))),
        "frame 1, variable",
        "expected the symbol",
    ),
    "fixed with variable": (chain(revolute(1, sigma=FIXED)), "frame 1, variable", "fixed frame"),
    "two q": (chain(revolute(1, theta=2 * variable("q1"))), "frame 1, theta", "'q1' plus a constant, got '2*q1'"),
    "theta without q": (chain(revolute(1, theta=number(0))), "frame 1, theta", "'q1' plus a constant, got '0'"),
    "moving length": (chain(revolute(1, d=variable("q1"))), "frame 1, d", "expected a constant, got 'q1'"),
    "moving mass": (chain(revolute(1, link=Link(M=variable("q1")))), "frame 1, M", "expected a constant"),
    "clash": (chain(revolute(1, d=parameter("q1"))), "frame 1, d", "'q1' is both a variable and a parameter"),
    "state parameter": (
        chain(revolute(1, joint={"torque": parameter("T")})),
        "frame 1, torque",
        "'T' is used in the state only",
    ),
    "mimic unknown": (chain(revolute(1, joint={"mimic": Mimic(4)})), "frame 1, mimic", "from 1 to 1, got 4"),
    "mimic fixed": (chain(revolute(1, joint={"mimic": Mimic(2)}), fixed(2, 1)), "frame 1, mimic", "frame 2 is fixed"),
    "mimic cycle": (
        chain(revolute(1, joint={"mimic": Mimic(2)}), revolute(2, joint={"mimic": Mimic(1)})),
        "frame 1, mimic",
        "follows itself: 1 -> 2 -> 1",
    ),
    "mimic itself": (chain(revolute(1, joint={"mimic": Mimic(1)})), "frame 1, mimic", "1 -> 1"),
    "limits": (chain(revolute(1, joint={"limits": Limits(1.0, -1.0)})), "frame 1, limits", "lower 1.0 is above"),
    "nan limit": (chain(revolute(1, joint={"limits": Limits(float("nan"))})), "frame 1, limits lower", "finite"),
    "nan position": (
        chain(revolute(1, joint={"position": float("inf")})),
        "frame 1, position",
        "finite number, got inf",
    ),
    "fixed position": (
        chain(revolute(1), replace(fixed(2, 1), joint=Joint("fixed2", position=1.0))),
        "frame 2, position",
        "a fixed frame has no position, got 1.0",
    ),
    "mimic position": (
        chain(revolute(1), revolute(2, joint={"mimic": Mimic(1), "position": 1.0})),
        "frame 2, position",
        "follows that of frame 1, got 1.0 of its own",
    ),
    "nan value": (
        chain(revolute(1, d=parameter("D")), values={"D": Value(float("nan"))}),
        "values, D",
        "finite number, got nan",
    ),
    "infinite entry": (
        chain(revolute(1, d=1 / parameter("D")), values={"D": Value(0.0)}),
        "frame 1, d",
        "'1/D' is not a finite number",
    ),
    "too large": (
        chain(revolute(1, d=parameter("D") ** 9), values={"D": Value(1e40)}),
        "frame 1, d",
        "'D^9' is not a finite number",
    ),
    "value of a variable": (chain(revolute(1), values={"q1": Value(1.0)}), "values, q1", "this is a variable"),
    "Z scaled": (
        chain(revolute(1), base=Base(location=tuple(map(number, (2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1))))),
        "base, location",
        "not a rotation",
    ),
    "Z mirrored": (
        chain(revolute(1), base=Base(location=tuple(map(number, (-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1))))),
        "base, location",
        "not a rotation",
    ),
    "Z last row": (
        chain(revolute(1), base=Base(location=tuple(map(number, (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1))))),
        "base, location",
        "last row",
    ),
    "no name": (Robot("", (revolute(1),)), "name", "robot's name"),
    "Type": (chain(revolute(1), par_type=5), "Type", "got 5"),
}


@pytest.mark.parametrize("case", WRONG)
def test_error_is_found_at_its_place(case):
    robot, where, message = WRONG[case]
    assert any(w == where and message in m for w, m in found(robot)), found(robot)
    with pytest.raises(RobotError) as caught:
        checked(robot, "file.toml")
    assert f"file.toml: {where}: " in str(caught.value)


def test_every_problem_is_reported_once_and_together():
    robot = chain(
        revolute(1, 9, joint={"limits": Limits(2.0, 1.0)}),
        revolute(2, d=variable("q1")),
        revolute(3, 4),
        revolute(4, 3),
        values={"X": Value(float("inf"))},
    )
    with pytest.raises(RobotError) as caught:
        checked(robot)
    places = [p.where for p in caught.value.problems]
    assert sorted(places) == sorted(
        ["frame 1, antecedent", "frame 1, limits", "frame 2, d", "frame 3, antecedent", "values, X"]
    )


def test_constant_offsets_and_symbolic_placements_are_fine():
    half_turn = revolute(1, theta=variable("q1") + pi + parameter("OFFSET"))
    Z = tuple(parameter(f"Z{i}") for i in range(16))
    assert problems(chain(half_turn, base=Base(location=Z))) == []


IMPOSSIBLE = {
    "negative mass": (link(1, 0, 0, 1, 0, 1, 0, 0, 0, -1), "mass is -1"),
    "moments without mass": (link(1, 0, 0, 1, 0, 1, 0.1, 0, 0, 0), "without mass"),
    "negative moment": (link(1, 0, 0, 1, 0, -1, 0, 0, 0, 1), "negative"),
    "triangle": (link(1, 0, 0, 1, 0, 2.1, 0, 0, 0, 1), "exceeds"),
    "centre too far": (link(1, 0, 0, 1, 0, 1, 2, 0, 0, 1), "negative"),
    "product too large": (link(1, 5, 0, 1, 0, 1, 0, 0, 0, 1), "negative"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_impossible_inertia_is_a_warning(case):
    body, message = IMPOSSIBLE[case]
    with pytest.warns(RobotWarning, match=f"frame 1, inertia: physically impossible: .*{message}"):
        checked(chain(revolute(1, link=body)))


def test_flat_and_rounded_bodies_are_possible():
    plate = link(1, 0, 0, 1, 0, 2.0001, 0, 0, 0, 1)
    point = link(0, 0, 0, 4, 0, 4, 4, 0, 0, 4)  # 4 kg at x = 1
    assert problems(chain(revolute(1, link=plate), revolute(2, link=point))) == []


def test_inertia_through_values():
    rng = np.random.default_rng(3)
    names = [f"{name}1" for name in INERTIA]
    body = Link(**dict(zip(INERTIA, map(parameter, names), strict=True)))
    values = {name: Value(x) for name, x in zip(names, random_inertia(rng), strict=True)}
    robot = chain(revolute(1, link=body), values=values)
    assert problems(robot) == []
    broken = robot.replace(values={**values, "ZZ1": Value(10.0)})
    assert [p.where for p in problems(broken) if p.is_warning] == ["frame 1, inertia"]


def test_unused_value_and_active_cut_joint_are_warnings():
    robot = chain(*FOUR_BAR[:3], replace(FOUR_BAR[3], joint=Joint("q4", variable("q4"))), FOUR_BAR[4], loops=1)
    robot = robot.replace(values={"UNUSED": Value(1.0)})
    assert [(p.where, p.is_warning) for p in problems(robot)] == [("frame 4, active", True), ("values, UNUSED", True)]


def test_type_that_contradicts_the_structure_is_a_warning():
    tree = chain(revolute(1), revolute(2, 0), par_type=0)
    assert [(p.where, p.is_warning) for p in problems(tree)] == [("Type", True)]


def test_missing_values_are_all_named():
    robot = chain(revolute(1, d=parameter("D1") + parameter("D2"), b=parameter("B1")), values={"D1": Value(2.0)})
    assert missing_values(robot) == ["B1", "D2"]
    with pytest.raises(RobotError, match=r"'B1' is used but has no value\n.*'D2' is used but has no value"):
        numbers(robot)
    assert numbers(robot, [parameter("D1"), variable("q1")]) == {"D1": 2.0}


@pytest.mark.slow
def test_a_very_long_chain_is_checked_without_recursion():
    n = 5000
    frames = tuple(revolute(j) for j in range(1, n + 1))
    assert problems(chain(*frames)) == []
    ring = (revolute(1, n), *frames[1:])
    assert [w for w, _ in found(chain(*ring))] == ["frame 1, antecedent"]


@pytest.mark.parametrize(
    "rows",
    [
        [{"sigma": "screw", "pitch": 0.1}, {"mimic": {"frame": 1}}],
        [{}, {"sigma": "screw", "pitch": 0.1, "mimic": {"frame": 1}}],
        [{}, {"sigma": "planar", "mimic": {"frame": 1}}],
    ],
)
def test_joints_of_several_axes_neither_follow_nor_are_followed(rows: list[dict[str, object]]) -> None:
    with pytest.raises(RobotError, match=r"frame 2, mimic: a (screw|planar) joint neither follows nor") as raised:
        Robot.from_table("x", rows)
    assert len(raised.value.problems) == 1
