"""Laws with an observer beside them: what the model lacks is compensated, within the limits of the motors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, at_rest, held
from control.task_plants import Plant, arm, error

from robosym.control import ControlError, computed_torque, resolved_acceleration, with_disturbance_observer


@pytest.mark.parametrize("velocity", ["measured", 2000.0])
def test_a_load_that_is_not_known_leaves_no_error(velocity: Any) -> None:
    plant = Plant.of(arm(np.random.default_rng(5), "RRR"))
    d, q_d = np.array([2.0, -3.0, 1.0]), np.array([0.3, 0.2, -0.4])
    plain = computed_torque(plant.robot, bandwidth=15.0, velocity=velocity)
    watched = with_disturbance_observer(plain, 40.0)
    assert [slot.name for slot in watched.routine.inputs][: len(plain.routine.inputs)] == [
        s.name for s in plain.routine.inputs
    ]
    left = []
    for law in (plain, watched):
        q, _, _ = held(law, lambda q, qd, tau: plant.acceleration(q, qd, tau + d), q_d, np.zeros(3), at_rest(q_d), 800)
        left.append(np.abs(q[-1] - q_d).max())
    assert left[0] > 2e-3
    assert left[1] < 1e-3 * left[0]
    assert watched.tuned(observer_bandwidth=5.0, bandwidth=3.0).gains["Kp"] == pytest.approx([9.0] * 3)


def test_of_a_law_in_task_space() -> None:
    plant = Plant.of(arm(np.random.default_rng(3), "RRR"))
    law = with_disturbance_observer(resolved_acceleration(plant.robot, bandwidth=10.0, task="position"), 60.0)
    assert law.reference == "task"
    q, qd, F = np.array([0.3, 0.8, -0.6]), np.zeros(3), np.array([2.0, 0.0, -4.0, 0, 0, 0])
    T_d, caller = plant.pose(q), Caller(law)
    for _ in range(900):
        tau = caller(q=q, qd=qd, T_d=T_d, V_d=np.zeros(6), A_d=np.zeros(6))
        qd = qd + 1e-3 * plant.acceleration(q, qd, tau, F)
        q = q + 1e-3 * qd
    assert np.abs(error(plant.pose(q), T_d)[:3]).max() < 1e-5
    assert caller.state["disturbance"] == pytest.approx(plant.jacobian(q).T @ F, abs=1e-3)


def test_limits_are_kept_and_what_was_done_is_remembered() -> None:
    plant = Plant.of(arm(np.random.default_rng(5), "RRR"))
    law = with_disturbance_observer(computed_torque(plant.robot, bandwidth=15.0, limits=[0.5, 0.6, 0.7]), 40.0)
    caller = Caller(law)
    for _ in range(5):
        tau = caller(q=np.zeros(3), qd=np.zeros(3), q_d=np.ones(3), qd_d=np.zeros(3), qdd_d=np.zeros(3))
        assert (np.abs(tau) <= [0.5, 0.6, 0.7]).all()
        assert caller.state["tau_before"] == pytest.approx(tau)


def test_what_is_no_law_is_refused() -> None:
    robot = arm(np.random.default_rng(5), "RR")
    with pytest.raises(ControlError, match=r"controller: got .* expected a control law"):
        with_disturbance_observer(robot)  # type: ignore[arg-type]
    once = with_disturbance_observer(computed_torque(robot))
    with pytest.raises(ControlError, match="has a disturbance observer already"):
        with_disturbance_observer(once)
