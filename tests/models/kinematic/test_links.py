"""The links a recursion runs over: only those on the way, each in as few motions as can be; motions written otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.kinematic.moving_frames import terminal
from real_robots import real_robot

import robosym
from robosym.expr import number, pi
from robosym.models.kinematic.links import links
from robosym.models.kinematic.velocities import velocities
from robosym.models.tree.moving import Moving
from robosym.robot import FIXED, Frame, Joint, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def with_tool(gamma: object = 0, d: object = 0, r: object = 0) -> robosym.robot.Robot:
    """The RX90 with a flange that stands still on its last link."""
    robot = robosym.load("rx90")
    tool = Frame("tool", 6, Joint("flange"), FIXED, gamma=number(gamma), d=number(d), r=number(r))  # type: ignore[arg-type]
    return robot.replace(frames=(*robot.frames, tool))


def test_only_frames_on_the_way_are_links() -> None:
    robot = real_robot("solo12")
    foot = terminal(robot)[-1]
    found = links(robot, [foot])
    assert [body.j for body in found.tree.bodies] == [j for j in robot.path(foot) if j in robot.moving or j == foot]
    assert [body.j for body in found.way(foot)] == [body.j for body in found.tree.bodies]


def test_a_fixed_frame_on_the_axis_joins_the_joint() -> None:
    """Turned about the last axis and moved along it: the turn becomes part of the joint's, and costs no rotation."""
    robot = with_tool(gamma=0.3, r=0.2)
    assert links(robot, [7]).tree.body(7).rotation == ()
    bare = velocities(robosym.load("rx90"), axes="local").operations
    angle = 1  # q6 + 0.3
    lever = 4  # w x P has two products, each with a sum
    assert velocities(robot, frames=[7], axes="local").operations.total <= bare.total + angle + lever
    kept = links(robot, [6, 7])
    assert kept.tree.body(7).rotation != ()  # frame 6 was asked for: it stays where it is


def test_a_frame_away_from_the_axis_does_not() -> None:
    body = links(with_tool(d=0.5), [7]).tree.body(7)
    assert [float(x.value) for x in body.arm[:1]] == [0.5]


def test_the_joint_of_a_successor_stays_its_own() -> None:
    """Two joints on one axis, nothing between them: the second one's screw must not move into the first."""
    robot = robosym.load("scara")
    q, qd = np.arange(1.0, 5.0), np.array([1.0, -2.0, 3.0, -4.0])
    found = velocities(robot, axes="local-world-aligned").evaluate(q=q, qd=qd)
    assert found[5] == pytest.approx(1 - 2 + (3 if robot.frame(3).sigma == 0 else -4))


def test_a_free_base_cannot_have_a_given_motion() -> None:
    robot = robosym.load("rx90")
    base = replace(robot.base, floating=True, velocity=(number(1), number(0), number(0)))
    with pytest.raises(RobotError, match="base: is free and has a given motion too"):
        links(robot.replace(base=base), [6])


def test_a_motion_written_otherwise_is_the_same_motion() -> None:
    """There and back: another point, the other kind; and a point on the axis of a steady turn stands still."""
    v, w, a, wd, r = np.random.default_rng(1).uniform(-1, 1, (5, 3))
    one = Moving(tuple(v), tuple(w), tuple(a), tuple(wd))
    for same in (one.of_kind("spatial").of_kind("classical"), one.at(tuple(r)).at(tuple(-r))):
        np.testing.assert_allclose([*same.velocity, *same.acceleration], [*one.velocity, *one.acceleration])
    both = one.at(tuple(r)).of_kind("spatial"), one.of_kind("spatial").at(tuple(r))
    np.testing.assert_allclose(both[0].acceleration, both[1].acceleration)
    np.testing.assert_allclose(one.at(tuple(r)).a, a + np.cross(wd, r) + np.cross(w, np.cross(w, r)))
    turning = Moving(v=(0, 2, 0), w=(0, 0, 2), a=(-4, 0, 0)).at((-1, 0, 0))
    assert not any((*turning.v, *turning.a))


def test_the_angle_pi_is_a_turn_too() -> None:
    robot = with_tool()
    turned = replace(robot.frames[-1], gamma=pi)
    robot = robot.replace(frames=(*robot.frames[:-1], turned))
    q, qd = np.random.default_rng(2).uniform(-2, 2, (2, 6))
    found = velocities(robot, frames=[6, 7], axes="local").evaluate(q=q, qd=qd)
    np.testing.assert_allclose(found[1], found[0] * [-1, -1, 1, -1, -1, 1], atol=1e-14)
