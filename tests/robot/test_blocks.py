"""The entries of q and qd by joint: together they are q and qd, in order, and their names say what they are."""

from __future__ import annotations

import numpy as np
import pytest
from random_joint_kinds import random_joint_tree

from robosym import models
from robosym.expr import Expr, evaluate
from robosym.robot import Robot
from robosym.robot.blocks import entries_of, neutral
from robosym.robot.joints import Universal

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


@pytest.mark.parametrize("seed", range(12))
def test_blocks_are_the_entries_of_q_and_qd(seed: int) -> None:
    robot = random_joint_tree(seed)
    assert [k for block in robot.blocks for k in range(robot.nq)[block.q]] == list(range(robot.nq))
    assert [k for block in robot.blocks for k in range(robot.nv)[block.qd]] == list(range(robot.nv))
    frames = [block.frame for block in robot.blocks]
    assert frames == [*([0] if robot.base.floating else []), *robot.moving]
    for block in robot.blocks:
        symbols = tuple(robot.coordinates[block.q])
        if block.frame:
            assert symbols == robot.positions_of(block.frame)
            assert block.kind == robot.kind(block.frame)
        ends = [symbol.name.rpartition("_")[2] for symbol in symbols]
        suffixes = [entry.suffix for entry in block.positions]
        assert suffixes == (ends if suffixes != [""] else [""])


@pytest.mark.parametrize("seed", range(6))
def test_every_joint_is_at_rest_in_the_neutral_position(seed: int) -> None:
    """All positions are zero: each frame is where the constant part of its geometry puts it."""
    robot = random_joint_tree(seed)
    frames = list(range(len(robot.frames) + 1))
    poses = models.geometric(robot, frames=frames).evaluate(q=np.array(neutral(robot)))
    values = {name: value.number for name, value in robot.values.items()}
    T = {name: np.asarray(pose).reshape(4, 4) for name, pose in poses.items()}
    for j, frame in enumerate(robot.frames, 1):
        step = np.linalg.solve(T[f"T{frame.antecedent}"], T[f"T{j}"])
        variable = frame.joint.variable
        at = {**values, **({variable.name: 0.0} if variable is not None else {})}
        gamma, b, alpha, d, theta, r = (_number(x, at) for x in frame.geometry)
        wanted = _z(gamma, b) @ _x(alpha, d) @ _z(theta, r)
        if isinstance(robot.kind(j), Universal):
            wanted = wanted @ _x(np.pi / 2, 0)
        np.testing.assert_allclose(step, wanted, atol=1e-12)


def _number(entry: Expr, values: dict[str, float]) -> float:
    return float(evaluate([entry], values)[0])


def _z(angle: float, shift: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, shift], [0, 0, 0, 1]])


def _x(angle: float, shift: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0, shift], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])
