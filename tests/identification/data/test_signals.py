"""Filters and derivatives against closed forms, and pieces against the whole."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import signal as scipy_signal

from robosym.identification.data.signals import (
    Decimator,
    SignalError,
    butterworth,
    central_differences,
    continued,
    decimate,
    decimate_chebyshev,
    forward_differences,
    low_pass,
    near,
    outlying,
    saturated,
    settling,
    shifted,
    slow,
    zero_phase,
)


def wave(rate: float, seconds: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    t = np.arange(round(seconds * rate)) / rate
    return t, np.stack((np.sin(5 * t), np.cos(3 * t) + t), axis=1)


def rates(t: np.ndarray) -> np.ndarray:
    return np.stack((5 * np.cos(5 * t), -3 * np.sin(3 * t) + 1), axis=1)


@pytest.mark.parametrize(("difference", "order"), [(central_differences, 2), (forward_differences, 1)])
def test_differences_converge_at_their_order(difference: object, order: int) -> None:
    errors = []
    for rate in (100.0, 200.0, 400.0):
        t, x = wave(rate)
        errors.append(np.abs(difference(x, 1 / rate) - rates(t))[:-1].max())  # type: ignore[operator]
    slopes = np.log2(np.array(errors[:-1]) / errors[1:])
    assert slopes == pytest.approx([order, order], abs=0.1)


def test_central_differences_of_uneven_times_are_of_second_order() -> None:
    rng = np.random.default_rng(1)
    jitter = 0.4 * rng.random(101)
    errors = []
    for n in (1, 2, 4):
        t = (np.arange(101 * n) + np.repeat(jitter, n)) / (50 * n)
        errors.append(np.abs(central_differences(np.sin(t)[:, None], t)[:, 0] - np.cos(t)).max())
    assert errors[0] / errors[2] > 10


def test_differences_of_two_samples_are_refused() -> None:
    with pytest.raises(SignalError, match="3 samples"):
        central_differences(np.zeros((2, 1)), 0.1)


def test_the_filter_has_no_phase_and_unity_gain_for_slow_signals() -> None:
    _, x = wave(1000.0, 4.0)
    found = zero_phase(x, butterworth(1000.0, 50.0))
    assert np.abs(found - x)[200:-200].max() < 1e-5
    assert np.abs(found - x).max() < 1e-3


@pytest.mark.parametrize("frequency", [20.0, 60.0])
def test_the_gain_is_that_of_the_filter_squared(frequency: float) -> None:
    sections = butterworth(1000.0, 30.0, 4)
    t = np.arange(4000) / 1000.0
    x = np.sin(2 * np.pi * frequency * t)
    found = zero_phase(x[:, None], sections)[1000:-1000, 0]
    gain = abs(scipy_signal.sosfreqz(sections, [frequency], fs=1000.0)[1][0]) ** 2
    assert found == pytest.approx(gain * x[1000:-1000], abs=1e-9)


def test_the_filter_agrees_with_scipy_in_the_middle() -> None:
    rng = np.random.default_rng(2)
    x = np.cumsum(rng.normal(size=(3000, 2)), axis=0)
    sections = butterworth(500.0, 20.0, 4)
    theirs = scipy_signal.sosfiltfilt(sections, x, axis=0)
    assert np.abs(zero_phase(x, sections) - theirs)[400:-400].max() < 1e-9 * np.abs(x).max()


def test_the_filter_has_settled_when_it_says_so() -> None:
    sections = butterworth(1000.0, 10.0, 4)
    impulse = np.zeros(settling(sections) + 1)
    impulse[0] = 1.0
    assert abs(scipy_signal.sosfilt(sections, impulse)[-1]) < 1e-15


@pytest.mark.parametrize("cutoff", [0.0, -1.0, 500.0, math.nan])
def test_impossible_cutoffs_are_refused(cutoff: float) -> None:
    with pytest.raises(SignalError, match="cutoff"):
        butterworth(1000.0, cutoff)


def test_a_signal_is_continued_with_its_value_and_slope() -> None:
    line = np.arange(10.0)[:, None]
    assert continued(line, 3, 2)[:, 0].tolist() == list(range(-3, 12))
    assert continued(line, 0, 0).tolist() == line.tolist()


@pytest.mark.parametrize("factor", [2, 5, 100])
def test_the_decimation_filter_is_as_documented(factor: int) -> None:
    weights = low_pass(factor)
    assert math.fsum(weights) == pytest.approx(1.0, abs=1e-15)
    assert (weights == weights[::-1]).all()
    nyquist = np.pi / factor
    w, gain = scipy_signal.freqz(weights, worN=np.linspace(1e-3 * nyquist, np.pi, 200 * factor))
    assert np.abs(gain[w >= 1.2 * nyquist]).max(initial=0.0) < 0.00317
    assert np.abs(np.abs(gain[w <= 0.8 * nyquist]) - 1).max() < 0.005


@pytest.mark.parametrize("factor", [1, 3, 20])
def test_constants_stay_as_they_are_to_the_ends(factor: int) -> None:
    assert decimate(np.full((1007, 2), 3.7), factor) == pytest.approx(np.full((-(-1007 // factor), 2), 3.7), abs=1e-13)


@pytest.mark.parametrize("factor", [1, 2, 7, 100])
def test_decimation_in_pieces_is_that_of_the_whole(factor: int) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(5003, 3))
    whole = decimate(x, factor)
    assert len(whole) == len(range(0, 5003, factor))
    decimator, parts, at = Decimator(factor), [], 0
    for n in (1, 0, 40, 3000, 13, 1949):
        parts.append(decimator.push(x[at : at + n]))
        at += n
    parts.append(decimator.finish())
    assert np.concatenate(parts) == pytest.approx(whole, abs=1e-14)


def test_decimation_is_convolution() -> None:
    x = np.random.default_rng(4).normal(size=(2000, 2))
    theirs = scipy_signal.fftconvolve(x, low_pass(10)[:, None], axes=0)[100::10][:200]
    assert decimate(x, 10)[10:-10] == pytest.approx(theirs[10:-10], abs=1e-13)


def test_decimated_equations_still_hold() -> None:
    """The same weights on both sides, also where they reach beyond the ends."""
    rng = np.random.default_rng(5)
    D, K = rng.normal(size=(777, 4)), rng.normal(size=4)
    assert decimate(D, 10) @ K == pytest.approx(decimate((D @ K)[:, None], 10)[:, 0], abs=1e-13)


def test_scipys_chebyshev_filter_has_no_unity_gain() -> None:
    """Why it is applied to both sides, or not at all."""
    assert decimate_chebyshev(np.ones((20000, 1)), (10, 10))[100, 0] == pytest.approx(0.977, abs=1e-3)


@pytest.mark.parametrize("samples", [0.0, 3.0, -2.0, 0.25, -7.6])
def test_a_shift_undoes_a_delay(samples: float) -> None:
    t = np.arange(600) / 100.0
    found = shifted(np.sin(4 * t)[:, None], samples)[:, 0]
    assert found[20:-20] == pytest.approx(np.sin(4 * (t + samples / 100))[20:-20], abs=1e-12)


def test_masks() -> None:
    assert slow(np.array([[0.1, -0.1], [-0.3, 0.05]]), np.array([0.2, 0.06])).tolist() == [[True, False], [False, True]]
    assert saturated(np.array([[4.9999, -5.0, 4.9]]), np.array([5.0])).tolist() == [[True, True, False]]
    residuals = np.random.default_rng(6).normal(size=(1000, 2))
    residuals[[10, 20], [0, 1]] = 50.0, -50.0
    assert np.argwhere(outlying(residuals)).tolist() == [[10, 0], [20, 1]]
    assert near(np.array([0, 0, 0, 1, 0, 0], dtype=bool), 1).tolist() == [False, False, True, True, True, False]
