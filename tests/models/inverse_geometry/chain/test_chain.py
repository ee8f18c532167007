"""The chain of an inverse problem: its product is the direct model's, whatever is turned over or given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS, zigzag

import robosym
from robosym import models
from robosym.models.inverse_geometry.chain.chain import Chain
from robosym.models.inverse_geometry.chain.random_positions import samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.robot import Robot, RobotError


def check(robot: Robot, chain: Chain, count: int, seed: int, **frames: Any) -> None:
    """The poses of samples are those of the direct model, the joints given included."""
    drawn = samples(chain, count, seed=seed)
    states = np.zeros((count, robot.nq))
    for state, sample in zip(states, drawn, strict=True):
        positions = {joint.frame: x for joint, x in zip(chain.joints, sample.q, strict=True)}
        positions |= {j: next(x for s, x in sample.numbers.items() if s.name == f"given{j}") for j in chain.given}
        for j, x in positions.items():
            own = robot.frame(j).joint.variable
            state[next(k for k, s in enumerate(robot.coordinates) if s is own)] = x
    expected = models.transform(robot, **frames).compile()(q=states)
    np.testing.assert_allclose([sample.T for sample in drawn], expected, atol=1e-13)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", CHAINS)
def test_the_chain_makes_the_pose_of_the_direct_model(name: str) -> None:
    robot = CHAINS[name]()
    check(robot, chain_for(robot), 5, seed=2)


def test_parallel_axes_are_one_group_also_antiparallel_ones() -> None:
    assert [len(g.joints) for g in chain_for(robosym.load("ur5")).groups] == [1, 3, 1, 1]
    assert [len(g.joints) for g in chain_for(robosym.load("scara")).groups] == [4]
    turned = chain_for(zigzag())
    assert [len(g.joints) for g in turned.groups] == [4, 1]
    assert [joint.sign for joint in turned.joints] == [1, -1, 1, -1, 1]


@pytest.mark.parametrize("given", [(7,), (1,), (3, 5)])
def test_given_joints_are_no_unknowns(given: tuple[int, ...]) -> None:
    robot = robosym.load("panda")
    chain = chain_for(robot, given=given)
    assert not {joint.frame for joint in chain.joints} & set(given)
    assert len(chain.joints) == 7 - len(given)
    check(robot, chain, 3, seed=4)


def test_the_world_and_inner_frames() -> None:
    location = [[0, -1, 0, 0.3], [1, 0, 0, -0.2], [0, 0, 1, 0.9], [0, 0, 0, 1]]
    rows: list[Mapping[str, Any]] = [{"r": 0.2}, {"alpha": "pi/2", "d": 0.1}, {"d": 0.4}]
    robot = Robot.from_table("placed", rows, base={"location": location})
    for base, frame in (("world", 3), ("world", 2), (0, 3)):
        check(robot, chain_for(robot, frame=frame, base=base), 1, seed=0, frame=frame, reference=base)


def test_what_cannot_be_solved_is_named() -> None:
    robot = robosym.load("puma560")
    with pytest.raises(RobotError, match="no joint 'elbow9'"):
        chain_for(robot, given=["elbow9"])
    with pytest.raises(RobotError, match="expected 0"):
        chain_for(robot, base=2)
    with pytest.raises(RobotError, match="nothing to solve"):
        chain_for(Robot.from_table("stiff", [{"sigma": "fixed", "d": 1}, {"d": 1}]), frame=1)
