"""Cubic and quintic polynomials with states at their ends."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import many
from trajectory.motions import kept, meets

from robosym.trajectory import TrajectoryError, point_to_point


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("profile", ["cubic", "quintic"])
def test_states_and_limits_on_random_motions(profile: str) -> None:
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(many(40)):
        n = int(rng.integers(1, 4))
        q0, qf = rng.normal(size=(2, n))
        kv, ka = np.exp(rng.normal(size=(2, n)) / 2)
        v0, vf = rng.uniform(-0.9, 0.9, (2, n)) * kv
        a0, af = rng.uniform(-0.3, 0.3, (2, n)) * ka if profile == "quintic" else np.zeros((2, n))
        try:
            move = point_to_point(q0, qf, profile, velocity=kv, acceleration=ka, v0=v0, vf=vf, a0=a0, af=af)
        except TrajectoryError as error:
            assert "keeps the limits of q" in str(error)  # noqa: PT017
            continue
        found += 1
        states = [(q0, v0, a0), (qf, vf, af)] if profile == "quintic" else [(q0, v0), (qf, vf)]
        meets(move, *states)
        kept(move, kv, ka)
        reached = max((np.abs(move.ranges(1)).max(axis=0) / kv).max(), (np.abs(move.ranges(2)).max(axis=0) / ka).max())
        assert reached <= 1 + 1e-12
        for shorter in (0.999, 0.9, 0.7):
            with pytest.raises(TrajectoryError, match="too short"):
                point_to_point(
                    q0,
                    qf,
                    profile,
                    velocity=kv,
                    acceleration=ka,
                    v0=v0,
                    vf=vf,
                    a0=a0,
                    af=af,
                    duration=shorter * move.duration,
                )
    assert found > many(15)


def test_at_rest_it_is_the_closed_form() -> None:
    """With velocities that are next to nothing the search finds Table 8.1."""
    for profile, expected in (("cubic", 1.5), ("quintic", 1.875)):
        move = point_to_point([0], [1], profile, velocity=1, acceleration=100, v0=[1e-12])
        assert move.duration == pytest.approx(expected, rel=1e-9)


def test_a_duration_that_is_too_long() -> None:
    """With an acceleration at the start a polynomial that takes long swings out."""
    ends = {"velocity": 1, "acceleration": 1, "a0": [0.9]}
    least = point_to_point([0], [1], **ends).duration
    with pytest.raises(TrajectoryError, match=r"in 50 s q1 comes to [\d.]+ times a limit"):
        point_to_point([0], [1], duration=50, **ends)
    assert point_to_point([0], [1], duration=least, **ends).duration == least


def test_in_step_where_the_states_are_on_a_line() -> None:
    line = np.array([1.0, -2.0, 0.5])
    move = point_to_point(0 * line, line, "quintic", velocity=3, acceleration=5, v0=0.3 * line, synchronise="phase")
    q, _, _ = move(np.linspace(0, move.duration, 20))
    np.testing.assert_allclose(q, q[:, :1] * line, rtol=0, atol=1e-12)
