"""Samples at uneven times, brought to an even grid: jittered stamps, repeated rows, missing rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from .signals import Array, Mask

GAP = 2.5  # steps between two samples, above which what lies between them is made up and does not count
NODES = 4


class Resampler:
    """Values on the grid start + k step, from rows (time, values) that come in pieces, times increasing.

    By the cubic through the two samples before and the two after, so that pieces give the same rows as the whole.
    """

    def __init__(self, step: float) -> None:
        self.step = step
        self._times: Array = np.empty(0)
        self._rows: Array | None = None
        self._start = 0.0
        self._next = 0  # the row of the grid that comes next

    def push(self, times: Array, rows: Array) -> tuple[Array, Array, Mask]:
        """The rows of the grid that the next samples make available: times, values, and which lie in a gap."""
        if self._rows is None:
            if not len(times):
                return self._nothing(rows)
            self._rows, self._start = rows[:0], float(times[0])
        self._times = np.concatenate((self._times, times))
        self._rows = np.concatenate((self._rows, rows))
        if len(self._times) < NODES:
            return self._nothing(rows)
        return self._until(float(self._times[-2]), False)

    def finish(self) -> tuple[Array, Array, Mask]:
        """The last rows of the grid."""
        if self._rows is None or len(self._times) < NODES:
            return self._nothing(np.empty((0, 0)) if self._rows is None else self._rows)
        return self._until(float(self._times[-1]), True)

    def _nothing(self, rows: Array) -> tuple[Array, Array, Mask]:
        return np.empty(0), rows[:0], np.empty(0, dtype=bool)

    def _until(self, end: float, closed: bool) -> tuple[Array, Array, Mask]:
        assert self._rows is not None
        slack = 1e-9 if closed else 0.0
        last = int(np.floor((end - self._start) / self.step + slack)) + 1
        grid: Array = self._start + self.step * np.arange(self._next, max(last, self._next), dtype=float)
        if not closed:
            grid = grid[grid < end]
        n = len(self._times)
        at = np.clip(np.searchsorted(self._times, grid, side="right") - 1, 0, n - 2)
        first = np.clip(at - 1, 0, n - NODES)
        nodes = self._times[first[:, None] + np.arange(NODES)]
        found = np.zeros((len(grid), self._rows.shape[1]))
        for k in range(NODES):
            weight = np.ones(len(grid))
            for other in range(NODES):
                if other != k:
                    weight *= (grid - nodes[:, other]) / (nodes[:, k] - nodes[:, other])
            found += weight[:, None] * self._rows[first + k]
        gap = self._times[at + 1] - self._times[at] > GAP * self.step
        self._linear(grid, at, gap, found)
        self._next += len(grid)
        keep = max(0, int(np.searchsorted(self._times, self._start + self.step * self._next, side="right")) - NODES)
        keep = min(keep, n - NODES)
        self._times, self._rows = self._times[keep:], self._rows[keep:]
        return grid, found, np.asarray(gap)

    def _linear(self, grid: Array, at: NDArray[np.intp], gap: Mask, found: Array) -> None:
        """Across a gap a straight line: a cubic would swing."""
        assert self._rows is not None
        if not gap.any():
            return
        a = at[gap]
        part = (grid[gap] - self._times[a]) / (self._times[a + 1] - self._times[a])
        found[gap] = self._rows[a] + part[:, None] * (self._rows[a + 1] - self._rows[a])


def resampled(times: Array, rows: Array, step: float) -> tuple[Array, Array, Mask]:
    """All at once what a ``Resampler`` gives in pieces."""
    return joined(Resampler(step), [(times, rows)])


def joined(resampler: Resampler, pieces: Iterable[tuple[Array, Array]]) -> tuple[Array, Array, Mask]:
    parts = list(_all(resampler, pieces))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]


def _all(resampler: Resampler, pieces: Iterable[tuple[Array, Array]]) -> Iterator[tuple[Array, Array, Mask]]:
    for times, rows in pieces:
        yield resampler.push(times, rows)
    yield resampler.finish()
