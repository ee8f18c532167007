"""Joints that stick: where and when they stop, that they do not creep, when they break away; beside SciPy with events."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.pinocchio_states import Twin
from scipy.integrate import solve_ivp
from simulation.event_driven import driven_by_events, fitting_ways
from simulation.plants import arm, geared, sliding_mass

import robosym
from robosym.expr import number
from robosym.robot import Actuator, Coupling, Friction, Mimic, Motor, Robot, RobotError
from robosym.simulation import Run, Runs, simulate


@pytest.fixture(scope="module")
def rough() -> Robot:
    """Mass 1, Coulomb friction 10."""
    return sliding_mass(Fs=10.0)


# --- one mass ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["rk4", "midpoint"])
@pytest.mark.parametrize("step", [0.01, 0.003, 0.007, 0.02, 0.1, 0.15, 1.0])
def test_a_mass_stops_where_and_when_it_should(rough: Robot, integrator: str, step: float) -> None:
    """x = t - 5 t^2 until t = 0.1, whether the steps meet that instant or not."""
    run = simulate(rough, qd=[1.0], duration=max(0.3, 2 * step), step=step, integrator=integrator)
    t = np.minimum(run.time, 0.1)
    np.testing.assert_allclose(run.q[:, 0], t - 5 * t**2, atol=1e-12)
    np.testing.assert_allclose(run.qd[:, 0], 1 - 10 * t, atol=1e-12)
    assert (run.qd[run.time > 0.1 + step, 0] == 0).all()
    assert (run.q[run.time > 0.1 + step, 0] == run.q[-1, 0]).all()


def test_it_holds_a_load_without_creeping(rough: Robot) -> None:
    run = simulate(rough, qd=[1.0], torque=[5.0], duration=10.0, step=0.003)
    assert run.q[-1, 0] == pytest.approx(0.1, abs=1e-12)
    rests = run.time > 0.21
    assert (run.qd[rests] == 0).all()
    assert (run.q[rests] == run.q[-1]).all()


@pytest.mark.parametrize(("load", "way"), [(9.999999, 0), (10.0, 0), (-10.0, 0), (10.001, 1), (-12.0, -1)])
def test_it_breaks_away_beyond_what_friction_holds(rough: Robot, load: float, way: int) -> None:
    run = simulate(rough, torque=[load], duration=0.5, step=0.003)
    t = run.time
    np.testing.assert_allclose(run.q[:, 0], way * (abs(load) - 10) * t**2 / 2, atol=1e-12)


@pytest.mark.parametrize(
    ("robot", "holds", "moves"),
    [
        (sliding_mass(Fs=10.0, friction={"offset": 3.0}), (12.9, -6.9), (13.1, -7.1)),
        (sliding_mass(Fs=10.0, friction={"Fs_negative": 4.0}), (9.9, -3.9), (10.1, -4.1)),
        (sliding_mass(Fs=6.0, friction={"Fst": 10.0, "B": 0.0}), (9.9, -9.9), (10.1, -10.1)),
        (sliding_mass(actuator=geared(-20.0, Fs=0.5)), (9.9, -9.9), (10.1, -10.1)),
        (sliding_mass(Fs=4.0, actuator=geared(3.0, Fs=2.0)), (9.9, -9.9), (10.1, -10.1)),
    ],
    ids=["offset", "asymmetric", "from rest", "motor behind a gear", "joint and motor"],
)
def test_every_kind_of_friction_holds_its_own(
    robot: Robot, holds: tuple[float, float], moves: tuple[float, float]
) -> None:
    for load in holds:
        assert (simulate(robot, torque=[load], duration=0.1, step=0.01).q == 0).all()
    for load in moves:
        run = simulate(robot, torque=[load], duration=0.1, step=0.01)
        # 0.1 is left of the load, and the friction of the way it goes.
        np.testing.assert_allclose(run.q[:, 0], math.copysign(0.05, load) * run.time**2, atol=1e-12)


def test_friction_that_falls_with_the_speed() -> None:
    """[7.26]: it holds 15, slips with less; beside SciPy, which is told when it stops."""
    robot = sliding_mass(Fs=10.0, Fv=0.3, friction={"Fst": 15.0, "B": 2.0})
    assert (simulate(robot, torque=[14.99], duration=1.0).q == 0).all()

    def level(v: float) -> float:
        return 10 + 5 * math.exp(-2 * abs(v))

    def rate(t: float, x: Any) -> list[float]:
        return [x[1], 15.01 - level(x[1]) - 0.3 * x[1]]

    run = simulate(robot, torque=[15.01], duration=1.5)
    made = solve_ivp(rate, (0, 1.5), [0, 0], t_eval=run.time, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(run.q[:, 0], made.y[0], atol=1e-9)
    assert run.q[-1, 0] > 0.1

    def stops(t: float, x: Any) -> float:
        return float(x[1])

    stops.terminal = True  # type: ignore[attr-defined]
    slowing = solve_ivp(
        lambda t, x: [x[1], -level(x[1]) - 0.3 * x[1]], (0, 1), [0, 2.0], events=stops, rtol=1e-11, atol=1e-13
    )
    run = simulate(robot, qd=[2.0], duration=1.0)
    assert run.q[-1, 0] == pytest.approx(slowing.y[0, -1], abs=1e-9)
    assert run.time[np.argmax(run.qd[:, 0] == 0)] == pytest.approx(slowing.t[-1], abs=1e-3)


def test_a_drive_winds_up_until_the_joint_breaks_away() -> None:
    """The motor swings on its spring, k q_M = tau (1 - cos w t), until that is what friction holds."""
    k, rotor, tau = 50.0, 0.02, 6.0
    robot = sliding_mass(Fs=10.0, actuator={"Ia": number(rotor)}, flexibility=k)
    run = simulate(robot, torque=[tau], duration=0.1, step=1e-4)
    w = math.sqrt(k / rotor)
    breaks = math.acos(1 - 10 / tau) / w
    sticks = run.time <= breaks
    np.testing.assert_allclose(run.more["q_motor"][sticks, 0], tau / k * (1 - np.cos(w * run.time[sticks])), atol=1e-10)
    assert (run.q[sticks] == 0).all()
    moved = run.time[np.argmax(run.qd[:, 0] > 0)]
    assert breaks < moved < breaks + 2.5e-4


# --- several joints ----------------------------------------------------------------------------------------------------

LOAD = np.array([4.0, 0.5, -0.2])


@pytest.fixture(scope="module")
def chain() -> Robot:
    return arm(6.0, 1.5, 0.4)


def test_which_joints_stick_beside_all_possible_ways(chain: Robot) -> None:
    """At rest everywhere: after a tiny step the signs of the speeds are the one answer among 3^n."""
    rng = np.random.default_rng(7)
    count = 200
    q = rng.uniform(-np.pi, np.pi, (count, 3))
    levels = rng.uniform(0, 1, (count, 3)) * [8.0, 3.0, 1.0]
    batch = {"q": q} | {f"FS{k + 1}": levels[:, k] for k in range(3)}
    runs = simulate(chain, torque=LOAD, duration=1e-7, step=1e-7, batch=batch)
    twin = Twin.of_robot(chain)
    for k in range(count):
        A, b = twin.crba(q[k]), LOAD - twin.bias(q[k], np.zeros(3))
        ways = fitting_ways(A, b, levels[k], np.zeros(3))
        assert len(ways) == 1
        np.testing.assert_array_equal(np.sign(runs.qd[k, -1]), ways[0], err_msg=f"run {k}")
    found = {tuple(x) for x in np.sign(runs.qd[:, -1])}
    assert len(found) > 12


def starts(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """Half of the joints at rest."""
    levels = rng.uniform(0.3, 8, (count, 3)) * [1.0, 0.4, 0.2]
    states = {
        "q": rng.uniform(-1.5, 1.5, (count, 3)),
        "qd": rng.uniform(-2, 2, (count, 3)) * rng.integers(0, 2, (count, 3)),
    }
    return states | {f"FS{k + 1}": levels[:, k] for k in range(3)}


def test_coupled_joints_beside_scipy_with_events(chain: Robot) -> None:
    """Joints stop, stick and break away several times in each run. A joint breaks away at the beginning of a step, so the error
    falls with its square."""
    batch = starts(np.random.default_rng(0), 6)
    fine, coarse = (simulate(chain, torque=LOAD, duration=1.0, step=h, batch=batch) for h in (2e-4, 1e-3))
    assert isinstance(fine, Runs)
    assert isinstance(coarse, Runs)
    twin, at = Twin.of_robot(chain), np.linspace(0, 1, 101)
    errors, changes = [], 0
    for k in range(len(fine)):
        levels = np.array([batch[f"FS{j}"][k] for j in (1, 2, 3)])
        q, qd, changed = driven_by_events(
            lambda x, v: (twin.crba(x), LOAD - twin.bias(x, v)), levels, batch["q"][k], batch["qd"][k], 1.0, at
        )
        errors.append([np.abs(runs.q[k, ::every] - q).max() for runs, every in ((fine, 50), (coarse, 10))])
        changes += changed
        rests = fine.qd[k, ::50] == 0
        assert (np.abs(qd[rests]) < 2e-3).all()
    assert changes > 20
    assert np.max(errors, axis=0)[0] < 5e-6
    assert np.max(errors, axis=0)[1] < 1e-4
    assert (fine.qd == 0).mean() > 0.1


def test_a_batch_is_its_runs(chain: Robot) -> None:
    """Lanes stop and stick at their own times."""
    batch = starts(np.random.default_rng(3), 5)
    runs = simulate(chain, torque=LOAD, duration=0.5, step=2e-3, batch=batch)
    for k in range(5):
        own = {name: float(x[k]) for name, x in batch.items() if name.startswith("FS")}
        one = simulate(chain, torque=LOAD, duration=0.5, step=2e-3, q=batch["q"][k], qd=batch["qd"][k], parameters=own)
        np.testing.assert_allclose(runs.q[k], one.q, atol=1e-13)
        np.testing.assert_allclose(runs.qd[k], one.qd, atol=1e-12)
        np.testing.assert_array_equal(runs.qd[k] == 0, one.qd == 0)


def test_ten_seconds_under_gravity_move_nothing(chain: Robot) -> None:
    held = {"FS1": 40.0, "FS2": 20.0, "FS3": 5.0}
    run = simulate(chain, q=[0.3, -0.4, 0.5], duration=10.0, parameters=held, every=1000)
    assert (run.qd == 0).all()
    assert (run.q == run.q[0]).all()


@pytest.mark.parametrize("integrator", ["rk4", "midpoint"])
def test_friction_takes_energy_until_all_rests(chain: Robot, integrator: str) -> None:
    run = simulate(chain, q=[0.3, -0.4, 0.5], qd=[1, -4.0, 3.0], duration=6.0, step=2e-3, integrator=integrator)
    assert isinstance(run, Run)
    total = run.energy["total"]
    assert np.diff(total).max() < 1e-7
    assert total[0] - total[-1] > 1
    assert (run.qd[-1] == 0).all()


def test_driven_joints_of_closed_loops_stick() -> None:
    robot = robosym.load("five-bar")
    frames = list(robot.frames)
    for j in robot.moving:
        frames[j - 1] = replace(robot.frame(j), actuator=Actuator(Fs=number(1.5)))
    for j, frame in enumerate(frames, 1):
        if j not in robot.moving:
            frames[j - 1] = replace(frame, actuator=Actuator())
    robot = robot.replace(frames=tuple(frames))
    run = simulate(robot, q=[-1.4, -1.5], qd=[1.0, 2.0], duration=3.0, limits=False)
    total = run.energy["total"]
    assert np.diff(total).max() < 1e-7
    assert (run.qd[-1] == 0).all()
    assert (run.q[-100:] == run.q[-1]).all()
    assert np.abs(run.q[-1] - run.q[0]).max() > 0.05


# --- what cannot stick -------------------------------------------------------------------------------------------------


def test_followers_and_coupled_motors_are_refused(chain: Robot) -> None:
    first, second, third = chain.frames
    follower = replace(second, joint=replace(second.joint, mimic=Mimic(1)))
    with pytest.raises(RobotError, match="joint 'joint2': follows others and has Coulomb friction"):
        simulate(chain.replace(frames=(first, follower, third)), duration=0.1)
    motors = [replace(f, actuator=Actuator(motor=Motor(Fs=number(0.1)))) for f in (first, second)]
    matrix = tuple(tuple(map(number, row)) for row in ((1.0, 0.5), (0.0, 1.0)))
    coupled = chain.replace(frames=(*motors, third), couplings=(Coupling((1, 2), matrix),))
    with pytest.raises(RobotError, match="joint 'joint1': its motor turns with several joints"):
        simulate(coupled, duration=0.1)


def test_a_motor_that_moves_another_joint_alone(chain: Robot) -> None:
    """Crossed: the motor of joint 1 moves joint 2, which sticks by its friction."""
    first, second = (replace(f, actuator=Actuator()) for f in chain.frames[:2])
    first = replace(first, actuator=Actuator(motor=Motor(Fs=number(3.0))))
    matrix = tuple(tuple(map(number, row)) for row in ((0.0, 0.5), (0.5, 0.0)))
    robot = Robot("crossed", (first, second), gravity=(number(0),) * 3, couplings=(Coupling((1, 2), matrix),))
    # The friction of the motor is 6 in joint 2, whose speed is half of its own.
    run = simulate(robot, q=[0.0, 0.0], torque=[0.0, 5.9], duration=0.2)
    assert (run.q == 0).all()
    run = simulate(robot, q=[0.0, 0.0], torque=[0.0, 6.1], duration=0.2)
    assert run.qd[-1, 1] > 0.01


def test_friction_of_a_shared_motor_acts_on_a_joint_at_rest() -> None:
    """A motor with viscous friction turns with both masses: as one moves, it pulls at the other, until that breaks away."""
    rail = sliding_mass(Fs=1.0).frames[0]
    second = replace(rail, name="other", joint=replace(rail.joint, name="y", variable=robosym.expr.variable("q2")))
    second = replace(second, r=robosym.expr.variable("q2"), antecedent=0)
    viscous = Motor(Fv=number(2.0))
    frames = (replace(rail, actuator=Actuator(motor=viscous)), second)
    matrix = tuple(tuple(map(number, row)) for row in ((1.0, -1.0), (0.0, 1.0)))  # q_m1 = q1 + q2
    robot = Robot("two masses", frames, gravity=(number(0),) * 3, couplings=(Coupling((1, 2), matrix),))
    slow, fast = (simulate(robot, qd=[v, 0.0], torque=[2.0 * v, 0.0], duration=0.1) for v in (0.49, 0.51))
    assert (slow.q[:, 1] == 0).all()  # 2 v = 0.98 < 1
    np.testing.assert_allclose(slow.qd[:, 0], 0.49, atol=1e-12)
    assert fast.qd[-1, 1] < -1e-4  # 1.02 > 1, against the way of the first


def test_smooth_friction_needs_a_width() -> None:
    with pytest.raises(RobotError, match="friction width"):
        simulate(sliding_mass(Fs=10.0), duration=0.1, friction="smooth")
    robot = sliding_mass(Fs=10.0, friction={"width": 1e-3})
    assert isinstance(robot.frames[0].actuator.friction, Friction)
    run = simulate(robot, qd=[1.0], duration=0.2, step=1e-4, friction="smooth")
    assert run.q[-1, 0] == pytest.approx(0.05, abs=1e-3)
