"""Computed torque control beside Pinocchio: the law, its error equation, and the errors it leaves in closed loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, at_rest, held, rk4, torques
from models.kinematic.mass_states import random_placed
from models.loops.iterated_linkages import stephenson
from models.pinocchio_states import Twin
from real_robots import real_robot, urdf_file
from robots_with import flexible
from sweeps import many

import robosym
from robosym import models
from robosym.control import ControlError, computed_torque, feed_forward
from robosym.errors import RobosymError
from robosym.expr import number, parameter
from robosym.options.errors import ArgumentError
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def rigid(robot: Robot) -> Robot:
    """Without springs and with a motor at every joint."""
    frames = tuple(replace(f, joint=replace(f.joint, spring=None, active=True)) for f in robot.frames)
    return robot.replace(frames=frames)


def puma() -> Twin:
    return Twin.of_urdf(urdf_file("puma"), real_robot("puma"))


def drawn(rng: np.random.Generator, robot: Robot) -> dict[str, np.ndarray]:
    """A state of the robot and what is wanted of its joints."""
    n = len(robot.moving)
    q, qd = rng.uniform(-2, 2, robot.nq), rng.uniform(-2, 2, robot.nv)
    if robot.base.floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    return {"q": q, "qd": qd, **{name: rng.uniform(-2, 2, n) for name in ("q_d", "qd_d", "qdd_d")}}


def accelerations(law: Any, state: dict[str, np.ndarray], scheme: str) -> np.ndarray:
    """w of [9.24] or [9.29], of the joints."""
    n = len(law.robot.moving)
    e = state["q_d"] - state["q"][-n:]
    if scheme == "position":
        return law.gains["Kp"] * e - law.gains["Kd"] * state["qd"][-n:]
    return state["qdd_d"] + law.gains["Kd"] * (state["qd_d"] - state["qd"][-n:]) + law.gains["Kp"] * e


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("scheme", ["tracking", "position", "predictive"])
def test_torques_are_those_of_pinocchio_at_w(scheme: Any) -> None:
    for seed in [s for s in range(1, 3 * many(2)) if s % 3]:
        robot = rigid(random_placed(seed, 6, symbolic=bool(seed % 2)))
        n = len(robot.moving)
        rng = np.random.default_rng(seed)
        law = computed_torque(
            robot, scheme=scheme, bandwidth=rng.uniform(5, 30, n), damping=rng.uniform(0.5, 2, n), limits=False
        )
        twin, state = Twin.of_robot(robot), drawn(rng, robot)
        w = accelerations(law, state, scheme)
        at = ("q_d", "qd_d") if scheme == "predictive" else ("q", "qd")
        expected = twin.rnea(state[at[0]], state[at[1]], w)
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(torques(law, **state), expected, rtol=0, atol=1e-10 * size)
        np.testing.assert_allclose(Caller(law)(**state), expected, rtol=0, atol=1e-10 * size)


def test_gains_are_those_of_9_26() -> None:
    law = computed_torque(robosym.load("rx90"), bandwidth=[1, 2, 3, 4, 5, 6], damping=0.7)
    w = np.arange(1, 7.0)
    np.testing.assert_allclose(law.gains["Kp"], w**2)
    np.testing.assert_allclose(law.gains["Kd"], 1.4 * w)
    again = law.tuned(bandwidth=10)
    np.testing.assert_allclose(again.gains["Kp"], 100)
    assert again.routine.stages is law.routine.stages
    assert again.model.values["Kp3"] == 100
    three = computed_torque(robosym.load("rx90"), bandwidth=7, integral=True).gains  # (s + 7)^3
    coefficients = np.poly([-7.0, -7.0, -7.0])
    for name, expected in zip(("Kd", "Kp", "KI"), coefficients[1:], strict=True):
        np.testing.assert_allclose(three[name], expected)


def test_errors_follow_the_error_equation() -> None:
    """[9.25] and [9.30], whatever the motion: the accelerations are those of Pinocchio."""
    twin = puma()
    rng = np.random.default_rng(1)
    for scheme in ("tracking", "position"):
        law = computed_torque(twin.robot, bandwidth=15, damping=0.8, scheme=scheme)
        state = drawn(rng, twin.robot)
        qdd = twin.aba(state["q"], state["qd"], torques(law, **state))
        Kp, Kd = law.gains["Kp"], law.gains["Kd"]
        if scheme == "tracking":
            e, ed, edd = (state[f"{d}_d"] - x for d, x in (("q", state["q"]), ("qd", state["qd"]), ("qdd", qdd)))
            np.testing.assert_allclose(edd + Kd * ed + Kp * e, 0, atol=1e-6 * np.abs(Kp * e).max())
        else:
            left = qdd + Kd * state["qd"] + Kp * state["q"]
            np.testing.assert_allclose(left, Kp * state["q_d"], rtol=0, atol=1e-6 * np.abs(left).max())


def test_error_after_a_tenth_of_a_second() -> None:
    """(1 + 20 t) exp(-20 t) / 100 continuously, and a little less if the torque is held for a millisecond."""
    twin = puma()
    q_d = np.array([0.3, -0.5, 0.4, 0.2, 0.6, -0.1])
    law = computed_torque(twin.robot, bandwidth=20)
    rest = at_rest(q_d)(0.0)
    call, state = law.compile(), (q_d - 0.01, np.zeros(6))
    for _ in range(100):
        state = rk4(twin.aba, *state, lambda t, q, qd: call(q=q, qd=qd, **rest), 1e-3)
    np.testing.assert_allclose(q_d - state[0], 0.004060058, rtol=0, atol=1e-8)
    q, _, _ = held(law, twin.aba, q_d - 0.01, np.zeros(6), at_rest(q_d), 100)
    sampled = np.array([0.01, 0.0])  # of a double integrator whose acceleration is held
    for _ in range(100):
        w = 400 * sampled[0] + 40 * sampled[1]
        sampled = np.array([sampled[0] + 1e-3 * sampled[1] - w * 5e-7, sampled[1] - w * 1e-3])
    assert sampled[0] == pytest.approx(0.0040238, abs=2e-7)
    np.testing.assert_allclose(q_d - q[-1], sampled[0], rtol=0, atol=3e-6)  # A and Q change a little in a millisecond


def test_wrong_parameters_excite_the_error_equation() -> None:
    """[9.28]: e'' + Kd e' + Kp e = A^-1 [(A' - A) qdd + H' - H], the primed ones of the robot that is controlled."""
    twin = puma()
    heavier = tuple(replace(f, link=replace(f.link, M=f.link.M * 1.3, ZZ=f.link.ZZ * 1.2)) for f in twin.robot.frames)
    real = Twin.of_robot(twin.robot.replace(frames=heavier))
    law = computed_torque(twin.robot, bandwidth=10)
    state = drawn(np.random.default_rng(2), twin.robot)
    q, qd = state["q"], state["qd"]
    qdd = real.aba(q, qd, torques(law, **state))
    left = accelerations(law, state, "tracking") - qdd
    model = Twin.of_robot(twin.robot)
    A, H = model.crba(q), model.bias(q, qd)
    right = np.linalg.solve(A, (real.crba(q) - A) @ qdd + real.bias(q, qd) - H)
    np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-6 * np.abs(right).max())
    assert np.abs(right).max() > 1  # it does excite it


