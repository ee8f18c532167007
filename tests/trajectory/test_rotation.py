"""Rotations of a ball joint: the quaternion's rate is the angular velocity, whose rate is the angular acceleration."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from robosym.trajectory import TrajectoryError, rotation

ENDS = Rotation.from_rotvec([[0.3, -0.8, 0.4], [-1.1, 0.6, 1.3]])


def test_velocity_and_acceleration_are_the_rates() -> None:
    move = rotation(*ENDS.as_quat(), duration=1.5)
    h = 1e-4
    for t in np.linspace(0.1, 1.4, 7):
        q, w, dw = move(t)
        before, after = (Rotation.from_quat(move(t + sign * h)[0]) for sign in (-1, 1))
        np.testing.assert_allclose((before.inv() * after).as_rotvec() / (2 * h), w, atol=1e-6)
        np.testing.assert_allclose((move(t + h)[1] - move(t - h)[1]) / (2 * h), dw, atol=1e-5)
        assert np.linalg.norm(q) == pytest.approx(1, abs=1e-15)


def test_it_goes_the_way_of_slerp_between_the_ends() -> None:
    first, last = ENDS.as_quat()
    times = np.linspace(0, 1, 9)
    for end in (last, -last):  # the same orientation
        q, w, dw = rotation(first, end, "linear", duration=1.0)(times)
        assert (q.shape, w.shape, dw.shape) == ((9, 4), (9, 3), (9, 3))
        way = Slerp([0, 1], ENDS)(times)
        np.testing.assert_allclose((way.inv() * Rotation.from_quat(q)).magnitude(), 0, atol=1e-7)


def test_limits_give_the_duration() -> None:
    first, last = ENDS.as_quat()
    angle = (ENDS[0].inv() * ENDS[1]).magnitude()
    move = rotation(first, last, "trapeze", velocity=0.5, acceleration=2.0)
    assert move.duration == pytest.approx(angle / 0.5 + 0.5 / 2.0)
    speeds = np.linalg.norm(move(np.linspace(0, move.duration, 99))[1], axis=1)
    assert speeds.max() == pytest.approx(0.5)
    assert repr(move) == f"<rotation by {angle:.6g} rad, {move.duration:.6g} s>"


def test_an_end_that_is_the_start() -> None:
    q, w, _ = rotation([0, 0, 0, 1], [0, 0, 0, 1], duration=1.0)(0.4)
    np.testing.assert_array_equal(q, [0, 0, 0, 1])
    np.testing.assert_array_equal(w, 0)


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ([0, 0, 0, 0], "end: expected a quaternion of length 1, got 0"),
        ([1, 0, 0], r"end: expected a quaternion x, y, z, w, got the shape \(3,\)"),
        ([0, 0, 0, float("nan")], "end"),
    ],
)
def test_quaternions_that_are_none(end: list[float], message: str) -> None:
    with pytest.raises(TrajectoryError, match=message):
        rotation([0, 0, 0, 1], end, duration=1.0)


def test_a_missing_limit_is_named() -> None:
    with pytest.raises(TrajectoryError, match="velocity"):
        rotation([0, 0, 0, 1], [1, 0, 0, 0])
