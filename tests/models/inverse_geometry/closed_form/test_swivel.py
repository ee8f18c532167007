"""Arms with a spherical shoulder and wrist, solved for a given swivel angle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym.models.inverse_geometry.chain.random_positions import forward, samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.swivel import swivel_form
from robosym.robot import Robot, RobotError
from robosym.runtime import compile_program

ARM = [
    {"r": 0.34},
    {"alpha": "-pi/2"},
    {"alpha": "pi/2", "r": 0.4},
    {"alpha": "pi/2"},
    {"alpha": "-pi/2", "r": 0.4},
    {"alpha": "-pi/2"},
    {"alpha": "pi/2", "r": 0.126},
]
SKEWED = [
    {"r": 0.3},
    {"alpha": 1.1},
    {"alpha": -0.9, "r": 0.35},
    {"alpha": 1.3, "d": 0.05},
    {"alpha": -1.2, "d": -0.04, "r": 0.4},
    {"alpha": 0.8},
    {"alpha": 1.4, "r": 0.1},
]


def swivels(origins: Any, solutions: np.ndarray) -> np.ndarray:
    """The swivel angle of each solution, from the places of shoulder, elbow (the axis of joint 4) and wrist."""
    poses = origins(q=solutions)
    shoulder, elbow, wrist = (poses[f"T{j}"][:, :3, 3] for j in (2, 4, 6))
    line = wrist - shoulder
    line /= np.linalg.norm(line, axis=1)[:, None]
    up = np.cross(np.cross(line, [0, 0, 1.0]), line)
    across = np.cross(line, up)
    arm = elbow - shoulder
    return np.arctan2((arm * across).sum(axis=1), (arm * up).sum(axis=1))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("rows", [ARM, SKEWED], ids=["plain", "skewed"])
def test_every_solution_makes_the_pose_and_has_the_swivel_angle(rows: list[dict[str, object]]) -> None:
    robot = Robot.from_table("seven", rows)
    chain = chain_for(robot)
    solve = compile_program(swivel_form(chain).program, values={})
    origins = robosym.models.geometric(robot, frames=[2, 4, 6]).compile()
    solved = 0
    for sample in samples(chain, 40, seed=2):
        for swivel in (-2.0, 0.3):
            found = solve(T=sample.T, given=[swivel])
            assert np.isfinite(found["Q"]).all()
            valid = found["Q"][found["valid"] > 0.5]
            if not len(valid):  # a skewed shoulder cannot take every orientation
                continue
            solved += 1
            for q in valid:
                np.testing.assert_allclose(forward(chain, sample.numbers, q), sample.T, atol=1e-10)
            off = (swivels(origins, valid) - swivel + np.pi) % (2 * np.pi) - np.pi
            assert np.abs(off).max() < 1e-8
    assert solved > 20


def test_eight_solutions_of_the_plain_arm_and_none_twice() -> None:
    chain = chain_for(Robot.from_table("seven", ARM))
    solve = compile_program(swivel_form(chain).program, values={})
    for sample in samples(chain, 20, seed=6):
        found = solve(T=sample.T, given=[1.0])
        assert found["valid"].sum() == 8
        apart = np.abs((found["Q"][:, None] - found["Q"][None] + np.pi) % (2 * np.pi) - np.pi).max(axis=2)
        assert (apart + np.eye(8) > 1e-6).all()


def test_arms_without_a_swivel_angle_are_refused() -> None:
    with pytest.raises(RobotError, match="do not meet in a point"):
        swivel_form(chain_for(robosym.load("panda")))
    with pytest.raises(RobotError, match="seven revolute joints"):
        swivel_form(chain_for(robosym.load("puma560")))
