"""Identities of the equations of motion with closed loops, and energy: exact for any mechanism."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, modes, named, output
from models.reference import relative_error

from robosym import models

ROBOTS = ("sr400", "five-bar/0", "slider-crank/1", "inverted-slider/0", "spherical/1", "six-bar/1", "palletizer/1")
TOLERANCE = 1e-10


@pytest.fixture(params=ROBOTS, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.mostly_slow(fast=1)
def test_the_inertia_matrix_is_projected_and_positive(name: str) -> None:
    robot, mode = named(name), modes(name)[-1]
    f, reference = models.inertia_matrix(robot, mode=mode).evaluate, Closed(robot)
    for state in clear_states(robot, mode, 3):
        A = output(f(q=state.q), "A")
        assert np.array_equal(A, A.T)
        assert np.linalg.eigvalsh(A).min() > 0
        assert relative_error(A, reference.inertia(state.x)) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
def test_bias_gravity_and_coriolis(name: str) -> None:
    """H = C qd + Q, and dA/dt - 2 C is skew; the rotors of passive joints turn with speeds that change."""
    robot, mode = named(name), modes(name)[-1]
    A, H, Q, C = (
        make(robot, mode=mode).evaluate
        for make in (models.inertia_matrix, models.bias, models.gravity, models.coriolis)
    )
    reference = Closed(robot)
    for state in clear_states(robot, mode, 2):
        q, qd, zero = state.q, state.qd, np.zeros(robot.nv)
        bias, torque = output(H(q=q, qd=qd), "H"), output(Q(q=q), "Q")
        assert relative_error(bias, reference.inverse(state.x, qd, zero)) < TOLERANCE
        assert relative_error(torque, reference.inverse(state.x, zero, zero)) < TOLERANCE
        matrix = output(C(q=q, qd=qd), "coriolis_matrix")
        assert relative_error(matrix @ qd + torque, bias) < TOLERANCE
        h = 1e-6
        rate = (output(A(q=q + h * qd), "A") - output(A(q=q - h * qd), "A")) / (2 * h)
        skew = rate - 2 * matrix
        assert np.abs(skew + skew.T).max() < 1e-6 * (1 + np.abs(matrix).max())


@pytest.mark.mostly_slow(fast=2)
def test_coefficients_of_lagrange(name: str) -> None:
    robot, mode = named(name), modes(name)[-1]
    f, reference = models.lagrange(robot, mode=mode).evaluate, Closed(robot)
    pairs = list(combinations(range(robot.nv), 2))
    for state in clear_states(robot, mode, 2):
        found, qd = f(q=state.q), state.qd
        torque = found["A"] @ state.qdd + found["centrifugal_coefficients"] @ qd**2 + found["Q"]
        torque = torque + found["coriolis_coefficients"] @ [qd[j] * qd[k] for j, k in pairs]
        assert relative_error(torque, reference.inverse(state.x, qd, state.qdd)) < TOLERANCE


@pytest.mark.mostly_slow(fast=1)
def test_energy_and_the_power_of_the_torques(name: str) -> None:
    robot, mode = named(name), modes(name)[-1]
    f = models.energy(robot, mode=mode).evaluate
    inverse = models.inverse_dynamics(robot, mode=mode, wrench="none").evaluate
    reference = Closed(robot)
    first = None
    for state in clear_states(robot, mode, 3):
        q, qd, qdd = state.q, state.qd, state.qdd
        found = f(q=q, qd=qd)
        kinetic, potential = reference.energy(state.x, qd)
        assert relative_error(found["kinetic"], [kinetic]) < TOLERANCE
        level = float(found["potential"][0]) - potential  # each has its own zero
        first = level if first is None else first
        assert abs(level - first) < TOLERANCE * (1 + abs(potential))
        h = 1e-5
        sides = [f(q=q + s * qd + s**2 / 2 * qdd, qd=qd + s * qdd)["total"][0] for s in (h, -h)]
        power = qd @ output(inverse(q=q, qd=qd, qdd=qdd), "tau")
        assert abs((sides[0] - sides[1]) / (2 * h) - power) < 1e-6 * (1 + abs(power) + abs(kinetic))
