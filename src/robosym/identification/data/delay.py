"""The delay of the torque with respect to the motion, from the fit of the robot's own model.

The parameters are fitted for several shifts of the torque; the parabola through the best shift and its neighbours gives the delay. A model of
single joints would not do: in it a shift of the acceleration is as good as viscous friction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .samples import Samples
from .signals import Array, Mask, decimate, shift_reach, shifted

Columns = Callable[[Array, Array, Array], Array]  # q, qd, qdd -> (N, nv, columns) of the regressor
LONGEST = 0.05  # s, the largest delay that is searched for
STEP = 0.005  # s, of the search
BLOCK = 0.5  # s, blocks that are taken as independent
SURE = 3.0  # standard deviations
SLOW = 0.02  # of a joint's largest speed: slower rows say little


@dataclass(frozen=True)
class Delay:
    """In seconds, with a standard deviation; infinite where the motion does not tell."""

    seconds: float
    sigma: float
    left: float = (
        1.0  # of the squares of the residuals of blocks of time, each corrected by the delay of the other half
    )

    @property
    def is_sure(self) -> bool:
        return abs(self.seconds) > SURE * self.sigma


UNKNOWN = Delay(0.0, np.inf)


@dataclass(frozen=True)
class Delays:
    """That of all joints together, and of each by the residuals it has in the common fit."""

    common: Delay
    joints: tuple[Delay, ...]


def estimate_delays(
    samples: Samples, rate: float, columns: Columns, low_rate: float, least: Array | None = None
) -> Delays:
    """From samples at full ``rate`` (their torques not shifted), with the regressor built at about ``low_rate``.
    Rows of joints slower than ``least`` do not count."""
    coarse = max(1, int(rate / (8 * low_rate)))  # first to a rate at which shifting is cheap
    middle = rate / coarse
    fine = max(1, int(middle / low_rate))
    nq, nv = samples.q.shape[1], samples.tau.shape[1]
    all_signals = np.concatenate((samples.q, samples.qd, samples.qdd, samples.tau), axis=1)
    signals = decimate(all_signals, coarse)
    motion, tau = decimate(signals[:, :-nv], fine), signals[:, -nv:]
    q, qd, qdd = np.split(motion, [nq, nq + nv], axis=1)
    D = columns(q, qd, qdd)
    edge = -(-shift_reach((LONGEST + STEP) * middle) // fine)
    inside = np.zeros(len(q), dtype=bool)
    inside[edge : len(q) - edge] = True
    slow = SLOW * np.abs(qd).max(axis=0) if least is None else least
    rows = inside[:, None] & (np.abs(qd) > slow) & samples.keep[:: coarse * fine][: len(q)]
    if rows.sum() < 3 * D.shape[2]:
        return Delays(UNKNOWN, (UNKNOWN,) * nv)
    fit = _Fit(D, rows, lambda seconds: decimate(shifted(tau, seconds * middle), fine), middle / fine)
    return Delays(fit.delay(range(nv)), tuple(fit.delay([k]) for k in range(nv)))


class _Fit:
    """Residuals of the weighted fit for a shift of the torque."""

    def __init__(self, D: Array, rows: Mask, torques: Callable[[float], Array], rate: float) -> None:
        self.rows, self.torques, self.rate = rows, torques, rate
        self.weights = np.ones(D.shape[1])
        for _ in range(2):  # unweighted, then by what each joint leaves
            self.Q = _basis((D * self.weights[:, None])[rows])
            left = self.residuals(0.0)
            counts = np.maximum(1, rows.sum(axis=0))
            size = np.sqrt((left**2).sum(axis=0) / counts)
            self.weights = np.divide(self.weights, size, out=np.zeros_like(size), where=size > 0)
        self.Q = _basis((D * self.weights[:, None])[rows])
        self.grid = np.arange(-LONGEST - STEP, LONGEST + 2 * STEP, STEP)
        size = max(1, round(BLOCK * rate))
        self.halves = np.arange(len(rows)) // size % 2 == 0, np.arange(len(rows)) // size % 2 == 1  # every other block
        squares = [self.residuals(float(s)) ** 2 for s in self.grid]
        self.by_half = np.array([[part[half].sum(axis=0) for half in self.halves] for part in squares])

    def residuals(self, seconds: float) -> Array:
        """(N, nv), zero where a row does not count."""
        return self.project(self.torques(seconds))

    def project(self, torques: Array) -> Array:
        wanted = (torques * self.weights)[self.rows]
        found = np.zeros(self.rows.shape)
        found[self.rows] = wanted - self.Q @ (self.Q.T @ wanted)
        return found

    def delay(self, joints: range | list[int]) -> Delay:
        seconds = self.lowest(self.by_half[:, :, joints].sum(axis=(1, 2)))
        if seconds is None:
            return UNKNOWN
        residual = self.residuals(seconds)[:, joints]
        half = STEP / 2
        slope = (self.residuals(seconds + half) - self.residuals(seconds - half))[:, joints] / STEP
        size = max(1, round(BLOCK * self.rate))
        pushes = (residual * slope).sum(axis=1)
        blocks = np.add.reduceat(pushes, np.arange(0, len(pushes), size))
        return Delay(seconds, float(np.sqrt((blocks**2).sum()) / (slope**2).sum()), self.left(joints))

    def lowest(self, squares: Array) -> float | None:
        """The shift with the least squares, by a parabola; None if it is not inside what was searched."""
        best = int(np.argmin(squares))
        if best in (0, len(squares) - 1):
            return None
        below, here, above = squares[best - 1 : best + 2]
        curvature = below - 2 * here + above
        return float(self.grid[best] + STEP * 0.5 * (below - above) / curvature) if curvature > 0 else None

    def left(self, joints: range | list[int]) -> float:
        """The part of the squares of each half that the delay of the other half leaves."""
        after = 0.0
        for half, other in ((0, 1), (1, 0)):
            seconds = self.lowest(self.by_half[:, other, joints].sum(axis=1))
            if seconds is None:
                return 1.0
            after += float((self.residuals(seconds)[self.halves[half]][:, joints] ** 2).sum())
        none = float(self.by_half[np.argmin(np.abs(self.grid))][:, joints].sum())
        return after / none if none > 0 else 1.0


def _basis(X: Array) -> Array:
    """Orthonormal columns that span those of X."""
    size = np.sqrt((X**2).mean(axis=0))
    X = X / np.where(size > 0, size, 1.0)
    values, vectors = np.linalg.eigh(X.T @ X)
    strong = values > 1e-10 * values[-1]
    return np.asarray(X @ (vectors[:, strong] / np.sqrt(values[strong])))
