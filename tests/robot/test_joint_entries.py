"""Entries of q and qd: names, places, units, quaternions; refusals that name the joint."""

from __future__ import annotations

import pytest

import robosym
from robosym.robot import Robot, RobotError
from robosym.robot.chains import elementary
from robosym.robot.joint_entries import (
    places_by_name,
    position_entries,
    quaternions,
    require_no_quaternion,
    require_single_axes,
    speed_entries,
    speed_frames,
    speed_names,
    turning_joints,
)

ROWS = [
    {"sigma": 1, "variable": "slide"},
    {"sigma": "ball", "variable": "hip"},
    {"sigma": "screw", "variable": "lift", "pitch": 0.1},
    {"sigma": "cylindrical", "variable": "rod"},
]


def robot(floating: bool = False) -> Robot:
    return Robot.from_table("kinds", ROWS, base={"floating": floating})


def test_entries_have_the_names_of_their_symbols() -> None:
    arm = robot(floating=True)
    entries = position_entries(arm)
    assert [entry.column for entry in entries[1:]] == [symbol.name for symbol in arm.coordinates[8:]]
    assert [entry.name for entry in entries][1:4] == ["hip qx", "hip qy", "hip qz"]
    assert [entry.neutral for entry in entries] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert [entry.label for entry in entries] == ["m", *["quaternion"] * 4, "rad", "rad", "m"]
    assert len(speed_entries(arm)) + 6 == arm.nv


def test_entries_of_speeds() -> None:
    arm = robot()
    joint = arm.frame(1).joint.name
    assert speed_names(arm) == (joint, "hip wx", "hip wy", "hip wz", "lift", "rod angle", "rod shift")
    assert speed_frames(arm) == (1, 2, 2, 2, 3, 4, 4)
    assert [entry.slides for entry in speed_entries(arm)] == [True, False, False, False, False, False, True]
    assert speed_names(elementary(arm)) == speed_names(arm)


def test_places_by_the_name_of_an_entry_or_a_joint() -> None:
    places = places_by_name(position_entries(robot()))
    assert (places["hip"], places["hip qz"], places["lift"], places["rod"]) == ((1, 2, 3, 4), (3,), (5,), (6, 7))


def test_quaternions() -> None:
    assert quaternions(robot()) == {"'hip'": 1}
    assert quaternions(robot(floating=True)) == {"the base": 3, "'hip'": 8}
    assert turning_joints(robot()) == ("hip",)
    assert quaternions(robosym.load("rx90")) == {}


def test_refusals_name_the_joint() -> None:
    arm = robot()
    with pytest.raises(RobotError, match="frame 2, sigma: 'hip' is a ball joint, for which X is not supported"):
        require_single_axes(arm, "X")
    with pytest.raises(RobotError, match=r"'hip' is a ball joint, for which X is not supported: .* Do Y\."):
        require_no_quaternion(arm, "X", "Do Y.")
    single = Robot.from_table("single", [ROWS[0], ROWS[2]])
    require_single_axes(single, "X")
    with pytest.raises(RobotError, match="'rod' is a cylindrical joint"):
        require_single_axes(Robot.from_table("rod", ROWS[3:]), "X")
    require_no_quaternion(Robot.from_table("rod", ROWS[3:]), "X", "Do Y.")
