"""Entries of q and qd by joint."""

from __future__ import annotations

from robosym.robot import Robot
from robosym.robot.blocks import entries_of, neutral

ROWS = [
    {"joint": "hip", "sigma": "ball"},
    {"joint": "knee", "d": 0.4},
    {"joint": "lift", "sigma": "prismatic"},
    {"joint": "nut", "sigma": "screw", "pitch": 0.01},
]


def leg(floating: bool) -> Robot:
    return Robot.from_table("leg", ROWS, base={"floating": floating})


def test_places_follow_each_other() -> None:
    for floating in (False, True):
        robot = leg(floating)
        blocks = robot.blocks
        assert [block.frame for block in blocks] == ([0] if floating else []) + [1, 2, 3, 4]
        assert [k for block in blocks for k in range(block.q.start, block.q.stop)] == list(range(robot.nq))
        assert [k for block in blocks for k in range(block.qd.start, block.qd.stop)] == list(range(robot.nv))
        assert neutral(robot) == ((0, 0, 0, 0, 0, 0, 1) if floating else ()) + (0, 0, 0, 1, 0, 0, 0)


def test_names_are_those_of_the_joint_and_the_entry() -> None:
    hip, knee, _, nut = leg(False).blocks
    assert hip.position_names == ("hip qx", "hip qy", "hip qz", "hip qw")
    assert hip.speed_names == ("hip wx", "hip wy", "hip wz")
    assert hip.names(hip.speeds, "_") == ("hip_wx", "hip_wy", "hip_wz")
    assert knee.position_names == knee.speed_names == ("knee",)
    assert nut.position_names == ("nut",)


def test_units() -> None:
    robot = leg(False)
    assert [[entry.unit for entry in entries_of(robot, j)[0]] for j in robot.moving] == [
        ["quaternion"] * 4,
        ["angle"],
        ["length"],
        ["angle"],
    ]
