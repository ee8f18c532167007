"""Passivity-based control: the formula by Pinocchio, the energy of s, and where it stays stable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import held, rk4, torques
from control.task_plants import Plant, arm
from models.pinocchio_states import pin

import robosym
from robosym.control import ControlError, passive


def wanted(rng: np.random.Generator, n: int) -> Any:
    a, w = rng.uniform(0.2, 0.8, n), rng.uniform(1, 3, n)
    return lambda t: {"q_d": a * np.sin(w * t), "qd_d": a * w * np.cos(w * t), "qdd_d": -a * w * w * np.sin(w * t)}


def test_the_law_is_its_formula() -> None:
    """A a + C v + Q + K s with the matrices of Pinocchio."""
    for seed, joints in enumerate(("RRR", "RPRR", "PRRRRR")):
        rng = np.random.default_rng(seed)
        plant, n = Plant.of(arm(rng, joints)), len(joints)
        K, bandwidth = rng.uniform(1, 9, n), rng.uniform(2, 6, n)
        law = passive(plant.robot, bandwidth=bandwidth, K=K)
        q, qd = rng.uniform(-2, 2, (2, n))
        now = wanted(rng, n)(0.4)
        v = now["qd_d"] + bandwidth * (now["q_d"] - q)
        a = now["qdd_d"] + bandwidth * (now["qd_d"] - qd)
        C = pin.computeCoriolisMatrix(plant.twin.model, plant.twin.data, plant.twin.configuration(q), qd).copy()
        expected = plant.twin.crba(q) @ a + _christoffel(plant, q, qd, C) @ v + plant.twin.gravity(q) + K * (v - qd)
        assert torques(law, q=q, qd=qd, **now) == pytest.approx(expected, abs=1e-7)


def _christoffel(plant: Plant, q: np.ndarray, qd: np.ndarray, C: np.ndarray) -> np.ndarray:
    """From dA/dq by differences; Pinocchio's own matrix is another with the same C qd."""
    h, n = 1e-4, len(q)
    dA = np.array(
        [
            (
                plant.twin.crba(q - 2 * d)
                - 8 * plant.twin.crba(q - d)
                + 8 * plant.twin.crba(q + d)
                - plant.twin.crba(q + 2 * d)
            )
            / (12 * h)
            for d in h * np.eye(n)
        ]
    )
    found = np.einsum("kij,k->ij", dA, qd) + np.einsum("jik,k->ij", dA, qd) - np.einsum("ijk,k->ij", dA, qd)
    assert found @ qd / 2 == pytest.approx(C @ qd, abs=1e-7)
    return found / 2


def test_the_energy_of_s_falls_by_what_the_damper_takes() -> None:
    """d/dt (1/2 s^T A s) = -s^T K s along the closed loop."""
    rng = np.random.default_rng(5)
    plant = Plant.of(arm(rng, "RRRR"))
    law = passive(plant.robot, bandwidth=3.0, K=[4.0, 3.0, 2.0, 1.0])
    reference = wanted(rng, 4)

    def energy(t: float, q: np.ndarray, qd: np.ndarray) -> tuple[float, np.ndarray]:
        now = reference(t)
        s = now["qd_d"] + 3.0 * (now["q_d"] - q) - qd
        return float(s @ plant.twin.crba(q) @ s) / 2, s

    q, qd = rng.uniform(-1, 1, (2, 4))
    h, found = 1e-4, []
    for k in range(5):
        found.append(energy(k * h, q, qd))
        q, qd = rk4(plant.acceleration, q, qd, lambda t, x, v, k=k: torques(law, q=x, qd=v, **reference(k * h + t)), h)
    V = [v for v, _ in found]
    s = found[2][1]
    assert (V[0] - 8 * V[1] + 8 * V[3] - V[4]) / (12 * h) == pytest.approx(-s @ ([4.0, 3.0, 2.0, 1.0] * s), rel=1e-6)


def test_a_motion_is_followed_at_one_kilohertz() -> None:
    """Errors decay at the bandwidth with the default gains, which come from the inertias."""
    rng = np.random.default_rng(6)
    plant = Plant.of(arm(rng, "RRR"))
    law = passive(plant.robot, bandwidth=12.0)
    assert law.gains["K"] == pytest.approx(12.0 * law.settings["inertia"])
    assert law.tuned(bandwidth=6.0).gains["K"] == pytest.approx(6.0 * law.settings["inertia"])
    reference = wanted(rng, 3)
    start = reference(0.0)
    q, _, _ = held(law, plant.acceleration, start["q_d"] + 0.2, start["qd_d"], reference, 1000)
    left = [np.abs(q[k] - reference(k * 1e-3)["q_d"]).max() for k in (0, 500, 1000)]
    assert left[0] == pytest.approx(0.2)
    assert left[1] < 0.02
    assert left[2] < 2e-3


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"K": 0.0}, "K: got 0, expected a number above zero"),
        ({"bandwidth": [1.0, 2.0]}, "bandwidth: expected one number, or 4"),
        ({"friction": "much"}, "friction"),
    ],
)
def test_bad_settings_are_named(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(robosym.RobosymError, match=said):
        passive(robosym.load("scara"), **changed)


def test_what_moves_by_itself_is_refused() -> None:
    with pytest.raises(ControlError, match="passive needs a motor for every coordinate, and base"):
        passive(robosym.load("eel-3"))
