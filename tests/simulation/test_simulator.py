"""Closed loops as the textbook says they are, and every argument that is wrong by its name."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from simulation.plants import sliding_mass

import robosym
from robosym import control
from robosym.caches import PLACE
from robosym.control import Law
from robosym.errors import RobosymError
from robosym.robot import Limits, Robot
from robosym.simulation import simulate, simulator
from robosym.trajectory import point_to_point


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


@pytest.fixture(scope="module")
def law(robot: Robot) -> Law:
    return control.computed_torque(robot, bandwidth=20, limits=False)


# --- equations of errors -----------------------------------------------------------------------------------------------


def test_errors_of_computed_torque(robot: Robot, law: Law) -> None:
    """[9.25] with e0 = 0.01, w = 20: e(0.1) = 0.004060058, which a torque held for a shorter and shorter period comes to; held for
    a millisecond it is 0.0040238."""
    errors = []
    for period in (1e-3, 1e-4, 2e-5):
        own = control.computed_torque(robot, bandwidth=20, limits=False, period=period)
        run = simulate(robot, own, [0.01, 0.01], q=[0.0, 0.0], duration=0.1, step=period, friction=False)
        errors.append(run.error[-1])
    np.testing.assert_allclose(errors[0], 0.0040238, atol=3e-6)
    continuous = 0.01 * 3 * np.exp(-2)
    assert continuous == pytest.approx(0.004060058, abs=1e-9)
    away = np.abs(np.array(errors) - continuous)
    np.testing.assert_allclose(away[0] / away[1], 10, rtol=0.05)
    assert away[2].max() < 1e-6


def test_a_position_to_hold(robot: Robot) -> None:
    """[9.30]: without the wanted velocities the error of a target at rest is the same."""
    own = control.computed_torque(robot, bandwidth=20, scheme="position", limits=False, period=1e-4)
    run = simulate(robot, own, [0.01, -0.02], q=[0.0, 0.0], duration=0.1, step=1e-4, friction=False)
    x = 20 * run.time[:, None]
    np.testing.assert_allclose(run.error, np.array([0.01, -0.02]) * (1 + x) * np.exp(-x), atol=1e-5)


def test_energy_falls_under_pd_and_gravity(robot: Robot) -> None:
    """[9.16]: V = 1/2 qd A qd + 1/2 e Kp e."""
    own = control.pd_gravity(robot, bandwidth=8.0, limits=False, period=1e-4)
    run = simulate(robot, own, [0.6, -0.4], q=[-0.5, 0.9], qd=[1.0, -2.0], duration=2.0, step=1e-4)
    V = run.energy["kinetic"] + (own.gains["Kp"] * run.error**2).sum(axis=1) / 2
    assert np.diff(V).max() < 1e-4 * V[0]  # of a torque that is held
    assert V[-1] < 0.01 * V[0]


def test_a_model_that_is_not_the_robot(robot: Robot, law: Law) -> None:
    """[9.28]: near rest e'' + Kd e' + Kp e = A^-1 (gravity that is not known) with A^ = A: a known offset of the error. Only gravity
    differs, by a payload whose inertia is small beside it: the error comes to rest at A^-1 dQ / Kp."""
    q = np.array([0.4, -0.7])
    run = simulate(robot, law, q, q=q, duration=1.5, parameters={"G2": -11.0}, friction=False)
    A = robosym.models.inertia_matrix(robot).compile()(q=run.q[-1])
    gravity = robosym.models.gravity(robot).compile()
    lacks = gravity(q=run.q[-1], parameters={"G2": -11.0}) - gravity(q=run.q[-1])
    np.testing.assert_allclose(run.error[-1], np.linalg.solve(A, lacks) / 400, rtol=1e-6)
    assert np.abs(run.error[-1]).max() > 1e-3


def test_a_linear_loop_beside_the_matrix_exponential() -> None:
    """A mass under PID with torques held: exact as a discrete system."""
    mass, Kp, Kd, h = 2.0, 300.0, 40.0, 1e-3
    robot = sliding_mass(mass=mass)
    own = control.pid(robot, Kp=Kp, Kd=Kd, limits=False, period=h)
    run = simulate(robot, own, [0.2], q=[0.0], duration=0.3)
    whole = expm(np.array([[0, 1, 0], [0, 0, 1 / mass], [0, 0, 0]]) * h)
    x = np.zeros(2)
    for k in range(len(run.time)):
        assert run.q[k, 0] == pytest.approx(x[0], abs=1e-13)
        tau = Kp * (0.2 - x[0]) - Kd * x[1]
        x = whole[:2, :2] @ x + whole[:2, 2] * tau


def test_trajectories_are_held_after_their_end(robot: Robot, law: Law) -> None:
    move = point_to_point([0.1, 0.2], [0.4, -0.3], duration=0.3)
    run = simulate(robot, law, move, duration=0.6, friction=False)
    assert simulate(robot, law, move).time[-1] == pytest.approx(0.3)
    after = run.time > 0.3 + 1e-9
    np.testing.assert_allclose(run.reference["q_d"][after], np.broadcast_to([0.4, -0.3], (after.sum(), 2)), atol=1e-12)
    assert (run.reference["qd_d"][after] == 0).all()
    assert (run.reference["qdd_d"][after] == 0).all()
    np.testing.assert_allclose(run.q[-1], [0.4, -0.3], atol=1e-4)
    np.testing.assert_array_equal(run.q[0], [0.1, 0.2])


# --- what is wrong -----------------------------------------------------------------------------------------------------

OK: dict[str, Any] = {"duration": 0.01}
WITHOUT_LAW: dict[str, tuple[dict[str, Any], str | re.Pattern[str]]] = {
    "duration": ({"duration": -1}, "duration: got -1, expected a number above 0"),
    "no end": ({"duration": np.inf}, "duration: got inf"),
    "no duration": ({"duration": None}, "duration: expected seconds"),
    "position": ({"q": [1, 2, 3]}, "q: expected 2 numbers"),
    "nan": ({"q": [np.nan, 1]}, "q: holds numbers that are not finite"),
    "several positions": ({"q": np.zeros((3, 2))}, "q: several positions at once"),
    "unknown joint": ({"q": {"knee": 1}}, "q: there is no joint 'knee'"),
    "speed": ({"qd": "fast"}, "qd: expected real numbers"),
    "unknown joint of a speed": ({"qd": {"knee": 1}}, "qd: there is no joint 'knee'"),
    "step": ({"step": 0}, "step: got 0, expected a number above 0"),
    "integrator": (
        {"integrator": "euler"},
        "integrator: got 'euler', expected 'rk4', 'semi-implicit', 'midpoint', 'dop853' or 'radau'",
    ),
    "integrator of a wrong kind": ({"integrator": ["rk4"]}, "integrator: got ['rk4']"),
    "friction": ({"friction": True}, "friction: got True, expected 'stick', 'smooth' or False"),
    "friction of a wrong kind": ({"friction": ["stick"]}, "friction: got ['stick']"),
    "limits": ({"limits": 3}, "limits: got 3, expected True or False"),
    "delay": ({"delay": -1}, "delay: got -1, expected a number of at least 0"),
    "seed": ({"seed": -1}, "seed: got -1, expected a whole number of at least 0"),
    "sensors without a law": ({"resolution": 0.1}, "resolution: without a law nothing is measured"),
    "reference without a law": ({"reference": [0, 0]}, "reference: without a law"),
    "torque": ({"torque": [1, 2, 3]}, "torque: expected 2 torques"),
    "torque of an unknown joint": ({"torque": {"knee": 1}}, "torque: there is no joint 'knee'"),
    "torques of a joint": ({"torque": {"elbow": [1.0] * 10}}, "torque, 'elbow': expected a number"),
    "torques of a joint in time": ({"torque": {"elbow": lambda t: [1, 2]}}, "torque, 'elbow': expected a number"),
    "torque in time": ({"torque": lambda t: [np.nan, 1]}, "torque at 0 s: holds numbers that are not finite"),
    "disturbance": ({"disturbance": [1, 2, 3]}, "disturbance: expected 2 torques"),
    "wrench": ({"wrench": [1, 2]}, "wrench of 'link2': expected six numbers"),
    "wrench of an unknown link": ({"wrench": {"hand": [1] * 6}}, "no such link 'hand'"),
    "wrenches": ({"wrench": np.zeros((10, 6))}, "wrench of 'link2': expected six numbers"),
    "wrench in time": ({"wrench": lambda t: [1, 2, 3]}, "wrench of 'link2': expected six numbers"),
    "parameter": ({"parameters": {"M9": 1}}, "parameters: planar-2r has no parameter 'M9'"),
    "value": (
        {"parameters": {"MX2": "heavy"}},
        re.compile("parameters(, MX2)?: got .*'heavy'}?, expected .*number"),
    ),
    "values": (
        {"parameters": {"MX2": [1, 2]}},
        re.compile(r"parameters(, MX2)?: got .*\[1, 2\]}?, expected .*number"),
    ),
    "parameters": ({"parameters": 3}, "parameters: got 3, expected a mapping"),
    "time of a change": (
        {"changes": {-1: {"MX2": 1}}},
        re.compile("changes.*: got .*-1.*expected .*numbers? of at least 0"),
    ),
    "parameter of a change": ({"changes": {0.005: {"M9": 1}}}, "changes at 0.005 s: planar-2r has no parameter"),
    "change": (
        {"changes": {0.005: 3}},
        re.compile("changes(, 0.005)?: got .*3}?, expected a mapping of .*texts"),
    ),
    "late change": ({"changes": {5.0: {"MX2": 1}}}, "changes: at 5 s the simulation is over"),
    "changes": ({"changes": 3}, "changes: got 3, expected a mapping"),
    "every": ({"every": 0}, "every: got 0, expected a whole number of at least 1"),
    "part of every": ({"every": 1.5}, "every: got 1.5, expected a whole number"),
    "batch": ({"batch": 3}, "batch: got 3, expected a mapping"),
    "empty batch": ({"batch": {}}, "batch: expected what differs by name"),
    "no run": ({"batch": {"MX2": []}}, "batch: there is no run in it"),
    "unknown in the batch": ({"batch": {"speed": [1]}}, "batch: nothing is called 'speed'"),
    "one position": ({"batch": {"q": [1, 2]}}, "batch, q: expected a row for each run"),
    "rows of a parameter": ({"batch": {"MX2": [[1, 2]]}}, "batch, MX2: expected a number for each run"),
    "twice": ({"q": [0, 0], "batch": {"q": np.zeros((2, 2))}}, "q: given once for all runs and in the batch"),
    "reference in the batch": ({"batch": {"reference": [[0, 0]]}}, "batch, reference: without a law"),
    "threads": ({"threads": 0}, "threads: got 0, expected a whole number of at least 1"),
    "progress": ({"progress": 3}, "progress: got 3, expected a function"),
    "option": ({"stp": 3}, "stp: simulate has no such argument (did you mean step?)"),
    "mode": ({"mode": "up"}, "mode: there is no closed loop"),
    "tolerance": ({"rtol": 1e-3}, "rtol: only for integrators whose steps adapt"),
    "tolerance of an adaptive one": (
        {"integrator": "dop853", "friction": False, "rtol": -1},
        "rtol: got -1, expected a number above 0 and below 1",
    ),
    "events": (
        {"integrator": "dop853", "friction": False, "events": 3},
        "events: got 3, expected a function, a list of a function",
    ),
    "sticking joints": ({"integrator": "dop853"}, "dop853 has no friction='stick'"),
}
WITH_LAW: dict[str, tuple[dict[str, Any], str | re.Pattern[str]]] = {
    "reference": ({"reference": None}, "reference: computed-torque follows a motion"),
    "joints of the reference": ({"reference": [1.0, 2, 3]}, "reference: expected 2 numbers"),
    "word": ({"reference": "home"}, "reference: expected real numbers"),
    "function": ({"reference": lambda t: 3}, "reference: the function gave 3 at 0 s"),
    "step": ({"step": 0.7e-3}, "step: 0.0007 s does not divide the period of the law, 0.001 s"),
    "long step": ({"step": 2e-3}, "step: 0.002 s does not divide"),
    "delay": ({"delay": 0.5e-3}, "delay: 0.0005 s is no whole number of periods"),
    "resolution": (
        {"resolution": -1},
        "resolution: got -1, expected a number of at least 0, a list of numbers of at least 0",
    ),
    "resolutions": ({"resolution": [1, 2, 3]}, "resolution: expected one number or 2"),
    "noise": ({"noise": 0.1}, "noise: got 0.1, expected a mapping"),
    "noise of torques": ({"noise": {"tau": 0.1}}, "noise: got {'tau': 0.1}, expected a mapping of 'q' or 'qd'"),
    "deviation": (
        {"noise": {"q": -0.1}},
        re.compile("noise(, q)?: got .*-0.1}?, expected .*numbers? of at least 0"),
    ),
    "measured": ({"measured": "motors"}, "measured: got 'motors', expected 'joints': no joint is flexible"),
    "torque": ({"torque": [1, 2]}, "torque: the law gives the torques"),
    "lengths": ({"batch": {"bandwidth": [1, 2], "q": np.zeros((3, 2))}}, "the numbers differ: bandwidth 2, q 3"),
    "one setting": ({"batch": {"bandwidth": 10}}, "batch, bandwidth: expected an entry for each run"),
    "shape of settings": (
        {"batch": {"bandwidth": np.ones((3, 2, 2))}},
        "batch, bandwidth: expected a number for each run",
    ),
    "width of settings": (
        {"batch": {"bandwidth": np.ones((3, 3))}},
        "batch, bandwidth: expected a number for each run",
    ),
    "seed": ({"batch": {"seed": ["first"]}}, "batch, seed: got 'first'"),
    "part of a seed": ({"batch": {"seed": [1.5]}}, "batch, seed: got 1.5"),
    "nan as a seed": ({"batch": {"seed": [np.nan]}}, "batch, seed: got nan"),
    "references": ({"reference": None, "batch": {"reference": "ab"}}, "batch, reference: expected a list"),
    "one of the references": (
        {"reference": None, "batch": {"reference": [[0, 0], None]}},
        "reference: computed-torque",
    ),
}


@pytest.mark.parametrize("case", WITHOUT_LAW)
def test_wrong_arguments_are_named(robot: Robot, case: str) -> None:
    given, said = WITHOUT_LAW[case]
    with pytest.raises(RobosymError, match=said if isinstance(said, re.Pattern) else re.escape(said)):
        simulate(robot, **{**OK, **given})


@pytest.mark.parametrize("case", WITH_LAW)
def test_wrong_arguments_beside_a_law_are_named(robot: Robot, law: Law, case: str) -> None:
    given, said = WITH_LAW[case]
    with pytest.raises(RobosymError, match=said if isinstance(said, re.Pattern) else re.escape(said)):
        simulate(robot, law, **{"reference": [0.1, 0.2], **OK, **given})


def test_wrong_robots_and_laws_are_named(robot: Robot) -> None:
    with pytest.raises(RobosymError, match="robot: got 'planar-2r', expected a Robot"):
        simulate("planar-2r", duration=0.1)  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="law: got 'pid'"):
        simulate(robot, "pid", duration=0.1)  # type: ignore[arg-type]
    unknown = robot.replace(values={k: v for k, v in robot.values.items() if k != "MX2"})
    with pytest.raises(RobosymError, match="no value for MX2"):
        simulate(unknown, duration=0.1)
    np.testing.assert_array_equal(
        simulate(unknown, duration=0.01, parameters={"MX2": 0.6}).time, simulate(robot, duration=0.01).time
    )


def test_a_start_outside_the_limits_is_named() -> None:
    from simulation.plants import sliding_mass

    robot = sliding_mass(limits=Limits(lower=-1.0, upper=1.0))
    with pytest.raises(RobosymError, match=r"q: 'x' starts at 1\.5, outside its limits from -1 to 1"):
        simulate(robot, q=[1.5], duration=0.1)
    assert simulate(robot, q=[1.5], duration=0.01, limits=False).q[0, 0] == 1.5


def test_a_law_that_is_tuned_again_needs_no_other_kernel() -> None:
    """The gains are data of the kernel: the same code serves both, and each has its own."""
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=5)
    target = np.array([0.3, -0.2])
    options = {"q": np.zeros(2), "duration": 0.05, "friction": False}
    simulate(robot, law, target, **options)
    kernels = vars(robot)[PLACE][simulator._KERNELS]
    before = list(kernels)
    tuned = simulate(robot, law.tuned(bandwidth=15), target, **options)
    assert list(kernels) == before
    fresh = simulate(robot, control.computed_torque(robot, bandwidth=15), target, **options)
    np.testing.assert_allclose(tuned.q, fresh.q, atol=1e-15)
