"""Torques, disturbances and wrenches in time keep the order of every integrator; the work of held torques is that of the motion."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.derivatives.manifold import state_of
from simulation.integrator_orders import (
    SIMULATED,
    STRUCTURES,
    exact,
    falls_with,
    random_structure,
    simulation_orders,
    step_orders,
)
from simulation.plants import sliding_mass
from sweeps import SWEEP

import robosym
from robosym import control, models
from robosym.options.errors import ArgumentError
from robosym.robot import Limits, Robot
from robosym.simulation import simulate
from robosym.simulation.changing import node_times


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_steps_have_their_order_with_a_friction_offset(structure: str) -> None:
    for seed in range(SWEEP):
        step_orders(structure, seed)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_simulations_have_their_order_under_torques_in_time(structure: str) -> None:
    for seed in range(SWEEP):
        simulation_orders(structure, seed)


@pytest.mark.parametrize("integrator", SIMULATED)
def test_wrenches_in_time_keep_the_order(integrator: str) -> None:
    """Beside the same torques as a disturbance, which SciPy integrates: -J^T F."""
    robot = robosym.load("planar-2r")
    q, qd = np.array([0.3, 0.8]), np.array([0.5, -0.4])

    def force(t: float) -> list[float]:
        return [8 * math.sin(40 * t), 5 * math.cos(30 * t), 0, 0, 0, 2 * math.sin(50 * t)]

    given: dict[str, Any] = {"q": q, "qd": qd, "duration": 0.064, "friction": False, "limits": False, "wrench": force}
    end = simulate(robot, integrator="dop853", **given)
    errors = []
    for step in (8e-3, 4e-3, 2e-3):
        run = simulate(robot, integrator=integrator, step=step, **given)
        errors.append(float(np.abs(np.concatenate([run.q[-1] - end.q[-1], run.qd[-1] - end.qd[-1]])).max()))
    assert errors[0] > 1e-7
    falls_with(errors, SIMULATED[integrator], integrator)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(3))
def test_a_disturbance_in_time_beside_a_law_with_several_steps_a_period(seed: int) -> None:
    """The law is held for its period, the disturbance is not: SciPy from call to call beside it."""
    rng = np.random.default_rng(seed)
    robot = robosym.load(["planar-2r", "double-pendulum", "scara"][seed])
    law = control.computed_torque(robot, bandwidth=10, period=8e-3, limits=False)
    n = len(robot.moving)
    size, speed = rng.uniform(-2, 2, n), rng.uniform(20, 40, n)
    given: dict[str, Any] = {
        "q": rng.uniform(-0.5, 0.5, n),
        "duration": 0.064,
        "friction": False,
        "limits": False,
        "disturbance": lambda t: size * np.sin(speed * t),
    }
    target = rng.uniform(-0.5, 0.5, n)
    end = simulate(robot, law, target, integrator="dop853", step=8e-3, **given)
    errors = []
    for step in (8e-3, 4e-3, 2e-3):
        run = simulate(robot, law, target, step=step, **given)
        errors.append(float(np.abs(np.concatenate([run.q[-1] - end.q[-1], run.qd[-1] - end.qd[-1]])).max()))
        np.testing.assert_allclose(run.work, end.work, atol=1e4 * errors[-1] + 1e-9)
    falls_with(errors, 4, robot)
    held = simulate(robot, law, target, step=2e-3, held=True, **given)
    assert np.abs(held.q[-1] - end.q[-1]).max() > 100 * errors[-1]
    beside = simulate(robot, law, target, integrator="dop853", step=8e-3, held=True, **given)
    np.testing.assert_allclose(held.q[-1], beside.q[-1], atol=10 * errors[-1])


def test_a_batch_is_its_single_runs() -> None:
    robot = robosym.load("double-pendulum")
    given: dict[str, Any] = {
        "torque": lambda t: [math.sin(30 * t), math.cos(20 * t)],
        "disturbance": {"lower": lambda t: 0.3 * t},
        "duration": 0.6,
        "step": 2e-3,
        "every": 7,
    }
    starts = np.array([[0.1, 0.2], [1.0, -0.5], [-0.7, 0.4]])
    runs = simulate(robot, batch={"q": starts}, **given)
    for q, run in zip(starts, runs, strict=True):
        one = simulate(robot, q=q, **given)
        for name in ("q", "qd", "tau", "work", "absolute_work"):
            np.testing.assert_allclose(run.as_arrays()[name], one.as_arrays()[name], rtol=1e-10, atol=1e-12)


def test_jumps_where_steps_meet_are_exact() -> None:
    """A force that is switched on and off at multiples of the step acts from there on, for all of them."""
    robot = sliding_mass(mass=2.0)
    for integrator in ("rk4", "midpoint"):
        for k, step in ((3, 0.1), (7, 0.1), (29, 0.01), (123, 1e-3)):
            on, off = k * step, 2 * k * step
            run = simulate(
                robot,
                torque={"x": lambda t, on=on, off=off: 4.0 * (on <= t < off)},
                duration=3 * k * step,
                step=step,
                integrator=integrator,
            )
            assert run.qd[-1, 0] == pytest.approx(2 * (off - on), rel=1e-12)
            assert run.work[0] == pytest.approx(2.0 * run.qd[-1, 0] ** 2 / 2, rel=1e-9)


def test_nodes_are_inside_their_steps() -> None:
    start = np.arange(1000) * 0.1
    nodes = node_times(start, 0.025, 4, "rk4")
    assert nodes.shape == (4000, 3)
    assert nodes[0, 0] == 0
    ends = np.arange(1, 4001) * 0.025
    assert (nodes[:, 2] < ends).all()
    assert (nodes[1:, 0] > ends[:-1]).all()
    np.testing.assert_allclose(nodes[:, 2], ends, rtol=1e-14)


def test_torques_in_time_are_late_and_limited() -> None:
    """A delay of whole periods, no torque before; limits cut the torque at every moment."""
    robot = sliding_mass(mass=1.0, limits=Limits(effort=0.5))
    run = simulate(robot, torque=lambda t: [2 * t], duration=1.0, step=0.05, delay=0.1, limits=True)
    pull = np.minimum(2 * (run.time - 0.1), 0.5) * (run.time >= 0.1)
    np.testing.assert_allclose(run.tau[:, 0], pull, atol=1e-12)
    # v = t'^2 until the limit at t' = 0.25, then 0.0625 + (t' - 0.25) / 2
    assert run.qd[-1, 0] == pytest.approx(0.0625 + 0.65 / 2, abs=1e-12)


# --- joints that stop ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_joint_stops_under_a_force_in_time(seed: int) -> None:
    """m v' = -Fs - c t: the speed is a parabola, zero at a moment within a step, and the joint sticks from there on."""
    rng = np.random.default_rng(seed)
    m, Fs, c, v = rng.uniform(0.5, 3), rng.uniform(2, 3), rng.uniform(0.5, 2), rng.uniform(0.2, 1.0)
    robot = sliding_mass(mass=m, Fs=Fs)
    stop = (-Fs + math.sqrt(Fs**2 + 2 * c * m * v)) / c
    way = v * stop - (Fs * stop**2 / 2 + c * stop**3 / 6) / m
    work = -c * (v * stop**2 / 2 - (Fs * stop**3 / 3 + c * stop**4 / 8) / m)
    for integrator, close in (("rk4", 1e-10), ("midpoint", 2e-3)):
        run = simulate(
            robot, qd=[v], torque={"x": lambda t: -c * t}, duration=stop + 0.3, step=0.02, integrator=integrator
        )
        assert c * run.time[-1] < Fs
        assert run.qd[-1, 0] == 0
        assert run.q[-1, 0] == pytest.approx(way, abs=close)
        assert run.work[0] == pytest.approx(work, abs=10 * close)


