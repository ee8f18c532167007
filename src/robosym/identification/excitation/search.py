"""The search for an exciting motion: from many random motions, the best improved by a quasi-Newton method.

The variables are a centre and coefficients for each joint. Before anything is computed from them they are fitted: the amplitude
of each joint is reduced until position, velocity and acceleration are within their limits, and the centre is moved until the
range is. So every motion that the search looks at keeps these limits, and no constraint is left but those of torques and
points, which are penalised, and in the end kept by drawing the motion together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize

from ...reals import Floats
from .checks import Checks, dense
from .criterion import Criterion, States, nudged, pulled_back
from .families import Family
from .limits import JointLimits
from .motions import Motion

DRAWS = 40  # random motions, of which the best are improved
STARTS = 4  # so many
POWERS = (2.0, 8.0)  # how sharply the smallest singular value counts: first softly, then sharply
PENALTIES = (3.0, 30.0, 300.0)
NOWHERE = 1e3  # the value of a motion whose closed loops cannot be assembled
MEMORY = 30  # gradients that the quasi-Newton method remembers


class OutOfBudgetError(Exception):
    """No evaluations or no time are left."""


@dataclass
class Budget:
    """How many evaluations and seconds are left, and who is told of each."""

    evaluations: int
    seconds: float | None
    progress: Callable[[int, float], None] | None
    used: int = 0
    best: float = np.inf
    begun: float = field(default_factory=time.monotonic)

    def spend(self) -> None:
        over_time = self.seconds is not None and time.monotonic() - self.begun > self.seconds
        if self.used >= self.evaluations or over_time:
            raise OutOfBudgetError
        self.used += 1

    def found(self, value: float) -> None:
        self.best = min(self.best, value)
        if self.progress is not None:
            self.progress(self.used, self.best)


@dataclass(frozen=True)
class Fit:
    """A fitted motion: centre (n,), coefficients (n, K), and what is needed to take slopes back to the variables."""

    centre: Floats
    coefficients: Floats
    raw: Floats
    factor: Floats  # (n,): what the raw coefficients were multiplied by
    by_raw: Floats  # (n, K): the slope of that factor
    centre_moves: Floats  # (n,): 1 where the centre is free, 0 where a limit holds it
    centre_by_raw: Floats  # (n, K): the slope of the centre where a limit holds it


class Search:
    """Everything that does not change during a search."""

    def __init__(
        self,
        family: Family,
        duration: float,
        limits: JointLimits,
        criterion: Criterion,
        checks: Checks,
        start: Floats | None,
    ) -> None:
        self.family, self.duration, self.limits = family, duration, limits
        self.criterion, self.checks, self.start = criterion, checks, start
        s = (np.arange(family.samples) + 0.5) / family.samples
        self.shapes = [family.shapes(s, order) / duration**order for order in range(3)]
        self.closed = criterion.model.robot.loops > 0

    # --- variables and motions ---------------------------------------------------------------------------------------

    def fit(self, x: Floats) -> Fit:
        """The motion of some variables: all numbers in widths of the joints' ranges."""
        limits, n = self.limits, len(self.limits.joints)
        table = x.reshape(n, -1)
        wanted = limits.lower + limits.width * table[:, 0] if self.start is None else self.start
        raw = limits.width[:, None] * table[:, 1:]
        q, qd, qdd = (shape @ raw.T for shape in self.shapes)
        each = np.arange(n)
        low, high = q.argmin(axis=0), q.argmax(axis=0)
        fastest, hardest = np.abs(qd).argmax(axis=0), np.abs(qdd).argmax(axis=0)
        tops, bottoms = q[high, each], q[low, each]
        v, a = qd[fastest, each], qdd[hardest, each]
        S0, S1, S2 = self.shapes
        # Each restriction is factor * extent <= room; the extent is linear in the coefficients.
        extents = [(np.abs(v), np.sign(v)[:, None] * S1[fastest], limits.velocity)]
        extents.append((np.abs(a), np.sign(a)[:, None] * S2[hardest], limits.acceleration))
        if self.start is None:
            extents.append((tops - bottoms, S0[high] - S0[low], limits.width))
        else:
            extents.append((tops, S0[high], limits.upper - wanted))
            extents.append((-bottoms, -S0[low], wanted - limits.lower))
        factor, by_raw = np.ones(n), np.zeros_like(raw)
        for extent, slope, room in extents:
            tight = factor * extent > room
            with np.errstate(divide="ignore", invalid="ignore"):
                factor = np.where(tight, room / extent, factor)
                by_raw = np.where(tight[:, None], -(factor / extent)[:, None] * slope, by_raw)
        centre, moves, by = wanted, np.zeros(n), np.zeros_like(raw)
        if self.start is None:
            least, most = limits.lower - factor * bottoms, limits.upper - factor * tops
            centre = np.minimum(np.maximum(wanted, least), most)
            moves = ((wanted >= least) & (wanted <= most)).astype(float)
            at_least, at_most = (wanted < least)[:, None], (wanted > most)[:, None]
            by = np.where(at_least, -(bottoms[:, None] * by_raw + factor[:, None] * S0[low]), 0.0)
            by = np.where(at_most, -(tops[:, None] * by_raw + factor[:, None] * S0[high]), by)
        return Fit(centre, factor[:, None] * raw, raw, factor, by_raw, moves, by)

    def slope(self, fit: Fit, slopes: Floats) -> Floats:
        """The slopes by the variables, of those by q, qd and qdd (3, N, n)."""
        by_coefficients = sum(s.T @ shape for s, shape in zip(slopes, self.shapes, strict=True))
        by_centre = slopes[0].sum(axis=0)
        along = (by_coefficients * fit.raw).sum(axis=1)
        by_raw = fit.factor[:, None] * by_coefficients + along[:, None] * fit.by_raw
        by_raw = by_raw + by_centre[:, None] * fit.centre_by_raw
        table = np.column_stack([by_centre * fit.centre_moves, by_raw]) * self.limits.width[:, None]
        return np.asarray(table.ravel())

    def states(self, fit: Fit) -> States:
        q, qd, qdd = (shape @ fit.coefficients.T for shape in self.shapes)
        return q + fit.centre, qd, qdd

    def motion(self, x: Floats) -> Motion:
        fit = self.fit(x)
        return self.family.motion(self.limits.joints, self.duration, fit.centre, fit.coefficients)

    def assembled(self, motion: Motion) -> bool:
        """Whether closed loops, if there are any, can be assembled all along a motion."""
        return not self.closed or bool(self.criterion.entries(dense(motion))[1].all())

    # --- what is minimised -------------------------------------------------------------------------------------------

    def value(self, x: Floats, power: float, penalty: float) -> tuple[float, Floats]:
        """The criterion with the penalties, and its slopes by the variables."""
        fit = self.fit(x)
        states = self.states(fit)
        if self.closed and not self.criterion.entries(states)[1].all():
            return NOWHERE, np.zeros_like(x)
        stack = nudged(states)
        samples = len(states[0])
        entries = self.criterion.entries(stack)[0].reshape(-1, samples, len(self.criterion.model.places["D"]))
        value, weights = self.criterion.value_and_weights(entries[0], power)
        slopes = pulled_back(entries, weights)
        if self.checks.quantities:
            beyond, more = self.checks.penalty(stack, samples)
            value, slopes = value + penalty * beyond, slopes + penalty * more
        gradient = self.slope(fit, slopes)
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            return NOWHERE, np.zeros_like(x)
        return value, gradient

    def improve(self, x: Floats, budget: Budget, evaluations: int, power: float, penalty: float) -> Floats:
        """The best variables that some evaluations find from ``x`` on."""
        best: list[tuple[float, Floats]] = [(np.inf, x)]

        def at(y: Floats) -> tuple[float, Floats]:
            budget.spend()
            found, slopes = self.value(y, power, penalty)
            if found < best[0][0]:
                best[0] = (found, y.copy())
                budget.found(found)
            return found, slopes

        options = {"maxfun": evaluations, "maxiter": evaluations, "maxcor": MEMORY, "ftol": 1e-9, "gtol": 1e-8}
        try:
            minimize(at, x, jac=True, method="L-BFGS-B", options=options)
        except OutOfBudgetError:
            return best[0][1]
        return best[0][1]

    # --- the search --------------------------------------------------------------------------------------------------

    def draw(self, random: np.random.Generator, centres: Floats) -> Floats:
        """Variables of a random motion around one of the centres (k, n), which keeps all limits at the samples if one of the
        sizes tried does."""
        n = len(self.limits.joints)
        centre = (centres[random.integers(len(centres))] - self.limits.lower) / self.limits.width
        shapes = self.family.draw(random, n)
        extent = np.abs(self.shapes[0] @ shapes.T).max(axis=0)
        coefficients = shapes / extent[:, None] * random.uniform(0.25, 1.0, (n, 1))
        for size in 0.8 ** np.arange(20):
            x = np.column_stack([centre, size * coefficients]).ravel()
            states = self.states(self.fit(x))
            if self.closed and not self.criterion.entries(states)[1].all():
                continue
            if not any(bad.any() for bad in self.checks.violated(states)):
                break
        return np.asarray(x)

    def run(self, random: np.random.Generator, centres: Floats, budget: Budget) -> list[Floats]:
        """The variables of the motions found, best first."""
        drawn = []
        try:
            for _ in range(DRAWS):
                x = self.draw(random, centres)
                budget.spend()
                drawn.append((self.value(x, POWERS[0], PENALTIES[0])[0], x))
                budget.found(drawn[-1][0])
        except OutOfBudgetError:
            if not drawn:
                drawn = [(np.inf, x)]
        drawn.sort(key=lambda one: one[0])
        left = budget.evaluations - budget.used
        share = max(1, left // (2 * STARTS))
        improved = [self._rank(self.improve(x, budget, share, POWERS[0], PENALTIES[0])) for _, x in drawn[:STARTS]]
        improved.sort(key=lambda one: one[0])
        best = improved[0][1]
        rounds = len(PENALTIES) if self.checks.quantities else 1
        for penalty in PENALTIES[-rounds:]:
            best = self.improve(best, budget, max(1, left // (2 * rounds)), POWERS[1], penalty)
        return [best, *(x for _, x in improved), *(x for _, x in drawn[STARTS:])]

    def _rank(self, x: Floats) -> tuple[float, Floats]:
        return self.value(x, POWERS[1], PENALTIES[-1])[0], x
