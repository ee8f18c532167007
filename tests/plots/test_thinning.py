"""Long curves with as many points as can be seen."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.plots.thinning import kept


def test_no_peak_is_lost_by_thinning() -> None:
    rng = np.random.default_rng(0)
    x = np.sin(np.linspace(0, 20, 100_000))
    peaks = rng.choice(100_000, 20, replace=False)
    x[peaks] = rng.normal(size=20) * 50
    places = kept(x, 1000)
    assert len(places) <= 1100
    assert (np.diff(places) > 0).all()
    assert {0, 99_999} <= set(places)
    assert x[places].max() == x.max()
    assert x[places].min() == x.min()


def test_gaps_stay_gaps() -> None:
    x = np.ones(10_000)
    x[5000:5003] = np.nan
    places = kept(x, 100)
    assert {4999, 5000, 5002, 5003} <= set(places)
    assert (kept(x[:50], 100) == np.arange(50)).all()
    assert len(kept(np.full(9999, np.nan), 100)) < 300


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_points_are_all_drawn(count: int) -> None:
    assert kept(np.arange(float(count)), 3).tolist() == list(range(count))


def test_each_stretch_has_its_least_and_its_largest_value() -> None:
    x = np.random.default_rng(1).normal(size=1000)
    places = kept(x, 20)
    for part in np.array_split(np.arange(1000), 10):
        assert {part[x[part].argmin()], part[x[part].argmax()]} <= set(places.tolist())


def test_an_even_curve_keeps_its_ends() -> None:
    places = kept(np.zeros(500), 10)
    assert (places[0], places[-1]) == (0, 499)
    assert len(places) <= 12


def test_a_stretch_that_is_all_gap_is_left_out() -> None:
    x = np.ones(1000)
    x[200:800] = np.nan
    places = kept(x, 20)
    assert not ((places > 200) & (places < 799)).any()
    assert {199, 200, 799, 800} <= set(places.tolist())


def test_infinite_values_are_gaps_and_no_peaks() -> None:
    x = np.zeros(1000)
    x[500], x[501] = np.inf, 3.0
    places = kept(x, 20).tolist()
    assert {499, 500, 501} <= set(places)
