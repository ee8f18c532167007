"""Joints as a controller knows them: their order is that of q, and those that follow are where the robot has them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import package_robots as robots
import pytest
from random_robots import random_robot

import robosym
from robosym.expr import evaluate, number, parameter, variable
from robosym.packaging.joints import Bounds, Following, Named, evaluate_or_nan, joints_of
from robosym.robot import FIXED, PRISMATIC, Limits, Mimic, Robot, Value

OPEN = (-math.inf, math.inf, math.inf, math.inf, math.inf, math.inf)


def bounds(named: Named) -> tuple[float, ...]:
    b = named.bounds
    return b.lower, b.upper, b.velocity, b.effort, b.acceleration, b.jerk


@pytest.mark.parametrize("seed", range(8))
def test_every_joint_of_a_random_robot(seed: int) -> None:
    """Names and limits in the order of q; a joint that depends on others is where its ratio and offset say, at any q."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 9, symbolic=bool(seed % 2), rich=True)
    found = joints_of(robot)
    assert tuple(joint.name for joint in found.driven) == robot.joint_names
    moving = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    assert [joint.name for joint in found.all] == [robot.frame(j).joint.name for j in moving]
    assert not found.floating
    q = rng.uniform(-1, 1, robot.nq)
    at = dict(zip(robot.coordinates, q, strict=True))
    for joint, j in zip(found.all, moving, strict=True):
        frame = robot.frame(j)
        limits = frame.joint.limits
        given = (limits.lower, limits.upper, limits.velocity, limits.effort, limits.acceleration, limits.jerk)
        assert bounds(joint) == tuple(e if x is None else x for x, e in zip(given, OPEN, strict=True))
        assert joint.is_prismatic == (frame.sigma == PRISMATIC)
        assert (joint.following is None) == (frame.joint.mimic is None)
        if joint.following is not None:
            values = {name: value.number for name, value in robot.values.items()}
            expected = float(evaluate([robot.position(j)], {**values, **at})[0])
            own = joint.following
            assert own.ratio * q[own.master] + own.offset == pytest.approx(expected)
    assert {joint.name for joint in found.following} == {
        joint.name for joint in found.all if joint.following is not None
    }


def test_units() -> None:
    turning, sliding = (Named("j", prismatic, Bounds(*OPEN)) for prismatic in (False, True))
    assert [turning.unit(k) for k in range(3)] == ["rad", "rad/s", "rad/s^2"]
    assert [sliding.unit(k) for k in range(3)] == ["m", "m/s", "m/s^2"]
    assert (turning.unit(), turning.effort_unit, sliding.effort_unit) == ("rad", "N m", "N")


def test_limits_that_are_none_are_infinite() -> None:
    robot = robosym.load("planar-2r")
    frame = robot.frame(1)
    limited = replace(frame, joint=replace(frame.joint, limits=Limits(-1, 2, jerk=7)))
    found = joints_of(robot.replace(frames=(limited, *robot.frames[1:])))
    assert bounds(found.driven[0]) == (-1, 2, math.inf, math.inf, math.inf, 7)


def test_passive_joints_of_loops_follow_without_a_ratio() -> None:
    robot = robosym.load("sr400")
    found = joints_of(robot)
    assert len(found.driven) == 6
    assert [joint.name for joint in found.following] == ["elbow", "coupler", "cut"]
    assert all(joint.following is None for joint in found.all)
    order = robosym.models.loop_geometry(robot).joint_names
    assert tuple(joint.name for joint in found.all) == tuple(order)


def test_a_free_base_is_no_joint() -> None:
    robot = robots.floating()
    found = joints_of(robot)
    assert found.floating
    assert tuple(joint.name for joint in found.driven) == robot.joint_names
    assert found.following == ()


def following(ratio: str, values: dict[str, float]) -> Following | None:
    robot = Robot.from_table("x", [{}, {"mimic": {"frame": 1, "ratio": ratio, "offset": "c"}}])
    robot = robot.replace(values={name: Value(x) for name, x in values.items()})
    return joints_of(robot).all[1].following


def test_a_ratio_without_a_value_is_not_a_number() -> None:
    known = following("2*k", {"k": 1.5, "c": -0.25})
    assert known == Following(0, 3.0, -0.25)
    for values, bad in (({"c": 1.0}, ("ratio", "offset")), ({"k": 1.0}, ("offset",)), ({}, ("ratio", "offset"))):
        found = following("2*k", values)
        assert found is not None
        assert {name for name in ("ratio", "offset") if math.isnan(getattr(found, name))} == set(bad)


def test_a_chain_of_dependent_joints_follows_the_first() -> None:
    robot = Robot.from_table("x", [{}, {}, {"mimic": {"frame": 2, "ratio": -2, "offset": 0.5}}])
    last = replace(
        robot.frame(3),
        name="tip",
        antecedent=3,
        joint=replace(robot.frame(3).joint, name="j4", variable=variable("q4")),
    )
    chained = replace(last, joint=replace(last.joint, mimic=Mimic(3, number(3), number(1))), theta=variable("q4"))
    found = joints_of(robot.replace(frames=(*robot.frames, chained)))
    assert [joint.following for joint in found.all] == [None, None, Following(1, -2, 0.5), Following(1, -6, 2.5)]


def test_an_expression_in_numbers() -> None:
    robot = Robot.from_table("x", [{"d": "a"}], values={"a": 2.0})
    q = variable("q1")
    assert evaluate_or_nan(robot, parameter("a") * q + 1, {q: 3.0}) == 7
    assert math.isnan(evaluate_or_nan(robot, parameter("b") * q, {q: 0.0}))
    assert math.isnan(evaluate_or_nan(robot, q, {}))
    assert evaluate_or_nan(robot, number(4), {}) == 4


def test_names_stay_as_they_are() -> None:
    robot = robots.hostile()
    assert tuple(joint.name for joint in joints_of(robot).driven) == robot.joint_names


def test_joints_of_several_axes_have_an_entry_each() -> None:
    rows = [{"sigma": "ball", "joint": "hip"}, {"sigma": "cylindrical", "joint": "tube"}, {"joint": "knee"}]
    rows.append({"joint": "heel", "mimic": {"frame": 3, "ratio": 2}})
    found = joints_of(Robot.from_table("leg", rows))
    assert [(one.name, one.unit()) for one in found.driven] == [
        *((f"hip.q{x}", "unit quaternion") for x in "xyzw"),
        ("tube.angle", "rad"),
        ("tube.shift", "m"),
        ("knee", "rad"),
    ]
    assert [(one.name, one.unit(1), one.effort_unit) for one in found.speeds] == [
        *((f"hip.w{x}", "rad/s", "N m") for x in "xyz"),
        ("tube.angle", "rad/s", "N m"),
        ("tube.shift", "m/s", "N"),
        ("knee", "rad/s", "N m"),
    ]
    assert [one.name for one in found.all] == [*(one.name for one in found.driven), "heel"]
    assert [one.following for one in found.following] == [Following(6, 2.0, 0.0)]
