"""Ranges of numbers."""

from __future__ import annotations

from typing import Any

import pytest

from robosym.options.kinds import fits
from robosym.options.markers import Count, Finite, NotNegative, Positive, Range, Seed


@pytest.mark.parametrize(
    ("bounds", "inside", "outside", "text"),
    [
        (Range(1, 5), [1, 5, 2.5], [0.999, 5.001], "from 1 to 5"),
        (Range(above=0), [1e-9], [0, -1], "above 0"),
        (Range(least=0), [0, 3], [-1e-9], "of at least 0"),
        (Range(above=0, below=1), [0.5], [0, 1], "above 0 and below 1"),
        (Range(most=2), [2, -9], [2.1], "of at most 2"),
        (Range(), [-1e300, 0], [], ""),
    ],
)
def test_bounds(bounds: Range, inside: list[float], outside: list[float], text: str) -> None:
    assert all(map(bounds.holds, inside))
    assert not any(map(bounds.holds, outside))
    assert str(bounds) == text


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [(Count, 1, 0), (Seed, 0, -1), (Positive, 0.1, 0.0), (NotNegative, 0.0, -0.1), (Finite, -3.0, float("inf"))],
)
def test_numbers_with_a_range(kind: Any, good: float, bad: float) -> None:
    assert fits(good, kind)
    assert not fits(bad, kind)
