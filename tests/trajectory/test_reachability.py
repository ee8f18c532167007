"""Sets of path speeds and the fastest motion in them, by linear programs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from sweeps import many

from robosym.trajectory import reachability


def test_the_sets_are_those_of_linear_programs() -> None:
    """The largest and the least x of one interval, by SciPy."""
    random = np.random.default_rng(5)
    for _ in range(many(80)):
        n, step = int(random.integers(1, 5)), float(random.uniform(0.01, 0.2))
        (a0, b0, c0), (a1, b1, c1) = random.normal(size=(2, 3, n))
        a0[random.random(n) < 0.15] = 0.0
        b0[random.random(n) < 0.1] = 0.0
        a1[random.random(n) < 0.05] = 0.0
        b1[a1 == 0] = 0.0
        limit = random.uniform(0.2, 2.0, n)
        end, most = float(random.uniform(0, 2)), float(random.uniform(0.5, 8))
        places = np.array([[a0, b0, c0], [a1, b1, c1]])
        sets, _ = reachability.passes(places, limit, np.full(1, most), np.array([step]), 0.0, end)
        low, high = sets[0]
        P, Q, C = np.append(a0, a1 + 2 * step * b1), np.append(b0, b1), np.append(c0, c1)
        rows = np.concatenate([np.stack([P, Q], 1), -np.stack([P, Q], 1)])
        free = np.concatenate([np.tile(limit, 2) - C, np.tile(limit, 2) + C])
        known = [
            linprog([0, sign], rows, free, [[2 * step, 1]], [end], bounds=[(None, None), (0, most)]) for sign in (-1, 1)
        ]
        if known[0].status == 2:
            assert high < low
            continue
        assert high == pytest.approx(known[0].x[1], abs=1e-7)
        assert low == pytest.approx(known[1].x[1], abs=1e-7)


def drawn(random: np.random.Generator, N: int, w: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Limits at N + 1 places, and the lengths of the intervals between them; rest is possible everywhere."""
    places = random.normal(size=(N + 1, 3, w))
    places[:, 0] += np.sign(places[:, 0]) * 0.5
    places[:, 2] *= 0.1
    return places, random.uniform(0.5, 2.0, w), random.uniform(0.05, 0.2, N)


@pytest.mark.parametrize("apart", [False, True])
def test_the_fastest_motion_is_that_of_one_linear_program(apart: bool) -> None:
    """All x together as large as they can be, from a given start to a given end; ``apart``: the limits at the ends of intervals are
    not those where the next ones begin."""
    random = np.random.default_rng(6)
    N, w = 6, 3
    for _ in range(many(4)):
        at, limit, steps = drawn(random, N, w)
        begin, end = at[:-1], at[1:]
        if apart:
            end = end + 0.05 * random.normal(size=end.shape)
        most = random.uniform(0.5, 2, N)
        places = np.concatenate([begin, end]) if apart else at
        sets, squares = reachability.passes(places, limit, most, steps, 0.0, 0.0)
        rows, free = [], []
        for i in range(N):  # u = (x_(i+1) - x_i) / (2 step)
            for (a, b, c), k in ((begin[i], i), (end[i], i + 1)):
                for j in range(w):
                    row = np.zeros(N + 1)
                    row[i + 1] += a[j] / (2 * steps[i])
                    row[i] -= a[j] / (2 * steps[i])
                    row[k] += b[j]
                    rows += [row, -row]
                    free += [limit[j] - c[j], limit[j] + c[j]]
        bounds = [(0, 0), *((0, x) for x in most[1:]), (0, 0)]
        for k in range(1, N):
            cost = np.zeros(N + 1)
            cost[k] = -1
            found = linprog(cost, rows, free, bounds=bounds)
            assert found.status == 0
            assert squares[k] == pytest.approx(found.x[k], abs=1e-7)
        assert squares[0] == squares[-1] == 0
        assert (squares[1:-1] <= sets[1:-1, 1] + 1e-12).all()
        assert (sets[-1] == 0).all()


def test_where_no_motion_leads_on_there_is_no_set() -> None:
    """One limit of x alone that is never kept, and one that is kept at rest only."""
    one = np.array([[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    places = np.repeat(one, 4, axis=0)
    sets, _ = reachability.passes(places, np.array([1.0, 0.5]), np.full(3, 9.0), np.full(3, 0.1), 0.0, 0.3)
    assert (sets[:-1, 1] <= 0.5 + 1e-12).all()  # x + c between -0.5 and 0.5
    np.testing.assert_allclose(sets[2], [0.1, 0.5], atol=1e-12)  # |u| <= 1: 0.3 -+ 0.2
    places[1, 2, 1] = 2.0
    sets, _ = reachability.passes(places, np.array([1.0, 0.5]), np.full(3, 9.0), np.full(3, 0.1), 0.0, 0.3)
    assert sets[1, 1] == sets[0, 1] == reachability.NOWHERE