@pytest.mark.parametrize("integrator", SIMULATED)
def test_a_joint_breaks_away_under_a_force_in_time(integrator: str) -> None:
    """m v' = a t - Fs after a t has passed Fs: late by less than a step, an error of second order in the position."""
    m, Fs, a = 1.3, 1.0, 4.0
    robot = sliding_mass(mass=m, Fs=Fs)
    t = 0.6 - Fs / a
    errors = []
    for step in (0.02, 0.01, 0.005):
        run = simulate(robot, torque={"x": lambda t: a * t}, duration=0.6, step=step, integrator=integrator)
        errors.append(abs(float(run.qd[-1, 0]) - a * t**2 / 2 / m))
        assert errors[-1] < (10 if integrator == "semi-implicit" else 2 * step) * step * a / m


# --- work ----------------------------------------------------------------------------------------------------------------


def _with_ranges(robot: Robot) -> Robot:
    frames = [replace(f, joint=replace(f.joint, limits=Limits(lower=-1.0, upper=1.0))) for f in robot.frames]
    return robot.replace(frames=tuple(frames))


def work_is_energy(seed: int) -> None:
    """What the motors give is what the robot has, whatever the period and the instants recorded: random trees, 20 Hz to 1 kHz."""
    rng = np.random.default_rng([seed, 10])
    robot = random_structure("serial" if seed % 2 else "tree", rng)
    n = len(robot.moving)
    period = float(rng.choice([0.05, 0.02, 1e-3]))
    torques = rng.uniform(-3, 3, (int(0.4 / period) + 2, n))
    law = None
    given: dict[str, Any] = {"torque": lambda t: torques[int(t / period + 1e-9)], "held": True, "step": period}
    if seed % 3 == 0:
        robot = _with_ranges(robot)  # the check of a law draws positions
        law = control.pd_gravity(robot, bandwidth=5, period=period, limits=False)
        given = {"step": period / 4, "reference": rng.uniform(-0.3, 0.3, n)}
    reference = given.pop("reference", None)
    q = state_of(models.forward_dynamics(robot, wrench="none"), seed, 0.3)["q"]
    for every in (1, 3):
        # SciPy integrates from one change of the torques to the next.
        run = simulate(
            robot,
            law,
            reference,
            q=q,
            duration=0.4,
            friction=False,
            limits=False,
            integrator="dop853",
            every=every,
            **given,
        )
        fast = simulate(robot, law, reference, q=q, duration=0.4, friction=False, limits=False, every=every, **given)
        for one, close in ((run, 1e-8), (fast, None)):
            total = one.energy["total"]
            gained = total[-1] - total[0]
            size = one.absolute_work.sum() + abs(gained)
            drift = np.abs(fast.qd[-1] - run.qd[-1]).max() * 30 * (1 + np.abs(run.qd).max())
            assert abs(one.work.sum() - gained) < (close or 1e-8 + drift) * max(1, size), (seed, robot, period)
            assert (one.absolute_work >= np.abs(one.work) - 1e-12 * size).all()


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(6))
def test_the_work_of_held_torques_is_the_energy(seed: int) -> None:
    work_is_energy(seed)


