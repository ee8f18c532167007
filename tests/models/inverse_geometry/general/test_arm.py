"""The arm in numbers: its poses are those of Denavit and Hartenberg's matrices, whatever is fixed, slid, reversed or offset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import ALL_REVOLUTE, KINDS, THREE_PRISMATIC, random_arm
from models.reference import frame_poses, numbers

from robosym.errors import RobosymError
from robosym.models.inverse_geometry.general.arm import Arm, arm_of, symbols_of, terminal
from robosym.robot import PRISMATIC, Robot, RobotError


def random_table(seed: int, kinds: tuple[int, ...]) -> Robot:
    """Joints with offsets and signs, a fixed frame in the middle and a tool; the base is turned and shifted in the world."""
    rng = np.random.default_rng(seed)
    rows: list[Mapping[str, Any]] = []
    for kind in kinds:
        row = {"sigma": kind, "alpha": float(rng.uniform(-3, 3)), "d": float(rng.uniform(-0.5, 0.5))}
        rows.append(row | {"theta" if kind else "r": float(rng.uniform(-0.5, 0.5))})
    rows[1] = {**rows[1], "gamma": 0.3, "b": -0.2}
    tool = {"sigma": "fixed", "alpha": 0.4, "d": 0.1, "theta": -0.8, "r": 0.2}
    location = [[0, -1, 0, 0.3], [1, 0, 0, -0.2], [0, 0, 1, 0.9], [0, 0, 0, 1]]
    robot = Robot.from_table("random", [*rows[:3], tool, *rows[3:], tool], base={"location": location})
    frames = list(robot.frames)
    for k, j in enumerate(robot.moving):
        frame, offset = robot.frame(j), float(rng.uniform(-1, 1))
        q = frame.joint.variable
        assert q is not None
        moved = offset - q if k % 2 == 0 else offset + q
        frames[j - 1] = replace(frame, **{"r" if frame.sigma == PRISMATIC else "theta": moved})
    return robot.replace(frames=tuple(frames))


def test_poses_are_those_of_the_frames() -> None:
    rng = np.random.default_rng(0)
    for seed, kinds in enumerate((*KINDS, *THREE_PRISMATIC)):
        robot = random_table(seed, kinds)
        location = np.array(numbers(robot, robot.base.location)).reshape(4, 4)
        q = rng.uniform(-2, 2, (3, 6))
        expected = np.array([frame_poses(robot, one)[8] for one in q])
        arm = arm_of(robot, 8)
        assert arm.kinds == kinds
        assert arm.signs.tolist() == [-1, 1] * 3
        np.testing.assert_allclose(arm.poses(q), expected, atol=1e-13)
        np.testing.assert_allclose(arm_of(robot, 8, "world").poses(q), location @ expected, atol=1e-13)


@pytest.mark.parametrize("kinds", [ALL_REVOLUTE, (0, 1, 0, 0, 1, 0)])
def test_reduced_is_the_arm_between_its_base_and_its_tool_in_units_of_its_length(kinds: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    arm = random_arm(rng, kinds, reduced=False)
    lengths = [float(np.linalg.norm(constant[:3, 3])) for constant in arm.constants[1:6]]
    assert arm.length == pytest.approx(sum(lengths) / 3)
    q = rng.uniform(-2, 2, (4, 6))
    scaled = q / np.where([kind == PRISMATIC for kind in kinds], arm.length, 1)
    poses = arm.reduced().poses(scaled)
    poses[:, :3, 3] *= arm.length
    np.testing.assert_allclose(arm.constants[0] @ poses @ arm.constants[6], arm.poses(q), atol=1e-13)
    assert arm.reduced().length == pytest.approx(1)


def test_an_arm_without_lengths_has_the_unit_one() -> None:
    arm = random_arm(np.random.default_rng(2), ALL_REVOLUTE, reduced=False)
    constants = arm.constants.copy()
    constants[1:6, :3, 3] = 0
    assert Arm(arm.kinds, constants, arm.signs).length == 1.0


def table(*kinds: int, **of_second: Any) -> Robot:
    rows: list[dict[str, Any]] = [{"sigma": kind, "alpha": 0.5, "d": 0.3} for kind in kinds]
    rows[1] |= of_second
    return Robot.from_table("arm", rows)


def test_terminal_frames() -> None:
    assert terminal(random_table(0, ALL_REVOLUTE)) == 8
    assert terminal(random_table(0, ALL_REVOLUTE), 7) == 7
    assert terminal(table(1, 1, 1, 0, 0, 0)) == 6
    with pytest.raises(RobotError, match="exactly 6 moving joints on the way to the frame, found 5"):
        terminal(random_table(0, ALL_REVOLUTE), 6)
    with pytest.raises(RobotError, match="4 are prismatic"):
        terminal(table(1, 1, 1, 1, 0, 0))
    with pytest.raises(RobotError, match="joints q2 depend on others"):
        terminal(table(0, 0, 0, 0, 0, 0, 0, mimic={"frame": 1, "ratio": 2}))


def test_the_parameters_of_the_geometry() -> None:
    rows: list[dict[str, Any]] = [{"alpha": 0.5, "d": f"D{k}", "r": f"R{k}"} for k in range(1, 7)]
    location = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, "H"], [0, 0, 0, 1]]
    robot = Robot.from_table("symbols", [*rows, {"sigma": "fixed", "d": "TOOL"}], base={"location": location})
    expected = {f"{letter}{k}" for letter in "DR" for k in range(1, 7)}
    assert set(symbols_of(robot, 6)) == expected
    assert set(symbols_of(robot, 7)) == expected | {"TOOL"}
    assert set(symbols_of(robot, 6, "world")) == expected | {"H"}
    with pytest.raises(RobosymError, match="give it in 'parameters'"):
        arm_of(robot, 6)
    values = dict.fromkeys(expected, 0.25) | {"D3": 0.75}
    arm = arm_of(robot, 6, parameters=values)
    np.testing.assert_allclose(arm.constants[:6, 0, 3], [0.25, 0.25, 0.75, 0.25, 0.25, 0.25], atol=1e-15)
    with np.errstate(invalid="ignore"), pytest.raises(RobotError, match="not finite"):
        arm_of(robot, 6, parameters=values | {"D3": np.inf})


def test_a_joint_that_moves_by_a_multiple_is_refused() -> None:
    robot = table(*ALL_REVOLUTE)
    frames = list(robot.frames)
    frames[1] = replace(frames[1], theta=2 * frames[1].theta)
    with pytest.raises(RobotError, match="a multiple of its variable"):
        arm_of(robot.replace(frames=tuple(frames)), 6)
