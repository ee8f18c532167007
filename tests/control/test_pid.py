"""PID control: the triple pole, the response of one joint in closed form, and the law beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import held, torques
from real_robots import real_robot

import robosym
from robosym.control import ControlError, pid
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def wheel(inertia: float = 2.0, **more: Any) -> Robot:
    """One joint about a vertical axis: a qdd + Fv qd = tau."""
    return Robot.from_table("wheel", [{"XX": inertia, "YY": inertia, "ZZ": inertia, **more}])


def test_triple_pole() -> None:
    robot = real_robot("puma")
    gains = pid(robot, bandwidth=10, viscous=[2, 0, 0, 0, 0, 0]).gains  # a = 4.254828832, the largest A11
    assert gains["Kp"][0] == pytest.approx(1276.448649, rel=1e-8)
    assert gains["Kd"][0] == pytest.approx(125.644865, rel=1e-8)
    assert gains["KI"][0] == pytest.approx(4254.828832, rel=1e-8)
    gains = pid(robot, bandwidth=10, viscous=2, inertia=4.254828832).gains
    assert [gains[name][5] for name in ("Kp", "Kd", "KI")] == pytest.approx([1276.448649, 125.644865, 4254.828832])


def test_characteristic_polynomial() -> None:
    """[9.8] is a (s + w)^3, or a (s + w) (s^2 + 2 z w s + w^2): compared by coefficients, since roots of a triple pole are not exact."""
    for z, w, a, Fv in ((1.0, 10.0, 4.0, 2.0), (0.6, 3.0, 0.1, 0.05)):
        gains = pid(wheel(), bandwidth=w, damping=z, inertia=a, viscous=Fv).gains
        found = [a, gains["Kd"][0] + Fv, gains["Kp"][0], gains["KI"][0]]
        expected = a * np.polymul([1, w], [1, 2 * z * w, w**2])
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        gains = pid(wheel(), bandwidth=w, damping=z, inertia=a, viscous=Fv, integral=False).gains
        np.testing.assert_allclose([gains["Kd"][0] + Fv, gains["Kp"][0]], [2 * z * w * a, w**2 * a], rtol=1e-12)
        assert "KI" not in gains


@pytest.mark.parametrize("with_velocity", [True, False])
def test_step_response(with_velocity: bool) -> None:
    """With the velocity of the step, which is there for one call, e = exp(-x) (1 - 2 x + x^2 / 2) with x = w t [9.7], which overshoots by a
    fifth; without it e = exp(-x) (1 + x - x^2), by a quarter."""
    law = pid(wheel(), bandwidth=10, period=1e-4)

    def step(t: float) -> dict[str, Any]:
        return {"q_d": [1.0], "qd_d": [1e4 if with_velocity and t == 0 else 0.0]}

    q, _, _ = held(law, lambda q, qd, tau: tau / 2.0, [0.0], [0.0], step, 5000)
    x = 10 * 1e-4 * np.arange(5001)
    expected = np.exp(-x) * (1 - 2 * x + x**2 / 2 if with_velocity else 1 + x - x**2)
    np.testing.assert_allclose(1 - q[:, 0], expected, rtol=0, atol=2e-3)  # of the first order in the period
    assert q.max() - 1 == pytest.approx(0.206 if with_velocity else 0.249, abs=1e-3)


def test_friction_of_the_description_is_in_the_gains() -> None:
    """That of the joint, of a motor behind a reduction, and of a joint that follows: Fv + N^2 Fm + ratio^2 Fv2."""
    link = {"XX": 1, "YY": 1, "ZZ": 1}
    first = {**link, "Fv": 0.3, "ratio": 10, "motor": {"Fv": 0.002}}
    rows = [first, {**link, "Fv": 0.4, "mimic": {"frame": 1, "ratio": 2}}]
    law = pid(Robot.from_table("geared", rows), bandwidth=10)
    np.testing.assert_allclose(law.settings["viscous"], [0.3 + 0.2 + 4 * 0.4])
    np.testing.assert_allclose(law.settings["inertia"], [1 + 9])  # the second link turns three times as fast
    np.testing.assert_allclose(law.gains["Kd"], 3 * 10 * 10 - 2.1)


def test_law_beside_its_formula() -> None:
    rng = np.random.default_rng(0)
    robot = robosym.load("rx90")
    Kp, Kd, KI = rng.uniform(1, 100, (3, 6))
    law = pid(robot, Kp=Kp, Kd=Kd, KI=KI, limits=False)
    q, qd, q_d, qd_d, integral = rng.uniform(-1, 1, (5, 6))
    expected = Kp * (q_d - q) + Kd * (qd_d - qd) + KI * integral
    np.testing.assert_allclose(torques(law, q=q, qd=qd, q_d=q_d, qd_d=qd_d, integral=integral), expected, rtol=1e-12)
    f = law.compile()
    many = law.parameters(Kp=[1.0, 2.0])  # a batch of gains, the same for every joint
    batch = {name: np.broadcast_to(x, (2, 6)) for name, x in (("q", q), ("qd", qd), ("q_d", q_d), ("qd_d", qd_d))}
    found = f(**batch, integral=np.zeros((2, 6)), parameters=many)["tau"]
    np.testing.assert_allclose(found, np.array([[1.0], [2.0]]) * (q_d - q) + Kd * (qd_d - qd), rtol=1e-12)


def test_a_free_base_gets_no_torque() -> None:
    robot = real_robot("solo12", floating=True)
    law = pid(robot, Kp=3, Kd=2, limits=False)
    q, qd = np.arange(19.0), np.arange(18.0)
    tau = torques(law, q=q, qd=qd, q_d=np.zeros(12), qd_d=np.zeros(12))
    np.testing.assert_allclose(tau, np.r_[np.zeros(6), -3 * q[7:] - 2 * qd[6:]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"Kp": 1}, "got Kp alone, expected Kp and Kd"),
        ({"Kp": 1, "Kd": 1, "bandwidth": 3}, "Kp, Kd beside bandwidth"),
        ({"Kp": -1, "Kd": 1}, "Kp: got -1, expected at least 0"),
        ({"bandwidth": 0.1, "viscous": 5}, "the viscous friction alone damps more than requested"),
        ({"inertia": 0}, "inertia: joint 'q1' has 0, expected a number above zero"),
        ({"viscous": -1}, "viscous: got -1, expected at least 0"),
        ({"integral": False, "window": 1}, "dead_zone and window are those of the integral, and there is none"),
        ({"dead_zone": -1}, "dead_zone: got -1, expected at least 0"),
        ({"dead_zone": 0.2, "window": 0.1}, "window: it is not above the dead_zone"),
    ],
)
def test_what_is_refused(options: Any, message: str) -> None:
    with pytest.raises(ControlError, match=message):
        pid(wheel(), **options)


def test_values_that_are_missing_are_named() -> None:
    with pytest.raises(ControlError, match="no value for F: the gains need the viscous friction"):
        pid(wheel(Fv="F"), inertia=1)
    assert pid(wheel(Fv="F"), inertia=1, viscous=0).gains["Kd"][0] == 30
