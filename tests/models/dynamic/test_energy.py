"""Energies: a sum over the links, dU/dq = Q, and the power of the torques."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.reference import frame_poses, loaded_robot, numbers
from sweeps import many

import robosym
from robosym.models.dynamic.energy import energy
from robosym.models.dynamic.inverse.bias import gravity
from robosym.models.dynamic.inverse.inverse_dynamics import inverse_dynamics
from robosym.program.derive import jacobian, tangent
from robosym.robot import Base

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
STATES = 5


@settings(max_examples=many(5), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5))
def test_a_moving_base_carries_its_links_along(seed: int, n: int) -> None:
    """1/2 w J w + 1/2 M v v + MS (v x w) of every link in the axes of frame 0, speeds by differences of poses."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, n, symbolic=True)
    q, qd = rng.uniform(-2, 2, (2, robot.nv))
    w0, v0 = (np.array(numbers(robot, x)) for x in (robot.base.angular_velocity, robot.base.velocity))
    step = 1e-6
    after, before, now = (frame_poses(robot, q + s * step * qd) for s in (1, -1, 0))
    total = 0.0
    for j in range(len(robot.frames) + 1):
        R, p = now[j][:3, :3], now[j][:3, 3]
        rate = (after[j] - before[j]) / (2 * step)
        spin = rate[:3, :3] @ R.T
        w = w0 + np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        v = v0 + np.cross(w0, p) + rate[:3, 3]
        link = robot.base.link if j == 0 else robot.frame(j).link
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, link.inertial)
        J = R @ np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) @ R.T
        total += (w @ J @ w + M * v @ v) / 2 + (R @ [MX, MY, MZ]) @ np.cross(v, w)
    found = energy(robot, rotor_inertia=False).evaluate(q=q, qd=qd)["kinetic"]
    assert found[0] == pytest.approx(total, rel=1e-7, abs=1e-7)


# --- identities ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rx90", "stanford", "ur5"])
def test_gravity_is_the_slope_of_the_potential_energy(name: str) -> None:
    robot = robosym.load(name)
    model = energy(robot)
    q, qd = np.random.default_rng(3).uniform(-2, 2, (2, robot.nv))
    slope = jacobian(model.program, "q").call(q=q, qd=qd, parameters=model.values)["dpotential_dq"][0]
    np.testing.assert_allclose(slope, gravity(robot).evaluate(q=q), atol=1e-11)


@pytest.mark.parametrize("name", ["puma560", "stanford", "scara"])
def test_energy_grows_by_the_power_of_the_torques(name: str) -> None:
    """Without torques it is conserved: dE/dt = qd . tau along any motion."""
    robot = robosym.load(name)
    model = energy(robot)
    q, qd, qdd = np.random.default_rng(4).uniform(-2, 2, (3, robot.nv))
    rate = tangent(model.program)
    change = rate.call(q=q, qd=qd, qdd=qdd, parameters=model.values)["totald"][0]
    power = qd @ inverse_dynamics(robot, wrench="none").evaluate(q=q, qd=qd, qdd=qdd)
    assert change == pytest.approx(power, rel=1e-11)


def test_the_base_location_does_not_enter() -> None:
    robot = robosym.load("scara")
    placed = robot.replace(base=Base(location=tuple(2 * x for x in robot.base.location)))
    state = {"q": np.ones(4), "qd": np.ones(4)}
    assert energy(robot).evaluate(**state) == energy(placed).evaluate(**state)
