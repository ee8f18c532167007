"""Which mistake in the recipe or the recording would explain a bad fit: hypotheses about single columns, each tried on a few samples.

A wrong sign, unit, ratio, offset or pair of columns leaves torques that no parameters explain. With the mistake undone they are
explained well, and that names the column. Base parameters are fitted for each hypothesis, joints weighted by what they leave.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...errors import RobosymError
from .samples import Samples
from .signals import Array, Mask, decimate

Columns = Callable[[Array, Array, Array], Array]  # q, qd, qdd -> (N, nv, columns) of the regressor
SAMPLES = 400  # that each hypothesis is tried on
FINE = 2.0  # per cent: what is explained so well is not looked at
EXACT = 1e-3  # of the torque: what is left below this is not compared
DEPENDENT = 5.0  # neighbouring samples that count as one
SURE = 12.0  # logarithm of how much more likely a hypothesis must be
BLOCKS, FOLDS = 10, 5  # blocks of time, each of which is predicted by a fit to those of the other folds
FEW = 5  # rows of a joint in a block: fewer say nothing
ALL, SOME = 0.9, 0.75  # of the error of held-out blocks that may be left: of all joints, and of the one that gains most
CERTAIN = 3.0  # standard errors of the mean over blocks
ALIKE = 0.9  # of the largest logarithm: as good as the best
SLOW = 0.02  # of a joint's largest speed: slower rows say little
FACTORS = (0.25, 0.5, 0.75, 4 / 3, 2.0, 4.0)
UNITS = (0.001, 1000.0)
TURNS = ((np.pi / 2, "pi/2"), (-np.pi / 2, "-pi/2"), (np.pi, "pi"))
SIGN, SWAPPED = "the other sign: set its sign to the other one", "these columns swapped: correct their order"
MOST_SWAPPED = 8  # joints; of more, pairs are not tried


@dataclass(frozen=True)
class Hypothesis:
    """Something that may be wrong with some joints' columns, the remedy, and the samples as they would then be."""

    joints: tuple[int, ...]
    columns: str  # "position" or "torque", or "" for the joint as a whole
    words: str
    samples: Samples


@dataclass(frozen=True)
class Suspicion:
    """The hypothesis that explains the torques best, and the mean error of held-out blocks in per cent without and with it."""

    hypothesis: Hypothesis
    before: float
    after: float


@dataclass(frozen=True)
class Fitted:
    errors: Array  # of each row of the model, relative
    counts: Array
    K: Array

    def likelihood(self) -> float:
        known = self.counts > 0
        return -float(np.sum(self.counts[known] * np.log(np.maximum(self.errors[known], EXACT)))) / DEPENDENT


@dataclass(frozen=True)
class Wiring:
    """How columns become those of the joints, q = position columns + offsets and tau = torque columns: (n, n) each. Motors that turn
    several joints mix them."""

    position: Array
    torque: Array
    offsets: Array
    slides: tuple[bool, ...]

    @property
    def n(self) -> int:
        return len(self.slides)

    def is_alone(self, k: int) -> bool:
        """Whether one column is the torque of one joint: else the errors of joints say little about columns."""
        return bool(np.count_nonzero(self.torque[k]) == 1 == np.count_nonzero(self.torque[:, k]))

    def torques(self, given: Samples, change: Array) -> Samples:
        """With the columns of torque multiplied by this matrix."""
        tau = given.tau.copy()
        tau[:, -self.n :] = tau[:, -self.n :] @ np.linalg.solve(self.torque, change @ self.torque)
        return replace(given, tau=tau)

    def motions(self, given: Samples, change: Array) -> Samples:
        """With the columns of position multiplied by this matrix."""
        whole = np.linalg.solve(self.position, change @ self.position)
        q, qd, qdd = given.q.copy(), given.qd.copy(), given.qdd.copy()
        q[:, -self.n :] = self.offsets + (q[:, -self.n :] - self.offsets) @ whole
        for x in (qd, qdd):
            x[:, -self.n :] = x[:, -self.n :] @ whole
        return replace(given, q=q, qd=qd, qdd=qdd)

    def turned(self, given: Samples, k: int, by: float) -> Samples:
        """With another offset of one joint."""
        q = given.q.copy()
        q[:, q.shape[1] - self.n + k] += by
        return replace(given, q=q)


