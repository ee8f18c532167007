"""The acceleration of the platform from the forces of its motors: the inverse of inverse dynamics, and energy over time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import BUILT_IN, MOVING, built_in, case_of, random_case, seeds, tried, value
from models.parallel.platform_model import rotation
from models.reference import relative_error
from scipy.integrate import solve_ivp
from sweeps import many, some

from robosym import models
from robosym.expr import number
from robosym.robot import Robot, Value

TOLERANCE = 1e-10
RANDOM = ("planar-3-RRR", "five-bar", "3-PUU", "3-RPS", "3-UPS-UP") if many(1) == 1 else MOVING


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", some(RANDOM, 2))
def test_random_robots(kind: str) -> None:
    for seed in seeds():
        robot, states = random_case(kind, seed)
        model = models.forward_dynamics(robot)
        for state in states:
            assert relative_error(value(model, "twist_rate", state), state.twist_rate) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("name", some(BUILT_IN, 2))
def test_it_inverts_inverse_dynamics(name: str) -> None:
    """With the same wrench on the environment."""
    robot, states = built_in(name)
    inverse, forward = models.inverse_dynamics(robot), models.forward_dynamics(robot)
    wrench = np.array([[1.0, 2, -3, 0.4, -0.5, 0.6]])
    for state in states:
        tau = value(inverse, "tau", state, wrench=wrench)
        found = value(forward, "twist_rate", state, tau=tau, wrench=wrench)
        assert relative_error(found, state.twist_rate) < TOLERANCE
        found = value(forward, "twist_rate", state)
        assert relative_error(found, state.twist_rate) < TOLERANCE


def test_friction_and_a_wrench_by_multipliers() -> None:
    robot, states = case_of("3-RPS")
    rough = robot.replace(
        frames=tuple(
            replace(frame, actuator=replace(frame.actuator, Fv=number(0.3), Fs=number(0.2)))
            if j in reference.joints_of(robot)
            else frame
            for j, frame in enumerate(robot.frames, 1)
        )
    )
    model, wrench = models.forward_dynamics(rough, friction=True), np.array([1.0, -2, 3, 0.4, 0.5, -0.6])
    for state in states:
        R = rotation(state.pose)
        world = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
        motion = state.pose, state.legs, state.twist, state.tau
        expected, _ = reference.forward_dynamics(rough, *motion, friction=True, wrench=world)
        assert relative_error(value(model, "twist_rate", state, wrench=wrench[None]), expected) < TOLERANCE


# --- energy over ten seconds -----------------------------------------------------------------------------------------


def hanging(robot: Robot) -> Robot:
    """Gravity the other way: what stood on its legs hangs from them."""
    up = robot.values["G3"]
    return robot.replace(values={**robot.values, "G3": Value(-up.number, up.unit, up.source)})


def rate_of_quaternion(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Half of (w, 0) times q, vectors first."""
    x, s = q[:3], q[3]
    return np.append(s * w + np.cross(w, x), -w @ x) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "free", "speed"), [("gough-stewart", 6, 0.3), ("delta", 3, 0.05)])
def test_energy_is_conserved(name: str, free: int, speed: float) -> None:
    """Ten seconds of motion under constant forces of the motors: E - tau . q stays, to 1e-8 of the most kinetic energy. They are
    those that hold the robot at rest, and that rest is stable, so that it keeps swinging about it."""
    robot = built_in(name)[0]
    robot = hanging(robot) if free == 6 else robot
    forward, gravity = models.forward_dynamics(robot), models.gravity(robot)
    pose = np.asarray(forward.centre["pose"])
    tau = np.asarray(tried(gravity, pose=pose)["Q"])
    f, energy = forward.compile(), models.energy(robot).compile()

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        q = y[3:7] / np.linalg.norm(y[3:7])
        found = f(pose=np.concatenate([y[:3], q]), twist=y[7:], tau=tau)
        assert found.assembled
        return np.concatenate([y[7:10], rate_of_quaternion(y[3:7], y[10:]), found])

    start = np.concatenate([pose, speed * np.array([1, -0.8, -0.2, 0.5, -0.7, 0.9]) * (np.arange(6) < free)])
    run = solve_ivp(slope, (0, 10), start, "DOP853", rtol=1e-12, atol=1e-12, t_eval=np.linspace(0, 10, 21))
    assert run.success
    geometry = models.inverse_geometric(robot)
    kinetic, kept = [], []
    for y in run.y.T:
        at = np.concatenate([y[:3], y[3:7] / np.linalg.norm(y[3:7])])
        found, q = energy(pose=at, twist=y[7:]), geometry(at).solutions[0]
        kinetic.append(float(found["kinetic"][0]))
        kept.append(float(found["total"][0]) - tau @ q)
    assert np.ptp(kinetic) > 0.5 * max(kinetic)
    assert np.ptp(kept) < 1e-8 * max(kinetic)