def test_friction_is_compensated() -> None:
    robot = robosym.load("puma560")
    state = drawn(np.random.default_rng(3), robot)
    plain, with_it = (computed_torque(robot, friction=kind, limits=False) for kind in (False, True))
    Fv, Fs = (np.array([float(robot.values[f"{name}{j}"].number) for j in range(1, 7)]) for name in ("FV", "FS"))
    added = torques(with_it, **state) - torques(plain, **state)
    np.testing.assert_allclose(added, Fv * state["qd"] + Fs * np.sign(state["qd"]), rtol=1e-9, atol=1e-12)


def test_base_parameters_give_the_same_torques() -> None:
    robot = robosym.load("rx90")
    standard, base = (computed_torque(robot, parameters=name) for name in ("standard", "base"))
    state = drawn(np.random.default_rng(4), robot)
    np.testing.assert_allclose(torques(standard, **state), torques(base, **state), rtol=1e-10)
    assert base.model.parameter_set == "base"
    given = {"M6": 2.0}  # of which base parameters are made
    there, here = (one.compile()(**state, parameters=given) for one in (standard, base))
    np.testing.assert_allclose(there, here, rtol=1e-10)
    assert np.abs(there - torques(standard, **state)).max() > 1e-3


# --- what moves by itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["tracking", "predictive"])
def test_a_free_base_moves_freely(scheme: Any) -> None:
    robot = real_robot("solo12", floating=True)
    twin, n = Twin.of_urdf(urdf_file("solo12"), robot), len(robot.moving)
    law = computed_torque(robot, bandwidth=20, scheme=scheme, limits=False)
    state = drawn(np.random.default_rng(5), robot)
    tau = torques(law, **state)
    assert tau.shape == (robot.nv,)
    assert not tau[:6].any()
    w = accelerations(law, state, scheme)
    if scheme == "predictive":  # the model is that of the wanted motion
        state |= {"q": np.r_[state["q"][:7], state["q_d"]], "qd": np.r_[state["qd"][:6], state["qd_d"]]}
    qdd = twin.aba(state["q"], state["qd"], tau)
    np.testing.assert_allclose(qdd[-n:], w, rtol=0, atol=1e-7 * np.abs(w).max())


