"""Velocities by filtered differences: the filter beside SciPy, the first call, and a closed loop on positions alone."""

from __future__ import annotations

import numpy as np
import pytest
from control.joint_plants import Caller, at_rest, held
from control.test_pid import wheel
from scipy.signal import lfilter

import robosym
from robosym.control import computed_torque, pid


def test_filter_beside_scipy() -> None:
    T, cut_off = 2e-3, 120.0
    law = pid(wheel(), Kp=0, Kd=1, velocity=cut_off, period=T, limits=False)
    assert [slot.name for slot in law.routine.inputs] == ["q", "q_d", "qd_d", "q_before", "qd_before", "started"]
    rng, caller = np.random.default_rng(0), Caller(law)
    q = np.cumsum(rng.normal(size=300)) * 1e-3 + 5.0
    found = np.array([-caller(q=[x], q_d=[0.0], qd_d=[0.0])[0] for x in q])
    pole = np.exp(-cut_off * T)
    expected = lfilter([1 - pole], [1, -pole], np.diff(q, prepend=q[0]) / T)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    assert law.gains["velocity_pole"][0] == pytest.approx(pole)


def test_first_call_sees_no_jump() -> None:
    """Far from zero, and at zero too: a joint that starts there is started all the same."""
    for start in (3.0, 0.0):
        caller = Caller(pid(wheel(), Kp=1, Kd=10, velocity=1000.0, limits=False))
        assert caller(q=[start], q_d=[start], qd_d=[0.0]) == 0
        assert caller.state["started"] == 1
        assert caller.state["q_before"] == start
        assert caller(q=[start + 1e-3], q_d=[start], qd_d=[0.0]) < 0


def test_first_position_that_is_no_number() -> None:
    """The first call is then the next one."""
    caller = Caller(pid(wheel(), Kp=0, Kd=10, velocity=1000.0, limits=False))
    caller(q=[np.nan], q_d=[0.0], qd_d=[0.0])
    assert caller.state["started"] == 0
    assert caller(q=[3.0], q_d=[0.0], qd_d=[0.0]) == 0
    assert caller.state["started"] == 1


def test_tuning_the_cut_off() -> None:
    law = pid(wheel(), Kp=1, Kd=1, velocity=100.0)
    assert law.tuned(velocity=200.0).gains["velocity_pole"][0] == pytest.approx(np.exp(-0.2))
    many = law.parameters(velocity=[100.0, 200.0])["velocity_pole"]
    np.testing.assert_allclose(many, np.exp([-0.1, -0.2]))


def test_closed_loop_on_positions_alone() -> None:
    """About as good as with velocities: the filter is much faster than the loop."""
    errors = []
    for velocity in ("measured", 2000.0):
        law = computed_torque(wheel(), bandwidth=20, velocity=velocity, limits=False)
        q, _, _ = held(law, lambda q, qd, tau: tau / 2, [0.0], [0.0], at_rest([0.1]), 800)
        errors.append(0.1 - q[:, 0])
    assert np.abs(errors[1][-1]) < 1e-4
    assert np.abs(errors[0] - errors[1]).max() < 0.005


def test_a_free_base_measures_its_own_speeds() -> None:
    robot = robosym.load("eel-3")
    plain, filtered = (
        Caller(computed_torque(robot, velocity=velocity, limits=False)) for velocity in ("measured", 500.0)
    )
    rng = np.random.default_rng(0)
    q, qd = rng.uniform(-1, 1, 9), rng.uniform(-1, 1, 8)
    q[3:7] /= np.linalg.norm(q[3:7])
    wanted = {name: rng.uniform(-1, 1, 2) for name in ("q_d", "qd_d", "qdd_d")}
    first = filtered(q=q, qd=qd, **wanted)  # at the first call the joints are taken for still
    np.testing.assert_allclose(first, plain(q=q, qd=np.r_[qd[:6], np.zeros(2)], **wanted), rtol=1e-10, atol=1e-10)
