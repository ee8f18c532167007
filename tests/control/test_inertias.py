"""One joint alone: inertias and friction as the gains see them, and gains by their characteristic polynomials."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot

import robosym
from robosym import models
from robosym.analysis.inertia import largest_inertia
from robosym.control import ControlError
from robosym.control.inertias import (
    gains_with_integral,
    gains_without_integral,
    inertia_setting,
    viscous_friction,
    viscous_setting,
)
from robosym.control.joints import joints_of
from robosym.expr import number, parameter
from robosym.robot import FIXED, Friction, Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def test_gains_are_those_of_the_polynomials() -> None:
    a, w, z, Fv = np.array([2.0, 0.5]), np.array([10.0, 3.0]), np.array([1.0, 0.6]), np.array([0.7, 0.1])
    plain, whole = gains_without_integral(w, z, a, Fv), gains_with_integral(w, z, a, Fv)
    assert (set(plain), set(whole)) == ({"Kp", "Kd"}, {"Kp", "Kd", "KI"})
    for k in range(2):
        second = a[k] * np.array([1, 2 * z[k] * w[k], w[k] ** 2])
        np.testing.assert_allclose([a[k], plain["Kd"][k] + Fv[k], plain["Kp"][k]], second)
        third = np.polymul(second, [1, w[k]])
        np.testing.assert_allclose([a[k], whole["Kd"][k] + Fv[k], whole["Kp"][k], whole["KI"][k]], third)


@pytest.mark.parametrize("make", [gains_without_integral, gains_with_integral])
def test_friction_may_damp_enough_and_no_more(make: Any) -> None:
    a, factor = np.array([2.0]), 2 if make is gains_without_integral else 3
    enough = np.array([factor * 10.0 * 2.0])
    assert make(10.0, 1.0, a, enough)["Kd"] == 0
    with pytest.raises(ControlError, match=r"Kd would be -1\b"):
        make(10.0, 1.0, a, enough + 1)
    with pytest.raises(ControlError, match="bandwidth and damping: expected numbers above zero"):
        make(0.0, 1.0, a, np.zeros(1))


def viscous_alone(seed: int) -> Robot:
    """Coupled motors, reductions and joints that follow, with viscous friction of joints and motors."""
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 6, symbolic=False, couplings=1)
    frames = []
    for frame in robot.frames:
        if frame.sigma != FIXED:
            motor = replace(frame.actuator.motor, Fv=number(float(rng.uniform(0.1, 1))))
            own = replace(
                frame.actuator, Fs=number(0), Fv=number(float(rng.uniform(0.1, 1))), friction=Friction(), motor=motor
            )
            frame = replace(frame, actuator=own)
        frames.append(frame)
    return robot.replace(frames=tuple(frames))


@pytest.mark.parametrize("seed", [11, 12])
def test_viscous_friction_is_what_multiplies_the_speed(seed: int) -> None:
    """Of the torque by friction alone, at unit speeds one after the other."""
    robot = viscous_alone(seed)
    q, n = np.zeros(robot.nv), robot.nv
    on, off = (models.inverse_dynamics(robot, friction=there, wrench="none") for there in (True, False))
    slopes = [on.evaluate(q=q, qd=v, qdd=0 * q) - off.evaluate(q=q, qd=v, qdd=0 * q) for v in np.eye(n)]
    found = viscous_friction(robot)
    np.testing.assert_allclose(found, np.diag(slopes), rtol=1e-10)
    joints = joints_of(robot)
    np.testing.assert_allclose(viscous_setting(joints, None), found[list(joints.driven)])
    np.testing.assert_array_equal(viscous_setting(joints, 2.0), np.full(len(joints.driven), 2.0))
    with pytest.raises(ControlError, match="viscous: got -1"):
        viscous_setting(joints, -1.0)


def test_friction_without_a_value_is_named() -> None:
    robot = robosym.load("planar-2r")
    first = robot.frames[0]
    changed = replace(first, actuator=replace(first.actuator, Fv=parameter("FV_unknown")))
    with pytest.raises(ControlError, match="no value for FV_unknown: the gains need"):
        viscous_friction(robot.replace(frames=(changed, *robot.frames[1:])))


def test_inertias() -> None:
    robot = robosym.load("planar-2r")
    joints = joints_of(robot)
    np.testing.assert_allclose(inertia_setting(joints, None), largest_inertia(robot))
    np.testing.assert_array_equal(inertia_setting(joints, [1, 2]), [1, 2])
    for wrong in ([1, 0], [1, -2]):
        with pytest.raises(ControlError, match=f"inertia: joint '{joints.names[1]}' has"):
            inertia_setting(joints, wrong)
    last = replace(robot.frames[1], joint=replace(robot.frames[1].joint, active=False))
    one = joints_of(robot.replace(frames=(robot.frames[0], last, *robot.frames[2:])))
    np.testing.assert_allclose(inertia_setting(one, None), largest_inertia(robot)[:1])
