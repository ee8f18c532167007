"""One joint from state to state: limits kept, ends met, and no slower than ruckig."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from sweeps import many

from robosym.trajectory.extremes import largest
from robosym.trajectory.jerk_limited import JerkLimited
from robosym.trajectory.pieces import Pieces
from robosym.trajectory.reachable import Reachable, jerk_limited

Case = tuple[float, float, float, float, float, float, float, float]  # D, v0, vf, a0, af and the limits


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Rest to rest, with velocities, with accelerations too: of all sizes."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        V, A, J = np.exp(rng.normal(size=3)).tolist()
        D = float(rng.normal() * math.exp(1.5 * rng.normal()))
        v = rng.uniform(-V, V, 2) * (k % 3 > 0) * (rng.random(2) < 0.9)
        a = rng.uniform(-A, A, 2) * (k % 3 > 1) * (rng.random(2) < 0.9)
        yield (D, *v.tolist(), *a.tolist(), V, A, J)


def special_cases(seed: int, count: int) -> Iterator[Case]:
    """Small integers and halves, where cases fall together; at the limits; next to nothing to do."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        V, A, J = rng.integers(1, 4, 3).astype(float).tolist()
        D = float(rng.integers(-4, 5) * rng.choice([1, 0.5, 1e-3, 1e-9]))
        v = V * rng.integers(-2, 3, 2) / 2 * (k % 3 > 0)
        a = A * rng.integers(-2, 3, 2) / 2 * (k % 3 > 1)
        yield (D, *v.tolist(), *a.tolist(), V, A, J)


def joint(case: Case) -> Reachable:
    D, v0, vf, a0, af, V, A, J = case
    return jerk_limited(D, 0.25, (v0, vf), (a0, af), V, A, J)


def padded(rows: list[np.ndarray], count: int) -> np.ndarray:
    """Of different lengths, with zeros behind them."""
    found = np.zeros((len(rows), count, *rows[0].shape[1:]))
    for one, row in zip(found, rows, strict=True):
        one[: len(row)] = row
    return found


def check(motions: list[tuple[Pieces, float, Case]]) -> None:
    """By integration that is not ours: the states at both ends and the limits at all times. All motions at once, piece by piece;
    pieces that are not there last no time."""
    count = max(len(found.coefficients) for found, _, _ in motions)
    own = padded([found.coefficients for found, _, _ in motions], count)
    lengths = padded([np.diff(found.times) for found, _, _ in motions], count)
    duration = np.array([duration for _, duration, _ in motions])
    D, v0, vf, a0, af, V, A, J = np.array([case for _, _, case in motions]).T

    def holds(what: str, good: np.ndarray) -> None:
        assert good.all(), (what, motions[int(np.argmin(good.reshape(len(motions), -1).all(axis=1)))])

    assert own.shape[2] == 4
    assert (lengths >= 0).all()
    holds("duration", np.abs(lengths.sum(axis=1) - duration) <= 1e-12 * (1 + duration))
    begin = np.stack([0.25 + 0 * v0, v0, a0 / 2], axis=1)
    holds("start", np.abs(own[:, 0, :3] - begin) <= 1e-11)
    x, v, a = 0.25 + 0 * v0, v0, a0
    for h, c in zip(lengths.T, np.moveaxis(own, 1, 0), strict=True):  # the jerk alone, from the start on
        j = 6 * c[:, 3]
        holds("jerk", np.abs(j) <= J * (1 + 1e-12) + 1e-12)
        x, v, a = x + h * (v + h * (a / 2 + h * j / 6)), v + h * (a + h * j / 2), a + h * j
        holds("acceleration", np.abs(a) <= A * (1 + 1e-11) + 1e-11)
    end = np.array([found.end for found, _, _ in motions])
    holds("position", np.abs(end - 0.25 - D) <= 1e-10 * (1 + np.abs(D)))
    missed = np.abs([x - 0.25 - D, v - vf, a - af])
    holds("end", (missed <= 1e-10 * np.array([1 + np.abs(D) + V * duration / 100, 1 + V, 1 + A])).T)
    for order, limit in enumerate((V, A, J), 1):
        own = own[:, :, 1:] * np.arange(1, own.shape[2])
        local = own * lengths[:, :, None] ** np.arange(own.shape[2])
        reached = largest(local.reshape(-1, own.shape[2], 1)).reshape(len(motions), count).max(axis=1)
        holds(f"derivative {order}", reached <= limit + 1e-12 * np.maximum(1, limit))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("cases", "count"), [(random_cases, 1500), (special_cases, 1000)])
