"""First and second order kinematics of platforms, and forces at rest: against multipliers' closures on Pinocchio's frames."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import (
    BUILT_IN,
    SOME,
    SWEPT,
    built_in,
    case_of,
    others_of,
    random_case,
    seeds,
    tried,
    value,
)
from models.parallel.platform_model import rotation
from models.reference import relative_error
from sweeps import many

from robosym import models

TOLERANCE = 1e-10


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", SWEPT)
def test_jacobian_and_its_inverse(kind: str) -> None:
    for seed in seeds():
        robot, states = random_case(kind, seed)
        J, J_inv = models.jacobian(robot), models.jacobian_inverse(robot)
        for state in states[: many(1)]:
            expected = reference.by_motors(robot, state.pose, state.legs)[:6]
            assert relative_error(value(J, "J", state), expected) < TOLERANCE
            product = value(J_inv, "J_inv", state) @ expected
            assert np.abs(product - np.eye(len(product))).max() < 1e-9


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", [*BUILT_IN, *SOME])
def test_speeds_and_accelerations_of_all_joints(name: str) -> None:
    """Passive joints by legs, in the order of the legs' joints."""
    robot, states = case_of(name)
    velocities, accelerations = models.velocities(robot, passive=True), models.accelerations(robot, passive=True)
    rest = others_of(robot)
    for state in states:
        assert relative_error(value(velocities, "qd", state), state.qd) < TOLERANCE
        assert relative_error(value(velocities, "passive", state), state.speeds[rest]) < TOLERANCE
        assert relative_error(value(accelerations, "qdd", state), state.qdd) < TOLERANCE
        assert relative_error(value(accelerations, "passive", state), state.accelerations[rest]) < TOLERANCE


def test_only_motors_by_default() -> None:
    robot, states = built_in("planar-3rrr")
    found = tried(models.velocities(robot), states[0])
    assert set(found.keys()) == {"qd", "assembled"}
    assert relative_error(found["qd"], states[0].qd) < TOLERANCE


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["gough-stewart", "3-UPS-UP", "delta"])
def test_static_forces_of_a_wrench(name: str) -> None:
    """What the motors exert for a wrench on the environment beside the weights, in the platform's axes: J^T W."""
    robot, states = case_of(name)
    model, wrench = models.static_torques(robot), np.array([1.0, -2, 3, 0.4, 0.5, -0.6])
    for state in states:
        R = rotation(state.pose)
        world = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
        expected = reference.by_motors(robot, state.pose, state.legs)[:6].T @ world
        assert relative_error(value(model, "tau", state, wrench=wrench), expected) < TOLERANCE
