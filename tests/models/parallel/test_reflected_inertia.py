"""Inertia matrices and energy of platforms: against Pinocchio's with multipliers, and as derivatives of each other."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import SOME, SWEPT, built_in, case_of, random_case, seeds, value
from models.parallel.platform_model import Mechanism
from models.reference import relative_error

from robosym import models

TOLERANCE = 1e-10


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["delta", *SOME])
def test_inertia_of_platform_and_motors(name: str) -> None:
    """At the platform it counts on the twists that the robot can have."""
    robot, states = case_of(name)
    at_platform, of_motors = models.inertia_matrix(robot), models.inertia_matrix(robot, of="motors")
    for state in states:
        at = state.pose, state.legs
        basis = reference.admissible(robot, *at).platform
        A = value(at_platform, "A", state)
        assert np.array_equal(A, A.T)
        assert relative_error(basis.T @ A @ basis, reference.platform_inertia(robot, *at, basis=basis)) < TOLERANCE
        A = value(of_motors, "A", state)
        assert np.array_equal(A, A.T)
        assert relative_error(A, reference.motor_inertia(robot, *at)) < TOLERANCE


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("kind", SWEPT)
def test_energy(kind: str) -> None:
    for seed in seeds():
        robot, states = random_case(kind, seed)
        model = models.energy(robot)
        for state in states:
            kinetic, potential = reference.energy(robot, state.pose, state.legs, state.twist)
            assert relative_error(value(model, "kinetic", state)[0], kinetic) < TOLERANCE
            assert abs(value(model, "potential", state)[0] - potential) < TOLERANCE * (abs(potential) + kinetic)
            assert abs(value(model, "total", state)[0] - kinetic - potential) < TOLERANCE * (abs(potential) + kinetic)


def test_kinetic_energy_is_that_of_the_inertia_matrix() -> None:
    """Without rotors in both; a Delta has them on its motors."""
    robot, states = built_in("delta")
    assert np.abs(Mechanism.of(robot).actuator("Ia")).max() > 0
    for rotor in (True, False):
        A = models.inertia_matrix(robot, rotor_inertia=rotor)
        E = models.energy(robot, rotor_inertia=rotor)
        found = [(s.twist @ value(A, "A", s) @ s.twist / 2, float(value(E, "kinetic", s)[0])) for s in states]
        for one, other in found:
            assert abs(one - other) < 1e-13 * other


def test_work_of_the_motors_becomes_energy() -> None:
    """The rate of the total energy is tau . qd: by central differences along the motion."""
    robot, states = case_of("3-RPS")
    model, step = models.energy(robot), 1e-4
    state = states[0]
    total = []
    for t in (-step, step):
        q = state.q + state.qd * t + state.qdd * t**2 / 2
        pose, legs, error = reference.platform_at(robot, q, state.pose, state.legs)
        assert error < 1e-13
        u, _ = reference.motion_by_motors(robot, pose, legs, state.qd + state.qdd * t, state.qdd)
        total.append(value(model, "total", state, pose=pose, twist=u[:6])[0])
    assert abs((total[1] - total[0]) / (2 * step) - state.tau @ state.qd) < 1e-6 * abs(state.tau @ state.qd)
