"""The linearised model along a motion: at every sample that of its state."""

from __future__ import annotations

import numpy as np
import pytest
from robots_with import flexible

import robosym
from robosym import models
from robosym.options.errors import ArgumentError
from robosym.trajectory import TrajectoryError, linearised, point_to_point


def test_a_trajectory_is_a_batch() -> None:
    robot = robosym.load("planar-2r")
    motion = point_to_point([0, 0], [1, -0.5], duration=1.0)
    found = linearised(robot, motion, rate=20, outputs=["energy"])
    one = models.linearised(robot, outputs=["energy"], wrench="none").compile()
    k = 7
    made = one(q=found.q[k], qd=found.qd[k], tau=found.tau[k])
    np.testing.assert_allclose(found.A[k], made["A"], atol=1e-12)
    np.testing.assert_allclose(found.C[k], made["C"], atol=1e-12)
    assert found.A.shape == (21, 4, 4)
    sampled = linearised(robot, motion, rate=20, discrete=True)
    held = models.discrete(robot, wrench="none").compile()
    made = held(q=found.q[k], qd=found.qd[k], tau=found.tau[k], dt=0.05)
    np.testing.assert_allclose(sampled.A[k], made["Ad"], atol=1e-12)
    with pytest.raises(TrajectoryError, match="a free base"):
        linearised(robosym.load("planar-2r", floating=True), motion)


def test_what_is_refused() -> None:
    robot, motion = robosym.load("planar-2r"), point_to_point([0, 0], [1, -0.5], duration=1.0)
    with pytest.raises(TrajectoryError, match="flexible joints"):
        linearised(flexible(robot), motion)
    with pytest.raises(TrajectoryError, match="has 2 joints, expected 3"):
        linearised(robosym.load("planar-3r"), motion)
    with pytest.raises(ArgumentError, match=r"robot: got .*, expected a Robot"):
        linearised(motion, robot)