def test_joints_without_motors_move_freely() -> None:
    """The others accelerate with w all the same."""
    for seed in (1, 2, 4, 5):
        robot = rigid(random_placed(seed, 6))
        if len(robot.moving) < 2 or any(frame.joint.mimic for frame in robot.frames):
            continue
        loose = robot.moving[seed % len(robot.moving)]
        frames = list(robot.frames)
        frames[loose - 1] = replace(frames[loose - 1], joint=replace(frames[loose - 1].joint, active=False))
        robot = robot.replace(frames=tuple(frames))
        law = computed_torque(robot, bandwidth=10, limits=False)
        assert f"Kp{loose}" not in law.parameters()
        twin, state = Twin.of_robot(robot), drawn(np.random.default_rng(seed), robot)
        tau, place = torques(law, **state), robot.moving.index(loose)
        driven = [k for k in range(robot.nv) if k != place]
        qdd = twin.aba(state["q"], state["qd"], tau)
        w = state["qdd_d"] + 20 * (state["qd_d"] - state["qd"]) + 100 * (state["q_d"] - state["q"])
        assert tau[place] == 0
        np.testing.assert_allclose(qdd[driven], w[driven], rtol=0, atol=1e-6 * np.abs(w).max())


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("make", [lambda: robosym.load("sr400"), stephenson])
def test_closed_loops(make: Any) -> None:
    """The torques accelerate the motors with w, by the direct dynamic model; where an iteration closes the loops, from call to call."""
    robot = make()
    law = computed_torque(robot, bandwidth=10, limits=False)
    direct = models.forward_dynamics(robot, wrench="none")
    forward, caller = direct.compile(), Caller(law)
    rng, n = np.random.default_rng(6), len(robot.moving)
    at = np.asarray(direct.centre.get("q", np.zeros(n)), float)
    more: dict[str, Any] = {}
    for k in range(3):
        q = at + 0.02 * k * rng.uniform(-1, 1, n)
        state = {"q": q, "qd": rng.uniform(-1, 1, n)}
        state |= {name: rng.uniform(-0.1, 0.1, n) for name in ("qd_d", "qdd_d")} | {"q_d": q + 0.01}
        tau = caller(**state)
        qdd = forward(q=q, qd=state["qd"], tau=tau, **more)
        if "passive" in direct.status:
            more = {"start": qdd.passive}
            np.testing.assert_allclose(caller.state["passive"], qdd.passive, atol=1e-9)
            assert caller.state["passive_found"] == 1
        w = accelerations(law, state, "tracking")
        np.testing.assert_allclose(qdd, w, rtol=0, atol=1e-7 * max(1, np.abs(w).max()))


