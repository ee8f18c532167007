"""Integrators: their orders on every kind of plant, energy, stiff problems; closed forms and SciPy beside them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from models.pinocchio_states import Twin, pin
from simulation.plants import sliding_mass, without_friction
from simulation.tops import mixed, momentum, quaternion_places, start, top

import robosym
from robosym.expr import number
from robosym.robot import Flexibility, Friction, Robot
from robosym.simulation import simulate

ORDERS = {"rk4": 4, "semi-implicit": 1, "midpoint": 2}


def flexible_pendulum() -> Robot:
    """The double pendulum with springs between its motors and joints."""
    robot = robosym.load("double-pendulum")
    frames = [
        replace(
            frame,
            actuator=replace(frame.actuator, Ia=number(0.1), flexibility=Flexibility(number(40.0 + 20 * k))),
        )
        for k, frame in enumerate(robot.frames)
    ]
    return robot.replace(frames=tuple(frames))


PLANTS = {
    "fixed": (lambda: robosym.load("double-pendulum"), [1.0, 0.5]),
    "free base": (
        lambda: without_friction(robosym.load("eel-2")),
        [0.1, -0.2, 0.3, 0.1, 0.7, -0.1, 0.7, 0.4],
    ),
    "closed loop": (lambda: without_friction(robosym.load("five-bar")), [-1.2, -1.4]),
    "flexible": (flexible_pendulum, [0.6, -0.3]),
    "ball joint": (top, [0.5, -0.1, 0.1, 0.7]),
    "joints of every kind": (mixed, start(mixed())[0]),
    "joints of every kind on a floating base": (lambda: mixed(floating=True), start(mixed(floating=True))[0]),
}


@pytest.fixture(scope="module", params=PLANTS)
def plant(request: pytest.FixtureRequest) -> tuple[Robot, np.ndarray]:
    make, q = PLANTS[request.param]
    robot, first = make(), np.array(q)
    if robot.base.floating:
        first = np.concatenate([first, np.full(robot.nq - len(first), 0.3)])
    for place in quaternion_places(robot):
        first[place : place + 4] /= np.linalg.norm(first[place : place + 4])
    return robot, first


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("integrator", ORDERS)
def test_errors_fall_with_the_order(plant: tuple[Robot, np.ndarray], integrator: str) -> None:
    robot, q = plant
    qd = np.linspace(0.5, -0.7, robot.nv)

    def end(name: str, step: float) -> np.ndarray:
        run = simulate(robot, q=q, qd=qd, duration=0.16, step=step, integrator=name, limits=False, every=10**6)
        assert run.failed is None
        return np.concatenate([run.q[-1], run.qd[-1]])

    exact = end("rk4", 2.5e-4)
    errors = [np.abs(end(integrator, h) - exact).max() for h in (8e-3, 4e-3)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(ORDERS[integrator], abs=0.35)
    assert errors[0] > 1e-11, "too exact to tell the order"


def test_a_free_base_keeps_its_quaternion_and_its_momentum() -> None:
    """Only gravity acts from outside: the momentum grows by that, the angular momentum about the centre of mass stays."""
    robot = without_friction(robosym.load("eel-2"))
    q = np.concatenate([[0.1, -0.2, 0.3, 0.5, 0.5, -0.5, 0.5], np.full(len(robot.moving), 0.4)])
    run = simulate(robot, q=q, qd=np.linspace(1, -1, robot.nv), torque=np.full(len(robot.moving), 0.3), duration=0.5)
    np.testing.assert_allclose(np.linalg.norm(run.q[:, 3:7], axis=1), 1, atol=1e-14)
    twin = Twin.of_robot(robot)
    found = np.array(
        [
            pin.computeCentroidalMomentum(twin.model, twin.data, twin.configuration(x), twin.spread @ v).vector
            for x, v in zip(run.q[::50], run.qd[::50], strict=True)
        ]
    )
    weight = pin.computeTotalMass(twin.model) * np.concatenate([twin.model.gravity.linear, np.zeros(3)])
    np.testing.assert_allclose(found, found[0] + run.time[::50, None] * weight, atol=1e-9)
    assert np.abs(found[0]).min() > 1e-3


@pytest.mark.parametrize("integrator", [*ORDERS, "dop853"])
def test_a_free_body_keeps_its_momentum_and_its_quaternion(integrator: str) -> None:
    """Without gravity, in a motion that is not about a principal axis: 10 000 steps."""
    steps = 200 if integrator == "dop853" else 10_000
    run = simulate(top(gravity=0.0), qd=[2.0, 3.0, -1.0], duration=1e-3 * steps, step=1e-3, integrator=integrator)
    np.testing.assert_allclose(np.linalg.norm(run.q, axis=1), 1, atol=1e-14)
    drift = np.abs(momentum(run.q, run.qd) - momentum(run.q[:1], run.qd[:1])).max()
    assert drift < {"rk4": 1e-9, "semi-implicit": 0.05, "midpoint": 1e-4, "dop853": 1e-9}[integrator]
    assert (
        np.ptp(run.energy["total"]) < {"rk4": 1e-9, "semi-implicit": 0.05, "midpoint": 1e-5, "dop853": 1e-9}[integrator]
    )
    assert np.ptp(run.qd, axis=0).min() > 0.1, "it turns about a principal axis"


@pytest.mark.parametrize("integrator", ["dop853", "radau"])
def test_adaptive_integrators_of_joints_of_every_kind(integrator: str) -> None:
    robot = mixed(floating=True)
    q, qd = start(robot)
    given = {"q": q, "qd": qd, "torque": np.linspace(-1, 1, robot.nv), "duration": 0.1}
    fixed = simulate(robot, **given, step=2e-4)
    adaptive = simulate(robot, **given, step=1e-2, integrator=integrator)
    np.testing.assert_allclose(adaptive.q[-1], fixed.q[-1], atol=1e-8)
    np.testing.assert_allclose(adaptive.qd[-1], fixed.qd[-1], atol=1e-7)


def test_a_spinning_top_beside_mujoco() -> None:
    """A heavy top that precesses and nutates, one second: MuJoCo's ball joint by steps of the same method."""
    mujoco = pytest.importorskip("mujoco")
    text = """<mujoco><option timestep="1e-4" integrator="RK4" gravity="0 0 -9.81"><flag contact="disable"/></option>
    <worldbody><body><joint type="ball"/><inertial pos="0 0 .25" mass="1.2" diaginertia=".225 .275 .2"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    q, qd = np.array([0.1, 0.2, 0.05, 0.97]), np.array([0.5, -0.3, 12.0])
    q /= np.linalg.norm(q)
    data.qpos[:], data.qvel[:] = q[[3, 0, 1, 2]], qd
    for _ in range(10_000):
        mujoco.mj_step(model, data)
    run = simulate(top(), q={"hip": q}, qd={"hip": qd}, duration=1.0, step=1e-4)
    np.testing.assert_allclose(run.q[-1], data.qpos[[1, 2, 3, 0]], atol=1e-8)
    np.testing.assert_allclose(run.qd[-1], data.qvel, atol=1e-8)
    assert np.ptp(run.energy["total"]) < 1e-9
    L = momentum(run.q, run.qd)[:, 2]  # about the vertical
    assert np.ptp(L) < 1e-9
    assert np.ptp(run.energy["kinetic"]) > 0.01


def test_energy_of_flexible_joints_stays() -> None:
    """Without torques: of the links, the rotors and the springs together."""
    robot = flexible_pendulum()
    run = simulate(robot, q=[0.6, -0.3], qd=[0.5, 1.0], duration=1.0)
    motor, speed = run.more["q_motor"], run.more["qd_motor"]
    springs = (np.array([40.0, 60.0]) * (run.q - motor) ** 2).sum(axis=1) / 2
    rotors = (0.1 * speed**2).sum(axis=1) / 2
    links = robosym.load("double-pendulum")
    energy = robosym.models.energy(links).compile()(q=run.q, qd=run.qd)
    total = energy["total"][:, 0] + springs + rotors
    assert np.abs(total - total[0]).max() < 1e-7
    assert np.ptp(springs) > 0.05
    assert np.ptp(rotors) > 0.05


def test_a_mass_between_a_motor_and_a_spring() -> None:
    """Two masses on a spring, pulled: the closed form of their distance and of their centre."""
    k, m, rotor, force = 80.0, 2.0, 0.5, 3.0
    robot = sliding_mass(mass=m, actuator={"Ia": number(rotor)}, flexibility=k)
    run = simulate(robot, q=[0.0], torque=[force], duration=1.0)
    t, q, motor = run.time, run.q[:, 0], run.more["q_motor"][:, 0]
    centre = (m * q + rotor * motor) / (m + rotor)
    np.testing.assert_allclose(centre, force / (m + rotor) * t**2 / 2, atol=1e-10)
    reduced = m * rotor / (m + rotor)
    w = math.sqrt(k / reduced)
    np.testing.assert_allclose(motor - q, force / rotor / w**2 * (1 - np.cos(w * t)), atol=1e-8)


# --- stiff -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stiff() -> Robot:
    """Friction that changes its sign over a thousandth of a speed: at rest its slope is 1e4 for a mass of one."""
    return sliding_mass(Fs=10.0, friction={"width": 1e-3})


def test_midpoint_goes_on_where_rk4_cannot(stiff: Robot) -> None:
    """It creeps under a load: tanh(v / width) = 0.5."""
    run = simulate(stiff, torque=[5.0], duration=0.2, step=1e-3, integrator="midpoint", friction="smooth")
    assert run.failed is None
    assert run.qd[-1, 0] == pytest.approx(1e-3 * math.atanh(0.5), rel=1e-6)
    explicit = simulate(stiff, torque=[5.0], duration=0.2, step=1e-3, friction="smooth")
    assert explicit.failed is not None or abs(explicit.qd[-1, 0] / 1e-3 / math.atanh(0.5) - 1) > 0.1
    assert any("step of 0.001 s is too large for x" in note for note in explicit.notes)
    assert not any("too large" in note for note in run.notes)


def test_stiff_problems_beside_radau(stiff: Robot) -> None:
    given = {"qd": [0.5], "torque": [5.0], "duration": 0.2, "friction": "smooth"}
    radau = simulate(stiff, integrator="radau", rtol=1e-9, atol=1e-11, **given)
    midpoint = simulate(stiff, integrator="midpoint", step=2e-4, **given)
    assert midpoint.q[-1, 0] == pytest.approx(radau.q[-1, 0], abs=2e-5)


def test_a_step_that_midpoint_cannot_solve_is_told() -> None:
    """Not a wrong number: Newton's iteration of a wild problem does not settle, and the run ends there."""
    robot = robosym.load("double-pendulum")
    run = simulate(robot, q=[3.0, 0.5], qd=[400.0, -900.0], duration=2.0, step=0.5, integrator="midpoint")
    assert run.failed is not None
    assert np.isnan(run.q[-1]).all()


def test_widths_and_signs_agree_far_from_rest() -> None:
    """Smooth friction of a joint that is fast is that of the sign."""
    robot = sliding_mass(Fs=2.0, Fv=0.5, friction={"width": 1e-3})
    assert isinstance(robot.frames[0].actuator.friction, Friction)
    runs = [simulate(robot, qd=[3.0], duration=0.5, friction=kind) for kind in ("stick", "smooth")]
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-12)
    # v' = -2 - v/2, so v = 7 exp(-t/2) - 4.
    np.testing.assert_allclose(runs[0].qd[:, 0], 7 * np.exp(-runs[0].time / 2) - 4, atol=1e-10)
