"""Eigenvalues as machine code: those of NumPy, of random matrices and of special ones."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.program.kernels import KERNELS
from robosym.program.routine import Copy, Each, Fill, Kernel, Routine, Slot
from robosym.runtime import compile_program


def roots_of(n):
    outputs = (Slot("roots", (n, 2)), Slot("v", (n,)))
    first = Each("roots", "root", (Copy("root", "chosen"),), "one")
    stages = (
        Kernel("eigenvalues", ("A",), ("roots",)),
        Fill("one", (), 1.0),
        Fill("chosen", (2,)),
        first,
        Kernel("eigenvector", ("A", "chosen"), ("v",)),
    )
    return compile_program(Routine("roots", (Slot("A", (n, n)),), outputs, stages))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 16])
def test_eigenvalues_and_eigenvectors(n):
    f, rng = roots_of(n), np.random.default_rng(n)
    for _ in range(20):
        found = f(A=(A := rng.standard_normal((n, n))))
        left = list(np.linalg.eigvals(A))
        for real, imaginary in found["roots"]:
            nearest = int(np.argmin(np.abs(np.array(left) - complex(real, imaginary))))
            assert abs(left.pop(nearest) - complex(real, imaginary)) < 1e-11
        if found["roots"][0, 1] == 0.0:
            (v,) = KERNELS["eigenvector"].reference(A, found["roots"][0])
            np.testing.assert_allclose(found["v"], v, atol=1e-9)


SPECIAL = {
    "zero": np.zeros((4, 4)),
    "identity": np.eye(4),
    "cycle": np.roll(np.eye(4), 1, axis=0),  # ordinary shifts leave it as it is
    "triangle": np.triu(np.arange(16.0).reshape(4, 4)),
    "graded": np.diag([1e-12, 1.0, 1e6, 1e12]) + np.ones((4, 4)) * 1e-13,
}


@pytest.mark.parametrize("name", SPECIAL)
def test_eigenvalues_of_special_matrices(name):
    A = SPECIAL[name]
    found, expected = roots_of(4)(A=A)["roots"], np.linalg.eigvals(A)
    scale = np.abs(A).max() or 1.0
    expected = sorted(expected / scale, key=lambda x: (round(x.real, 9), x.imag))
    roots = sorted((found[:, 0] + 1j * found[:, 1]) / scale, key=lambda x: (round(x.real, 9), x.imag))
    np.testing.assert_allclose(roots, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_and_roots_that_are_equal(seed):
    """Matrices with roots that are chosen: conjugate pairs, equal ones, zeros."""
    rng = np.random.default_rng(seed)
    blocks = [np.array([[a, b], [-b, a]]) for a, b in rng.uniform(-2, 2, (2, 2))]
    D = np.zeros((6, 6))
    D[:2, :2], D[2:4, 2:4] = blocks
    D[4, 4], D[5, 5] = 1.5, 0.0
    S = rng.standard_normal((6, 6)) + 3 * np.eye(6)
    found = roots_of(6)(A=S @ D @ np.linalg.inv(S))["roots"]
    wanted = [complex(a, s * b) for block in blocks for a, b in [block[0]] for s in (1, -1)] + [1.5, 0.0]
    for real, imaginary in found:
        nearest = int(np.argmin(np.abs(np.array(wanted) - complex(real, imaginary))))
        assert abs(wanted.pop(nearest) - complex(real, imaginary)) < 1e-9


def test_what_is_not_finite_has_no_roots():
    A = np.eye(3)
    A[1, 2] = np.nan
    assert roots_of(3)(A=A)["roots"].tolist() == [[0.0, np.inf]] * 3
