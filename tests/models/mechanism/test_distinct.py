"""What is the same as something before it."""

from __future__ import annotations

import numpy as np

from robosym.models.mechanism.distinct import distinct


def test_each_once_and_how_often() -> None:
    x = np.array([0.0, 5.0, 0.4, 5.3, 9.0, -0.3])

    def apart(chosen: list[int], k: int) -> np.ndarray:
        return np.abs(x[chosen] - x[k])

    assert distinct(range(6), apart) == ([0, 1, 4], [3, 2, 1])
    assert distinct([4, 3, 2, 1, 0], apart) == ([4, 3, 2], [1, 2, 2])
    assert distinct([], apart) == ([], [])


def test_it_counts_with_the_nearest() -> None:
    x = np.array([0.0, 1.5, 0.9])
    assert distinct(range(3), lambda chosen, k: np.abs(x[chosen] - x[k])) == ([0, 1], [1, 2])