def test_work_is_recorded_on_the_way() -> None:
    """So that a part of a run, and a file, has its own."""
    robot = robosym.load("double-pendulum")
    run = simulate(robot, q=[0.5, 0.2], torque=[0.4, -0.2], duration=0.2)
    np.testing.assert_allclose(run.more["work"], (run.q - run.q[0]) * [0.4, -0.2], atol=1e-13)
    assert "work_upper" in run.as_table() or "work_lower" in run.as_table()
    still = simulate(robot, q=[0.5, 0.2], duration=0.2)
    assert "work" not in still.more
    assert (still.work == 0).all()


def test_what_is_held_is_said() -> None:
    robot = robosym.load("double-pendulum")
    with pytest.raises(ArgumentError, match="held: got 'yes', expected True or False"):
        simulate(robot, q=[0, 0], torque=[0, 0], duration=0.1, held="yes")
    constant = simulate(robot, q=[0, 0], torque=[1, 0], duration=0.1, held=True)
    assert "held" not in constant.settings


def test_the_reference_integrates_work_itself() -> None:
    """The reference of these tests on a problem with a closed form: a mass under a growing force."""
    robot = sliding_mass(mass=2.0)
    end = exact(robot, lambda qd: 0 * qd, np.zeros(1), np.zeros(1), 0.5, lambda t: np.array([6 * t]))
    np.testing.assert_allclose(end["x"], [0.5 * 0.5**3, 1.5 * 0.5**2], atol=1e-12)
    assert end["work"][0] == pytest.approx((1.5 * 0.5**2) ** 2, abs=1e-12)
