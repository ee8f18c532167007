"""Trees with joints of several axes: every model against Pinocchio."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from models.pinocchio_kinds import KindTwin
from random_checks.joint_kinds import check_joint_kinds, check_tree
from random_joint_kinds import KINDS, joint_tree, random_state
from sweeps import many

import robosym
from robosym import models
from robosym.robot import REVOLUTE, RobotError
from robosym.robot.joints import Ball, Free, JointKind


@pytest.mark.parametrize("seed", [2, 16, 22])
def test_a_random_tree(seed: int) -> None:
    check_joint_kinds(seed, most=2).passed()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(20)))
def test_random_trees(seed: int) -> None:
    check_joint_kinds(seed).passed()


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_kind(kind: JointKind, floating: bool) -> None:
    rng = np.random.default_rng(5)
    check_tree(joint_tree([REVOLUTE, kind], rng, floating=floating, serial=True), rng).passed()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_torques_of_each_kind(kind: JointKind) -> None:
    rng = np.random.default_rng(8)
    robot = joint_tree([kind, REVOLUTE, kind], rng, serial=True)
    state = random_state(robot, rng)
    expected = KindTwin(robot).rnea(state["q"], state["qd"], state["qdd"])
    inverse = models.inverse_dynamics(robot, wrench="none")
    torques = inverse.evaluate(q=state["q"], qd=state["qd"], qdd=state["qdd"])
    np.testing.assert_allclose(torques, expected, rtol=0, atol=1e-10 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_torques_at_rest_without_gravity(kind: JointKind) -> None:
    rng = np.random.default_rng(9)
    robot = joint_tree([kind, kind], rng, serial=True, gravity=(0, 0, 0))
    state = random_state(robot, rng)
    assert not np.any(models.bias(robot, wrench="none").evaluate(q=state["q"], qd=np.zeros(robot.nv)))


def test_base_parameters_of_such_joints_are_not_saved(tmp_path: Path) -> None:
    base = models.base_parameters(joint_tree([Ball()], np.random.default_rng(9))).robot
    with pytest.raises(RobotError, match=r"joints of several axes \(j1\): save the robot in standard ones"):
        robosym.save(base, tmp_path / "base.toml")


@pytest.mark.parametrize("kind", [Ball(), Free()], ids=lambda kind: kind.name)
def test_speeds_that_are_no_rates_have_no_lagrange_coefficients(kind: JointKind) -> None:
    robot = joint_tree([REVOLUTE, kind], np.random.default_rng(10), serial=True)
    for method in ("recursive", "differentiate"):
        with pytest.raises(RobotError, match="quaternion"):
            models.lagrange(robot, method=method)
