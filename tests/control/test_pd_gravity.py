"""PD control with gravity: beside Pinocchio, and the Lyapunov function that must fall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, at_rest, held, rk4, torques
from control.test_computed_torque import drawn, puma, rigid
from models.kinematic.mass_states import random_placed
from models.pinocchio_states import Twin
from sweeps import many

import robosym
from robosym.control import ControlError, pd_gravity
from robosym.expr import number
from robosym.options.errors import ArgumentError
from robosym.robot import Spring
from robosym.simulation import simulate

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


@pytest.mark.parametrize("at", ["q", "q_d"])
def test_torques_beside_pinocchio(at: Any) -> None:
    for seed in range(many(6)):
        robot = rigid(random_placed(seed, 6, symbolic=bool(seed % 2)))
        state = drawn(np.random.default_rng(seed), robot)
        n = len(robot.moving)
        law = pd_gravity(robot, Kp=3, Kd=2, at=at, limits=False)
        assert [slot.name for slot in law.routine.inputs] == ["q", "qd", "q_d"]
        q = state["q"] if at == "q" else np.r_[state["q"][: robot.nq - n], state["q_d"]]
        weight = Twin.of_robot(robot).gravity(q)[robot.nv - n :]
        expected = np.zeros(robot.nv)
        expected[robot.nv - n :] = 3 * (state["q_d"] - state["q"][-n:]) - 2 * state["qd"][-n:] + weight
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(torques(law, **state), expected, rtol=0, atol=1e-11 * size)


def test_springs_are_held_too() -> None:
    """The robot comes to rest where it shall, whatever springs pull."""
    rng = np.random.default_rng(5)
    for name in ("planar-2r", "five-bar"):
        plain = robosym.load(name)
        frames = [
            replace(
                f,
                joint=replace(f.joint, spring=Spring(*(number(float(x)) for x in rng.uniform((2, 0, 1), (9, 0.1, 2))))),
            )
            if f.joint.variable is not None and j <= plain.n_links
            else f
            for j, f in enumerate(plain.frames, 1)
        ]
        robot = plain.replace(frames=tuple(frames))
        start = np.array([robot.frame(j).joint.position or 0.4 for j in robot.moving])
        q_d = start + 0.2
        law = pd_gravity(robot, bandwidth=12, limits=False)
        run = simulate(robot, law, q_d, q=start, duration=3.0, friction=False)
        np.testing.assert_allclose(run.q[-1], q_d, atol=1e-4)


def test_lyapunov_function_falls() -> None:
    """V = 1/2 qd^T A qd + 1/2 e^T Kp e [9.11], with the rate -qd^T Kd qd [9.16]."""
    twin = puma()
    law = pd_gravity(twin.robot, bandwidth=8, damping=0.5, limits=False)
    Kp, Kd = law.gains["Kp"], law.gains["Kd"]
    rng = np.random.default_rng(0)
    q_d, q, qd = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6)
    call = law.compile()

    def V(q: np.ndarray, qd: np.ndarray) -> float:
        return twin.kinetic(q, qd) + float((q_d - q) @ (Kp * (q_d - q))) / 2

    values, h, state = [V(q, qd)], 2e-4, (q, qd)
    rates = []
    for _ in range(300):
        rates.append(-float(state[1] @ (Kd * state[1])))
        state = rk4(twin.aba, *state, lambda t, x, v: call(q=x, qd=v, q_d=q_d), h)
        values.append(V(*state))
    assert (np.diff(values) <= 1e-12 * values[0]).all()
    found = np.gradient(values, h)[1:-1]
    np.testing.assert_allclose(found, rates[1:], rtol=0, atol=2e-3 * np.abs(rates).max())


def test_comes_to_rest_at_the_position() -> None:
    twin = puma()
    q_d = np.array([0.3, -0.5, 0.4, 0.2, 0.6, -0.1])
    for at in ("q", "q_d"):
        law = pd_gravity(twin.robot, bandwidth=25, damping=1, at=at, limits=False)
        q, _qd, tau = held(law, twin.aba, q_d + 0.02, np.zeros(6), at_rest(q_d), 1500)
        np.testing.assert_allclose(q[-1], q_d, atol=1e-5)
        np.testing.assert_allclose(tau[-1], twin.gravity(q_d), atol=1e-2)


def test_closed_loops() -> None:
    robot = robosym.load("sr400")
    caller = Caller(pd_gravity(robot, Kp=1, Kd=1, limits=False))
    q = np.full(6, 0.1)
    expected = robosym.models.gravity(robot).compile()(q=q)
    np.testing.assert_allclose(caller(q=q, qd=np.zeros(6), q_d=q), expected, rtol=1e-12)


def test_what_is_refused() -> None:
    robot = robosym.load("rx90")
    with pytest.raises(ArgumentError, match="at: got 'here', expected 'q' or 'q_d'"):
        pd_gravity(robot, at="here")  # type: ignore[arg-type]
    with pytest.raises(ControlError, match="expected Kp and Kd"):
        pd_gravity(robot, Kd=3)
