"""Filters and derivatives of sampled signals: plain functions of arrays whose rows are samples and columns are signals."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import RobosymError

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

FORGOTTEN = 1e-17  # a filter has settled when this is left of how it started
HALF_LENGTH = 10  # of the low-pass filter before decimation, in samples of the low rate
GROUP = 8  # samples of the low rate that one product of matrices gives
CHEBYSHEV_LEAST = 28  # samples: SciPy continues a signal by 27 beyond each end before this filter
LAGRANGE = 8  # samples that a shift by a part of a sample is interpolated from


class SignalError(RobosymError):
    """A signal that cannot be filtered as requested."""


# --- zero-phase low-pass -----------------------------------------------------------------------------------------------


def butterworth(rate: float, cutoff: float, order: int = 4) -> Array:
    """Second-order sections of a Butterworth low-pass; frequencies in Hz."""
    from scipy.signal import butter

    if not 0 < cutoff < rate / 2:
        raise SignalError(f"cutoff: expected more than 0 and less than half the rate of {rate:g} Hz, got {cutoff:g} Hz")
    return np.asarray(butter(order, cutoff, fs=rate, output="sos"), dtype=float)


def settling(sections: Array) -> int:
    """The number of samples after which a filter has forgotten how it started, to the last digit of a double."""
    slowest = max(float(np.abs(np.roots(section[3:])).max()) for section in sections)
    return math.ceil(math.log(FORGOTTEN) / math.log(slowest)) if 0 < slowest < 1 else 1


def zero_phase(signal: Array, sections: Array, padding: int | None = None) -> Array:
    """The signal filtered forward and backward. It is first continued beyond each end by ``padding`` samples turned about
    the end point, by default until the filter has settled."""
    beyond = min(settling(sections) if padding is None else padding, len(signal) - 1)
    longer = continued(signal, beyond, beyond)
    return forward_backward(longer, sections)[beyond : len(longer) - beyond]


def forward_backward(signal: Array, sections: Array) -> Array:
    """Filtered in both directions, without continuation: the ends are those of a signal that stays at its end values."""
    from scipy.signal import sosfiltfilt

    return np.asarray(sosfiltfilt(sections, signal, axis=0, padtype=None, padlen=0), dtype=float)


def continued(signal: Array, before: int, after: int) -> Array:
    """The signal turned about its end points: 2 x[0] - x[k], ..., 2 x[0] - x[1], x[0], ...; values and slopes go on."""
    head = 2 * signal[:1] - signal[before:0:-1]
    tail = 2 * signal[-1:] - signal[-2 : -after - 2 : -1] if after else signal[:0]
    return np.concatenate((head, signal, tail))


# --- differences -------------------------------------------------------------------------------------------------------


def central_differences(signal: Array, step: float | Array) -> Array:
    """d/dt, of second order also at the ends. ``step`` is the time between samples, or the time of each."""
    if len(signal) < 3:
        raise SignalError(f"differences need 3 samples, got {len(signal)}")
    return np.asarray(np.gradient(signal, step, axis=0, edge_order=2), dtype=float)


def forward_differences(signal: Array, step: float) -> Array:
    """(x[k+1] - x[k]) / h, of first order: half a sample early. The last is repeated."""
    found = np.diff(signal, axis=0) / step
    return np.concatenate((found, found[-1:]))


# --- shift by a delay --------------------------------------------------------------------------------------------------


def shift_reach(samples: float) -> int:
    """How many samples on each side ``shifted`` reads."""
    return math.ceil(abs(samples)) + LAGRANGE // 2


def shifted(signal: Array, samples: float) -> Array:
    """x(k + samples): a positive shift undoes a delay. Between samples by Lagrange's polynomial through the eight nearest;
    beyond the ends the end values."""
    whole = math.floor(samples)
    weights = _lagrange(samples - whole) if samples != whole else np.ones(1)
    first = whole - (LAGRANGE // 2 - 1 if len(weights) > 1 else 0)
    reach = len(weights) - 1
    before, after = max(0, -first), max(0, first + reach)
    ends = (signal[:1], before), (signal[-1:], after)
    head, tail = (np.repeat(value, times, axis=0) for value, times in ends)
    longer = np.concatenate((head, signal, tail))
    start, n = before + first, len(signal)
    return np.asarray(sum(w * longer[start + k : start + k + n] for k, w in enumerate(weights)), dtype=float)


def _lagrange(part: float) -> Array:
    nodes = np.arange(LAGRANGE) - (LAGRANGE // 2 - 1)
    weights = [math.prod((part - m) / (n - m) for m in nodes if m != n) for n in nodes]
    return np.array(weights) / math.fsum(weights)


# --- decimation --------------------------------------------------------------------------------------------------------


@cache
def _low_pass(factor: int) -> tuple[float, ...]:
    from scipy.signal import firwin

    taps = firwin(2 * HALF_LENGTH * factor + 1, 1 / factor, window="hamming")
    taps = (taps + taps[::-1]) / 2
    return tuple(taps / math.fsum(taps))


def low_pass(factor: int) -> Array:
    """The weights before one sample in ``factor`` is kept: symmetric (no phase), of sum one (what is constant stays as it
    is), half at the low rate's Nyquist frequency and below 0.003 (-50 dB) from 1.2 times that on."""
    return np.array(_low_pass(factor)) if factor > 1 else np.ones(1)


