"""Linear systems in lanes: the numbers of one state alone to the last bit, which are those of NumPy, and zeros where there are none."""

from __future__ import annotations

import numpy as np
import pytest
from runtime.lanes import always, check

from robosym.program.routine import Fill, Kernel, Routine, Slot, When

COUNT = 19


@pytest.fixture(autouse=True)
def in_lanes(monkeypatch):
    always(monkeypatch)


def system(n: int, k: int) -> Routine:
    stages = (Kernel("solve", ("A", "B"), ("X",)),)
    return Routine("solve", (Slot("A", (n, n)), Slot("B", (n, k))), (Slot("X", (n, k)),), stages)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 3), (5, 1), (12, 2)])
def test_systems_of_which_rows_change_places(n, k):
    """Matrices without a large diagonal, and permutations, so that each lane has pivots of its own."""
    draw = np.random.default_rng(n)
    A, B = draw.standard_normal((COUNT, n, n)), draw.standard_normal((COUNT, n, k))
    for i in range(0, COUNT, 3):
        A[i] = draw.permutation(np.eye(n)) * (i + 1)
    f = check(system(n, k), {"A": A, "B": B})
    np.testing.assert_allclose(f(A=A, B=B), np.linalg.solve(A, B), rtol=1e-9, atol=1e-9)
    for shared in ("A", "B"):
        check(system(n, k), {"A": A, "B": B}, (shared,))


def odd_matrices() -> np.ndarray:
    plain = np.random.default_rng(4).standard_normal((COUNT, 3, 3))
    plain[0], plain[2, 1], plain[3, :, 2] = 0.0, plain[2, 0], 0.0
    plain[5, 2, 2], plain[7, 0, 0], plain[8, 1, 0] = np.nan, np.inf, -np.inf
    plain[9], plain[10], plain[11, 0] = plain[9] * 1e200, plain[10] * 1e-320, -0.0
    plain[12] = np.diag([1.0, 1e-308, 1.0])
    return plain


def test_singular_and_not_finite_matrices_stay_in_their_lanes():
    A, B = odd_matrices(), np.random.default_rng(5).standard_normal((COUNT, 3, 2))
    B[14, 0, 0], B[15, 2, 1] = np.nan, np.inf
    B[12] *= 1e10
    found = check(system(3, 2), {"A": A, "B": B})(A=A, B=B)
    for i in (0, 2, 3, 5, 7, 8, 11, 14, 15):
        np.testing.assert_array_equal(found[i], 0.0)
    for i in (1, 4, 6, 13, 16):
        np.testing.assert_allclose(A[i] @ found[i], B[i], atol=1e-12)


def test_in_some_lanes_alone():
    stages = (Fill("X", (3, 2), 7.0), When("flag", (Kernel("solve", ("A", "B"), ("X",)),)))
    routine = Routine("some", (Slot("A", (3, 3)), Slot("B", (3, 2)), Slot("flag", ())), (Slot("X", (3, 2)),), stages)
    A, B = odd_matrices(), np.random.default_rng(6).standard_normal((COUNT, 3, 2))
    flag = np.arange(COUNT) % 3 - 1.0
    found = check(routine, {"A": A, "B": B, "flag": flag})(A=A, B=B, flag=flag)
    assert (found[flag == 0] == 7.0).all()
    assert (found[flag != 0] != 7.0).all()


def test_large_systems():
    """Their matrices stay where callers have them until they are brought together."""
    n = 40
    draw = np.random.default_rng(7)
    A, B = draw.standard_normal((9, n, n)), draw.standard_normal((9, n, 1))
    f = check(system(n, 1), {"A": A, "B": B})
    np.testing.assert_allclose(f(A=A, B=B), np.linalg.solve(A, B), rtol=1e-7)
