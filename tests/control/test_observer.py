"""The momentum observer: the rate at which it finds a disturbance, on robots of all kinds; forces seen from the joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import rk4
from control.task_plants import Plant, arm
from models.kinematic.mass_states import random_placed
from models.loops.iterated_linkages import stephenson

import robosym
from robosym.control import ControlError, Observer, momentum_observer

BANDWIDTH = np.array([20.0, 30.0, 45.0])


def watched(observer: Observer, plant: Plant, tau: Any, d: Any, calls: int) -> np.ndarray:
    """The residuals at the calls, while torques ``tau`` (of the number of the call) and disturbances ``d`` (of time and q) act."""
    call, T = observer.compile(), observer.period
    state = {slot.name: np.zeros(slot.shape) for slot in observer.state}
    n = plant.robot.nv
    q, qd, acted, found = np.full(n, 0.3), np.zeros(n), np.zeros(n), []
    for k in range(calls):
        state = call(q=q, qd=qd, tau=acted, **state)
        found.append(state["disturbance"])
        acted = tau(k)
        q, qd = rk4(plant.acceleration, q, qd, lambda t, x, v, k=k: acted + d(k * T + t, x), T)  # noqa: B023
    return np.array(found)


def test_a_constant_disturbance_is_found_at_the_rate_stated() -> None:
    """d (1 - exp(-K t)) at the samples, to the error of the trapezia: a quarter with half the period."""
    plant = Plant.of(arm(np.random.default_rng(2), "RPR"))
    d, worst = np.array([3.0, -2.0, 1.0]), []
    hold = plant.twin.gravity(np.full(3, 0.3))
    for period in (2e-3, 1e-3):
        observer = momentum_observer(plant.robot, bandwidth=BANDWIDTH, period=period)
        calls = round(0.15 / period)
        t = period * np.arange(calls)
        found = watched(observer, plant, lambda k, p=period: hold + np.sin(20 * k * p), lambda t, q: d, calls)
        expected = d * (1 - np.exp(-np.outer(t, BANDWIDTH)))
        worst.append(np.abs(found - expected).max())
    assert worst[1] < 2e-5
    assert 3.0 < worst[0] / worst[1] < 5.0


def test_a_force_on_the_flange_is_seen_in_the_joints() -> None:
    plant = Plant.of(arm(np.random.default_rng(4), "RRR"))
    F = np.array([5.0, -3.0, 2.0, 0.4, 0.1, -0.2])
    observer = momentum_observer(plant.robot, bandwidth=200.0)
    hold = plant.twin.gravity(np.full(3, 0.3))
    where: list[np.ndarray] = []

    def pushed(t: float, q: np.ndarray) -> np.ndarray:
        where.append(q)
        return plant.jacobian(q).T @ F

    found = watched(observer, plant, lambda k: hold, pushed, 100)
    assert found[-1] == pytest.approx(plant.jacobian(where[-1]).T @ F, abs=0.2)
    assert np.abs(found[-1]).max() > 1.0


@pytest.mark.parametrize("seed", [1, 2])
def test_a_model_that_is_right_leaves_nothing(seed: int) -> None:
    """Along any motion with the torques of the inverse model, of trees with dependent joints and rotors, and of a free base."""
    robot = random_placed(seed, 5) if seed == 1 else robosym.load("eel-3")
    T = 1e-3
    observer = momentum_observer(robot, period=T, bandwidth=100.0)
    forward = robosym.models.forward_dynamics(robot).compile()
    assert observer.routine.shape("disturbance") == (robot.nv,)
    rng = np.random.default_rng(seed)
    state = {slot.name: np.zeros(slot.shape) for slot in observer.state}
    call = observer.compile()
    q, qd = rng.uniform(-0.5, 0.5, robot.nq), rng.uniform(-0.5, 0.5, robot.nv)
    if robot.base.floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    tau = 0.1 * rng.normal(size=robot.nv)
    push = np.zeros(robot.nv)
    for k in range(60):
        state = call(q=q, qd=qd, tau=tau, **state)
        if k == 30:
            assert np.abs(state["disturbance"]).max() < 1e-4
            push = np.linspace(0.5, 1.0, robot.nv)
        q, qd = _stepped(robot, forward, q, qd, tau + push, T)
    assert state["disturbance"] == pytest.approx(push * (1 - np.exp(-100 * 29 * T)), rel=0.02)


def _stepped(robot: Any, forward: Any, q: np.ndarray, qd: np.ndarray, tau: np.ndarray, T: float) -> Any:
    """Runge and Kutta with the rates of a free base's quaternion."""

    def rate(q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        qdd = forward(q=q, qd=qd, tau=tau)
        if not robot.base.floating:
            return qd, qdd
        from scipy.spatial.transform import Rotation

        turn, w = Rotation.from_quat(q[3:7]), qd[3:6]
        x, y, z, s = q[3:7]
        half = (
            np.array(
                [
                    s * w[0] + y * w[2] - z * w[1],
                    s * w[1] + z * w[0] - x * w[2],
                    s * w[2] + x * w[1] - y * w[0],
                    -(x * w[0] + y * w[1] + z * w[2]),
                ]
            )
            / 2
        )
        return np.concatenate([turn.apply(qd[:3]), half, qd[6:]]), qdd

    a = rate(q, qd)
    b = rate(q + T / 2 * a[0], qd + T / 2 * a[1])
    c = rate(q + T / 2 * b[0], qd + T / 2 * b[1])
    d = rate(q + T * c[0], qd + T * c[1])
    return tuple(x + T / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]) for k, x in enumerate((q, qd)))


