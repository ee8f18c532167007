"""Uneven stamps: exact for cubics, the same in pieces, gaps marked."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.identification.data.resampling import Resampler, joined, resampled


def uneven(n: int = 1000, seed: int = 0) -> np.ndarray:
    return (np.arange(n) + 0.6 * np.random.default_rng(seed).random(n)) / 100


def test_cubics_are_exact() -> None:
    t = uneven()
    grid, found, gap = resampled(t, np.stack((t**3 - t, 2 * t), axis=1), 0.01)
    assert np.diff(grid) == pytest.approx(0.01)
    assert found == pytest.approx(np.stack((grid**3 - grid, 2 * grid), axis=1), abs=1e-9)
    assert not gap.any()


def test_the_error_is_of_fourth_order() -> None:
    errors = []
    for n in (1, 2):
        t = uneven(200 * n) / n * 20
        grid, found, _ = resampled(t, np.sin(3 * t)[:, None], 0.2 / n)
        errors.append(np.abs(found[:, 0] - np.sin(3 * grid)).max())
    assert errors[0] / errors[1] > 8


def test_pieces_give_the_same_rows() -> None:
    t = uneven()
    x = np.random.default_rng(1).normal(size=(1000, 2))
    whole = resampled(t, x, 0.0101)
    pieces = [(t[a:b], x[a:b]) for a, b in ((0, 1), (1, 3), (3, 3), (3, 500), (500, 501), (501, 1000))]
    for one, other in zip(joined(Resampler(0.0101), pieces), whole, strict=True):
        assert (one == other).all()
    assert whole[0][-1] <= t[-1] < whole[0][-1] + 0.0102


def test_what_lies_in_a_gap_is_marked_and_straight() -> None:
    t = np.delete(np.arange(100) / 10, np.arange(40, 50))
    grid, found, gap = resampled(t, (t**2)[:, None], 0.1)
    assert np.flatnonzero(gap).tolist() == list(range(39, 50))
    assert np.diff(found[40:49, 0], 2) == pytest.approx(0, abs=1e-12)
    assert len(grid) == 100
