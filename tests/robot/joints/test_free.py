"""Free joint: any motion of a link."""

from __future__ import annotations

import numpy as np
from robot.joints.chain_motion import Numbers, check_kind, state

from robosym.robot.joints import Free


def test_motion() -> None:
    check_kind(Free())


def test_pose_and_speeds() -> None:
    q, qd, _ = state(Free())
    numbers = Numbers(Free(), q, qd, {})
    T = numbers.pose(np.zeros(6))
    np.testing.assert_allclose(T[:3, 3], q[:3])
    twist = (numbers.twists() @ numbers.G @ qd).reshape(2, 3)
    np.testing.assert_allclose(twist @ T[:3, :3], qd.reshape(2, 3), atol=1e-8)
    assert (Free().nq, Free().nv, Free().quaternion) == (7, 6, 3)
