"""One sample in so many: the filter of all signals, and the rows that count after it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from identification.data.motions import moving, only, recipe_of
from scipy import signal as scipy_signal
from scipy.spatial.transform import Rotation

import robosym
from robosym.errors import RobosymError
from robosym.identification.data.decimating import decimated, neighbourhood, without_slow
from robosym.identification.data.notes import Notes
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque
from robosym.identification.data.recording import Recording
from robosym.identification.data.samples import Samples, joined
from robosym.identification.data.signals import decimate


def test_decimation_of_signals_and_of_columns_give_the_same_rows() -> None:
    recipe = recipe_of(moving(), 2, Processing(cutoff=10.0, decimation=(10,), low_speed=(0.2, 0.0)))
    low = only(recipe).whole()
    full = only(replace(recipe, processing=replace(recipe.processing, where="columns"))).whole()
    for name in ("q", "qd", "qdd", "tau"):
        assert getattr(low, name) == pytest.approx(decimate(getattr(full, name), 10), abs=1e-12)
    assert low.time == pytest.approx(full.time[::10])
    assert (low.keep == (np.abs(low.qd) >= [0.2, 0.0])).all()
    assert full.keep.all()


def test_saturated_rows_do_not_count_also_after_decimation() -> None:
    columns = moving()
    columns["tau1"] = np.clip(columns["tau1"], -3, 3)
    recipe = recipe_of(columns, 2, Processing(decimation=(10,)), torque=Torque(("tau1", "tau2"), limit=(3.0, 1e9)))
    ready = only(recipe)
    samples = ready.whole()
    at_limit = np.abs(columns["tau1"]) >= 3 * (1 - 1e-3)
    expected = [not at_limit[max(0, 10 * k - 10) : 10 * k + 11].any() for k in range(len(samples))]
    assert samples.keep[:, 0].tolist() == expected
    assert samples.keep[:, 1].all()
    assert ready.notes.left_out["torque at its limit (rows of one joint)"] == at_limit.sum()


# --- the functions themselves ------------------------------------------------------------------------------------------


def samples(rows: int, seed: int = 0, start: float = 3.0, step: float = 0.005) -> Samples:
    rng = np.random.default_rng(seed)
    return Samples(start + step * np.arange(rows), *rng.normal(size=(4, rows, 2)), np.ones((rows, 2), dtype=bool))


def of(part: Samples, processing: Processing, cuts: tuple[int, ...] = ()) -> tuple[Samples, Notes]:
    """Decimated samples, given in pieces between the cuts."""
    notes, ends = Notes(), (0, *cuts, len(part))
    pieces = (part.part(slice(a, b)) for a, b in pairwise(ends))
    found = list(decimated(pieces, recipe_of(moving(seconds=1.0), 2, processing), 0.005, notes))
    return joined(found), notes


def test_weights_of_the_neighbourhood_are_one_sample_of_the_low_rate() -> None:
    for factor in (2, 5, 10):
        weights = neighbourhood(factor)
        assert len(weights) == 20 * factor + 1
        assert np.flatnonzero(weights).tolist() == list(range(9 * factor, 11 * factor + 1))


@pytest.mark.parametrize("factor", [2, 7])
def test_samples_are_those_of_a_convolution(factor: int) -> None:
    part = samples(1500)
    found, _ = of(part, Processing(decimation=(factor,)), (0, 1, 700, 700, 903))
    taps = scipy_signal.firwin(20 * factor + 1, 1 / factor, window="hamming")
    expected = scipy_signal.fftconvolve(part.qdd, (taps / taps.sum())[:, None], mode="same", axes=0)[::factor]
    inside = slice(10, -10)
    np.testing.assert_allclose(found.qdd[inside], expected[inside], atol=1e-12)
    np.testing.assert_allclose(found.time, part.time[::factor], atol=1e-12)
    assert found.keep.all()


def test_a_bad_row_spoils_the_samples_next_to_it_of_its_joint() -> None:
    part = samples(300)
    part.keep[100, 1] = False
    found, _ = of(part, Processing(decimation=(10,)), (101, 150))
    assert np.argwhere(~found.keep).tolist() == [[9, 1], [10, 1], [11, 1]]
    part.keep[100, 1], part.keep[104, 0] = True, False
    assert np.argwhere(~of(part, Processing(decimation=(10,)))[0].keep).tolist() == [[10, 0], [11, 0]]


def test_chebyshev_filters_are_those_of_scipy() -> None:
    part = samples(900)
    part.keep[450, 0] = False
    found, _ = of(part, Processing(decimation=(3, 5), decimation_filter="chebyshev"), (17, 800))
    for name in ("q", "qd", "qdd", "tau"):
        theirs = getattr(part, name)
        for factor in (3, 5):
            theirs = scipy_signal.decimate(theirs, factor, axis=0, zero_phase=True)
        np.testing.assert_allclose(getattr(found, name), theirs, atol=1e-13)
    np.testing.assert_allclose(found.time, part.time[::15])
    assert np.argwhere(~found.keep).tolist() == [[29, 0], [30, 0], [31, 0]]


@pytest.mark.parametrize("rows", [1, 20, 27, 28, 60])
def test_recordings_too_short_for_chebyshev_filters_say_so(rows: int) -> None:
    """Each stage continues the signal by 27 samples: with 60, the second has only 20."""
    processing = Processing(decimation=(3, 5), decimation_filter="chebyshev")
    with pytest.raises(RobosymError, match=r"decimation_filter.*28 samples.*got"):
        of(samples(rows), processing)


def test_nothing_decimated_is_nothing() -> None:
    recipe = recipe_of(moving(seconds=1.0), 2, Processing(decimation=(5,)))
    chebyshev = replace(recipe, processing=replace(recipe.processing, decimation_filter="chebyshev"))
    for given in (recipe, chebyshev):
        for parts in ([], [samples(0)], [samples(0), samples(0)]):
            assert sum(map(len, decimated(iter(parts), given, 0.005, Notes()))) == 0


def test_slow_rows_do_not_count_and_are_counted_once() -> None:
    qd = np.array([[0.5, -0.1], [-0.05, 0.3], [0.1, 0.0]])
    keep = np.array([[True, True], [True, True], [True, False]])
    part = Samples(np.arange(3.0), qd, qd, qd, qd, keep)
    recipe = recipe_of(moving(seconds=1.0), 2, Processing(low_speed=(0.1, 0.2)))
    notes = Notes()
    found = without_slow(part, recipe, notes)
    assert found.keep.tolist() == [[True, False], [False, True], [True, False]]
    assert notes.left_out == {"joint too slow (rows of one joint)": 2}
    assert keep.all(axis=1).tolist() == [True, True, False]  # what was given is not changed
    none = replace(recipe, processing=Processing())
    assert without_slow(part, none, notes) is part


def test_attitudes_are_of_unit_length_after_the_filter() -> None:
    """A low-pass of quaternions that turn makes them shorter."""
    robot = robosym.load("eel-2")
    n, rows = len(robot.moving), 400
    t = np.arange(rows) * 0.005
    quaternion = Rotation.from_euler("Z", (8 * t)[:, None]).as_quat()
    q = np.hstack((np.zeros((rows, 3)), quaternion, np.full((rows, n), 0.7)))
    rest = np.zeros((rows, 6 + n))
    part = Samples(t, q, rest, rest, rest, np.ones((rows, 6 + n), dtype=bool))
    columns = {"q": q[:9], "tau": rest[:9, 6:]}
    recipe = Recipe(
        robot,
        Data((Recording.from_arrays(columns),), rate=200.0),
        Signal(tuple(f"q.{k}" for k in range(7 + n))),
        Torque(tuple(f"tau.{k}" for k in range(n))),
        processing=Processing(decimation=(10,)),
    )
    found = joined(list(decimated(iter([part]), recipe, 0.005, Notes())))
    np.testing.assert_allclose(np.linalg.norm(found.q[:, 3:7], axis=1), 1.0, atol=1e-14)
    inside = slice(10, -10)
    np.testing.assert_allclose(found.q[inside, 3:], q[::10, 3:][inside], atol=1e-9)