def test_limits_and_ends_at_every_possible_duration(cases, count) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(5)
    solved, motions = 0, []
    for case in cases(6, many(count)):
        one = joint(case)
        if not one.problem.possible:
            continue
        solved += 1
        for begin, end in one.intervals:
            inside = (
                begin + (end - begin) * rng.random() if end < math.inf else begin * (1 + rng.random()) + rng.random()
            )
            motions += [(one.lasting(T), T, case) for T in {begin, inside, end if end < math.inf else begin}]
        assert one.intervals[-1][1] == math.inf
    assert solved > many(count) * 0.8
    check(motions)


@pytest.mark.parametrize(("cases", "count"), [(random_cases, 2000), (special_cases, 1000)])
def test_no_slower_than_ruckig(cases, count) -> None:  # type: ignore[no-untyped-def]
    ruckig = pytest.importorskip("ruckig")
    compared = 0
    for case in cases(7, many(count)):
        D, v0, vf, a0, af, V, A, J = case
        one = joint(case)
        if not one.problem.possible:
            continue
        asked, theirs = ruckig.InputParameter(1), ruckig.Trajectory(1)
        asked.current_position, asked.current_velocity, asked.current_acceleration = [0.0], [v0], [a0]
        asked.target_position, asked.target_velocity, asked.target_acceleration = [D], [vf], [af]
        asked.max_velocity, asked.max_acceleration, asked.max_jerk = [V], [A], [J]
        if ruckig.Ruckig(1).calculate(asked, theirs) < 0:
            continue
        compared += 1
        assert min(one.fastest) * one.second <= theirs.duration + 1e-9, case
    assert compared > many(count) * 0.7


def test_the_set_of_durations_is_that_of_a_linear_program() -> None:
    """Discretised in time the problem is linear: an independent answer to whether a duration is possible."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(8)
    steps = 60
    seen = {True: 0, False: 0}
    for case in random_cases(9, many(25)):
        D, v0, vf, a0, af, V, A, J = case
        one = joint(case)
        if not one.problem.possible or one.intervals[0][0] == 0:
            continue
        T = one.intervals[0][0] * float(rng.uniform(0.4, 3))
        near = min(abs(T - t) for pair in one.intervals for t in pair)
        h = T / steps
        rows = np.arange(steps)
        # The state after k steps of constant jerk.
        after = np.arange(1, steps + 1)[:, None] - rows[None, :]
        on = after > 0
        to_a = np.where(on, h, 0.0)
        to_v = np.where(on, h * h * (after - 0.5), 0.0)
        to_x = np.where(on, h**3 * (after**2 / 2 - after / 2 + 1 / 6), 0.0)
        t = h * np.arange(1, steps + 1)
        base_a, base_v, base_x = a0 + 0 * t, v0 + a0 * t, v0 * t + a0 * t * t / 2
        answer = linprog(
            np.zeros(steps),
            A_ub=np.concatenate([to_a, -to_a, to_v, -to_v]),
            b_ub=np.concatenate([A - base_a, A + base_a, V - base_v, V + base_v]),
            A_eq=np.array([to_x[-1], to_v[-1], to_a[-1]]),
            b_eq=np.array([D - base_x[-1], vf - base_v[-1], af - base_a[-1]]),
            bounds=(-J, J),
        )
        ours = any(begin <= T <= end for begin, end in one.intervals)
        if near > 0.1 * T:  # steps make a difference near the ends
            assert (answer.status == 0) == ours, (case, T, one.intervals)
            seen[ours] += 1
    assert min(seen.values()) >= 3


def test_blocked_durations() -> None:
    """Past the target at once, or after coming back: nothing between."""
    one = jerk_limited(0.4, 0.0, (1.0, 1.0), (0.0, 0.0), 1.2, 2.0, 10.0)
    first, second = one.intervals
    assert first[0] < 0.4 < first[1] < second[0]
    assert second[1] == math.inf
    assert not one._possible((first[1] + second[0]) / 2 / one.second)


def test_mirrors() -> None:
    problem = JerkLimited(0.3, 0.1, -0.2, 0.4, 0.5, 1.0)
    assert problem.mirrored.mirrored == problem
    assert problem.reversed.reversed == problem