def test_loops_that_cannot_be_assembled_leave_the_state_as_it_was() -> None:
    law = computed_torque(stephenson(), limits=False)
    caller = Caller(law)
    at = np.asarray(law.model.centre["q"], float)
    still = {name: np.zeros(len(at)) for name in ("qd", "qd_d", "qdd_d")}
    caller(q=at, q_d=at, **still)
    kept = caller.state["passive"].copy()
    assert not np.isfinite(caller(q=np.full(len(at), np.nan), q_d=at, **still)).any()
    np.testing.assert_array_equal(caller.state["passive"], kept)
    assert np.isfinite(caller(q=at, q_d=at, **still)).all()


# --- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bandwidth": 0}, "bandwidth: got 0, expected a number above zero"),
        ({"bandwidth": [1, 2]}, "bandwidth: expected one number, or 6, got the shape"),
        ({"bandwidth": np.nan}, "bandwidth: got nan, expected a number"),
        ({"bandwidth": "fast"}, "bandwidth: got 'fast', expected a number"),
        ({"damping": -1}, "damping: got -1, expected a number above zero"),
        ({"scheme": "fast"}, "scheme: got 'fast', expected 'tracking', 'position' or 'predictive'"),
        ({"dead_zone": 0.1}, "those of the integral: expected integral=True"),
        ({"period": 0}, "period: got 0, expected a number above 0 and of at most 10"),
        ({"limits": -3}, "limits: expected torques above zero, got -3"),
        ({"limits": [1, 2]}, r"limits: expected one torque, or 6, .*got the shape \(2,\)"),
        ({"velocity": 0}, "velocity: got 0, expected 'measured' or a number above 0"),
        ({"velocity": "guessed"}, "velocity: got 'guessed', expected 'measured' or a number above 0"),
    ],
)
def test_what_is_refused(options: Any, message: str) -> None:
    with pytest.raises(RobosymError, match=message):
        computed_torque(robosym.load("rx90"), **options)


def test_robots_that_are_refused() -> None:
    with pytest.raises(ControlError, match="flange is flexible, with a spring between motor and link"):
        computed_torque(flexible(robosym.load("rx90")))
    with pytest.raises(ArgumentError, match="expected a Robot"):
        computed_torque("rx90")  # type: ignore[arg-type]
    law = computed_torque(robosym.load("rx90"))
    with pytest.raises(ControlError, match="there is no setting 'bandwith'"):
        law.tuned(bandwith=3)
    with pytest.raises(ControlError, match="bandwidth: got 0"):
        law.tuned(bandwidth=0)
    frames = list(law.robot.frames)
    frames[5] = replace(frames[5], link=replace(frames[5].link, M=parameter("Kp6")))
    with pytest.raises(ControlError, match="gains have the names of its parameters: Kp6"):
        computed_torque(law.robot.replace(frames=tuple(frames)))


def test_joints_whose_motion_the_description_sets() -> None:
    """Their models do not read it: the law would leave such a joint alone without a word."""
    robot = robosym.load("rx90")
    for what in ("velocity", "acceleration"):
        frames = list(robot.frames)
        frames[1] = replace(frames[1], joint=replace(frames[1].joint, **{what: number(0)}))
        with pytest.raises(ControlError, match=f"sets the {what} of joint 'shoulder' to 0"):
            computed_torque(robot.replace(frames=tuple(frames)))
        with pytest.raises(ControlError, match=f"sets the {what} of joint 'shoulder' to 0"):
            feed_forward(robot.replace(frames=tuple(frames)))
