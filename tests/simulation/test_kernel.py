"""A tick: what the law sees and what acts of what it says; sensors, delays, limits, disturbances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from simulation.plants import arm, geared, sliding_mass

import robosym
from robosym import control
from robosym.control import Law
from robosym.expr import number
from robosym.robot import Actuator, Coupling, Limits, Motor, MotorLimits, Robot
from robosym.runtime import compile_program
from robosym.simulation import simulate
from robosym.simulation.kernel import Setup, saturation
from robosym.simulation.plant import plant_of

TARGET = [0.5, -0.3]
START = [0.1, 0.2]


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


@pytest.fixture(scope="module")
def law(robot: Robot) -> Law:
    return control.computed_torque(robot, bandwidth=15)


# --- sensors -----------------------------------------------------------------------------------------------------------


def test_positions_are_rounded_to_the_resolution(robot: Robot, law: Law) -> None:
    run = simulate(robot, law, TARGET, q=START, duration=0.1, resolution=[1e-2, 0.0])
    seen = run.more["measured_q"]
    np.testing.assert_allclose(seen[:, 0], np.floor(run.q[:, 0] / 1e-2 + 0.5) * 1e-2, atol=1e-15)
    np.testing.assert_array_equal(seen[:, 1], run.q[:, 1])
    tau = _by_itself(law, run, seen, run.qd)
    np.testing.assert_allclose(run.tau, tau, atol=1e-12)


def test_noise_has_its_deviation_and_reaches_the_law_only(robot: Robot, law: Law) -> None:
    given: dict[str, Any] = {"q": START, "duration": 4.0, "noise": {"q": [1e-4, 3e-4], "qd": 2e-3}}
    run = simulate(robot, law, TARGET, seed=11, **given)
    for name, values, sigma in (("measured_q", run.q, [1e-4, 3e-4]), ("measured_qd", run.qd, [2e-3, 2e-3])):
        noise = run.more[name] - values
        np.testing.assert_allclose(noise.std(axis=0), sigma, rtol=0.05)
        assert (np.abs(noise.mean(axis=0)) < np.array(sigma) / 15).all()
        lagged = np.corrcoef(noise[1:, 0], noise[:-1, 0])[0, 1]
        assert abs(lagged) < 0.06  # white
    both = np.corrcoef(
        *(run.more[f"measured_{x}"][:, 0] - values[:, 0] for x, values in (("q", run.q), ("qd", run.qd)))
    )
    assert abs(both[0, 1]) < 0.06
    np.testing.assert_allclose(
        run.tau, _by_itself(law, run, run.more["measured_q"], run.more["measured_qd"]), atol=1e-11
    )


def _by_itself(law: Law, run: Any, q: Any, qd: Any) -> Any:
    """What the law says, called alone at the recorded instants."""
    names = {slot.name for slot in law.routine.inputs}
    given = {"q": q, "qd": qd, "q_motor": q, "qd_motor": qd, **run.reference}
    return law.compile()(**{name: x for name, x in given.items() if name in names})


def test_motors_or_joints_are_measured() -> None:
    """Of a flexible joint the law sees the motor."""
    robot = sliding_mass(mass=2.0, actuator={"Ia": number(0.5)}, flexibility=80.0)
    law = control.pid(robot, Kp=10.0, Kd=2.0, limits=False)
    for measured, names in (("motors", ("q_motor", "qd_motor")), ("joints", ("q", "qd"))):
        run = simulate(robot, law, [0.1], q=[0.0], duration=0.3, measured=measured)
        seen = {**run.as_arrays()}
        tau = _by_itself(law, run, seen[names[0]], seen[names[1]])
        np.testing.assert_allclose(run.tau, tau, atol=1e-12)
    default = simulate(robot, law, [0.1], q=[0.0], duration=0.3)
    np.testing.assert_allclose(
        default.tau, _by_itself(law, default, default.more["q_motor"], default.more["qd_motor"]), atol=1e-12
    )


# --- actuators ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ticks", [1, 3])
def test_a_delay_is_so_many_periods(robot: Robot, law: Law, ticks: int) -> None:
    run = simulate(robot, law, TARGET, q=START, duration=0.05, delay=ticks * 1e-3)
    asked = _by_itself(law, run, run.q, run.qd)
    np.testing.assert_allclose(run.more["command"], asked, atol=1e-12)
    np.testing.assert_array_equal(run.tau[ticks:], run.more["command"][:-ticks])
    assert (run.tau[:ticks] == 0).all()


def test_efforts_of_the_joints_limit_torques() -> None:
    robot = sliding_mass(mass=2.0, limits=Limits(effort=3.0))
    run = simulate(robot, torque=[5.0], duration=0.1)
    assert (run.tau == 3.0).all()
    assert (run.more["command"] == 5.0).all()
    np.testing.assert_allclose(run.q[:, 0], 0.75 * run.time**2, atol=1e-14)
    assert (simulate(robot, torque=[-5.0], duration=0.1).tau == -3.0).all()
    assert (simulate(robot, torque=[-5.0], duration=0.1, limits=False).tau == -5.0).all()


def test_motors_limit_torques_through_their_gears() -> None:
    """tau_m = tau / N: of a motor that has 0.2 behind a gear of -20 the joint has 4; of one with a current of 2 A and 0.05 N m/A
    it has 2."""
    for limits, most in (({"torque": 0.2}, 4.0), ({"torque": 0.2, "current": 2.0}, 2.0)):
        own = geared(-20.0, KT=0.05)
        own["motor"] = replace(own["motor"], limits=MotorLimits(**limits))
        run = simulate(sliding_mass(actuator=own), torque=[9.0], duration=0.01)
        np.testing.assert_allclose(run.tau, most, atol=1e-12)


def test_coupled_motors_limit_torques_together() -> None:
    """q = J q_m, tau_m = J^T tau: where one motor is at its limit, both joints have other torques."""
    chain = arm(0.0, 0.0)
    J = np.array([[0.05, 0.0], [-0.03, 0.04]])
    frames = tuple(
        replace(frame, actuator=Actuator(motor=Motor(limits=MotorLimits(torque=most))))
        for frame, most in zip(chain.frames, (0.4, 0.2), strict=True)
    )
    matrix = tuple(tuple(map(number, row)) for row in J)
    robot = Robot("coupled", frames, gravity=(number(0),) * 3, couplings=(Coupling((1, 2), matrix),))
    asked = np.array([6.0, 9.0])
    run = simulate(robot, torque=asked, duration=0.01)
    expected = np.linalg.solve(J.T, np.clip(J.T @ asked, [-0.4, -0.2], [0.4, 0.2]))
    np.testing.assert_allclose(run.tau, np.broadcast_to(expected, run.tau.shape), atol=1e-12)
    assert (np.abs(expected - asked) > 0.1).all()
    small = simulate(robot, torque=[0.5, 0.1], duration=0.01)
    np.testing.assert_allclose(small.tau, np.broadcast_to([0.5, 0.1], small.tau.shape), atol=1e-12)


def test_disturbances_are_added_after_the_limits() -> None:
    robot = sliding_mass(mass=2.0, limits=Limits(effort=3.0))
    run = simulate(robot, torque=[5.0], disturbance={"x": 1.0}, duration=0.1)
    assert (run.tau == 3.0).all()
    np.testing.assert_allclose(run.q[:, 0], 1.0 * run.time**2, atol=1e-14)
    in_time = simulate(robot, torque=[5.0], disturbance=lambda t: [1.0], duration=0.1)
    np.testing.assert_allclose(in_time.q, run.q, rtol=1e-14)


def test_torques_in_time_are_held_for_a_step() -> None:
    robot = sliding_mass(mass=1.0)
    run = simulate(robot, torque={"x": lambda t: 10 * t}, duration=0.1, step=0.01, held=True)
    assert run.settings["held"]
    pulls = 10 * run.time[:-1]
    np.testing.assert_allclose(run.qd[1:, 0], np.cumsum(pulls) * 0.01, atol=1e-14)
    np.testing.assert_allclose(run.tau[:, 0], 10 * run.time, atol=1e-14)


def test_states_of_the_law_go_from_call_to_call(robot: Robot) -> None:
    """An integral, and speeds from differences: beside the law called by hand."""
    law = control.computed_torque(robot, bandwidth=15, integral=True, velocity=200.0)
    run = simulate(robot, law, TARGET, q=START, duration=0.05, every=1)
    call = law.compile()
    state = {slot.name: np.zeros(slot.shape) for slot in law.state}
    assert state
    names = {slot.name for slot in law.routine.inputs}
    for k in range(len(run.time)):
        given = {"q": run.q[k], "qd": run.qd[k], **{name: x[k] for name, x in run.reference.items()}}
        made = call(**{name: x for name, x in given.items() if name in names}, **state)
        state = {name: made[name] for name in state}
        np.testing.assert_allclose(run.tau[k], made["tau"], atol=1e-11)


def test_a_torque_that_is_no_number_is_not_taken_for_the_full_one() -> None:
    """Cut off at the limits of joints or motors it is still none, alone and in lanes."""
    plant = plant_of(sliding_mass(), False)
    for limits in ({"limits": np.array([3.0])}, {"motor_limits": (np.array([[0.5]]), np.array([1.5]))}):
        setup = Setup(plant, None, **limits)
        cut = saturation(setup)
        assert cut is not None
        given = np.array([[5.0], [np.nan], [-np.inf], [1.0], [np.nan]])
        expected = np.array([[3.0], [np.nan], [-3.0], [1.0], [np.nan]])
        compiled = compile_program(cut)
        np.testing.assert_array_equal(compiled(command=given), expected)
        for row, one in zip(given, expected, strict=True):
            np.testing.assert_array_equal(compiled(command=row), one)
