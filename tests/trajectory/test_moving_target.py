"""Targets that move: [8.3]."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import many
from trajectory.motions import PROFILES, kept

from robosym.trajectory import TrajectoryError, point_to_point, through, to_moving_target


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("profile", PROFILES)
def test_on_the_target_after_the_duration_of_r(profile: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(many(6)):
        target = through(rng.normal(size=(4, 2)), velocity=0.5, acceleration=1.0)
        q0 = rng.normal(size=2)
        move = to_moving_target(q0, target, profile, velocity=1.5, acceleration=3.0, jerk=200.0)
        kept(move, 1.5, None if profile == "linear" else 3.0)
        D = target.start - q0
        alone = point_to_point(
            q0, target.start, profile, velocity=1.5 - np.abs(target.ranges(1)).max(axis=0),
            acceleration=3.0 - np.abs(target.ranges(2)).max(axis=0), jerk=200.0 - np.abs(target.ranges(3)).max(axis=0),
        )  # fmt: skip
        assert move.duration == pytest.approx(max(target.duration, alone.duration), rel=1e-12)
        t = np.linspace(0, move.duration, 50)
        r = alone(t)[0] - q0
        np.testing.assert_allclose(move(t)[0], target(t)[0] - (D - r), rtol=0, atol=1e-9)
        later = t[t >= alone.duration]
        np.testing.assert_allclose(move(later)[0], target(later)[0], rtol=0, atol=1e-9)


def test_refused() -> None:
    target = point_to_point([0, 0], [1, 1], "trapeze", velocity=1, acceleration=2)
    with pytest.raises(TrajectoryError, match=r"moves q1 with a velocity of 1, which leaves nothing of the limit 0\.8"):
        to_moving_target([1, 0], target, velocity=0.8, acceleration=9)
    with pytest.raises(TrajectoryError, match="q0: expected 2 positions"):
        to_moving_target([1], target, velocity=3, acceleration=9)
    with pytest.raises(TrajectoryError, match="too short for q1"):
        to_moving_target([1, 0], target, velocity=3, acceleration=9, duration=0.01)
    assert to_moving_target([0, 0], target, velocity=3, acceleration=9) is target
