"""What moves: beside loops in Pinocchio, MuJoCo and published numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.pinocchio_states import Twin, pin
from random_robots import random_robot
from real_robots import real_robot, urdf_file
from simulation.plants import pinocchio_rate, runge_kutta, without_friction

import robosym
from robosym import control
from robosym.expr import number, parameter
from robosym.models.common import ASSEMBLED
from robosym.robot import Mimic, Robot, Value
from robosym.simulation import Run, SimulationError, simulate

FALLEN = (0.992074318, -3.269242483, 4.969974744, -0.195844460, 9.338861167, 1.042012892)


@pytest.fixture(scope="module")
def puma() -> Robot:
    return real_robot("puma")


def test_free_fall_of_a_puma(puma: Robot) -> None:
    """A second from q = 0.3, and the order of the method: errors shrink by 16 when the step is halved."""
    ends = {h: simulate(puma, q=[0.3] * 6, duration=1.0, step=h, limits=False).q[-1] for h in (4e-3, 2e-3, 1e-3, 2e-4)}
    np.testing.assert_allclose(ends[1e-3], FALLEN, atol=3e-9)
    error = [np.abs(ends[h] - ends[2e-4]).max() for h in (4e-3, 2e-3, 1e-3)]
    assert error[0] / error[1] == pytest.approx(15.8, abs=0.15)
    assert error[1] / error[2] == pytest.approx(15.9, abs=0.15)


def test_energy_of_ten_seconds(puma: Robot) -> None:
    run = simulate(puma, q=[0.3] * 6, duration=10.0, limits=False, every=100)
    assert isinstance(run, Run)
    assert run.measure("energy drift") < 1e-6
    assert run.energy["kinetic"].max() > 10


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "floating"), [("puma", False), ("arm7", False), ("solo12", True)])
def test_torques_in_time_beside_pinocchio(name: str, floating: bool) -> None:
    robot = without_friction(real_robot(name, floating=floating))
    rng = np.random.default_rng(5)
    n, nv = len(robot.moving), robot.nv
    q, qd = rng.uniform(-0.4, 0.4, robot.nq), rng.uniform(-0.5, 0.5, nv)
    if floating:
        q[3:7] = np.array([0.1, -0.3, 0.2, 0.9]) / np.linalg.norm([0.1, -0.3, 0.2, 0.9])

    def torque(t: float) -> np.ndarray:
        return 2.0 * np.sin(5 * t + np.arange(n)) / n

    run = simulate(robot, q=q, qd=qd, torque=torque, duration=0.2, limits=False, held=True)
    rate = pinocchio_rate(Twin.of_urdf(urdf_file(name), robot))
    padded = lambda t, x, v: np.concatenate([np.zeros(nv - n), torque(t)])  # noqa: E731
    expected = runge_kutta(rate, q, qd, padded, 1e-3, 200)
    np.testing.assert_allclose(run.q, expected[0], atol=1e-12)
    np.testing.assert_allclose(run.qd, expected[1], atol=2e-11)
    assert np.abs(run.q[-1] - run.q[0]).max() > 0.05


def test_computed_torque_beside_pinocchio(puma: Robot) -> None:
    """A closed loop of which nothing but the description of the robot is ours: model, law, saturation and integration."""
    twin = Twin.of_urdf(urdf_file("puma"), puma)
    w, most = 25.0, np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
    law = control.computed_torque(puma, bandwidth=w, limits=most)
    start, way = np.full(6, 0.1), np.array([0.3, -0.2, 0.4, 0.5, -0.3, 0.2])

    def wanted(t: float) -> tuple[np.ndarray, ...]:
        s = np.sin(3 * t)
        return start + way * s, 3 * way * np.cos(3 * t), -9 * way * s

    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        q_d, qd_d, qdd_d = wanted(t)
        return np.clip(twin.rnea(q, qd, qdd_d + 2 * w * (qd_d - qd) + w * w * (q_d - q)), -most, most)

    q = start + 0.15
    run = simulate(puma, law, wanted, q=q, duration=0.2, limits=False)
    expected = runge_kutta(pinocchio_rate(twin), q, np.zeros(6), torque, 1e-3, 200)
    np.testing.assert_allclose(run.q, expected[0], atol=1e-12)
    np.testing.assert_allclose(run.qd, expected[1], atol=1e-10)
    tau = [torque(t, x, v) for t, x, v in zip(run.time, *expected, strict=True)]
    np.testing.assert_allclose(run.tau, tau, atol=1e-9)
    assert (np.abs(run.tau) == most).any(), "no torque was at its limit"


def test_a_free_base_and_joints_that_follow_others_beside_pinocchio() -> None:
    robot = robosym.load("eel-3")
    frames = list(robot.frames)
    *_, leader, last = robot.moving
    follows = replace(robot.frame(last).joint, mimic=Mimic(leader, number(-0.7), number(0.2)))
    frames[last - 1] = replace(robot.frame(last), joint=follows)
    robot = without_friction(robot.replace(frames=tuple(frames)))
    assert robot.base.floating
    assert len(robot.moving) == len(frames) - 1
    rng = np.random.default_rng(3)
    q = np.concatenate([[0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5], rng.uniform(-0.5, 0.5, len(robot.moving))])
    qd = rng.uniform(-1, 1, robot.nv)
    run = simulate(robot, q=q, qd=qd, duration=0.1)
    rate = pinocchio_rate(Twin.of_robot(robot))
    expected = runge_kutta(rate, q, qd, lambda t, x, v: np.zeros(robot.nv), 1e-3, 100)
    np.testing.assert_allclose(run.q, expected[0], atol=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=4)
def test_random_trees_beside_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, int(rng.integers(2, 6)))
    n = len(robot.moving)
    q, qd, tau = (rng.uniform(-0.5, 0.5, n) for _ in range(3))
    run = simulate(robot, q=q, qd=qd, torque=tau, duration=0.02)
    expected = runge_kutta(pinocchio_rate(Twin.of_robot(robot)), q, qd, lambda t, x, v: tau, 1e-3, 20)
    scale = np.abs(expected[1]).max()
    np.testing.assert_allclose(run.q, expected[0], atol=1e-12 * max(1, scale))
    np.testing.assert_allclose(run.qd, expected[1], atol=1e-10 * max(1, scale))


def test_a_second_in_mujoco() -> None:
    mujoco = pytest.importorskip("mujoco")
    robot = without_friction(real_robot("ur5"))
    model = mujoco.MjModel.from_xml_string(_for_mujoco(urdf_file("ur5")))
    model.opt.timestep, model.opt.integrator = 1e-3, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.dof_frictionloss[:], model.dof_damping[:], model.dof_armature[:] = 0.0, 0.0, 0.0
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(model.njnt)]
    order = [names.index(name) for name in robot.joint_names]
    state = mujoco.MjData(model)
    q = np.array([0.3, -0.8, 0.6, 0.2, 0.4, -0.1])
    state.qpos[order] = q
    for _ in range(1000):
        mujoco.mj_step(model, state)
    run = simulate(robot, q=q, duration=1.0, limits=False)
    np.testing.assert_allclose(run.q[-1], state.qpos[order], atol=1e-6)


def _for_mujoco(path: Path) -> str:
    """Without meshes, and with the world's links kept apart."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<(visual|collision)\b.*?</\1>", "", text, flags=re.S)
    text = re.sub(r"<(visual|collision)\b[^>]*/>", "", text)
    extra = '<mujoco><compiler balanceinertia="false" inertiafromgeom="false" fusestatic="true"/></mujoco>'
    return re.sub(r"(<robot\b[^>]*>)", rf"\1{extra}", text, count=1)