class Trial:
    """A recording's first samples, few of them, and the regressor."""

    def __init__(self, samples: Samples, rate: float, columns: Columns, low_rate: float, wiring: Wiring) -> None:
        self.columns, self.wiring = columns, wiring
        few = _decimated(samples, max(1, int(rate / low_rate)))
        self.samples = few.part(slice(None, None, max(1, len(few) // SAMPLES)))
        self.fit = self.fitted(self.samples)

    def fitted(self, samples: Samples) -> Fitted | None:
        """Nothing where the model has no numbers, as for loops that do not close."""
        try:
            D = self.columns(samples.q, samples.qd, samples.qdd)
        except RobosymError:
            return None
        if not np.isfinite(D).all():
            return None
        return _fit(D, samples.tau, _counting(samples))

    def held_out(self, samples: Samples) -> Array | None:
        """The relative error of each joint in each block of time, (BLOCKS, rows), predicted by a fit to other blocks; nan where
        a joint has hardly any rows. None where there are too few."""
        D = self.columns(samples.q, samples.qd, samples.qdd)
        rows = _counting(samples)
        block = np.arange(len(samples)) * BLOCKS // len(samples)
        size = np.sqrt(np.sum(samples.tau**2, axis=0, where=rows) / np.maximum(1, rows.sum(axis=0)))
        found = np.full((BLOCKS, D.shape[1]), np.nan)
        for fold in range(FOLDS):
            fit = _fit(D, samples.tau, rows & (block % FOLDS != fold)[:, None])
            if fit is None:
                return None
            squares = (samples.tau - D @ fit.K) ** 2
            for b in range(fold, BLOCKS, FOLDS):
                own = rows & (block == b)[:, None]
                enough = (own.sum(axis=0) >= FEW) & (size > 0)
                total = np.sum(squares, axis=0, where=own)[enough]
                found[b, enough] = np.sqrt(total / own.sum(axis=0)[enough]) / size[enough]
        return found

    @staticmethod
    def is_clear(before: Array, after: Array) -> bool:
        """Whether errors of held-out blocks fall clearly: on the whole, much for some joint, and in most blocks."""
        ratios = np.log(np.maximum(after, EXACT) / np.maximum(before, EXACT))
        there = np.isfinite(ratios)
        blocks = np.array([row[own].mean() for row, own in zip(ratios, there, strict=True) if own.any()])
        joints = np.array([column[own].mean() for column, own in zip(ratios.T, there.T, strict=True) if own.any()])
        if len(blocks) < BLOCKS // 2 or not len(joints):
            return False
        spread = blocks.std(ddof=1) / math.sqrt(len(blocks))
        return bool(
            joints.mean() < math.log(ALL) and joints.min() < math.log(SOME) and blocks.mean() < -CERTAIN * spread
        )

    def suspicion(self) -> Suspicion | None:
        """The most likely mistake, if undoing it clearly lowers the error of held-out blocks."""
        if self.fit is None or self.fit.errors[-self.wiring.n :].max() < FINE / 100:
            return None
        likely: list[tuple[float, Hypothesis, Fitted]] = []
        for one in hypotheses(self.samples, self.wiring):
            found = self.fitted(one.samples)
            gain = -np.inf if found is None else found.likelihood() - self.fit.likelihood()
            if found is not None and gain > SURE:
                likely.append((gain, one, found))
        if not likely:
            return None
        most = max(gain for gain, _, _ in likely)
        alike = sorted((one for one in likely if one[0] > ALIKE * most), key=lambda one: -one[0])
        _, best, _ = next((one for one in alike if self.has_inertia(one[1].samples, one[2].K)), alike[0])
        before, after = self.held_out(self.samples), self.held_out(best.samples)
        if before is None or after is None or not self.is_clear(before, after):
            return None
        return Suspicion(best, _mean(before), _mean(after))

    def has_inertia(self, samples: Samples, K: Array) -> bool:
        """Whether bodies resist: qdd^T A qdd > 0. With the signs of all torques wrong they do not, and the fit is as good."""
        rest = np.zeros_like(samples.qd)
        D = self.columns(samples.q, rest, samples.qdd) - self.columns(samples.q, rest, rest)
        return bool(np.einsum("ij,ijk,k->", samples.qdd, D, K) > 0)


def hypotheses(given: Samples, wiring: Wiring) -> Iterator[Hypothesis]:
    n = wiring.n
    for k in range(n):
        yield from _of_position(given, wiring, k)
        if wiring.is_alone(k):
            yield from _of_torque(given, wiring, k)
    for factor in (0.5, 2.0):
        faster = replace(given, qd=given.qd * factor, qdd=given.qdd * factor**2)
        yield Hypothesis((), "", f"{factor:g} times the rate: correct rate or time_unit", faster)


def _of_position(given: Samples, wiring: Wiring, k: int) -> Iterator[Hypothesis]:
    n = wiring.n
    yield Hypothesis((k,), "position", SIGN, wiring.motions(given, _scaled(n, k, -1.0)))
    for factor in FACTORS:
        words = f"about {factor:.3g} times the motion: correct its unit or scale"
        yield Hypothesis((k,), "position", words, wiring.motions(given, _scaled(n, k, factor)))
    for turn, name in TURNS if not wiring.slides[k] else ():
        yield Hypothesis(
            (k,), "position", f"an offset of {name} more: correct the offset", wiring.turned(given, k, turn)
        )
    for other, swap in _swaps(n, k):
        yield Hypothesis((other, k), "position", SWAPPED, wiring.motions(given, swap))


def _of_torque(given: Samples, wiring: Wiring, k: int) -> Iterator[Hypothesis]:
    """Of torques, and of positions and torques together."""
    n = wiring.n
    flip = _scaled(n, k, -1.0)
    yield Hypothesis((k,), "torque", SIGN, wiring.torques(given, flip))
    both = "the other sign of both position and torque: correct the sign of the ratio"
    yield Hypothesis((k,), "", both, wiring.torques(wiring.motions(given, flip), flip))
    for factor in (*FACTORS, *UNITS):
        words = f"about {factor:.4g} times the torque: correct its unit, scale or gain"
        yield Hypothesis((k,), "torque", words, wiring.torques(given, _scaled(n, k, factor)))
    for factor in FACTORS:
        moved = wiring.motions(given, _scaled(n, k, factor))
        words = f"a ratio of about {1 / factor:.3g} times that: correct the ratio"
        yield Hypothesis((k,), "", words, wiring.torques(moved, _scaled(n, k, 1 / factor)))
    for other, swap in _swaps(n, k):
        if wiring.is_alone(other):
            yield Hypothesis((other, k), "torque", SWAPPED, wiring.torques(given, swap))


def _swaps(n: int, k: int) -> Iterator[tuple[int, Array]]:
    for other in range(k) if n <= MOST_SWAPPED else ():
        swap = np.eye(n)
        swap[[other, k]] = swap[[k, other]]
        yield other, swap


def _scaled(n: int, k: int, factor: float) -> Array:
    found = np.eye(n)
    found[k, k] = factor
    return found


def _decimated(samples: Samples, factor: int) -> Samples:
    parts = (samples.q, samples.qd, samples.qdd, samples.tau)
    rows = decimate(np.concatenate(parts, axis=1), factor)
    q, qd, qdd, tau = np.split(rows, np.cumsum([part.shape[1] for part in parts])[:-1], axis=1)
    return Samples(samples.time[::factor], q, qd, qdd, tau, samples.keep[::factor])


def _counting(samples: Samples) -> Mask:
    """The rows of joints that move."""
    moving: Mask = samples.keep & (np.abs(samples.qd) > SLOW * np.abs(samples.qd).max(axis=0))
    return moving


def _mean(errors: Array) -> float:
    """Geometric, per cent."""
    return 100 * math.exp(float(np.nanmean(np.log(np.maximum(errors, 1e-9)))))


def _fit(D: Array, tau: Array, rows: Mask) -> Fitted | None:
    """Weighted least squares by normal equations, which are enough to tell errors of per cents."""
    counts = rows.sum(axis=0).astype(float)
    joints = range(D.shape[1])
    own = [np.concatenate((D[rows[:, i], i], tau[rows[:, i], i, None]), axis=1) for i in joints]
    if counts.sum() < 3 * D.shape[2]:
        return None
    grams = [part.T @ part for part in own]
    size = np.array([math.sqrt(G[-1, -1] / c) if c else 0.0 for G, c in zip(grams, counts, strict=True)])
    weights = np.where(size > 0, 1 / np.where(size > 0, size, 1.0), 0.0)
    K = np.zeros(D.shape[2])
    for _ in range(3):
        total = sum(w**2 * G for w, G in zip(weights, grams, strict=True))
        norms = np.sqrt(np.diag(total)[:-1])
        norms = np.where(norms > 0, norms, 1.0)
        values, vectors = np.linalg.eigh(total[:-1, :-1] / np.outer(norms, norms))
        strong = values > 1e-11 * values[-1]
        K = vectors[:, strong] @ ((vectors[:, strong].T @ (total[:-1, -1] / norms)) / values[strong]) / norms
        left = [part[:, -1] - part[:, :-1] @ K for part in own]
        rms = np.array([math.sqrt(float(np.mean(r**2))) if len(r) else 0.0 for r in left])
        least = np.maximum(rms, EXACT * size)
        weights = np.where(least > 0, 1 / np.where(least > 0, least, 1.0), 0.0)
    errors = np.divide(rms, size, out=np.zeros_like(rms), where=size > 0)
    return Fitted(errors, np.where(size > 0, counts, 0.0), K)
