"""The variational step keeps what the mechanics keeps: the structure of phase space, momenta, and the energy for long."""

from __future__ import annotations

import numpy as np
import pytest
from models.derivatives.manifold import free_robot, rotation, state_of

import robosym
from robosym import models
from robosym.expr import number
from robosym.models.derivatives.variational import momentum
from robosym.robot import Robot, RobotError

STEPS, EVERY = 1_000_000, 100


def test_the_energy_does_not_drift_in_a_million_steps() -> None:
    robot = robosym.load("double-pendulum")
    f = models.step(robot, integrator="variational", substeps=EVERY, wrench="none").compile()
    q, qd = np.array([2.0, 1.0]), np.zeros(2)
    states = [(q, qd)]
    for _ in range(STEPS // EVERY):
        made = f(q=q, qd=qd, tau=[0, 0], dt=1e-3 * EVERY)
        q, qd = made["q_next"], made["qd_next"]
        states.append((q, qd))
    energy = models.energy(robot).compile()(q=np.array([x for x, _ in states]), qd=np.array([v for _, v in states]))[
        "total"
    ][:, 0]
    error = np.abs(energy - energy[0])
    half = len(error) // 2
    assert error[half:].max() <= 2 * error[:half].max()
    assert error.max() < 1e-3 * np.abs(energy[0])


def weightless(robot: Robot) -> Robot:
    return robot.replace(gravity=(number(0),) * 3)


def world_momentum(robot: Robot, q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Linear and angular momentum about the world's origin, from those of the base in its own axes."""
    R = rotation(q[3:7])
    linear = R @ p[:3]
    return np.concatenate([linear, R @ p[3:6] + np.cross(q[:3], linear)])


def test_the_momentum_of_a_free_body_is_kept_to_rounding() -> None:
    """Without gravity, whatever the motors of its joints do."""
    robot = weightless(free_robot())
    model = models.step(robot, integrator="variational", wrench="none")
    f, p = model.compile(), momentum(robot).compile()
    state = state_of(model, 3, 0.7)
    state["dt"], state["tau"] = 0.03, np.r_[np.zeros(6), 0.4]

    def now() -> np.ndarray:
        return world_momentum(robot, state["q"], p(q=state["q"], qd=state["qd"])["p"])

    start = now()
    joints = state["q"][7:].copy()
    for _ in range(200):
        made = f(**state)
        state |= {"q": made["q_next"], "qd": made["qd_next"]}
    assert np.abs(state["q"][7:] - joints).max() > 0.1
    assert np.abs(now() - start).max() < 1e-9
    # Runge and Kutta's method with the same step does not keep it.
    other = models.step(robot, integrator="rk4", wrench="none").compile()
    drifting = state_of(model, 3, 0.7) | {"dt": 0.03, "tau": state["tau"]}
    for _ in range(200):
        made = other(**drifting)
        drifting |= {"q": made["q_next"], "qd": made["qd_next"]}
    end = world_momentum(robot, drifting["q"], p(q=drifting["q"], qd=drifting["qd"])["p"])
    assert np.abs(end - start).max() > 1e-7


def bracket(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of two twists [v; w]."""
    return np.concatenate([np.cross(a[3:], b[:3]) + np.cross(a[:3], b[3:]), np.cross(a[3:], b[3:])])


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-2r", "four-bar", "free"])
def test_it_is_symplectic(name: str) -> None:
    """In positions and momenta, M^T J M+ = J for the matrix M of a step. With a free base, whose small motions are in its own axes, J
    has <p, [a, b]> too, the form of a cotangent bundle of a group in the axes of the body."""
    robot = free_robot() if name == "free" else robosym.load(name)
    model = models.step(robot, integrator="variational", jacobians=True, wrench="none")
    state = state_of(model, 1, 0.4) | {"dt": 0.1}
    state["tau"][: robot.nv - len(robot.moving)] = 0  # a wrench that turns with the base has no potential
    made = model.compile()(**state)
    n = robot.nv
    p, slopes = momentum(robot).compile(), robosym.derivative(momentum(robot), of="p", by=["q", "qd"]).compile()

    def legendre(q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """From small deviations of positions and speeds to those of positions and momenta, and the form J there."""
        found = slopes(q=q, qd=qd)
        K = np.zeros((n, n))
        if robot.base.floating:
            here = p(q=q, qd=qd)["p"][:6]
            K[:6, :6] = [[here @ bracket(a, b) for b in np.eye(6)] for a in np.eye(6)]
        form = np.block([[K, np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
        return np.block([[np.eye(n), np.zeros((n, n))], [found["dp_dq"], found["dp_dqd"]]]), form

    after, J_after = legendre(made["q_next"], made["qd_next"])
    before, J_before = legendre(state["q"], state["qd"])
    M = after @ made["Ad"] @ np.linalg.inv(before)
    np.testing.assert_allclose(M.T @ J_after @ M, J_before, atol=1e-9)


def test_the_momentum_is_the_inertia_times_the_speeds() -> None:
    for robot in (robosym.load("stanford-3"), robosym.load("four-bar"), free_robot()):
        model = momentum(robot)
        state = state_of(model, 4, 0.4)
        A = models.inertia_matrix(robot).evaluate(q=state["q"])
        A = A["A"] if isinstance(A, dict) else A
        np.testing.assert_allclose(model.evaluate(**state)["p"], A @ state["qd"], atol=1e-10)


def test_a_base_with_a_given_motion_is_refused() -> None:
    from dataclasses import replace

    robot = robosym.load("planar-2r")
    moving = robot.replace(base=replace(robot.base, velocity=(number(1), number(0), number(0))))
    with pytest.raises(RobotError, match="moves as the description says"):
        models.step(moving, integrator="variational")
    with pytest.raises(RobotError, match="base parameters do not keep the energy"):
        models.step(robot, integrator="variational", parameters="base")
