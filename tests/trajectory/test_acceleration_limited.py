"""Motions with limits of velocity and acceleration: ends, limits, and the farthest by a linear program."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from sweeps import many

from robosym.trajectory.acceleration_limited import ACCELERATIONS, AccelerationLimited
from robosym.trajectory.jerk_limited import Phases


def drawn(seed: int) -> AccelerationLimited:
    rng = np.random.default_rng(seed)
    top = float(rng.uniform(0.3, 2))
    v0, vf = rng.uniform(-top, top, 2)
    return AccelerationLimited(float(rng.normal()), float(v0), float(vf), top)


def followed(one: AccelerationLimited, phases: Phases) -> tuple[float, float, float]:
    """Where the phases lead, how fast it is there, and the largest speed on the way."""
    x, v, fastest = 0.0, one.v0, abs(one.v0)
    for time, a in zip(phases, ACCELERATIONS, strict=True):
        x, v = x + v * time + a * time**2 / 2, v + a * time
        fastest = max(fastest, abs(v))
    return x, v, fastest


def farthest_of(one: AccelerationLimited, time: float, count: int = 80) -> float | None:
    """With accelerations that are constant over short steps, by a linear program."""
    h = time / count
    sums = np.tril(np.ones((count, count))) * h  # velocities after each step
    middle = (np.vstack([np.zeros(count), sums[:-1]]) + sums) / 2
    free = np.full(count, one.top)
    found = linprog(
        -(middle.sum(axis=0) * h),
        np.vstack([sums, -sums]),
        np.concatenate([free - one.v0, free + one.v0]),
        [sums[-1]],
        [one.vf - one.v0],
        bounds=[(-1, 1)] * count,
    )
    return None if found.status else float(-found.fun + one.v0 * time)


@pytest.mark.parametrize("seed", range(many(12)))
def test_farthest(seed: int) -> None:
    one = drawn(seed)
    least = abs(one.vf - one.v0)
    for time in (least + 0.05, least + 1.0, least + 4.0):
        phases = one.farthest(time)
        assert phases is not None
        assert min(phases) >= 0
        assert sum(phases) == pytest.approx(time)
        x, v, fastest = followed(one, phases)
        assert one.travelled(phases) == pytest.approx(x)
        assert v == pytest.approx(one.vf)
        assert fastest <= one.top * (1 + 1e-12)
        known = farthest_of(one, time)
        assert known is not None
        assert x >= known - 1e-9
        assert x == pytest.approx(known, abs=(time / 80) ** 2 + 1e-9)
    assert least < 1e-6 or one.farthest(0.9 * least) is None
    assert list(one.corners()) == [least]


@pytest.mark.parametrize("seed", range(many(12)))
def test_reaching(seed: int) -> None:
    """The distance that the farthest motions go is reached by them; in a mirror downwards."""
    one = drawn(seed)
    for time in (abs(one.vf - one.v0) + 0.3, abs(one.vf - one.v0) + 5.0):
        phases = one.farthest(time)
        assert phases is not None
        there = AccelerationLimited(one.travelled(phases), one.v0, one.vf, one.top)
        assert any(p == pytest.approx(phases, abs=1e-9) for p in there.reaching())
        for p in there.reaching():
            x, v, fastest = followed(there, p)
            assert x == pytest.approx(there.distance, abs=1e-9)
            assert v == pytest.approx(there.vf, abs=1e-9)
            assert fastest <= there.top * (1 + 1e-9)
    back = one.mirrored
    assert (back.distance, back.v0, back.vf, back.top) == (-one.distance, -one.v0, -one.vf, one.top)


def test_what_is_possible() -> None:
    assert AccelerationLimited(1, 0.5, -1, 1).possible
    assert not AccelerationLimited(1, 0.5, -1.1, 1).possible
    assert not AccelerationLimited(1, 1.1, 0, 1).possible


def test_a_trapeze() -> None:
    """From rest to rest over 2 with top speed 1: 1 up, 1 staying, 1 down. Over 1/4: 1/2 up and down."""
    assert AccelerationLimited(2, 0, 0, 1).reaching()[0] == pytest.approx((1, 1, 1))
    assert AccelerationLimited(0.25, 0, 0, 1).reaching() == [pytest.approx((0.5, 0, 0.5))]
    assert AccelerationLimited(-0.25, 0, 0, 1).reaching() == []
