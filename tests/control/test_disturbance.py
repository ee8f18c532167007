"""Laws with an observer beside them: what the model lacks is compensated, within the limits of the motors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, at_rest, held
from control.task_plants import Plant, arm, error
from models.derivatives.manifold import state_of
from models.loops.iterated_linkages import stephenson
from models.loops.linkages import loaded, slider_crank
from simulation.integrator_orders import frictionless

import robosym
from robosym import models
from robosym.control import ControlError, computed_torque, passive, resolved_acceleration, with_disturbance_observer
from robosym.expr import number
from robosym.options.errors import ArgumentError
from robosym.simulation import simulate


@pytest.mark.mostly_slow(fast=1)
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
    with pytest.raises(ArgumentError, match=r"controller: got .* expected a Law"):
        with_disturbance_observer(robot)  # type: ignore[arg-type]
    once = with_disturbance_observer(computed_torque(robot))
    with pytest.raises(ControlError, match="has a disturbance observer already"):
        with_disturbance_observer(once)


# --- closed loops ------------------------------------------------------------------------------------------------------


LOOPS: dict[str, Any] = {
    "four-bar": lambda: robosym.load("four-bar"),
    "five-bar": lambda: general_five_bar(),
    "slider-crank": slider_crank,
    "iterated": stephenson,
}


def general_five_bar() -> robosym.Robot:
    """With lengths that make no parallelogram, so that the loop may come apart."""
    robot = robosym.load("five-bar")
    frames = [replace(f, d=f.d if f.d.is_zero else number(0.3 + 0.02 * k)) for k, f in enumerate(robot.frames)]
    return robot.replace(frames=tuple(frames))


def compensates_in_loops(name: str, law: Any, seed: int) -> None:
    """A constant torque that nobody knows is found, and leaves no error: random links, where the loop is assembled."""
    rng = np.random.default_rng([seed, 25])
    robot = frictionless(loaded(rng, LOOPS[name]()))
    n = len(robot.moving)
    q = state_of(models.forward_dynamics(robot, wrench="none"), seed, 0.1)["q"]
    d = rng.uniform(0.3, 0.6, n) * rng.choice([-1, 1], n)
    plain = law(robot, bandwidth=15.0, limits=False)
    watched = with_disturbance_observer(plain, 40.0)
    names = [slot.name for slot in watched.routine.outputs]
    assert len(names) == len(set(names))
    given: dict[str, Any] = {"q": q, "duration": 1.0, "friction": False, "limits": False, "disturbance": d}
    left = [np.abs(simulate(robot, one, q, **given).error[-1]).max() for one in (plain, watched)]
    assert left[1] < 1e-2 * left[0], (name, seed, left)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("name", "law"), [*((name, computed_torque) for name in LOOPS), ("four-bar", passive), ("five-bar", passive)]
)
def test_of_closed_loops(name: str, law: Any) -> None:
    compensates_in_loops(name, law, 0)
