"""Universal joint: two axes at right angles."""

from __future__ import annotations

import numpy as np
from robot.joints.chain_motion import Numbers, check_kind, state, turn

from robosym.robot.joints import Universal


def test_motion() -> None:
    check_kind(Universal())


def test_pose() -> None:
    q, qd, _ = state(Universal())
    pose = Numbers(Universal(), q, qd, {}).pose(np.zeros(2))
    np.testing.assert_allclose(pose, turn("z", q[0]) @ turn("x", np.pi / 2) @ turn("z", q[1]), atol=1e-15)
