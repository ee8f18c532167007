"""Entries of vectors with their units: of joints by their kind, of a free base, of motors behind their transmission."""

from __future__ import annotations

from dataclasses import replace

import pytest
from generated.cases import arm, floating

from robosym.expr import number
from robosym.generated.documentation.units import (
    ACCELERATION,
    FORCE,
    POSITION,
    SPEED,
    coordinates,
    moving,
    of_joint,
    of_joints,
    place,
    six,
    unit,
    wrench,
)
from robosym.models.dynamic.transmission import of_motors
from robosym.robot import Robot
from robosym.robot.parts import Coupling

KINDS = {POSITION: ("rad", "m"), SPEED: ("rad/s", "m/s"), ACCELERATION: ("rad/s2", "m/s2"), FORCE: ("N m", "N")}


@pytest.mark.parametrize("kind", KINDS)
def test_joints(kind: str) -> None:
    turns, slides = KINDS[kind]
    assert (unit(kind, False), unit(kind, True)) == (turns, slides)
    assert of_joints(arm(), kind) == (("hip", turns), ("knee", turns), ("slide", slides))
    assert of_joints(arm(), kind, [3, 1]) == (("slide", slides), ("hip", turns))
    assert of_joint(arm(), 2, kind) == (("knee", turns),)


@pytest.mark.parametrize("kind", KINDS)
def test_three_slide_and_three_turn(kind: str) -> None:
    turns, slides = KINDS[kind]
    assert [one.unit for one in six(kind)] == [slides] * 3 + [turns] * 3
    assert [one.name for one in six(kind, before="base ")] == [
        f"base {x}" for x in ("vx", "vy", "vz", "wx", "wy", "wz")
    ]


def test_wrenches_and_places() -> None:
    assert wrench("at ") == tuple(
        (f"at {n}", "N" if n[0] == "F" else "N m") for n in ("FX", "FY", "FZ", "CX", "CY", "CZ")
    )
    assert place("p ") == tuple(
        (f"p {n}", u) for n, u in zip(("x", "y", "z", "qx", "qy", "qz", "qw"), ["m"] * 3 + ["1"] * 4, strict=True)
    )


def test_a_free_base_comes_first_where_it_is_in_the_array() -> None:
    robot, joints = floating(), of_joints(arm(), POSITION)
    assert coordinates(robot) == coordinates(robot, 10) == (*place("base "), *joints)
    assert coordinates(robot, 3) == coordinates(arm()) == coordinates(arm(), 3) == joints
    assert moving(robot, SPEED) == (*six(SPEED, before="base "), *of_joints(robot, SPEED))
    assert moving(robot, FORCE, 9) == (*wrench("base "), *of_joints(robot, FORCE))
    assert moving(robot, ACCELERATION, 3) == of_joints(robot, ACCELERATION)
    small = moving(robot, POSITION)
    assert [one.name for one in small[:6]] == [f"base {way} {axis}" for way in ("along", "about") for axis in "xyz"]
    assert [one.unit for one in small[:6]] == ["m"] * 3 + ["rad"] * 3


def test_motors_of_sliding_joints_may_turn() -> None:
    robot = arm()
    assert of_motors(robot, SPEED) == of_joints(robot, SPEED)
    frames = [replace(one, actuator=replace(one.actuator, ratio=number(50))) for one in robot.frames]
    geared = robot.replace(frames=tuple(frames))
    assert of_motors(geared, SPEED) == (("hip", "rad/s"), ("knee", "rad/s"), ("slide", "rad/s or m/s"))
    one = (number(1), number(0))
    coupled = robot.replace(couplings=(Coupling((2, 3), (one, one[::-1])),))
    assert [x.unit for x in of_motors(coupled, FORCE)] == ["N m", "N m", "N m or N"]


def test_joints_of_several_axes_by_entry() -> None:
    robot = Robot.from_table("legs", [{"sigma": "ball", "joint": "hip"}, {"sigma": "floating", "joint": "ship"}])
    quaternion = [(f"q{x}", "unit quaternion") for x in "xyzw"]
    assert coordinates(robot) == (
        *((f"hip {name}", unit_) for name, unit_ in quaternion),
        *((f"ship {x}", "m") for x in "xyz"),
        *((f"ship {name}", unit_) for name, unit_ in quaternion),
    )
    for kind in KINDS:  # as those of a free base, whose entries the floating joint has
        of_joint_, of_base = moving(robot, kind)[3:], moving(floating(), kind)[:6]
        assert [(one.name.replace("ship", "base"), one.unit) for one in of_joint_] == list(map(tuple, of_base))
        assert [one.unit for one in moving(robot, kind)[:3]] == [KINDS[kind][0]] * 3
    assert [one.name for one in moving(robot, FORCE)[:3]] == ["hip CX", "hip CY", "hip CZ"]
