"""When the integral of the error stands still, joint by joint, beside the same rules in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from control.joint_plants import Caller, at_rest, held
from control.test_pid import wheel

import robosym
from robosym.control import computed_torque, pid


def test_rules_beside_plain_python() -> None:
    """Random errors about every threshold, at all of which the rules change."""
    rng = np.random.default_rng(0)
    robot, n = robosym.load("rx90"), 6
    Kp, Kd, KI, most = 5.0, 2.0, 400.0, 10.0
    law = pid(robot, Kp=Kp, Kd=Kd, KI=KI, dead_zone=0.02, window=0.3, limits=most)
    caller, integral = Caller(law), np.zeros(n)
    seen = np.zeros(5, int)
    for turn in range(2000):
        if turn % 200 == 0:
            sign = rng.choice([-1, 1], n)
        q, qd = rng.choice([0.01, 0.1, 0.2, 0.5], n) * sign, rng.uniform(-6, 6, n)
        tau = caller(q=q, qd=qd, q_d=np.zeros(n), qd_d=np.zeros(n))
        for k in range(n):
            e = -q[k]
            wanted = Kp * e - Kd * qd[k] + KI * integral[k]
            assert tau[k] == np.clip(wanted, -most, most) or abs(tau[k] - wanted) < 1e-12
            more = integral[k] + 1e-3 * e
            holds = [
                abs(e) <= 0.02,
                abs(e) >= 0.3,
                abs(wanted) > most and wanted * e > 0,
                abs(KI * more) > most and more * e > 0,
            ]
            seen[:4] += holds
            seen[4] += not any(holds)
            integral[k] = integral[k] if any(holds) else more
        np.testing.assert_allclose(caller.state["integral"], integral, rtol=0, atol=1e-15)
    assert (seen > 20).all()


def test_windup() -> None:
    """A far step with a weak motor: an integral that runs on while the motor is at its limit makes the joint go too far."""
    law = pid(wheel(), bandwidth=10, limits=3.0)
    q, _, tau = held(law, lambda q, qd, tau: tau / 2, [0.0], [0.0], at_rest([0.05]), 6000)
    assert np.abs(tau).max() == 3.0
    assert abs(q[-1, 0] - 0.05) < 1e-6
    Kp, Kd, KI = (float(law.gains[name][0]) for name in ("Kp", "Kd", "KI"))
    x, v, integral, furthest = 0.0, 0.0, 0.0, 0.0
    for _ in range(6000):
        now = np.clip(Kp * (0.05 - x) - Kd * v + KI * integral, -3, 3)
        integral += 1e-3 * (0.05 - x)
        x, v = x + 1e-3 * v + 0.5e-6 * now / 2, v + 1e-3 * now / 2
        furthest = max(furthest, x)
    assert furthest > q.max() + 0.01


def test_dead_zone_does_not_hunt() -> None:
    """Inside it the integral keeps its value: it holds a load without growing."""
    law = pid(wheel(), bandwidth=10, dead_zone=0.01, limits=False)
    caller = Caller(law)
    zero: dict[str, Any] = {"qd": [0.0], "q_d": [0.0], "qd_d": [0.0]}
    caller(q=[0.05], **zero)
    kept = caller.state["integral"].copy()
    assert kept[0] == -0.05e-3
    for _ in range(5):
        caller(q=[0.0099], **zero)
    np.testing.assert_array_equal(caller.state["integral"], kept)


def test_what_is_not_a_number_is_not_remembered() -> None:
    for law in (
        pid(robosym.load("rx90"), Kp=1, Kd=1, KI=1, limits=5),
        computed_torque(robosym.load("rx90"), integral=True, limits=5, velocity=100.0),
    ):
        caller, still = Caller(law), np.zeros(6)
        given = {"qd": still, "q_d": still + 0.01, "qd_d": still, "qdd_d": still}
        caller(q=still, **given)
        kept = {name: x.copy() for name, x in caller.state.items()}
        tau = caller(q=np.array([np.nan, 0, 0, 0, 0, 0]), **given)
        assert np.isnan(tau[0])  # and not the full torque of the motor
        assert all(np.isfinite(x).all() for x in caller.state.values())
        assert caller.state["integral"][0] == kept["integral"][0]
        assert np.isfinite(caller(q=still, **given)).all()


def test_integral_removes_a_constant_error() -> None:
    """Of a wrong model: computed torque with an integral comes to rest at q_d."""
    law = computed_torque(wheel(2.0), bandwidth=10, integral=True, limits=False)
    q, _, _ = held(law, lambda q, qd, tau: (tau - 1.5) / 2.5, [0.0], [0.0], at_rest([0.1]), 3000)
    assert abs(q[-1, 0] - 0.1) < 1e-6
    plain = computed_torque(wheel(2.0), bandwidth=10, limits=False)
    q, _, _ = held(plain, lambda q, qd, tau: (tau - 1.5) / 2.5, [0.0], [0.0], at_rest([0.1]), 3000)
    assert abs(q[-1, 0] - 0.1) > 1e-3
