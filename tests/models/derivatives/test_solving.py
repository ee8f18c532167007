"""Systems with the zeros of a tree, in factors, against NumPy on whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import many

from robosym.models.derivatives.solving import Factors, factorised
from robosym.models.dynamic.forward.pivots import Pivots
from robosym.models.tree.coordinates import BASE_AXES, Axis
from robosym.program import Scope


def random_system(rng: np.random.Generator, n: int, free: bool) -> tuple[np.ndarray, list[Axis], Factors]:
    """A positive matrix with an entry for two joints on one branch only; with six first rows, met by all, of a free base."""
    root = 6 if free else 0
    parents = [k - 1 if k < root else int(rng.integers(root - 1, k)) for k in range(root + n)]
    A = np.zeros((root + n, root + n))
    for k in range(root + n):
        chain = [k]
        while parents[chain[-1]] >= 0:
            chain.append(parents[chain[-1]])
        v = np.zeros(root + n)
        v[chain] = rng.normal(size=len(chain))
        A += np.outer(v, v)
        A[k, k] += 1
    axes: list[Axis] = [*BASE_AXES[:root], *range(1, n + 1)]
    rows = {i: {j: float(A[i, j]) for j in range(i + 1) if A[i, j]} for i in range(root + n)}
    return A, axes, factorised(rows, axes, Scope(), Pivots())


@pytest.mark.parametrize("free", [False, True])
def test_factors(free: bool) -> None:
    """A = L^T D L, no entry more than A has, and what only the base moves is W."""
    for seed in range(many(6)):
        A, _, found = random_system(np.random.default_rng(seed), 1 + seed, free)
        assert (found.n, found.root) == (len(A), 6 if free else 0)
        L = np.eye(found.n)
        for k, row in found.L.items():
            assert all(A[k, i] for i in row)
            for i, x in row.items():
                L[k, i] = x
        np.testing.assert_allclose(L.T @ np.diag(1 / np.array(found.inverse)) @ L, A, atol=1e-10)
        if free:  # x with A x = 0 below, for every motion of the base
            W = np.array(found.W[6:])
            np.testing.assert_allclose(W, np.linalg.solve(A[6:, 6:], A[6:, :6]), atol=1e-10)


@pytest.mark.parametrize("free", [False, True])
def test_solutions_of_full_and_sparse_right_hand_sides(free: bool) -> None:
    for seed in range(many(6)):
        rng = np.random.default_rng(seed)
        A, _, factors = random_system(rng, 7, free)
        for b in (rng.normal(size=len(A)), *np.eye(len(A))):
            given = [float(x) if x else 0 for x in b]
            np.testing.assert_allclose(factors.solved(given), np.linalg.solve(A, b), atol=1e-10)


@pytest.mark.parametrize("free", [False, True])
def test_inverse(free: bool) -> None:
    for seed in range(many(6)):
        A, axes, factors = random_system(np.random.default_rng(seed), 7, free)
        np.testing.assert_allclose(np.array(factors.inverted(Scope(), axes), float), np.linalg.inv(A), atol=1e-10)
