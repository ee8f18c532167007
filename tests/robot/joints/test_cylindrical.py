"""Cylindrical joint: angle about z, displacement along z."""

from __future__ import annotations

import numpy as np
from robot.joints.chain_motion import Numbers, check_kind, shift_z, state, turn

from robosym.robot.joints import Cylindrical


def test_motion() -> None:
    check_kind(Cylindrical())


def test_pose() -> None:
    q, qd, _ = state(Cylindrical())
    pose = Numbers(Cylindrical(), q, qd, {}).pose(np.zeros(2))
    np.testing.assert_allclose(pose, turn("z", q[0]) @ shift_z(q[1]))
    assert [x.name for x in Cylindrical().symbols("a")] == ["a_angle", "a_shift"]