def test_wrench_is_what_a_link_exerts_on_the_environment(puma: Robot) -> None:
    """Pinocchio's forces are what the environment exerts on the link."""
    twin = Twin.of_urdf(urdf_file("puma"), puma)
    link, last = puma.frame(6).name, 6
    w = np.array([3.0, -2.0, 5.0, 0.4, 0.3, -0.2])

    def rate(q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return np.asarray(pin.aba(twin.model, twin.data, q, qd, tau, twin.forces(q, {last: w})))

    q = np.full(6, 0.3)
    run = simulate(puma, q=q, wrench={link: w}, duration=0.03, limits=False)
    expected = runge_kutta(rate, q, np.zeros(6), lambda t, x, v: np.zeros(6), 1e-3, 30)
    np.testing.assert_allclose(run.q, expected[0], atol=1e-12)
    in_time = simulate(puma, q=q, wrench={link: lambda t: w}, duration=0.03, limits=False)
    np.testing.assert_array_equal(in_time.q, run.q)


def test_wrenches_of_the_description_act_without_others(puma: Robot) -> None:
    """Numbers and parameters on a link, as if they were given; the energy is not that of a robot that nothing pushes."""
    w = np.array([3.0, -2.0, 5.0, 0.4, 0.3, -0.2])
    for entries, values in (([*map(number, w)], {}), ([*map(number, w[:5]), -parameter("P")], {"P": Value(0.2)})):
        last = puma.frame(6)
        frame = replace(last, link=replace(last.link, wrench=tuple(entries)))
        pushed = puma.replace(frames=(*puma.frames[:5], frame, *puma.frames[6:]), values={**puma.values, **values})
        run = simulate(pushed, q=[0.3] * 6, duration=0.03, limits=False)
        expected = simulate(puma, q=[0.3] * 6, wrench={last.name: w}, duration=0.03, limits=False)
        np.testing.assert_allclose(run.q, expected.q, atol=1e-13)
        assert "the energy" not in run.summary()
        other = simulate(pushed, q=[0.3] * 6, duration=0.03, friction=False)
        assert np.abs(other.q[-1] - simulate(puma, q=[0.3] * 6, duration=0.03, friction=False).q[-1]).max() > 1e-6


def test_a_wrench_of_a_floating_base_acts() -> None:
    free = robosym.load("planar-2r", floating=True)
    base = replace(free.base, link=replace(free.base.link, wrench=(number(3), *[number(0)] * 5)))
    pushed, start = free.replace(base=base), {"q": [0, 0, 0, 0, 0, 0, 1, 0.1, 0.2], "duration": 0.01}
    assert np.abs(simulate(pushed, **start).q[-1] - simulate(free, **start).q[-1]).max() > 1e-6


def test_modes_of_closed_loops_move_differently() -> None:
    """And each as an open system does: its energy stays."""
    robot = robosym.load("four-bar")
    ends = []
    for mode in robosym.models.loop_geometry(robot).modes:
        run = simulate(robot, q=[0.9], qd=[1.0], duration=0.3, friction=False, limits=False, mode=mode)
        assert run.measure("energy drift") < 1e-8
        assert run.energy["kinetic"].max() > 0.01
        ends.append(run.q[-1, 0])
    assert len(ends) == 2
    assert abs(ends[0] - ends[1]) > 1e-3


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("integrator", ["rk4", "midpoint", "dop853", "radau"])
def test_loops_that_come_apart_are_noticed(integrator: str) -> None:
    """It falls into a position in which its loop is stretched."""
    robot = robosym.load("five-bar-general")
    assert ASSEMBLED in {slot.name for slot in robosym.models.forward_dynamics(robot).code.outputs}
    options = {"rtol": 1e-5, "atol": 1e-7} if integrator in ("dop853", "radau") else {}
    run = simulate(robot, q=[0.0, 0.0], duration=0.4, step=2e-3, integrator=integrator, friction=False, **options)
    assert run.failed == pytest.approx(0.306, abs=0.004)
    assert "closed loops came apart" in run.reason
    assert np.isfinite(run.valid.q).all()
    total = run.energy["total"][run.time < 0.28]
    assert np.abs(total - total[0]).max() < 0.01


def test_another_robot_than_that_of_the_law(puma: Robot) -> None:
    with pytest.raises(SimulationError, match="law: made for"):
        simulate(puma, control.computed_torque(robosym.load("planar-2r")), [0.0] * 6, duration=0.1)
