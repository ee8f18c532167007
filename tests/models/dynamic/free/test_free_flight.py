"""A robot that floats: what it keeps over ten seconds without a force on it."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym import models


def test_momentum_and_energy_are_kept() -> None:
    """No gravity, no torques: momentum to 1e-9, energy to 1e-8 of the peak kinetic energy."""
    integrate = pytest.importorskip("scipy.integrate")
    from robosym.models.tree.joints import free_rates

    robot = robosym.load("eel-5")
    robot = robot.replace(values={**robot.values, "G3": robosym.robot.Value(0.0)})
    forward = models.forward_dynamics(robot, wrench="none").compile()
    momentum, energy = models.centroidal_momentum(robot).compile(), models.energy(robot, rotor_inertia=True).compile()
    nq = robot.nq

    def rates(_: float, x: np.ndarray) -> np.ndarray:
        q, qd = x[:nq], x[nq:]
        turned = np.array(free_rates(q[:7], qd[:6]), dtype=float)
        return np.concatenate([turned, qd[6:], forward(q=q, qd=qd, tau=np.zeros(robot.nv))])

    start = np.concatenate([[0.1, -0.2, 0.3, 0, 0, 0, 1], [0.3, -0.5, 0.4, 0.2], np.linspace(-1, 1, robot.nv)])
    found = integrate.solve_ivp(rates, (0, 10), start, method="DOP853", rtol=1e-12, atol=1e-12)
    assert found.status == 0
    q, qd = found.y[:nq].T, found.y[nq:].T
    levels = energy(q=q, qd=qd)
    peak, total = float(levels["kinetic"].max()), levels["total"].ravel()
    assert np.abs(total - total[0]).max() < 1e-8 * peak
    made = np.einsum("bij,bj->bi", momentum(q=q), qd)
    assert np.abs(made - made[0]).max() < 1e-9 * np.abs(made[0]).max()
