"""Ball joint: quaternion, angular velocity in the axes of the link."""

from __future__ import annotations

import numpy as np
from robot.joints.chain_motion import Numbers, check_kind, state

from robosym.robot.joints import Ball


def test_motion() -> None:
    check_kind(Ball())


def test_speeds_are_in_the_axes_of_the_link() -> None:
    q, qd, _ = state(Ball())
    numbers = Numbers(Ball(), q, qd, {})
    R = numbers.pose(np.zeros(3))[:3, :3]
    np.testing.assert_allclose(R.T @ (numbers.twists() @ numbers.G @ qd)[3:], qd, atol=1e-8)
    assert not np.any(numbers.x)


def test_symbols() -> None:
    assert [x.name for x in Ball().symbols("hip")] == ["hip_qx", "hip_qy", "hip_qz", "hip_qw"]
    assert [entry.neutral for entry in Ball.positions] == [0, 0, 0, 1]
    assert (Ball().nq, Ball().nv, Ball().quaternion) == (4, 3, 0)