class Decimator:
    """One sample in ``factor`` of a signal that comes in pieces, after a unity-gain low-pass: rows 0, factor, 2 factor ...

    Where the weights reach beyond an end they are left out and the others scaled to the sum one. Each row is then the same
    sum on both sides of an equation that holds for all rows, and the equation still holds. Pieces give the same rows as the
    whole. ``weights`` other than ``low_pass`` have 2 m factor + 1 entries.
    """

    def __init__(self, factor: int, weights: Array | None = None) -> None:
        self.factor = factor
        self.weights = low_pass(factor) if weights is None else weights
        self._half = len(self.weights) // (2 * factor)  # in samples of the low rate
        self._sums = np.concatenate(([0.0], np.cumsum(self.weights)))
        self._group = np.zeros((GROUP, len(self.weights) + (GROUP - 1) * factor))
        for k, row in enumerate(self._group):
            row[k * factor : k * factor + len(self.weights)] = self.weights
        self._held: Array | None = None  # rows from centre - half on
        self._centre = 0
        self._seen = 0

    def push(self, rows: Array) -> Array:
        """What the next rows make available."""
        if self._held is None:
            self._held = np.zeros((self._reach, *rows.shape[1:]))
        self._held = _above(self._held, rows)
        self._seen += len(rows)
        return self._take(max(0, (self._seen - 1 - self._reach - self._centre) // self.factor + 1))

    def finish(self) -> Array:
        """The last rows, whose weights reach beyond the end."""
        if self._held is None:
            return np.zeros((0,))
        self._held = _above(self._held, np.zeros((self._reach, *self._held.shape[1:])))
        return self._take(max(0, (self._seen - 1 - self._centre) // self.factor + 1))

    @property
    def _reach(self) -> int:
        return self._half * self.factor

    def _take(self, count: int) -> Array:
        """A group of samples by one product: its weights, each row a step further, times the rows they lie on."""
        assert self._held is not None
        shape = self._held.shape[1:]
        rows = self._held.reshape(len(self._held), math.prod(shape))
        found = np.empty((count, rows.shape[1]))
        groups = count // GROUP
        if groups:
            length = self._group.shape[1]
            over = np.lib.stride_tricks.sliding_window_view(rows, length, axis=0)[:: GROUP * self.factor][:groups]
            found[: groups * GROUP] = (self._group @ over.transpose(0, 2, 1)).reshape(groups * GROUP, -1)
        rest = count - groups * GROUP
        if rest:
            length, start = len(self.weights) + (rest - 1) * self.factor, groups * GROUP * self.factor
            found[groups * GROUP :] = self._group[:rest, :length] @ rows[start : start + length]
        found /= self._norms(count)[:, None]
        self._centre += count * self.factor
        self._held = self._held[count * self.factor :]
        return found.reshape(count, *shape)

    def _norms(self, count: int) -> Array:
        """The sum of the weights that lie on rows there are."""
        centres = self._centre + self.factor * np.arange(count)
        first = np.maximum(0, self._reach - centres)
        last = np.minimum(2 * self._reach, self._seen - 1 - centres + self._reach)
        norms = self._sums[last + 1] - self._sums[first]
        norms[(first == 0) & (last == 2 * self._reach)] = 1.0 if len(self.weights) > 1 else self.weights[0]
        return np.asarray(norms, dtype=float)


def _above(first: Array, second: Array) -> Array:
    """One after the other, by rows: products of matrices then read what lies together."""
    return np.concatenate((first, second), out=np.empty((len(first) + len(second), *first.shape[1:])))


def decimate(rows: Array, factor: int) -> Array:
    """All at once what a ``Decimator`` gives in pieces."""
    decimator = Decimator(factor)
    return np.concatenate((decimator.push(rows), decimator.finish()))


def decimate_chebyshev(rows: Array, stages: tuple[int, ...]) -> Array:
    """As many published pipelines do it: Chebyshev filters of order 8, forward and backward, one for each stage. Their gain
    for constant signals is 0.989 a stage, so that both sides of an equation must go through it."""
    from scipy.signal import decimate as by_scipy

    found: Any = rows
    for factor in stages:
        if len(found) < CHEBYSHEV_LEAST:
            raise SignalError(
                f'decimation_filter: a stage of "chebyshev" needs at least {CHEBYSHEV_LEAST} samples, got {len(found)}: use "fir"'
            )
        found = by_scipy(found, factor, axis=0, zero_phase=True)
    return np.asarray(found, dtype=float)


# --- what does not count -----------------------------------------------------------------------------------------------


def slow(speeds: Array, least: Array) -> Mask:
    """Whether a joint is slower than what friction can be told from: (N, n) and (n,)."""
    return np.asarray(np.abs(speeds) < least)


def saturated(signal: Array, limits: Array, margin: float = 1e-3) -> Mask:
    """Whether a signal is at its limit, within a part ``margin`` of it."""
    return np.asarray(np.abs(signal) >= limits * (1 - margin))


def without_spikes(signal: Array) -> Array:
    """Each sample the median of itself and its two neighbours."""
    before, after = signal[:-2], signal[2:]
    found = signal.copy()
    found[1:-1] = np.clip(signal[1:-1], np.minimum(before, after), np.maximum(before, after))
    return found


def outlying(residuals: Array, sigmas: float = 6.0) -> Mask:
    """Whether a residual is beyond that many robust standard deviations (1.4826 median |r|) of its column."""
    centred = residuals - np.median(residuals, axis=0)
    spread = 1.4826 * np.median(np.abs(centred), axis=0)
    return np.asarray(np.abs(centred) > sigmas * np.where(spread > 0, spread, np.inf))


def near(bad: Mask, reach: int) -> Mask:
    """Whether a row is within ``reach`` rows of a bad one."""
    if not bad.any():
        return bad
    sums = np.concatenate(([0], np.cumsum(bad)))
    places = np.arange(len(bad))
    return np.asarray(sums[np.minimum(places + reach + 1, len(bad))] > sums[np.maximum(places - reach, 0)])
