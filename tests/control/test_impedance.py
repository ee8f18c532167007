"""Impedance: the frame moves under forces as the mass, the damper and the spring that were asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import torques
from control.task_plants import Plant, Reference, arm, error_rates
from scipy.spatial.transform import Rotation

import robosym
from robosym.control import impedance
from robosym.errors import RobosymError

M, K, D = np.array([2.0, 3.0, 5.0]), np.array([100.0, 300.0, 50.0]), np.array([20.0, 40.0, 70.0])


@pytest.mark.parametrize("force", [True, False])
def test_position_under_a_force(force: bool) -> None:
    """Measured: M e'' + D e' + K e = -F exactly. Not measured: M^-1 (D e' + K e) as wanted, F through the robot's own inertia."""
    rng = np.random.default_rng(8)
    plant = Plant.of(arm(rng, "RRR"))
    law = impedance(
        plant.robot, inertia=M, stiffness=K, damping=D, force=force, task="position", singular_damping=0, limits=False
    )
    for _ in range(3):
        q, qd = rng.uniform(-1, 1, (2, 3))
        F = rng.normal(size=6) * 10
        F[3:] = 0 if not force else F[3:]
        reference = Reference.near(rng, plant.pose(q), 0.3, 1.0)
        tau = torques(law, q=q, qd=qd, F=F, **reference(0.0))
        e, ed, edd = (x[:3] for x in error_rates(plant, reference, q, qd, plant.acceleration(q, qd, tau, F)))
        J = plant.jacobian(q)[:3]
        felt = F[:3] / M if force else J @ np.linalg.solve(plant.twin.crba(q), J.T) @ F[:3]
        assert edd + (D * ed + K * e) / M == pytest.approx(-felt, abs=1e-5)


def test_rotations_under_a_moment() -> None:
    """Three joints that turn a frame: the moment does in the coordinates of the error what it does in the world's."""
    rng = np.random.default_rng(9)
    plant = Plant.of(arm(rng, "RRR"))
    law = impedance(
        plant.robot, inertia=M, stiffness=K, damping=D, force=True, task="orientation", singular_damping=0, limits=False
    )
    for turn in (0.0, 0.8, 2.5):
        q, qd = rng.uniform(-1, 1, (2, 3))
        F = rng.normal(size=6) * 5
        reference = Reference.near(rng, plant.pose(q), 0.3, turn)
        tau = torques(law, q=q, qd=qd, F=F, **reference(0.0))
        e, ed, edd = error_rates(plant, reference, q, qd, plant.acceleration(q, qd, tau, F))
        left = M * edd[3:] + D * ed[3:] + K * e[3:]
        # The work of the moment for any turn of the frame: left . de = -F . turn, de by SciPy.
        for axis in np.eye(3):
            R, h = plant.pose(q)[:3, :3], 1e-5
            there = [
                Rotation.from_matrix(
                    reference(0.0)["T_d"][:3, :3] @ (Rotation.from_rotvec(s * h * axis).as_matrix() @ R).T
                )
                for s in (-1, 1)
            ]
            de = (there[1].as_rotvec() - there[0].as_rotvec()) / (2 * h)
            assert left @ de == pytest.approx(F[3:] @ axis, abs=2e-4)


def test_critical_damping_is_the_default() -> None:
    law = impedance(robosym.load("scara"), inertia=2.0, stiffness=[8.0, 18.0, 50.0, 2.0])
    assert law.settings["damping"] == pytest.approx([8.0, 12.0, 20.0, 4.0])
    assert any("inertia that is felt" in note for note in law.notes)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"inertia": 0.0}, "inertia: got 0, expected a number above zero"),
        ({"stiffness": -1.0}, "stiffness: got -1"),
        ({"force": "yes"}, "force: got 'yes', expected True"),
    ],
)
def test_bad_settings_are_named(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(RobosymError, match=said):
        impedance(robosym.load("scara"), **{"inertia": 1.0, "stiffness": 1.0, **changed})