def test_after_something_that_is_no_number_it_begins_anew() -> None:
    robot = robosym.load("scara")
    observer = momentum_observer(robot)
    state = {slot.name: np.zeros(slot.shape) for slot in observer.state}
    still = {"q": np.full(4, 0.1), "qd": np.zeros(4), "tau": np.ones(4)}
    for _ in range(3):
        state = observer.model.evaluate(**still, **state)
    known = state["disturbance"]
    assert np.abs(known).max() > 0.01
    state = observer.model.evaluate(**{**still, "q": np.array([0, np.nan, 0, 0])}, **state)
    assert state["disturbance"] == pytest.approx(known)
    assert state["observing"] == 0
    state = observer.model.evaluate(**still, **state)
    assert state["disturbance"] == pytest.approx(known)
    state = observer.model.evaluate(**still, **state)
    assert np.isfinite(state["disturbance"]).all()
    assert state["observing"] == 1


def test_closed_loops_that_are_iterated_have_an_observer() -> None:
    """The residual of a linkage at rest under its own weight, held by the inverse model: nothing."""
    robot = stephenson()
    observer = momentum_observer(robot, bandwidth=50.0)
    inverse = robosym.models.gravity(robot)
    q = np.asarray(inverse.centre["q"], dtype=float)
    hold = inverse.evaluate(q=q)
    hold = hold["Q"] if isinstance(hold, dict) else hold
    state: dict[str, Any] = {slot.name: np.zeros(slot.shape) for slot in observer.state}
    for _ in range(3):
        made = observer.model.evaluate(q=q, qd=np.zeros_like(q), tau=hold, **state)
        state = {name: made[name] for name in state}
    assert made["assembled"] == 1
    assert made["disturbance"] == pytest.approx(np.zeros_like(q), abs=1e-9)
    made = observer.model.evaluate(q=q, qd=np.zeros_like(q), tau=hold - 1.0, **state)
    assert made["disturbance"] == pytest.approx((1 - np.exp(-0.05)) * np.ones_like(q), rel=1e-6)


def test_bad_settings_are_named() -> None:
    with pytest.raises(ControlError, match="bandwidth: got -1, expected rad/s above zero"):
        momentum_observer(robosym.load("scara"), bandwidth=-1.0)
    with pytest.raises(ControlError, match="bandwidth: expected one number, or 4"):
        momentum_observer(robosym.load("scara"), bandwidth=[1.0, 2.0])
    assert "momentum observer of 'scara'" in repr(momentum_observer(robosym.load("scara")))
