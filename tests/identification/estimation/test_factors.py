"""Factors: however the rows are cut, ordered and merged, the triangles hold the same Gram matrices."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations, random_places

from robosym.identification.estimation.equations import Equations, EquationsError
from robosym.identification.estimation.factors import Factors, doublings, summed, triangle


def grams(factors: Factors) -> list[np.ndarray]:
    return [T.transpose(0, 2, 1) @ T for T in factors.triangles]


def assert_same(a: Factors, b: Factors) -> None:
    assert a.blocks == b.blocks
    assert a.level == b.level
    np.testing.assert_array_equal(a.rows, b.rows)
    for one, two in zip(grams(a), grams(b), strict=True):
        np.testing.assert_allclose(one, two, rtol=0, atol=1e-12 * max(1.0, float(np.abs(two).max(initial=0))))


def cut(equations: Equations, start: float, end: float) -> Equations:
    return equations.only([(times >= start) & (times < end) for times in equations.times])


@pytest.mark.parametrize("rows", [0, 1, 3, 7, 8, 511, 513, 3000])
def test_a_triangle_has_the_gram_matrix_of_its_rows(rows: int) -> None:
    A = np.random.default_rng(rows).normal(size=(rows, 7))
    R = triangle(A)
    assert R.shape == (7, 7)
    np.testing.assert_array_equal(R, np.triu(R))
    np.testing.assert_allclose(R.T @ R, A.T @ A, atol=1e-11)


def test_a_triangle_does_not_square_the_condition_number() -> None:
    rng = np.random.default_rng(3)
    U, V = np.linalg.qr(rng.normal(size=(5000, 6)))[0], np.linalg.qr(rng.normal(size=(6, 6)))[0]
    singular = np.logspace(0, -12, 6)
    found = np.linalg.svd(triangle(U * singular @ V), compute_uv=False)
    np.testing.assert_allclose(found, singular, rtol=1e-3)  # 1e-24 would be lost in a Gram matrix


def test_blocks_hold_the_rows_of_their_time() -> None:
    rng = np.random.default_rng(4)
    equations = random_equations(rng, [130, 77], rng.normal(size=5))
    factors = Factors.of(equations)
    assert factors.blocks == (("", 0), ("", 1), ("", 2))
    for b in range(3):
        part = cut(equations, b * 0.5, b * 0.5 + 0.5)
        assert part.rows == tuple(factors.rows[b])
        for j, T in enumerate(factors.triangles):
            A = np.column_stack([part.values[j], part.torques[j]])
            np.testing.assert_allclose(T[b].T @ T[b], A.T @ A, atol=1e-11)


@pytest.mark.parametrize("most", [256, 16, 5])
def test_chunks_in_any_order_and_grouping_give_the_same(most: int) -> None:
    rng = np.random.default_rng(5)
    equations = random_equations(rng, [2000, 1500, 0], rng.normal(size=8))
    whole = Factors.of(equations, most=most)
    assert len(whole.blocks) <= most
    edges = [0.0, 0.7, 0.71, 5.3, 9.99, 16.0, 20.0]
    parts = [Factors.of(cut(equations, a, b), most=most) for a, b in pairwise(edges)]
    assert_same(reduce(add, parts), whole)
    shuffled = [parts[i] for i in rng.permutation(len(parts))]
    assert_same(reduce(add, shuffled), whole)
    assert_same((parts[0] + (parts[1] + parts[2])) + (parts[3] + (parts[4] + parts[5])), whole)
    added = Factors.empty(equations.columns, equations.joints, equations.places, most=most)
    for a, b in pairwise(edges):
        added = added.add(cut(equations, a, b))
    assert_same(added, whole)


def test_rows_in_disorder_are_sorted_into_their_blocks() -> None:
    rng = np.random.default_rng(6)
    equations = random_equations(rng, [300, 200], rng.normal(size=4))
    orders = [rng.permutation(m) for m in equations.rows]
    mixed = equations.only(orders)  # type: ignore[misc]
    assert_same(Factors.of(mixed), Factors.of(equations))


def test_recordings_stay_apart_and_times_may_be_negative() -> None:
    rng = np.random.default_rng(7)
    places, K = random_places(rng, 2, 4), rng.normal(size=4)
    a, b = (random_equations(rng, [90, 90], K, places, recording=name) for name in "ab")
    a = replace(a, times=tuple(t - 0.45 for t in a.times))
    both = Factors.of(a) + Factors.of(b)
    assert both.blocks == (("a", -1), ("a", 0), ("b", 0), ("b", 1))
    many = [Factors.of(replace(b, recording=f"r{i}"), most=3) for i in range(5)]
    assert len(reduce(add, many).blocks) == 5


def test_factors_can_be_sent_and_are_empty_without_rows() -> None:
    rng = np.random.default_rng(8)
    equations = random_equations(rng, [100, 50], rng.normal(size=4))
    factors = Factors.of(equations)
    assert factors.whole  # cached: sent along or not, the same
    assert_same(pickle.loads(pickle.dumps(factors)), factors)
    empty = Factors.of(equations.only([np.zeros(m, bool) for m in equations.rows]))
    assert empty.blocks == ()
    assert_same(empty + factors, factors)
    assert_same(factors + empty, factors)
    assert "150 rows in 2 blocks" in repr(factors)


def test_sums_of_squares_selection_and_parts() -> None:
    rng = np.random.default_rng(9)
    K = rng.normal(size=6)
    equations = random_equations(rng, [300, 200], K, noise=[0.1, 0.2])
    factors = Factors.of(equations)
    K = K + rng.normal(size=6)
    expected = [float(r @ r) for r in equations.residuals(K)]
    np.testing.assert_allclose(factors.total_squares(K), expected, rtol=1e-12)
    np.testing.assert_allclose(factors.squares(K).sum(axis=0), expected, rtol=1e-12)
    np.testing.assert_allclose(factors.torque_squares, [float(t @ t) for t in equations.torques], rtol=1e-12)
    assert_same(factors.select(["k3", "k1"]), Factors.of(equations.select(["k3", "k1"])))
    assert_same(factors.part([1, 3]) + factors.part([0, 2, 4, 5]), factors)
    assert_same(reduce(add, factors.folds(4)), factors)


def test_numbers_that_are_not_finite_are_named() -> None:
    rng = np.random.default_rng(10)
    equations = random_equations(rng, [100, 80], rng.normal(size=4), ((0, 1), (1, 2, 3)))
    equations.values[1][42, 1] = np.nan
    with pytest.raises(EquationsError, match=r"joint1: the column k2 is not finite at time 0.42 s"):
        Factors.of(equations)
    equations.values[1][42, 1] = 0.0
    equations.torques[0][[3, 5]] = np.inf
    with pytest.raises(EquationsError, match=r"joint0: the torque is not finite at time 0.03 s \(and 1 more\)"):
        Factors.of(equations)
    with pytest.raises(EquationsError, match="their columns differ"):
        Factors.of(random_equations(rng, [5], np.ones(2))) + Factors.of(random_equations(rng, [5], np.ones(3)))


@pytest.mark.parametrize("most", [256, 16, 3])
def test_the_sum_of_many_is_that_of_two_at_a_time(most: int) -> None:
    rng = np.random.default_rng(11)
    equations = random_equations(rng, [2000, 1500], rng.normal(size=8))
    edges = np.linspace(0, 20, 42)
    seconds = max(float(times.max()) for times in equations.times)
    level = doublings(seconds, most=most)
    for start in (0, level):
        parts = [Factors.of(cut(equations, a, b), most=most, level=start) for a, b in pairwise(edges)]
        found = summed(iter(parts))
        assert found is not None
        assert_same(found, Factors.of(equations, most=most))
    assert summed([]) is None


def test_blocks_are_doubled_until_they_are_few_enough() -> None:
    assert [doublings(s, 0.5, 256) for s in (0.0, 128.0, 128.1, 256.0, 1000.0)] == [0, 0, 1, 1, 3]
