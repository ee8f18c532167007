"""Flexible joints in the reference: two masses for each, against scipy and the models."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from robots_with import flexible, sprung
from scipy.integrate import solve_ivp
from verification.pendulums import DAMPING, IA, LENGTH, G, M, bias, pendulum, runge_kutta, task_of
from verification.subsets import some_models

import robosym
from robosym.models.catalogue import declaration_of, declarations
from robosym.verification import verify
from robosym.verification.differences import DT
from robosym.verification.flexible import TwoMasses
from robosym.verification.task import Task

TWO_MASSES = ("forward-dynamics", "flexible-joint-forward-dynamics", "flexible-joint-inverse-dynamics", "energy")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-2r", "five-bar", "eel-2"])
def test_flexible_joints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an arm, with closed loops and on a free base: motors and links as two masses each."""
    more = ("linearised", "step") if name != "eel-2" else ()
    some_models(monkeypatch, (*TWO_MASSES, *more, "inverse-dynamics"))
    robot = flexible(sprung(robosym.load(name)))
    rows = verify(robot, states=2, pinocchio=False)
    compared = {row.model for row in rows if row.verdict == "same"}
    assert not [row for row in rows if row.differs]
    assert compared >= {*TWO_MASSES, *more, "inverse-dynamics"}


# --- two masses in closed form -----------------------------------------------------------------------------------------

SOFT, LOSS, LINK = 40.0, 0.5, M * LENGTH**2  # of ``robots_with.flexible``; the rotor is that of the pendulum
STATE = {"q": [0.7], "qd": [-1.3], "q_motor": [0.65], "qd_motor": [0.4], "tau": [4.0], "qdd": [2.0], "qdd_motor": [3.0]}


@cache
def swinging() -> Task:
    return task_of(flexible(pendulum()), 2, **STATE, dt=DT)


def accelerations(q: float, x: float, qd: float, v: float, tau: float = 4.0) -> np.ndarray:
    """The link is driven by what is between it and its motor, the rotor by the torque."""
    between = SOFT * (q - x) + LOSS * (qd - v)
    return np.array([(-between - bias(q, qd)) / LINK, (tau + between) / IA])


def theirs(model: str, task: Task) -> np.ndarray:
    (check,) = (check for check in declaration_of(model).checks if check.flexible)
    return np.asarray(check.reference(task))


def test_numbers_of_the_drives() -> None:
    found = TwoMasses(swinging())
    assert found.joints == [0]
    assert (found.stiffness, found.damping, found.rotor) == ([SOFT], [LOSS], [IA])
    two = TwoMasses(task_of(flexible(robosym.load("planar-2r")), 3, q=np.zeros(2), qd=np.zeros(2)))
    assert two.joints == [1]
    np.testing.assert_array_equal([two.stiffness, two.damping, two.rotor], [[0, SOFT], [0, LOSS], [0, 0.15]])
    floating = robosym.load("eel-2")
    n = len(floating.moving)
    base = TwoMasses(task_of(flexible(floating), 1, q=[0, 0, 0, 0, 0, 0, 1, *[0.0] * n], qd=np.zeros(6 + n)))
    assert np.arange(7 + n)[base.in_q].tolist() == list(range(7, 7 + n))
    assert np.arange(6 + n)[base.in_qd].tolist() == list(range(6, 6 + n))


def test_accelerations_of_two_masses() -> None:
    for model in ("forward-dynamics", "flexible-joint-forward-dynamics"):
        np.testing.assert_allclose(theirs(model, swinging()), accelerations(0.7, 0.65, -1.3, 0.4), rtol=1e-12)


def test_positions_and_torques_of_the_motor() -> None:
    """Where the motor must be for the link to accelerate so, and what it takes."""
    link = LINK * 2.0 + bias(0.7, -1.3)
    place = 0.7 + (link + LOSS * (-1.3 - 0.4)) / SOFT
    np.testing.assert_allclose(
        theirs("flexible-joint-inverse-dynamics", swinging()), [place, link + IA * 3.0], rtol=1e-12
    )


@pytest.mark.parametrize("name", ["planar-2r", "scara"])
def test_forward_dynamics_undo_inverse_dynamics(name: str) -> None:
    """With the last joint flexible and the others rigid."""
    robot = flexible(sprung(robosym.load(name)))
    n = len(robot.moving)
    rng = np.random.default_rng(0)
    given = {key: rng.normal(size=n) for key in ("q", "qd", "qdd", "qd_motor", "qdd_motor")}
    x, tau = np.split(theirs("flexible-joint-inverse-dynamics", task_of(robot, 1, **given)), 2)
    found = theirs("forward-dynamics", task_of(robot, 1, **given, q_motor=x, tau=tau))
    np.testing.assert_allclose(found[:n], given["qdd"], atol=1e-9)
    assert found[-1] == pytest.approx(given["qdd_motor"][-1], abs=1e-9)
    np.testing.assert_allclose(found[n:-1], given["qdd"][:-1], atol=1e-9)  # rigid joints turn with their motors


def test_energies_and_their_rates() -> None:
    """The power of the motor less what both dampers lose."""
    q, x, qd, v, tau = 0.7, 0.65, -1.3, 0.4, 4.0
    kinetic, potential = theirs("energy", swinging())
    assert kinetic == pytest.approx(LINK * qd**2 / 2 + IA * v**2 / 2, rel=1e-12)
    assert potential == pytest.approx(
        M * G * LENGTH * np.sin(q) + SOFT * (q - x) ** 2 / 2 + 3.0 * (q - 0.2) ** 2 / 2, rel=1e-12
    )
    h, (qdd, vd) = 1e-5, accelerations(q, x, qd, v)

    def energy(s: float) -> float:
        state = {"q": [q + s * qd + s * s / 2 * qdd], "q_motor": [x + s * v + s * s / 2 * vd]}
        rates = {"qd": [qd + s * qdd], "qd_motor": [v + s * vd]}
        return float(theirs("energy", task_of(flexible(pendulum()), 2, **state, **rates)).sum())

    lost = LOSS * (qd - v) ** 2 + DAMPING * qd**2
    assert (energy(h) - energy(-h)) / (2 * h) == pytest.approx(tau * v - lost, rel=1e-6)


def test_slopes_of_the_accelerations() -> None:
    q = 0.7
    by_q = (-SOFT - 3.0 + M * G * LENGTH * np.sin(q)) / LINK
    expected = [
        [by_q, SOFT / LINK, (-LOSS - DAMPING) / LINK, LOSS / LINK, 0],
        [SOFT / IA, -SOFT / IA, LOSS / IA, -LOSS / IA, 1 / IA],
    ]
    np.testing.assert_allclose(swinging().flexible.slopes, expected, rtol=1e-6, atol=1e-6)


def test_a_step_of_runge_and_kutta() -> None:
    def rate(y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[2:], accelerations(*y)])

    start = np.array([0.7, 0.65, -1.3, 0.4])
    found = theirs("step", swinging())
    np.testing.assert_allclose(found, runge_kutta(rate, start, DT), rtol=1e-12)
    exact = solve_ivp(lambda t, y: rate(y), (0, DT), start, rtol=1e-11, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(found, exact, atol=1e-5)


def test_every_case_takes_where_the_motors_are() -> None:
    for declared in declarations():
        for check in declared.checks:
            assert check.flexible == any("_motor" in name for name in check.inputs), declared.name
