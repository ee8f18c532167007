"""Laws put together from several models: closed loops, each solved or iterated inside; and the code that comes of it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from control.joint_plants import inputs_of
from control.task_plants import arm
from control.test_law import InC
from models.loops.iterated_linkages import stephenson
from sweeps import many

import robosym
from robosym import models
from robosym.control import (
    ControlError,
    Law,
    adaptive,
    compliance,
    computed_torque,
    impedance,
    passive,
    resolved_acceleration,
    task_pid,
    with_disturbance_observer,
)

CALLS = many(200)


def value(model: Any, name: str, **state: Any) -> np.ndarray:
    made = model.evaluate(**state)
    return np.asarray(made[name] if isinstance(made, dict) else made)


def test_a_five_bar_linkage_follows_the_error_equation() -> None:
    """Two motors move a point in the plane through closed loops."""
    robot = robosym.load("five-bar-general")
    law = resolved_acceleration(robot, bandwidth=[4.0, 6.0], singular_damping=0, task=["vx", "vy"], limits=False)
    rng = np.random.default_rng(1)
    T, V, J, drift, forward = (
        models.transform(robot, reference="world"),
        models.velocities(robot),
        models.jacobian(robot),
        models.jdot_qdot(robot),
        models.forward_dynamics(robot),
    )
    checked = 0
    for _ in range(40):
        q, qd = rng.uniform(-2, 2, (2, 2))
        state = {"q": q, "qd": qd, "T_d": np.eye(4), "V_d": np.zeros(6), "A_d": np.zeros(6)}
        if not law.model.evaluate(**state)["assembled"]:
            continue
        T_d = value(T, "T", q=q).copy()
        T_d[:2, 3] += 0.1, -0.2
        V_d, A_d = rng.normal(size=(2, 6))
        made = law.model.evaluate(q=q, qd=qd, T_d=T_d, V_d=V_d, A_d=A_d)
        assert made["assembled"] == 1
        qdd = value(forward, "qdd", q=q, qd=qd, tau=made["tau"])
        found = (value(J, "J", q=q) @ qdd + value(drift, "JDQD", q=q, qd=qd))[:2]
        Kp, Kd = law.gains["Kp"], law.gains["Kd"]
        expected = A_d[:2] + Kd * (V_d - value(V, "V", q=q, qd=qd))[:2] + Kp * np.array([0.1, -0.2])  # [9.35]
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-7)
        checked += 1
        if checked == 4:
            break
    assert checked == 4


def test_loops_that_are_iterated_go_on_from_call_to_call() -> None:
    """Every model inside remembers where its iteration ended."""
    robot = stephenson()
    law = compliance(robot, stiffness=30.0, damping=2.0, task=["vx"], joint_damping=0)
    q = np.asarray(models.gravity(robot).centre["q"], dtype=float)
    here = models.transform(robot, reference="world").evaluate(q=q)["T"]
    T_d = here.copy()
    T_d[0, 3] += 0.1
    state: dict[str, Any] = {slot.name: np.zeros(slot.shape) for slot in law.state}
    assert sum(name.endswith("passive_found") for name in state) == len(law.state) / 2 >= 3
    made = law.model.evaluate(q=q, qd=np.zeros(1), T_d=T_d, V_d=np.zeros(6), **state)
    expected = value(models.gravity(robot), "Q", q=q) + value(models.jacobian(robot), "J", q=q)[0] * 30.0 * 0.1
    assert made["assembled"] == 1
    assert made["tau"] == pytest.approx(expected, rel=1e-9)
    again = law.model.evaluate(q=q + 1e-3, qd=np.zeros(1), T_d=T_d, V_d=np.zeros(6), **{n: made[n] for n in state})
    assert all(again[name] == 1 for name in state if name.endswith("passive_found"))
    assert again["assembled"] == 1


def laws() -> list[Law]:
    rng = np.random.default_rng(12)
    three, limits = arm(rng, "RRR"), [60.0, 40.0, 20.0]
    moving: dict[str, Any] = {"task": "position", "limits": limits}
    return [
        task_pid(three, Kp=200.0, Kd=20.0, KI=50.0, velocity=400.0, **moving),
        resolved_acceleration(three, bandwidth=6.0, integral=True, **moving),
        impedance(arm(rng, "RRRR"), inertia=2.0, stiffness=80.0, force=True, task="position", limits=50.0),
        resolved_acceleration(robosym.load("scara"), bandwidth=4.0, limits=500.0),
        adaptive(three, bandwidth=4.0, K=5.0, P=0.5, dead_zone=0.1, sigma=0.01, spread=2.0, limits=limits),
        with_disturbance_observer(computed_torque(three, bandwidth=8.0, limits=limits), 30.0),
    ]


@pytest.mark.slow
@pytest.mark.runs("c")
def test_c_code_call_after_call(compiled: Callable[[str], ctypes.CDLL]) -> None:
    for law in laws():
        in_c, here = InC(compiled(law.source("c")), law), law.compile()
        state = {slot.name: np.zeros(slot.shape) for slot in law.state}
        n = len(law.robot.moving)
        rng = np.random.default_rng(0)
        a, w, shift = rng.uniform(0.2, 0.9, n), rng.uniform(1, 4, n), rng.uniform(0, 6, n)
        pose = models.transform(law.robot, reference="world").compile()
        worst = 0.0
        for k in range(CALLS):
            t = k * 1e-3
            q, qd = a * np.sin(w * t), a * w * np.cos(w * t)
            given = {"q": q + 0.05 * np.sin(3 * t + shift), "qd": qd, "F": np.sin(np.arange(6.0) + t)}
            given |= {"q_d": q, "qd_d": qd, "qdd_d": -w * w * q}
            given |= {"T_d": pose(q=q + 0.1), "V_d": np.cos(np.arange(6.0) + t), "A_d": np.sin(np.arange(6.0) - t)}
            given = inputs_of(law, given)
            there, made = in_c(**given), here(**given, **state)
            state = {name: made[name] for name in state}
            worst = max(worst, float(np.abs(there["tau"] - _tau(made)).max()))
        assert worst <= 1e-10, law.name  # of torques of some ten: rounding of inverses, call after call
        for name, last in state.items():
            np.testing.assert_allclose(in_c.outputs[name], last, rtol=0, atol=1e-11, err_msg=f"{law.name} {name}")
        assert value(law.model, "tau", **given, **state) == pytest.approx(
            _tau(here(**given, **state)), rel=1e-11, abs=1e-11
        )


def _tau(made: Any) -> np.ndarray:
    return np.asarray(made["tau"] if isinstance(made, dict) else made)


def test_many_at_once_are_each_alone() -> None:
    """A batch of states and of bandwidths."""
    law = resolved_acceleration(robosym.load("scara"), bandwidth=4.0)
    call = law.compile()
    rng = np.random.default_rng(3)
    q, qd = rng.uniform(-1, 1, (2, 5, 4))
    more = {"T_d": np.tile(np.eye(4), (5, 1, 1)), "V_d": rng.normal(size=(5, 6)), "A_d": rng.normal(size=(5, 6))}
    many = call(q=q, qd=qd, **more)
    swept = call(q=q, qd=qd, **more, parameters=law.parameters(bandwidth=np.arange(1.0, 6.0)))
    for k in (0, 3):
        one = {name: x[k] for name, x in more.items()}
        assert many[k] == pytest.approx(call(q=q[k], qd=qd[k], **one), rel=1e-12)
        own = law.tuned(bandwidth=k + 1.0).compile()
        assert swept[k] == pytest.approx(own(q=q[k], qd=qd[k], **one), rel=1e-9)


def test_settings_that_are_changed_are_looked_at_too() -> None:
    robot = arm(np.random.default_rng(1), "RR")
    laws: list[tuple[Law, str]] = [
        (task_pid(robot, Kp=1.0, Kd=1.0, task=["vx", "vy"]), "Kd"),
        (compliance(robot, stiffness=1.0, damping=1.0, task=["vx", "vy"]), "stiffness"),
        (resolved_acceleration(robot, task=["vx", "vy"]), "posture"),
        (resolved_acceleration(robot, task=["vx", "vy"]), "singular_damping"),
        (impedance(robot, inertia=1.0, stiffness=1.0, task=["vx", "vy"]), "damping"),
        (adaptive(robot, K=1.0), "P"),
        (passive(robot, K=1.0), "K"),
    ]
    for law, name in laws:
        for change in (law.tuned, law.parameters):
            with pytest.raises(ControlError, match=rf"{name}: got -1, expected (at least 0|a number above zero)"):
                change(**{name: -1.0})
