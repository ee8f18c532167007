"""Torques and points along a motion: bounds, margins and penalties of a pendulum whose numbers are known."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from robosym import models
from robosym.identification.excitation.checks import RESERVE, Checks, Quantity, dense, fitted, linear_margins
from robosym.identification.excitation.criterion import Numeric, nudged
from robosym.identification.excitation.families import FourierFamily
from robosym.identification.excitation.limits import joint_limits
from robosym.robot import Robot

ROBOT = Robot.from_table(
    "one",
    [{"joint": "a", "ZZ": 0.5, "MX": 0.3, "M": 1, "Fs": 0.2, "limits": {"lower": -1.0, "upper": 1.0, "velocity": 4.0}}],
    gravity=[0, -9.81, 0],
)


@cache
def torque(bound: float = 3.0) -> Quantity:
    smooth, whole = models.inverse_dynamics(ROBOT), models.inverse_dynamics(ROBOT, friction=True)
    lower, upper = np.array([-bound]), np.array([bound + 1])
    return Quantity("torque", ("a",), "N m", lower, upper, Numeric(smooth, {}), Numeric(whole, {}))


def motion(amplitude: float = 0.5, duration: float = 2.0):
    family = FourierFamily(False, 1, False)
    return family.motion(("a",), duration, np.array([0.1]), np.array([[amplitude, 0.0]]))


def expected(t: np.ndarray, amplitude: float = 0.5, duration: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    w = 2 * np.pi / duration
    q, qd, qdd = 0.1 + amplitude * np.sin(w * t), amplitude * w * np.cos(w * t), -amplitude * w * w * np.sin(w * t)
    smooth = 0.5 * qdd + 9.81 * 0.3 * np.cos(q)
    return smooth, qd


def test_extremes_are_those_of_the_motion() -> None:
    own, move = torque(), motion()
    t = np.linspace(0, 2, 400_001)
    smooth, qd = expected(t)
    low, high, there = own.extremes(dense(move))
    assert there
    for found, value in ((low[0], (smooth + 0.2 * np.sign(qd)).min()), (high[0], (smooth + 0.2 * np.sign(qd)).max())):
        assert abs(found - value) < 0.01
    assert low[0] <= (smooth + 0.2 * np.sign(qd)).min()
    assert high[0] >= (smooth + 0.2 * np.sign(qd)).max()
    margin = own.margins(dense(move))
    assert margin.margin == pytest.approx(min(4 - high[0], low[0] + 3))
    assert (margin.limit, margin.what, margin.unit) == ("torque", "a", "N m")


def test_violations_in_sizes() -> None:
    own = torque()
    np.testing.assert_array_equal(own.size, [3.5])
    values = np.array([[0.0], [4.5], [-4.0], [4.0], [-3.0]])
    np.testing.assert_allclose(own.violation(values)[:, 0], [0, 0.5 / 3.5, -1 / 3.5, 0, 0])
    np.testing.assert_allclose(own.violation(values, RESERVE)[3:, 0], [RESERVE, -RESERVE])
    free = Quantity("box", ("x", "y"), "m", np.array([-np.inf, 0.0]), np.array([np.inf, 2.0]), own.smooth)
    np.testing.assert_array_equal(free.size, [1, 1])


def test_penalties_and_their_slopes() -> None:
    own = Checks((torque(1.0),))
    rng = np.random.default_rng(0)
    at = tuple(rng.uniform(0.5, 2, (5, 1)) for _ in range(3))
    value, slopes = own.penalty(nudged(at), 5)  # type: ignore[arg-type]
    values = torque(1.0).friction(at)[0]  # type: ignore[misc, arg-type]
    assert value == pytest.approx(float((torque(1.0).violation(values, RESERVE) ** 2).sum()))
    assert value > 0
    h = 1e-5
    for order in (0, 2):
        for k in range(5):
            ends = []
            for s in (1, -1):
                moved = [x.copy() for x in at]
                moved[order][k] += s * h
                ends.append(own.penalty(nudged(tuple(moved)), 5)[0])  # type: ignore[arg-type]
            assert slopes[order, k, 0] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-3, abs=1e-5)
    (beyond,) = own.violated(at)  # type: ignore[arg-type]
    np.testing.assert_array_equal(beyond, torque(1.0).violation(values, RESERVE)[:, 0] != 0)
    assert own.margins(motion())[0].limit == "torque"
    assert torque(1.0).named(tuple(x[:1] * 0 for x in at)) == "torque (a)"  # type: ignore[arg-type]


def test_margins_of_position_and_velocity() -> None:
    limits = joint_limits(ROBOT, None, None, None, None)
    found = {one.limit: one for one in linear_margins(motion(), limits)}
    assert found["position"].margin == pytest.approx(1 - 0.6, abs=1e-4)
    assert found["velocity"].margin == pytest.approx(4 - 0.5 * np.pi, abs=1e-4)
    assert found["velocity"].unit == "rad/s"
    assert "acceleration" not in found
    low = linear_margins(motion(-0.5), limits)[0].margin
    assert low == pytest.approx(0.4, abs=1e-4)


@pytest.mark.parametrize(("amplitude", "factor"), [(0.5, 1.0), (1.2, 0.75), (-1.2, 0.75), (0.5e-3, 1.0)])
def test_a_motion_is_drawn_together(amplitude: float, factor: float) -> None:
    limits = joint_limits(ROBOT, None, None, None, None)
    small = fitted(motion(amplitude), limits, np.array([0.1]))
    low, high = small.ranges(0)
    assert high[0] - 0.1 == pytest.approx(abs(amplitude) * factor, rel=1e-5)
    assert 0.1 - low[0] == pytest.approx(abs(amplitude) * factor, rel=1e-5)
    assert high[0] <= 1.0
    fast = fitted(motion(0.5, 0.5), limits, np.array([0.1]))
    assert np.abs(fast.ranges(1)).max() == pytest.approx(4.0, rel=1e-5)
    assert np.abs(fast.ranges(1)).max() <= 4.0
