"""Joints of SDF with several axes beside Pinocchio; what is wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.expr import evaluate
from robosym.robot import RobotError, RobotWarning
from robosym.robot.joints import Ball, Screw, Universal

pytest.importorskip("pinocchio")

from formats.random_joints import Twin, random_parts, sdf

KINDS = ["ball", "universal", "revolute2", "screw", "revolute"]


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize("seed", range(40))
def test_random_trees_beside_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = random_parts(rng, KINDS, 3, joints_apart=True)
    Twin(parts).check(robosym.loads(sdf(parts, rng)), rng)


def model(joint: str, version: str = "1.10") -> str:
    links = '<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
    return f'<sdf version="{version}"><model name="m">{links}{joint}</model></sdf>'


def joint(kind: str, inside: str = "") -> str:
    return f'<joint name="j" type="{kind}"><parent>a</parent><child>b</child>{inside}</joint>'


AXIS, ACROSS = "<axis><xyz>0 2 0</xyz></axis>", "<axis2><xyz>0 0 3</xyz></axis2>"


def test_kinds() -> None:
    for text, kind in (
        (joint("ball"), Ball()),
        (joint("universal", AXIS + ACROSS), Universal()),
        (joint("screw", f"{AXIS}<screw_thread_pitch>0.5</screw_thread_pitch>"), Screw(robosym.expr.number(0.5))),
    ):
        robot = robosym.loads(model(text))
        assert robot.joint_names == ("j",)
        assert robot.kind(robot.moving[0]) == kind


def test_what_a_universal_joint_has_no_place_for_makes_it_two_joints() -> None:
    limited = "<limit><lower>-1</lower><upper>2</upper></limit>"
    robot = robosym.loads(model(joint("universal", AXIS + ACROSS.replace("</axis2>", f"{limited}</axis2>"))))
    assert robot.joint_names == ("j_1", "j_2")
    first, second = (robot.frame(j).joint for j in robot.moving)
    assert (first.limits.lower, second.limits.lower, second.limits.upper) == (None, -1, 2)
    damped = "<dynamics><damping>0.5</damping></dynamics>"
    robot = robosym.loads(model(joint("universal", AXIS.replace("</axis>", f"{damped}</axis>") + ACROSS)))
    assert [str(robot.frame(j).actuator.Fv) for j in robot.moving] == ["0.5", "0"]


def test_a_screw_keeps_its_limits_and_friction() -> None:
    more = "<limit><lower>-1</lower><upper>2</upper></limit><dynamics><damping>0.5</damping></dynamics>"
    text = joint("screw", AXIS.replace("</axis>", f"{more}</axis>") + "<screw_thread_pitch>0.5</screw_thread_pitch>")
    robot = robosym.loads(model(text))
    own = robot.frame(robot.moving[0])
    assert (own.joint.limits.lower, own.joint.limits.upper, str(own.actuator.Fv)) == (-1, 2, "0.5")


@pytest.mark.parametrize(
    ("inside", "pitch"),
    [
        ("<screw_thread_pitch>0.5</screw_thread_pitch>", 0.5),
        ("<thread_pitch>-4</thread_pitch>", np.pi / 2),  # radians in a metre, positive for a left-hand thread
        ("<thread_pitch>7</thread_pitch><screw_thread_pitch>-0.5</screw_thread_pitch>", -0.5),
    ],
)
def test_pitch(inside: str, pitch: float) -> None:
    robot = robosym.loads(model(joint("screw", AXIS + inside)))
    kind = robot.kind(robot.moving[0])
    assert isinstance(kind, Screw)
    assert evaluate([kind.pitch], {}) == pytest.approx([pitch], rel=1e-15)


LEADER = '<link name="c"/><joint name="k" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz>{}</axis></joint>'

FOLLOWING = AXIS.replace("</axis>", '<mimic joint="k"/></axis>')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (joint("screw", AXIS), "joint 'j', screw_thread_pitch: there is none: expected the displacement in one turn"),
        (
            joint("screw", f"{AXIS}<screw_thread_pitch>0</screw_thread_pitch>"),
            "expected a number that is not zero, got '0'",
        ),
        (
            joint("screw", f"{AXIS}<thread_pitch>0.0</thread_pitch>"),
            "joint 'j', thread_pitch: expected a number that is not",
        ),
        (joint("screw", f"{AXIS}<screw_thread_pitch>fine</screw_thread_pitch>"), "screw_thread_pitch: .*'fine'"),
        (joint("screw", f"{AXIS}<screw_thread_pitch>nan</screw_thread_pitch>"), "screw_thread_pitch: .*'nan'"),
        (joint("screw", "<screw_thread_pitch>1</screw_thread_pitch>"), "joint 'j', axis: there is none"),
        (joint("universal", AXIS), "joint 'j', axis2: there is none"),
        (joint("universal", f"{AXIS}<axis2><xyz>0 0 0</xyz></axis2>"), "joint 'j', axis2: the axis is zero"),
        (joint("revolute2", f"<axis><xyz>0 0 0</xyz></axis>{ACROSS}"), "joint 'j', axis: the axis is zero"),
        (
            joint("screw", f"{FOLLOWING}<screw_thread_pitch>1</screw_thread_pitch>") + LEADER.format(""),
            "joint 'j', mimic: expected a revolute or prismatic joint that follows, got a screw",
        ),
        (
            joint("ball") + LEADER.format('<mimic joint="j"/>'),
            "joint 'k', mimic: joint 'j' is ball: expected a revolute",
        ),
        (joint("gearbox", AXIS), "joint 'j', type: got 'gearbox': expected a <mimic> of its joint"),
    ],
)
def test_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(RobotError, match=problem) as raised:
        robosym.loads(model(text))
    assert str(raised.value).startswith("text: ")


def test_the_axis_of_a_ball_is_named() -> None:
    with pytest.warns(RobotWarning, match="no place for: <axis> of a ball joint"):
        robosym.loads(model(joint("ball", AXIS)))
