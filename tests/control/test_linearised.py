"""A law and its robot as linear equations: beside linearised models, small systems written out and Pinocchio."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from control.joint_plants import at_rest, held
from control.test_computed_torque import puma
from control.test_pid import wheel
from robots_with import flexible
from scipy.integrate import solve_ivp

import robosym
from robosym import models
from robosym.control import ControlError, computed_torque, pd_gravity, pid
from robosym.control.joints import joints_of
from robosym.control.linearised import (
    Calls,
    Loop,
    Plant,
    _between,
    differences,
    differences_beside,
    loop_at,
    plant_at,
    viscous_only,
)

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
LOOPS: dict[str, Any] = {"mode": None, "near": None}


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("make", [pid, computed_torque, pd_gravity])
def test_small_motions_are_those_of_pinocchio(make: Any) -> None:
    """The state of the linear loop, call after call, beside the robot moved by Pinocchio."""
    twin = puma()
    q_d = np.array([0.3, -0.5, 0.4, 0.2, 0.6, -0.1])
    law = make(twin.robot, bandwidth=15, limits=False, velocity=400.0)
    if make is pid:  # the integral holds the weight, which is no part of the linear loop: none
        weightless = twin.robot.replace(gravity=tuple(x * 0 for x in twin.robot.gravity))
        law = make(weightless, bandwidth=15, limits=False, velocity=400.0)
        twin.model.gravity.linear = np.zeros(3)
    wanted = {"q_d": q_d, "qd_d": np.zeros(6), "qdd_d": np.zeros(6)}
    loop = loop_at(law, q_d, wanted, 0.0, {"mode": None, "near": None})
    rng = np.random.default_rng(0)
    push = 1e-5 * rng.uniform(-1, 1, 6)
    q, _, _ = held(law, twin.aba, q_d + push, np.zeros(6), at_rest(q_d), 150)
    x = np.zeros(len(loop.matrix))
    x[:6] = push
    for slot, at in zip(law.state, np.cumsum([0] + [s.size for s in law.state])[:-1], strict=True):
        if slot.name == "q_before":  # the first call has no velocity
            x[12 + at : 12 + at + 6] = push
    found = [x[:6]]
    for _ in range(150):
        x = loop.matrix @ x
        found.append(x[:6])
    np.testing.assert_allclose(q - q_d, found, rtol=0, atol=2e-3 * np.abs(push).max())


def test_differences() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        return np.array([x[0] * x[1], np.sin(x[0]), x[1] ** 2])

    x = np.array([0.3, -0.7])
    expected = [[-0.7, 0.3], [np.cos(0.3), 0], [0, -1.4]]
    np.testing.assert_allclose(differences(f, x), expected, atol=1e-9)
    np.testing.assert_allclose(differences_beside(f, x), expected, atol=1e-8)

    def jumping(x: np.ndarray) -> np.ndarray:
        return np.array([2 * x[0] + 5 * np.sign(x[0]), 3 * x[0] if x[0] > 0 else x[0]])

    np.testing.assert_allclose(differences_beside(jumping, np.zeros(1)), [[2], [2]], atol=1e-8)


def test_friction_that_jumps_has_no_slope() -> None:
    robot = robosym.load("planar-2r")
    made = viscous_only(robot)
    for frame, before in zip(made.frames, robot.frames, strict=True):
        assert frame.actuator.Fs.is_zero
        assert frame.actuator.motor.Fs.is_zero
        assert frame.actuator.Fv is before.actuator.Fv


@pytest.mark.parametrize("springs", [False, True])
def test_the_robot_is_that_of_the_linearised_model(springs: bool) -> None:
    """About rest, at the torques that hold it there."""
    robot = robosym.load("planar-2r")
    robot = flexible(robot) if springs else robot
    joints = joints_of(robot, springs=True)
    plant = plant_at(joints, np.array([0.4, -0.9]), False, LOOPS)
    assert plant.left < 1e-9
    found = models.linearised(viscous_only(robot), friction=True, wrench="none")
    gravity = models.gravity(robot).evaluate(q=np.array([0.4, -0.9]))
    state: dict[str, Any] = {"q": plant.q, "qd": np.zeros(2), "tau": gravity}
    if springs:
        state |= {"q_motor": plant.positions[2:], "qd_motor": np.zeros(2)}
        assert abs(plant.positions[3] - plant.q[1]) > 1e-3  # the spring of the last joint holds its weight
    expected = found.evaluate(**state)
    scale = np.abs(expected["A"]).max()
    np.testing.assert_allclose(plant.A, expected["A"], atol=1e-6 * scale)
    np.testing.assert_allclose(plant.B, expected["B"], atol=1e-6 * np.abs(expected["B"]).max())
    measured = np.arange(8.0) if springs else np.arange(4.0)
    np.testing.assert_array_equal(plant.C @ measured, [2, 3, 6, 7] if springs else [0, 1, 2, 3])


def small_loop(delay: float, seed: int = 0) -> Loop:
    """Two joints and a law with three states, in numbers alone."""
    rng = np.random.default_rng(seed)
    joints = joints_of(robosym.load("planar-2r"))
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [rng.normal(size=(2, 4))]])
    B = np.vstack([np.zeros((2, 2)), rng.normal(size=(2, 2)) + 2 * np.eye(2)])
    plant = Plant(joints, np.zeros(2), A, B, np.zeros(2), 0.0)
    calls = Calls(
        0.3 * rng.normal(size=(3, 3)), rng.normal(size=(3, 4)), rng.normal(size=(2, 3)), rng.normal(size=(2, 4))
    )
    return Loop(plant, calls, 0.05, delay)


@pytest.mark.parametrize("delay", [0.0, 0.4, 1.0])
def test_from_call_to_call(delay: float) -> None:
    """The robot integrated: the torque before acts first, then that of this call; the law as it is called."""
    loop = small_loop(delay)
    rng = np.random.default_rng(1)
    x, s, before = rng.normal(size=4), rng.normal(size=3), rng.normal(size=2)
    calls, plant = loop.calls, loop.plant
    y = plant.C @ x
    tau = calls.H @ s + calls.D @ y
    after = x
    for torque, time in ((before, delay * 0.05), (tau, (1 - delay) * 0.05)):
        if time:
            made = solve_ivp(
                lambda _, z, torque=torque: plant.A @ z + plant.B @ torque, (0, time), after, rtol=1e-11, atol=1e-12
            )
            after = made.y[:, -1]
    expected = np.concatenate([after, calls.F @ s + calls.G @ y, tau])
    np.testing.assert_allclose(loop.matrix @ np.concatenate([x, s, before]), expected, atol=1e-9)


def test_the_broken_loop_has_its_zeros_at_the_poles() -> None:
    """1 + L of one motor, the loop of the other being closed: det(z - loop) over det(z - loop cut at the motor)."""
    loop = small_loop(0.4, 2)
    frequencies = np.array([1.0, 7.0, 30.0])
    found = loop.broken(frequencies)
    for k in range(2):
        cut = np.ones(2)
        cut[k] = 0
        A, B0, B1 = loop.sampled
        calls, C = loop.calls, loop.plant.C
        open_one = np.block(
            [
                [A + B0 @ np.diag(cut) @ calls.D @ C, B0 @ np.diag(cut) @ calls.H, B1 @ np.diag(cut)],
                [calls.G @ C, calls.F, np.zeros((3, 2))],
                [calls.D @ C, calls.H, np.zeros((2, 2))],
            ]
        )
        for w, L in zip(frequencies, found[:, k], strict=True):
            z = np.exp(1j * w * loop.period) * np.eye(9)
            assert pytest.approx(np.linalg.det(z - loop.matrix) / np.linalg.det(z - open_one), rel=1e-9) == 1 + L


def test_one_motor_alone() -> None:
    """Of joints that do not know of each other it is the whole: the poles of both together."""
    law = pid(robosym.load("planar-2r"), bandwidth=10)
    joints = joints_of(law.robot)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [np.diag([-3.0, -5.0]), np.diag([-0.5, -0.2])]])
    B = np.vstack([np.zeros((2, 2)), np.diag([0.5, 0.25])])
    plant = Plant(joints, np.zeros(2), A, B, np.zeros(2), 0.0)
    D = np.array([[-8.0, 0, -2, 0], [0, -9.0, 0, -3]])
    F, G, H = np.diag([1.0, 1.0]), 0.01 * np.eye(2, 4), np.diag([-1.0, -2.0])
    loop = Loop(plant, Calls(F, G, H, D), 0.01, 0.5)
    alone = [loop.alone(k) for k in range(2)]
    for k, one in enumerate(alone):
        assert one is not None
        np.testing.assert_allclose(one.plant.A, A[np.ix_([k, 2 + k], [k, 2 + k])], atol=1e-12)
        np.testing.assert_allclose(one.plant.B, B[[k, 2 + k], k : k + 1], atol=1e-12)
        assert one.calls.F.shape == (1, 1)
        assert one.calls.H[0, 0] == H[k, k]
        w = np.array([2.0, 20.0])
        np.testing.assert_allclose(one.broken(w)[:, 0], loop.broken(w)[:, k], rtol=1e-9)
    both = np.concatenate([np.linalg.eigvals(one.matrix) for one in alone if one is not None])
    np.testing.assert_allclose(np.sort_complex(both), np.sort_complex(np.linalg.eigvals(loop.matrix)), atol=1e-9)
    fewer = replace(plant, B=B[:, :1])
    assert Loop(fewer, loop.calls, 0.01, 0.5).alone(0) is None


def test_states_between_a_joint_and_its_motor() -> None:
    """Reached from what is measured through others, and leading to the torque; those beside the way are not."""
    F = np.zeros((5, 5))
    F[1, 0] = F[2, 1] = 1.0  # 0 -> 1 -> 2
    G, H = np.zeros((5, 4)), np.zeros((2, 5))
    G[0, 1] = G[3, 1] = 1.0  # 3 is reached and leads nowhere
    H[1, 2] = H[1, 4] = 1.0  # 4 leads there and is not reached
    calls = Calls(F, G, H, np.zeros((2, 4)))
    assert _between(calls, [1, 3], 1) == [0, 1, 2]
    assert _between(calls, [0, 2], 1) == []
    assert _between(calls, [1, 3], 0) == []


def test_gains_of_a_law_are_its_slopes() -> None:
    """Of a PD law without limits: D = [-Kp, -Kd]."""
    law = pid(wheel(), bandwidth=20, integral=False)
    loop = loop_at(law, np.zeros(1), {"q_d": np.zeros(1), "qd_d": np.zeros(1)}, 0.0, LOOPS)
    gains = law.gains
    np.testing.assert_allclose(loop.calls.D, [[-gains["Kp"][0], -gains["Kd"][0]]], rtol=1e-7)
    assert loop.calls.F.size == 0


def test_loops_that_cannot_be_assembled_are_named() -> None:
    robot = robosym.load("five-bar-general")
    q = np.random.default_rng(0).uniform(-3, 3, (300, 2))
    q = q[models.loop_geometry(robot).compile()(q=q)["assembled"] == 0][0]
    with pytest.raises(ControlError, match="the closed loops cannot be assembled at q"):
        plant_at(joints_of(robot), q, False, LOOPS)
