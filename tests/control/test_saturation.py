"""Limits of torque: where they come from, and what is cut off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from control.joint_plants import Caller, torques

import robosym
from robosym.control import ControlError, computed_torque, pid
from robosym.options.errors import ArgumentError
from robosym.robot import Limits

STILL = np.zeros(6)


def test_limits_of_the_description() -> None:
    robot = robosym.load("rx90")
    frames = list(robot.frames)
    for j, effort in ((2, 7.0), (4, 0.0)):  # zero: the description does not know
        frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, limits=Limits(effort=effort)))
    law = pid(robot.replace(frames=tuple(frames)), Kp=100, Kd=1)
    assert law.parameters()["tau_max2"] == 7
    assert "tau_max4" not in law.parameters()
    tau = torques(law, q=np.full(6, -1.0), qd=STILL, q_d=STILL, qd_d=STILL)
    np.testing.assert_array_equal(tau, [100, 7, 100, 100, 100, 100])
    assert any("waist, elbow, wrist_roll" in note for note in law.notes)


def test_both_ways_and_what_is_inside() -> None:
    law = pid(robosym.load("rx90"), Kp=1, Kd=0, limits=[1, 2, 3, 4, 5, 6])
    e = np.array([-5, 1.9, 3.1, -4.1, 5, -0.1])
    np.testing.assert_array_equal(torques(law, q=-e, qd=STILL, q_d=STILL, qd_d=STILL), [-1, 1.9, 3, -4, 5, -0.1])
    other = law.tuned(tau_max=0.5)
    np.testing.assert_array_equal(
        torques(other, q=-e, qd=STILL, q_d=STILL, qd_d=STILL), [-0.5, 0.5, 0.5, -0.5, 0.5, -0.1]
    )
    inf = torques(law, q=np.array([np.inf, -np.inf, 0, 0, 0, 0]), qd=STILL, q_d=STILL, qd_d=STILL)
    np.testing.assert_array_equal(inf[:2], [-1, 2])


def test_not_a_number_stays_none() -> None:
    caller = Caller(pid(robosym.load("rx90"), Kp=1, Kd=0, limits=1))
    tau = caller(q=np.array([np.nan, 9, 0, 0, 0, 0]), qd=STILL, q_d=STILL, qd_d=STILL)
    assert np.isnan(tau[0])
    assert tau[1] == -1


def test_no_limits() -> None:
    law = computed_torque(robosym.load("puma560"), limits=False)
    assert not any(name.startswith("tau_max") for name in law.parameters())
    with pytest.raises(ControlError, match="there is no setting 'tau_max'"):
        law.tuned(tau_max=1)
    with pytest.raises(ArgumentError, match="limits: got nan, expected True, False, a number"):
        computed_torque(robosym.load("puma560"), limits=np.nan)
    for wrong in (0, -1, [1, 2, 3, 4, 5, 0]):
        with pytest.raises(ControlError, match="limits: expected torques above zero"):
            computed_torque(robosym.load("puma560"), limits=wrong)
