"""What ``assembled`` says of numbers that are no state of a platform."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.platform_cases import case_of, mode_near, tried

from robosym import models


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["planar-3rrr", "delta", "6-RUS", "3-RPS"])
def test_a_quaternion_of_another_length_is_no_pose(name: str) -> None:
    robot, (state, *_) = case_of(name)
    model = models.gravity(robot, near=mode_near(robot, state.legs))
    assert tried(model, state)["assembled"] == 1
    for length in (0.5, 0.999, 1.001, 2.0):
        pose = np.append(state.pose[:3], length * np.asarray(state.pose[3:]))
        assert tried(model, state, pose=pose)["assembled"] == 0
