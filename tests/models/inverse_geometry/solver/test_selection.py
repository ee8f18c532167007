"""Limits of joints and periodic copies of solutions, against whole turns tried one after the other."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from models.inverse_geometry.solver.solvers import has, solver_of

from robosym.models import inverse_geometric, transform
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.solver.selection import Ranges
from robosym.robot import Robot

TURN = 2 * math.pi


def limited(lower: float, upper: float) -> Robot:
    limits = {"lower": lower, "upper": upper}
    rows = [{"limits": limits}, {"d": 1.0, "limits": limits}, {"d": 0.8, "sigma": "fixed"}]
    return Robot.from_table("limited", rows)


def test_limits_keep_what_is_within_them() -> None:
    solver = inverse_geometric(limited(-0.1, 3.0))
    T = [1.2, 0.9, 0.0]
    assert len(solver(T)) == 2
    kept = solver(T, limits=True)
    assert kept.status == "reachable"
    assert len(kept) == 1
    assert (kept.solutions >= -0.1).all()
    none = solver([-0.5, -1.0, 0.0], limits=True)
    assert (none.status, len(none)) == ("outside limits", 0)
    assert "limits" in none.message


def test_a_copy_within_limits_stands_for_a_solution_outside() -> None:
    q = np.array([4.0, 5.0])
    solver = inverse_geometric(limited(3.5, 6.0))
    T = transform(solver.robot).compile()(q=q)
    assert has(solver(T).solutions, q)
    assert np.allclose(solver(T, limits=True).solutions, [q])
    assert np.allclose(solver.nearest(T, [0, 0], limits=True), q)


def test_copies_are_all_that_limits_allow() -> None:
    solver = inverse_geometric(limited(-2 * math.pi, 2 * math.pi))
    T = [1.2, 0.9, 0.0]
    found = solver(T, copies=True, limits=True)
    assert len(found) == 2 * 2 * 2
    assert len(np.unique(found.solutions.round(9), axis=0)) == 8
    assert np.allclose(transform(solver.robot).compile()(q=found.solutions)[:, :3, 3], T)
    near = solver(T, seed=[6.0, -6.0], copies=True).solutions
    far = np.linalg.norm(near - [6.0, -6.0], axis=1)
    assert far.tolist() == sorted(far)
    assert len(inverse_geometric(limited(0.0, 0.1))(T, copies=True)) == 2  # themselves, though outside
    assert len(solver_of("planar-2r")([0.5, 0.3, 0], copies=True)) == 2  # no limits, no copies


# --- any limits --------------------------------------------------------------------------------------------------------


def ranges(*limits: tuple[float | None, float | None], slides: tuple[int, ...] = ()) -> Ranges:
    rows = [
        {"d": 0.4, "sigma": "prismatic" if k in slides else "revolute"}
        | {"limits": {name: x for name, x in zip(("lower", "upper"), one, strict=True) if x is not None}}
        for k, one in enumerate(limits)
    ]
    return Ranges.of(chain_for(Robot.from_table("limited", rows)))


def test_ranges_of_a_chain() -> None:
    found = ranges((-1.0, 2.0), (None, 0.5), (0.1, None), slides=(1,))
    np.testing.assert_array_equal(found.limits, [[-1, -math.inf, 0.1], [2, 0.5, math.inf]])
    assert found.turning.tolist() == [True, False, True]


def test_copies_are_the_whole_turns_within_limits() -> None:
    """Tried from ten turns below to ten above."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        low, high = np.sort(rng.uniform(-15, 15, (2, 2)), axis=0)
        found = ranges(*zip(low.tolist(), high.tolist(), strict=True))
        q = rng.uniform(-4, 4, 2)
        each = [
            [x + TURN * k for k in range(-10, 11) if a <= x + TURN * k <= b]
            for x, a, b in zip(q, low, high, strict=True)
        ]
        expected = np.array(list(product(*each))).reshape(-1, 2)
        np.testing.assert_allclose(found.copies(q[None], keep=False), expected, atol=1e-12)
        kept = found.copies(q[None], keep=True)
        inside = bool(((low <= q) & (q <= high)).all())
        assert len(kept) == len(expected) + (not inside)
        assert (np.abs(kept - q).max(axis=1) < 1e-12).sum() == 1


def test_with_one_limit_the_nearest_copy_beyond_it() -> None:
    above, below = ranges((5.0, None)), ranges((None, -5.0))
    for x in (-3.0, 0.0, 2.0, 3.1):
        expected = min(x + TURN * k for k in range(10) if x + TURN * k >= 5.0)
        assert above.copies(np.array([[x]]), keep=False).tolist() == [[expected]]
        assert below.copies(np.array([[-x]]), keep=False).tolist() == [[-expected]]
    assert above.copies(np.array([[6.0], [5.0 - 1e-9]]), keep=False).tolist() == [[6.0], [5.0 - 1e-9]]
    assert ranges((None, None)).copies(np.array([[40.0]]), keep=False).tolist() == [[40.0]]


def test_lengths_have_no_copies() -> None:
    found = ranges((0.0, 10.0), slides=(0,))
    assert found.copies(np.array([[3.0], [-1e-9], [-1.0], [10.5]]), keep=False).tolist() == [[3.0], [-1e-9]]
    assert found.copies(np.array([[10.5]]), keep=True).tolist() == [[10.5]]


def test_angles_are_apart_by_the_shortest_way_round_and_sorted_as_they_are() -> None:
    found = ranges((None, None), (None, None), slides=(1,))
    Q, seed = np.array([[3.0, 3.0], [-3.0, 4.0], [3.5, 2.5]]), np.array([-3.1, 3.2])
    apart = found.apart(Q, seed)
    np.testing.assert_allclose(apart[:, 1], Q[:, 1] - seed[1])
    assert (np.abs(apart[:, 0]) <= math.pi).all()
    np.testing.assert_allclose(np.exp(1j * (seed[0] + apart[:, 0])), np.exp(1j * Q[:, 0]))
    turned = found.turned(Q, seed)
    np.testing.assert_allclose(turned[:, 0], seed[0] + apart[:, 0])
    np.testing.assert_array_equal(turned[:, 1], Q[:, 1])
    distances = np.linalg.norm(found.sorted(Q, seed) - seed, axis=1)
    assert distances.tolist() == sorted(distances)
    assert sorted(found.sorted(Q, seed).tolist()) == sorted(Q.tolist())
