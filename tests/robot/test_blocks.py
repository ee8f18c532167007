"""The entries of q and qd by joint: together they are q and qd, in order, and their names say what they are."""

from __future__ import annotations

import numpy as np
import pytest
from random_joint_kinds import random_joint_tree

from robosym import models
from robosym.expr import Expr, evaluate
from robosym.robot import Robot
from robosym.robot.blocks import neutral
from robosym.robot.joints import Universal


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


def test_names_and_units() -> None:
    rows = [{"sigma": "ball", "joint": "hip"}, {"joint": "knee"}, {"sigma": "prismatic", "joint": "slide"}]
    hip, knee, slide = Robot.from_table("leg", rows).blocks
    assert hip.position_names == ("hip qx", "hip qy", "hip qz", "hip qw")
    assert hip.speed_names == ("hip wx", "hip wy", "hip wz")
    assert hip.names(hip.speeds, ".") == ("hip.wx", "hip.wy", "hip.wz")
    assert (knee.position_names, knee.kind, knee.q, knee.qd) == (("knee",), None, slice(4, 5), slice(3, 4))
    assert [entry.unit for block in (hip, knee, slide) for entry in block.positions] == [
        *["quaternion"] * 4,
        "angle",
        "length",
    ]


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
