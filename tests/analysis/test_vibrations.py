"""Where robots on springs hang and how they vibrate: closed forms of masses on springs, a pendulum, and simulation by differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulation.tops import top

import robosym
from robosym.analysis import equilibrium, vibrations
from robosym.errors import RobosymError
from robosym.expr import number
from robosym.options.errors import ArgumentError
from robosym.robot import Robot, RobotError, Spring, Value

G = 9.81


def two_masses(damping: float = 0.0) -> Robot:
    """One below the other, on springs of 100 and 50 N/m, with 2 and 1 kg."""
    rows = [
        {"joint": "upper", "sigma": "prismatic", "spring": {"stiffness": 100.0, "damping": 2 * damping}, "M": 2},
        {"joint": "lower", "sigma": "prismatic", "spring": {"stiffness": 50.0, "damping": damping}, "M": 1},
    ]
    rows = [{**row, "active": False} for row in rows]
    return Robot.from_table("two-masses", rows, gravity=[0, 0, -G])


def test_two_masses_hang_by_their_weight() -> None:
    found = equilibrium(two_masses())
    np.testing.assert_allclose(found.q, [-3 * G / 100, -G / 50], rtol=1e-12)
    assert found.stable
    pushed = equilibrium(two_masses(), tau=[0, G])
    np.testing.assert_allclose(pushed.q, [-3 * G / 100, 0], atol=1e-12)


def test_two_masses_swing_with_5_and_10_rad_a_second() -> None:
    """omega^2 = 25 and 100, of lambda^2 - 125 lambda + 2500 = 0; the lower mass moves twice and not at all as far."""
    found = vibrations(two_masses(0.5))
    np.testing.assert_allclose(found.frequencies, [5, 10], rtol=1e-12)
    np.testing.assert_allclose(found.hertz, [5 / (2 * np.pi), 10 / (2 * np.pi)], rtol=1e-12)
    np.testing.assert_allclose(found.shapes, [[1, -0.5], [1, 1]], atol=1e-12)
    # Dampers in proportion to the springs: half of omega D / K.
    np.testing.assert_allclose(found.damping, [0.5 * 5 * 0.01 * 2 / 2, 0.5 * 10 * 0.01 * 2 / 2], rtol=1e-9)


def test_a_pendulum_hangs_down_and_swings() -> None:
    """A joint without a motor: omega^2 = m g l / I, stable below and not above."""
    row = {"joint": "pivot", "active": False, "M": 2.0, "MX": 0.6, "XX": 0.01, "YY": 0.3, "ZZ": 0.3}
    robot = Robot.from_table("pendulum", [row], gravity=[0, -G, 0])
    found = vibrations(robot, [-1.0])
    assert found.q[0] == pytest.approx(-np.pi / 2)
    assert found.frequencies[0] == pytest.approx(np.sqrt(0.6 * G / 0.3))
    assert not equilibrium(robot, [1.5]).stable
    with pytest.raises(RobotError, match="is not stable"):
        vibrations(robot, [1.5])


def test_an_arm_at_rest_on_its_springs() -> None:
    """No torque is left on the joints with springs, and frequencies are those of its own forward dynamics, by differences."""
    robot = robosym.load("rx90")
    frames = [
        replace(f, joint=replace(f.joint, spring=Spring(number(900.0 / j)), active=False)) if j in (2, 3, 5) else f
        for j, f in enumerate(robot.frames, 1)
    ]
    robot = robot.replace(frames=tuple(frames))
    q = np.array([0.3, 0.2, -0.4, 0.5, 0.6, 0.1])
    found = vibrations(robot, q)
    free, held = [1, 2, 4], [0, 3, 5]
    assert np.array_equal(found.q[held], q[held])
    inverse = robosym.models.inverse_dynamics(robot).compile()
    assert np.abs(inverse(q=found.q, qd=np.zeros(6), qdd=np.zeros(6))[free]).max() < 1e-9
    hybrid, h = robosym.models.hybrid_dynamics(robot).compile(), 1e-5

    def accelerations(x: np.ndarray) -> np.ndarray:
        return np.asarray(hybrid(q=x, qd=np.zeros(6), qdd=np.zeros(6))["qdd_all"])[free]

    slope = np.array(
        [(accelerations(found.q + h * e) - accelerations(found.q - h * e)) / (2 * h) for e in np.eye(6)[free]]
    ).T
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(-slope).real), found.frequencies**2, rtol=1e-6)


def test_what_is_refused() -> None:
    with pytest.raises(RobotError, match="no joint is flexible or without a motor"):
        equilibrium(robosym.load("rx90"))
    with pytest.raises(RobotError, match="free: got 'knee'"):
        equilibrium(two_masses(), free=["knee"])
    with pytest.raises(RobosymError, match=r"q has shape \(3,\), expected \(2,\)"):
        equilibrium(two_masses(), [0, 0, 0])
    sinking = Robot.from_table("stone", [{"sigma": "prismatic", "active": False, "M": 1}], gravity=[0, 0, -G])
    with pytest.raises(RobotError, match="no position was found"):
        equilibrium(sinking)
    light = Robot.from_table("light", [{"joint": "light", "spring": {"stiffness": 10}, "active": False}])
    with pytest.raises(RobotError, match="free: light move no inertia"):
        vibrations(light)


def test_a_joint_may_be_named_alone_or_twice() -> None:
    once = vibrations(two_masses(), free=["lower"])
    for free in ("lower", ["lower", "lower"]):
        assert vibrations(two_masses(), free=free).frequencies == pytest.approx(once.frequencies)
    with pytest.raises(ArgumentError, match="free: got 5, expected a list of texts"):
        equilibrium(two_masses(), free=5)  # type: ignore[arg-type]


def test_the_quaternion_of_a_held_base_has_unit_length() -> None:
    robot = two_masses()
    robot = robot.replace(base=replace(robot.base, floating=True))
    turned = equilibrium(robot, [0, 0, 0, 1, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(turned.q[7:], [3 * G / 100, G / 50], rtol=1e-12)
    with pytest.raises(RobosymError, match=r"q has a quaternion .* of length 2, expected 1"):
        equilibrium(robot, [0, 0, 0, 2, 0, 0, 0, 0, 0])


def test_loops_that_cannot_be_assembled_are_named() -> None:
    """A crank that is too long to turn round."""
    robot = robosym.load("four-bar")
    robot = robot.replace(values={**robot.values, "D2": Value(0.6)})
    assert equilibrium(robot, [1.0], free="crank").residual < 1e-9
    with pytest.raises(RobotError, match="q: the loops cannot be assembled there"):
        equilibrium(robot, [3.0], free="crank")


def test_joints_of_several_axes_are_refused() -> None:
    with pytest.raises(RobotError, match="'hip' is a ball joint, for which the search for vibrations is not supported"):
        vibrations(top())
