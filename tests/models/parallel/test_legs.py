"""Legs in closed form and their working modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_builder import PlatformBuilder, prismatic, revolute
from models.parallel.platform_cases import built_in, mode_near, others_of, value
from models.parallel.platform_model import Mechanism, pose_of
from models.parallel.platform_states import random_states, state_of
from models.reference import relative_error

from robosym import models
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.structure import module_of
from robosym.robot import Base, Robot

X, Y, Z = np.eye(3)


@pytest.mark.parametrize("name", ["delta", "planar-3rrr", "gough-stewart", "orthoglide"])
def test_legs_alike_share_their_closed_form(name: str) -> None:
    robot = built_in(name)[0]
    modes = modes_of(robot)
    assert len(module_of(robot).alike) == 1
    assert len({id(form) for form in modes.forms}) == 1


def test_signs_tell_the_modes_apart() -> None:
    """As a person sees them: the sine of the elbow."""
    robot, states = built_in("planar-3rrr")
    modes = modes_of(robot)
    found = models.inverse_geometric(robot)(states[0].pose)
    elbow = found.all_joints.index("leg2_elbow")
    for row, branches in zip(found.positions, found.modes, strict=True):
        word = "elbow+" if np.sin(row[elbow]) > 0 else "elbow-"
        assert branches == word or f"leg2 {word}" in branches
    assert modes.forms[0].meaning(modes.module.legs[0], 0) in ("sin(leg1_elbow) > 0", "sin(leg1_elbow) < 0")


def arm(flipped: bool) -> tuple[Robot, np.ndarray, np.ndarray]:
    """A platform on one leg of six motors, three that slide and three that turn about a point, and its home."""
    made = PlatformBuilder(np.random.default_rng(11), False)
    p = np.array([0.5, 0.1, 0.6])
    made.home[:3, 3] = p
    axes = [prismatic([0, 0, 0], Z, True), prismatic([0, 0, 0.3], Y + 0.2 * X, True), prismatic([0, 0, 0.3], X, True)]
    made.leg([*axes, revolute(p, Z + 0.3 * X, True), revolute(p, Y, True), revolute(p, X, True)])
    robot = made.robot("arm", made.seated(), Base())
    joints = Mechanism.of(robot).described.copy()
    if flipped:
        pose = pose_of(np.eye(3), p)
        other = models.inverse_geometric(robot)(pose).positions
        names = [robot.frame(j).joint.name for j in reference.joints_of(robot)]
        order = [models.inverse_geometric(robot)(pose).all_joints.index(n) for n in names]
        joints = other[int(np.abs(np.exp(1j * (other[:, order] - joints)) - 1).max(axis=1).argmax())][order]
        at = dict(zip(reference.joints_of(robot), joints, strict=True))
        frames = [
            replace(f, joint=replace(f.joint, position=float(at[j]))) if j in at else f
            for j, f in enumerate(robot.frames, 1)
        ]
        robot = robot.replace(frames=tuple(frames))
    return robot, pose_of(np.eye(3), p), joints


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("flipped", [False, True])
def test_a_wrist_with_modes_of_its_own(flipped: bool) -> None:
    """The description says in which the wrist is, and both are solutions."""
    robot, pose, joints = arm(flipped)
    assert len(models.inverse_geometric(robot)(pose)) == 2
    model = models.inverse_dynamics(robot, method="newton-euler")
    for state in random_states(robot, pose, joints, 2):
        assert relative_error(value(model, "tau", state), state.tau) < 1e-10


@pytest.mark.slow
def test_axes_that_point_to_the_seat_at_home() -> None:
    """The first axis of a universal joint along its leg: at home it may have any angle, elsewhere the models are right."""
    made = PlatformBuilder(np.random.default_rng(1), False)
    made.home[:3, 3] = [0.1, 0.05, 1.0]
    angles = np.arange(6) // 2 * (2 * np.pi / 3)
    side = np.arange(6) % 2 * 2 - 1
    rings = [np.array([np.cos(a), np.sin(a), 0 * a]).T for a in (angles + 0.2 * side, angles + 0.9 * side)]
    for a, b in zip(rings[0], rings[1] / 2 + made.home[:3, 3], strict=True):
        n = b - a
        ends = [revolute(a, np.cross(n, [0.2, 1, 0.3])), prismatic(a, n, active=True)]
        made.leg([revolute(a, n, mass=False), *ends], tip=b)
    robot = made.robot("struts", made.seated(), Base())
    p = made.home[:3, 3] + [0.1, -0.15, 0.05]
    pose = pose_of(np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]]), p)
    start = Mechanism.of(robot).described + np.random.default_rng(1).uniform(-0.3, 0.3, 18)
    legs, error = reference.legs_at(robot, pose, start)
    assert error < 1e-12
    model = models.velocities(robot, near=mode_near(robot, legs), passive=True)
    state = state_of(robot, pose, legs, *np.random.default_rng(2).uniform(-1, 1, (2, 6)))
    assert relative_error(value(model, "qd", state), state.qd) < 1e-10
    assert relative_error(value(model, "passive", state), state.speeds[others_of(robot)]) < 1e-10
