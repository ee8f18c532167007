"""The largest rank of samples, and how many have it."""

from __future__ import annotations

import numpy as np

from robosym.models.mechanism.generic_rank import ENOUGH, generic_rank


def test_the_largest_rank_and_its_samples() -> None:
    full, less = np.eye(3)[:2], np.eye(3)[[0, 0]]
    found = generic_rank(np.array([full, less, full, full]), 1e-7)
    assert found == (2, 4, 3)
    assert found.proved
    one = generic_rank(np.array([less, full, less]), 1e-7)
    assert (one.rank, one.samples, one.reached) == (2, 3, 1)
    assert not one.proved
    assert generic_rank(np.zeros((ENOUGH, 6, 0)), 1e-7) == (0, ENOUGH, ENOUGH)
    assert generic_rank(np.zeros((0, 6, 2)), 1e-7) == (0, 0, 0)
