"""A frame on a spring: it gives way by what the stiffness says, and takes energy away whatever is done to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import rk4, torques
from control.task_plants import Plant, Reference, arm, error
from scipy.optimize import fsolve

from robosym.control import Law, compliance
from robosym.errors import RobosymError

STIFFNESS = np.array([300.0, 500.0, 200.0, 30.0, 8.0, 15.0])


def test_pushed_it_gives_way_by_the_force_over_the_stiffness() -> None:
    """At rest under a force: K e = -F, of position exactly."""
    rng = np.random.default_rng(3)
    plant = Plant.of(arm(rng, "RRR"))
    law = compliance(plant.robot, stiffness=[300, 500, 200], damping=60, task="position")
    q, F = np.array([0.3, 0.8, -0.6]), np.array([4.0, -7.0, 3.0, 0, 0, 0])
    T_d, call = plant.pose(q), law.compile()

    def left(q: np.ndarray) -> np.ndarray:
        tau = call(q=q, qd=np.zeros(3), T_d=T_d, V_d=np.zeros(6))
        return tau - plant.twin.gravity(q) + plant.jacobian(q).T @ F

    found = fsolve(left, q, xtol=1e-13)
    assert np.abs(left(found)).max() < 1e-9
    assert error(plant.pose(found), T_d)[:3] == pytest.approx(-F[:3] / [300, 500, 200], abs=1e-10)


@pytest.fixture(scope="module")
def spring() -> tuple[Plant, Law]:
    plant = Plant.of(arm(np.random.default_rng(5), "RRRRRR"))
    return plant, compliance(plant.robot, stiffness=STIFFNESS, damping=0)


@pytest.mark.parametrize("turn", [0.3, 2.8])
def test_the_spring_is_conservative_and_the_damper_takes_away(spring: tuple[Plant, Law], turn: float) -> None:
    """Energy of motion and spring: without a damper it stays to the error of the integration, also far from the pose; with one
    it falls by e'^T D e'."""
    plant, free = spring
    rng = np.random.default_rng(6)
    D = 0.05 * STIFFNESS
    damped = free.tuned(damping=D)
    q, qd = rng.uniform(-1, 1, (2, 6))
    T_d = Reference.near(rng, plant.pose(q), 0.1, turn)(0.0)["T_d"]

    def energy(q: np.ndarray, qd: np.ndarray) -> float:
        e = error(plant.pose(q), T_d)
        return plant.twin.kinetic(q, qd) + float(e @ (STIFFNESS * e)) / 2

    for law, loss in ((free, np.zeros(6)), (damped, D)):
        h, energies, rates = 1e-4, [], []
        x, v = q, qd
        for k in range(5):
            energies.append(energy(x, v))
            if k == 2:
                rates = -(error(plant.pose(x + 1e-6 * v), T_d) - error(plant.pose(x - 1e-6 * v), T_d)) / 2e-6
            x, v = rk4(
                plant.acceleration,
                x,
                v,
                lambda t, a, b, own=law: torques(own, q=a, qd=b, T_d=T_d, V_d=np.zeros(6)),
                h,
            )
        slope = (energies[0] - 8 * energies[1] + 8 * energies[3] - energies[4]) / (12 * h)
        assert slope == pytest.approx(-float(rates @ (loss * rates)), rel=1e-5, abs=1e-5 * np.abs(energies[0]))


@pytest.mark.parametrize("changed", [{"stiffness": -1}, {"damping": "much"}])
def test_bad_settings_are_named(changed: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(RobosymError, match=next(iter(changed))):
        compliance(arm(rng, "RRR"), **{"stiffness": 1.0, "damping": 1.0, **changed})
