"""Poles and margins of a law on its robot: beside small systems written out, simulations with Pinocchio, and gains at the edge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from control.test_feed_forward import with_springs
from control.test_pid import wheel
from real_robots import real_robot

import robosym
from robosym.analysis import vibrations
from robosym.control import ControlError, check, computed_torque, feed_forward, pd_gravity, pid, task_pid
from robosym.errors import RobosymError
from robosym.expr import number
from robosym.options.errors import ArgumentError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
T = 1e-3


def sampled(a: float, Kp: float, Kd: float, KI: float | None, delay: int) -> np.ndarray:
    """The characteristic polynomial of a q'' = tau under a sampled PID law: states q, qd, the integral and the torque before."""
    A = np.array([[1, T, 0, 0], [0, 1, 0, 0], [-T, 0, 1, 0], [-Kp, -Kd, KI or 0, 0]])
    now = np.array([[T * T / 2 / a], [T / a], [0], [0]])
    law = np.array([[-Kp, -Kd, KI or 0, 0]])
    whole = A + (now @ law if delay == 0 else now @ np.array([[0, 0, 0, 1.0]]))
    kept = [0, 1, 3] if KI is None else [0, 1, 2, 3]
    return np.poly(whole[np.ix_(kept, kept)])


@pytest.mark.parametrize("delay", [0, 1])
def test_polynomials_of_one_joint(delay: int) -> None:
    """Compared by coefficients: the roots of a triple pole are not exact."""
    cases: list[tuple[Any, tuple[float, float, float | None]]] = [
        (pid(wheel(), bandwidth=10), (600.0, 60.0, 2000.0)),
        (computed_torque(wheel(), bandwidth=20), (800.0, 80.0, None)),
    ]
    for law, gains in cases:
        found = check(law, delay=delay)
        expected = sampled(2.0, *gains, delay)
        np.testing.assert_allclose(found.polynomial, expected, rtol=0, atol=1e-8)
        alone = found.margins[0].polynomial
        np.testing.assert_allclose(
            np.trim_zeros(alone.round(10), "b"), np.trim_zeros(expected.round(10), "b"), atol=1e-8
        )
        assert found.stable
        assert found.warnings == ()


def test_rates_are_those_that_were_asked_for() -> None:
    """ln(z) / T of a triple pole at -10, up to the period."""
    law = pid(wheel(), bandwidth=10, period=1e-5)
    poles = check(law, delay=0).poles
    np.testing.assert_allclose(np.poly(poles).real, np.poly([-10.0] * 3), rtol=1e-3)


@pytest.mark.slow
def test_margins_are_where_it_becomes_unstable() -> None:
    """All gains of one motor by the margin: a little less is stable, a little more is not."""
    robot = real_robot("puma")
    q = np.array([0.3, -0.5, 0.4, 0.2, 0.6, -0.1])
    gains = {name: x for name, x in pid(robot, bandwidth=25, integral=False).gains.items() if name in ("Kp", "Kd")}
    found = check(pid(robot, **gains, limits=False), q)
    for k in (0, 4):
        for part, stable in ((0.98, True), (1.02, False)):
            factor = np.ones(6)
            factor[k] = part * found.margins[k].gain
            scaled = {name: x * factor for name, x in gains.items()}
            assert check(pid(robot, **scaled, limits=False), q).stable is stable


def test_phase_margin_of_a_double_integrator() -> None:
    """L = (Kd s + Kp) / a s^2 with a sample and a half of delay, for frequencies far below the rate of calls."""
    law = pid(wheel(), bandwidth=20, integral=False)
    for delay in (0.0, 0.5, 1.0):
        found = check(law, delay=delay).margins[0]
        w = 20 * np.sqrt(2 + np.sqrt(5))  # of s^2 + 40 s + 400
        assert found.crossover == pytest.approx(w, rel=2e-3)
        expected = np.degrees(np.arctan2(40 * w, 400)) - np.degrees(w * (0.5 + delay) * T)
        assert found.phase == pytest.approx(expected, abs=0.1)
        assert found.reduction == 0


def test_warnings() -> None:
    texts = {
        "unstable: the error grows": pid(wheel(), bandwidth=2000),
        "bandwidth above a tenth of the sampling rate": computed_torque(wheel(), bandwidth=70, period=1e-2),
        "Kd is not above zero: q1": pid(wheel(), Kp=1, Kd=0),
        "little margin at q1": computed_torque(wheel(), bandwidth=300),
    }
    for text, law in texts.items():
        assert any(text in one for one in law.check().warnings), (text, law.check().warnings)
    assert "UNSTABLE" in str(check(pid(wheel(), bandwidth=2000)))
    assert np.isnan(check(pid(wheel(), bandwidth=2000)).margins[0].gain)
    good = check(pid(wheel(), bandwidth=10))
    assert good.warnings == ()
    assert "stable" in repr(good)
    assert "gain margin" in str(good)


def test_weight_of_the_wanted_position() -> None:
    heavy = robosym.load("rx90")
    soft, firm = (pd_gravity(heavy, Kp=Kp, Kd=30, at="q_d", limits=False) for Kp in (5, 1000))
    assert any("Kp below the slope of gravity" in one for one in soft.check().warnings)
    assert not any("Kp below" in one for one in firm.check().warnings)


def test_springs() -> None:
    """Motors under feedback, joints on springs: the resonance is that of vibrations, and a fast law meets it."""
    robot = with_springs(robosym.load("planar-2r"), 5e3)
    q = np.array([0.2, -0.4])
    resonance = vibrations(robot, q).frequencies[0]
    slow, fast = (check(feed_forward(robot, feedback=w, limits=False), q) for w in (8.0, 0.6 * resonance))
    assert slow.resonance == pytest.approx(resonance)
    assert slow.stable
    assert not any("resonance" in one for one in slow.warnings)
    assert any(f"above half the structural resonance of {resonance:.4g} rad/s" in one for one in fast.warnings)
    assert slow.margins[0].poles.size == 0


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "eel-3"])
def test_closed_loops_and_free_bases(name: str) -> None:
    """Without friction every joint is the same double integrator."""
    robot = robosym.load(name)
    frames = (replace(f, actuator=replace(f.actuator, Fv=number(0), Fs=number(0))) for f in robot.frames)
    found = check(computed_torque(robot.replace(frames=tuple(frames)), bandwidth=20, limits=False), delay=0)
    exact = np.poly([[1 - 400 * T * T / 2, T - 40 * T * T / 2], [-400 * T, 1 - 40 * T]])
    assert found.stable
    for one in found.margins:
        np.testing.assert_allclose(
            np.trim_zeros(one.polynomial.round(9), "b"), exact, atol=3e-6
        )  # Q changes between calls


def test_laws_in_task_space() -> None:
    robot = robosym.load("rx90")
    q = np.array([0.2, -0.4, 0.6, 0.1, 0.5, -0.2])
    law = task_pid(robot, Kp=2000, Kd=200, gravity=True, limits=False)
    T_d = robosym.models.transform(robot, frame=6, reference="world").compile()(q=q)
    assert check(law, q, T_d=T_d).poles.size
    with pytest.raises(ControlError, match="T_d: task-pid is a law in task space"):
        check(law, q)


def test_compensation_of_friction_that_jumps() -> None:
    """It has no slope at rest: as without it, but for what it takes of the viscous friction."""
    robot = wheel(Fs=5.0)
    plain, with_it = (check(computed_torque(robot, bandwidth=20, friction=kind)) for kind in (False, True))
    np.testing.assert_allclose(plain.polynomial, with_it.polynomial, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q": [1, 2]}, r"q: got the shape \(2,\), expected \(6,\)"),
        ({"q": [np.nan] * 6}, "q: holds numbers that are not finite"),
        ({"delay": 2}, "delay: got 2, expected a part of a period"),
        ({"T_d": np.eye(4)}, "T_d: computed-torque is a law in joint space"),
    ],
)
def test_what_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ControlError, match=message):
        check(computed_torque(robosym.load("rx90")), **given)


def test_what_has_no_loop() -> None:
    with pytest.raises(ControlError, match="feed-forward measures nothing here"):
        check(feed_forward(robosym.load("rx90")))
    with pytest.raises(ArgumentError, match="expected a Law"):
        check(robosym.load("rx90"))  # type: ignore[arg-type]


def test_values_that_are_missing_are_named() -> None:
    nameless = robosym.load("planar-2r").replace(values={})
    with pytest.raises(RobosymError, match="no value for"):
        check(computed_torque(nameless))


def test_friction_that_jumps_is_left_out() -> None:
    """Coulomb friction has no slope at rest; the viscous one damps."""
    still, damped = (wheel(**more) for more in ({}, {"Fv": 3.0, "Fs": 50.0}))
    law = pid(still, bandwidth=10)
    a, b = check(law).polynomial, check(replace(law, robot=damped)).polynomial
    assert np.abs(a - b).max() > 1e-4
    np.testing.assert_allclose(a, check(replace(law, robot=wheel(Fs=50.0))).polynomial, atol=1e-12)
