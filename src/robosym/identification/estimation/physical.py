"""Standard parameters that a real robot can have, explain the data, and are closest to those known beforehand.

The data determine base parameters only: K_base = B x for many standard parameters x, most of them impossible (negative
masses, inertias of no body). Wanted is the x with positive definite pseudo-inertias, and rotor inertias and friction that
are not negative, that minimises chi_squared(x) / chi_squared_0 + weight * distance(x, prior). A convex problem (Wensing,
Kim, Slotine 2018; Lee, Wensing, Park 2020), here by cvxpy and Clarabel.

With the prior's pseudo-inertia P0 = L L^T and P = L Q L^T, the distances are the same in all units and frames:
log-det (Bregman) tr Q - log det Q - 4, and Frobenius |Q - I|^2 / 2, the same to second order.
"""

from __future__ import annotations

import time
import warnings as python_warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import RobosymError
from ...reals import Floats
from .estimation import Estimate
from .factors import Factors
from .pseudo_inertia import basis, change, pseudo_inertia

RISE = 0.02  # of chi-squared that nearness to the prior may cost, from that of the best possible robot
MARGIN = 1e-3  # of the prior's pseudo-inertia, which a link's stays above
WEIGHTS = (1e-9, 1e-6, 1e-4, 1e-2, 1.0, 100.0)  # tried in turn, then bisected
LITTLE = 1e-3  # how much scalars without a prior are pulled towards zero: enough to say which, where it does not matter
SETTINGS: tuple[dict[str, Any], ...] = (  # of the solver, tried in turn where it fails: the problem is scaled already
    {"equilibrate_enable": False},
    {},
    {"max_step_fraction": 0.9},
)
CLOSE = 0.8  # of the rise allowed: near enough to it
EXACT = 1e-8  # chi-squared below this part of the torques' is taken for that: data without noise
NO_PRIOR = (0.1, 1.0)  # the length in m and the mass in kg by which links without a prior are measured
HEAVIEST = 100.0  # kg, of a link without a prior
FAR_MASS = 3.0  # a mass this many times that of the prior, or this many times smaller, raises a warning
SMALL_PART = 0.1  # of the prior's total mass: a link that differs by less raises none
FAR_TOTAL = 1.5  # the same of the total mass


class PhysicalError(RobosymError):
    """No standard parameters as requested."""


class UnsolvedError(PhysicalError):
    """The convex problem has no solution, or none was found."""


@dataclass(frozen=True, eq=False)
class Standard:
    """The standard parameters and what the data see of them.

    ``base`` is B of K_base = B x, rows as the estimate's columns. ``links`` are for each link the indices of its XX XY XZ YY
    YZ ZZ MX MY MZ M among ``names``; ``nonnegative`` those of rotor inertias and friction. All others are free. ``zero`` x
    are the base parameters that are taken as zero.
    """

    names: tuple[str, ...]
    base: Floats
    link_names: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]
    nonnegative: tuple[int, ...] = ()
    zero: Floats | None = None

    def __post_init__(self) -> None:
        if self.base.ndim != 2 or self.base.shape[1] != len(self.names) or not np.isfinite(self.base).all():
            raise PhysicalError(
                f"base: expected finite rows of {len(self.names)} numbers, got the shape {self.base.shape}"
            )
        used = [i for link in (*self.links, self.nonnegative) for i in link]
        if len(self.links) != len(self.link_names) or any(len(link) != 10 for link in self.links):
            raise PhysicalError("links: expected a name and ten indices of each")
        if len(set(used)) != len(used) or not all(0 <= i < len(self.names) for i in used):
            raise PhysicalError(f"links, nonnegative: expected different indices below {len(self.names)}")


@dataclass(frozen=True, eq=False)
class Physical:
    """Standard parameters of a possible robot.

    ``chi_squared`` is the estimate's and theirs; ``feasible`` that of the possible robot that fits best. ``eigenvalues``
    are the smallest of each link's pseudo-inertia relative to the prior's; ``at_limit`` names what the conditions hold
    back.
    """

    names: tuple[str, ...]
    values: Floats
    base: Floats
    chi_squared: tuple[float, float]
    weight: float
    distance: float
    eigenvalues: Floats
    at_limit: tuple[str, ...]
    seconds: float
    feasible: float
    warnings: tuple[str, ...] = ()

    @property
    def rise(self) -> float:
        """The rise of chi-squared that nearness to the prior costs: relative to that of the best possible robot."""
        return _relative(self.chi_squared[1], self.feasible)

    @property
    def feasible_rise(self) -> float:
        """The rise of chi-squared from the estimate to the best possible robot."""
        return _relative(self.feasible, self.chi_squared[0])

    @property
    def total_rise(self) -> float:
        """The rise of chi-squared relative to the estimate's."""
        return _relative(self.chi_squared[1], self.chi_squared[0])


def _relative(after: float, before: float) -> float:
    return after / before - 1 if before > 0 else np.inf


def physical(
    factors: Factors,
    estimate: Estimate,
    standard: Standard,
    prior: Floats | None = None,
    distance: str = "log-det",
    weight: float | None = None,
    rise: float = RISE,
    margin: float = MARGIN,
    masses: Sequence[tuple[float, float]] | None = None,
) -> Physical:
    """The standard parameters closest to the prior that explain the data about as well as the estimate does.

    The weight of the distance, unless given, is the largest with which chi-squared is at most 1 + ``rise`` times that of
    the possible robot that fits best, found by bisection: the data then decide what they determine, and the prior the
    rest. Links whose prior is missing (nan, or no mass) get the smallest trace, that is little mass near their origin;
    ``masses`` are their limits and everyone's.
    """
    _cvxpy()  # imported before the clock starts: that takes longer than solving
    start = time.perf_counter()
    notes: list[str] = []
    if distance not in ("log-det", "frobenius"):
        raise PhysicalError(f"distance: got {distance!r}, expected 'log-det' or 'frobenius'")
    if standard.base.shape[0] != len(estimate.columns) or factors.columns != estimate.columns:
        raise PhysicalError(
            f"base: expected {len(estimate.columns)} rows, those of the estimate, got {len(standard.base)}"
        )
    if not 0 < margin < 1 or not rise > 0:
        raise PhysicalError(f"margin, rise: expected positive numbers, the margin below 1, got {margin}, {rise}")
    guess = np.full(len(standard.names), np.nan) if prior is None else np.asarray(prior, float)
    if guess.shape != (len(standard.names),):
        raise PhysicalError(f"prior: expected {len(standard.names)} numbers, got {guess.shape}")
    problem = _Problem(factors, estimate, standard, guess, distance, margin, _limits(standard, guess, masses), notes)
    best = problem.best()
    y, used = problem.search(best, rise, notes) if weight is None else (problem.solve(weight), weight)
    x = problem.T @ y
    smallest = np.array([np.linalg.eigvalsh(problem.Q(y, j))[0] for j in range(len(standard.links))])
    if np.any(smallest <= 0):
        bad = ", ".join(name for name, value in zip(standard.link_names, smallest, strict=True) if value <= 0)
        raise PhysicalError(
            f"the solver left the pseudo-inertia of {bad} not positive definite; a larger margin may help"
        )
    x[list(standard.nonnegative)] = np.maximum(x[list(standard.nonnegative)], 0.0)
    before = problem.chi_squared
    after = before + float(np.sum((problem.R @ (standard.base @ x) - problem.z) ** 2))
    held = [name for name, value in zip(standard.link_names, smallest, strict=True) if value < 1.5 * margin]
    near_zero = np.where(np.isin(np.arange(len(x)), problem.pulled), 10 * margin * problem.units, 1e-6)
    held += [standard.names[i] for i in standard.nonnegative if x[i] <= near_zero[i]]
    seconds = time.perf_counter() - start
    apart = problem.distance_at(y)
    notes += _absurd_masses(standard, x, guess, problem.limits)
    feasible = min(after, before + problem.rise(best) * problem.size)
    values = (standard.names, x, standard.base @ x, (before, after), used, apart, smallest, tuple(held), seconds)
    return Physical(*values, feasible, tuple(notes))


def _absurd_masses(
    standard: Standard, x: Floats, prior: Floats, limits: Sequence[tuple[float, float]]
) -> Iterator[str]:
    """Warnings for links, and for a robot, much heavier or lighter than the prior, and for links at the limit of their mass."""
    masses = {name: link[9] for name, link in zip(standard.link_names, standard.links, strict=True)}
    known = {
        name: k for (name, k), link in zip(masses.items(), standard.links, strict=True) if _is_known(prior[list(link)])
    }
    total = float(prior[list(known.values())].sum())
    far = [
        f"{name} {x[k]:.3g} kg ({prior[k]:.3g} in the prior)"
        for name, k in known.items()
        if abs(x[k] - prior[k]) > SMALL_PART * total and not 1 / FAR_MASS < x[k] / prior[k] < FAR_MASS
    ]
    if far:
        yield (
            f"masses far from the prior: {', '.join(far)}. Such a link is probably not real: look for model errors and wrong "
            "columns, allow more with rise in [estimate], or correct the prior"
        )
    heavy = float(x[list(known.values())].sum())
    if known and not 1 / FAR_TOTAL < heavy / total < FAR_TOTAL:
        yield (
            f"the links weigh {heavy:.3g} kg together, {total:.3g} kg in the prior: the unit or gain of the torques, the model or "
            "the prior is probably wrong"
        )
    full = [
        f"{name} ({limit[1]:g} kg)"
        for (name, k), limit in zip(masses.items(), limits, strict=True)
        if name not in known and x[k] > 0.99 * limit[1]
    ]
    if full:
        yield f"masses at their upper limit: {', '.join(full)}. Such a link is probably not real: give a prior, or its mass"


def _limits(
    standard: Standard, prior: Floats, masses: Sequence[tuple[float, float]] | None
) -> list[tuple[float, float]]:
    """The least and the largest mass of each link; without a prior at most HEAVIEST."""
    if masses is not None:
        if len(masses) != len(standard.links):
            raise PhysicalError(f"masses: expected the limits of {len(standard.links)} links, got {len(masses)}")
        for name, (low, high) in zip(standard.link_names, masses, strict=True):
            if not (low <= high and high > 0):
                raise PhysicalError(f"masses of {name}: from {low} to {high} kg there is none")
        return list(masses)
    return [(0.0, np.inf if prior[link[9]] > 0 else HEAVIEST) for link in standard.links]


class _Problem:
    """The convex problem in numbers of the size of one: Q of each link, scalars in units of their prior."""

    def __init__(
        self,
        factors: Factors,
        estimate: Estimate,
        standard: Standard,
        prior: Floats,
        distance: str,
        margin: float,
        limits: list[tuple[float, float]],
        notes: list[str],
    ) -> None:
        whole = factors.stacked(estimate.divisors)
        self.R, self.z, self.chi_squared = whole[:-1, :-1], whole[:-1, -1], float(whole[-1, -1] ** 2)
        self.size = max(self.chi_squared, EXACT * float(np.sum(whole[:, -1] ** 2)))
        self.standard, self.margin, self.limits, self.kind = standard, margin, limits, distance
        self.basis = basis()
        self.known = [_is_known(prior[list(link)]) for link in standard.links]
        self.note_missing(notes)
        self.units = np.ones(len(standard.names))
        self.scalars = [i for i in range(len(standard.names)) if not any(i in link for link in standard.links)]
        self.pulled = [i for i in self.scalars if i in standard.nonnegative and prior[i] > 0]
        self.units[self.pulled] = prior[self.pulled]
        self.T = np.diag(self.units)  # x = T y
        for j, link in enumerate(standard.links):
            L = self.root(j, prior[list(link)], notes)
            self.T[np.ix_(link, link)] = change(L)
        self.build()

    def note_missing(self, notes: list[str]) -> None:
        missing = [name for name, known in zip(self.standard.link_names, self.known, strict=True) if not known]
        if missing:
            notes.append(
                f"no prior of {', '.join(missing)}: the data determine base parameters only, and the standard ones of these"
                " links are the smallest possible, not the true ones"
            )

    def root(self, j: int, prior: Floats, notes: list[str]) -> Floats:
        """L of P0 = L L^T. A prior that is no body's is replaced by the nearest whose spread is a thousandth of its size."""
        if not self.known[j]:
            length, mass = NO_PRIOR
            return np.diag(np.sqrt(mass) * np.array([length, length, length, 1.0]))
        P = pseudo_inertia(prior)
        length = np.sqrt(max(np.trace(P[:3, :3]), 1e-12 * P[3, 3]) / P[3, 3])
        scale = np.sqrt(P[3, 3]) * np.array([length, length, length, 1.0])
        values, vectors = np.linalg.eigh(P / np.outer(scale, scale))
        if values[0] < 1e-6:
            notes.append(
                f"the prior of {self.standard.link_names[j]} is that of no body: replaced by the nearest that is"
            )
            values = np.maximum(values, 1e-3)
        P = (vectors * values) @ vectors.T * np.outer(scale, scale)
        return np.asarray(np.linalg.cholesky(P), float)

    def build(self) -> None:
        """The problem for any weight, so that cvxpy prepares it once."""
        cp = self.cp = _cvxpy()
        self.weights = cp.Parameter(nonneg=True), cp.Parameter(nonneg=True)  # of chi-squared and of the distance
        self.y = cp.Variable(len(self.units))
        conditions, terms = [], []
        for j, link in enumerate(self.standard.links):
            Q = cp.reshape(self.basis @ self.y[list(link)], (4, 4), order="C")
            conditions.append(Q - self.margin * np.eye(4) >> 0)
            mass = self.T[link[9]] @ self.y
            low, high = self.limits[j]
            conditions += ([mass >= low] if low > 0 else []) + ([mass <= high] if np.isfinite(high) else [])
            if not self.known[j]:
                terms.append(cp.trace(Q))
            elif self.kind == "log-det":
                terms.append(cp.trace(Q) - cp.log_det(Q) - 4)
            else:
                terms.append(cp.sum_squares(self.y[list(link)] - self.basis.T @ np.eye(4).ravel()) / 2)
        if self.pulled:
            scalars = self.y[self.pulled]
            bregman = cp.sum(scalars - cp.log(scalars) - 1)
            terms.append(bregman if self.kind == "log-det" else cp.sum_squares(scalars - 1) / 2)
        if self.standard.nonnegative:
            conditions.append(self.y[list(self.standard.nonnegative)] >= 0)
        small = [i for i in self.standard.nonnegative if i not in self.pulled]
        if small:
            terms.append(LITTLE * cp.sum(self.y[small]))
        if self.standard.zero is not None and len(self.standard.zero):
            conditions.append(self.standard.zero @ self.T @ self.y == 0)
        root = np.sqrt(self.size)
        chi_squared = cp.sum_squares((self.R @ self.standard.base @ self.T / root) @ self.y - self.z / root)
        self.problem = cp.Problem(cp.Minimize(self.weights[0] * chi_squared + self.weights[1] * sum(terms)), conditions)

    def solve(self, weight: float) -> Floats:
        """y with this weight of the distance."""
        self.weights[0].value, self.weights[1].value = 1 / (1 + weight), weight / (1 + weight)
        for settings in SETTINGS:
            reason = self.reason_of_failure(settings)
            if not reason:
                break
        else:
            raise UnsolvedError(f"no physically consistent parameters: the convex solver failed ({reason})")
        if self.problem.status not in ("optimal", "optimal_inaccurate"):
            ranges = zip(self.standard.link_names, self.limits, strict=True)
            bounds = ", ".join(f"{name} {low:g} to {high:g} kg" for name, (low, high) in ranges)
            raise UnsolvedError(
                f"no robot meets all conditions ({self.problem.status}): masses {bounds}; margin {self.margin:g}"
            )
        return np.asarray(self.y.value, float)

    def reason_of_failure(self, settings: dict[str, Any]) -> str:
        """Run the solver; empty unless it failed. It starts anew each time, so that the answer depends on the weight alone."""
        with python_warnings.catch_warnings():
            python_warnings.simplefilter("ignore")  # an inaccurate solution is judged by its status
            try:
                self.problem.solve(solver="CLARABEL", warm_start=False, **settings)
            except self.cp.error.SolverError as reason:
                return str(reason) or type(reason).__name__
        return ""

    def attempt(self, weight: float) -> Floats | None:
        """y with this weight, None where the solver fails."""
        try:
            return self.solve(weight)
        except UnsolvedError:
            return None

    def rise(self, y: Floats) -> float:
        """Of chi-squared, relative."""
        return float(np.sum((self.R @ (self.standard.base @ (self.T @ y)) - self.z) ** 2)) / self.size

    def Q(self, y: Floats, j: int) -> Floats:
        """Link j's pseudo-inertia relative to the prior's."""
        found: Floats = (self.basis @ y[list(self.standard.links[j])]).reshape(4, 4)
        return found

    def distance_at(self, y: Floats) -> float:
        """Of the links with a prior, log-det or Frobenius as chosen."""
        total = 0.0
        for j in np.flatnonzero(self.known):
            Q = self.Q(y, int(j))
            logdet = np.trace(Q) - np.linalg.slogdet(Q)[1] - 4
            total += float(logdet if self.kind == "log-det" else np.sum((Q - np.eye(4)) ** 2) / 2)
        return total

    def best(self) -> Floats:
        """y that explains the data best, the prior having next to no weight."""
        solved = [y for weight in WEIGHTS[:2] if (y := self.attempt(weight)) is not None]
        return min(solved, key=self.rise) if solved else self.solve(WEIGHTS[0])  # which raises the reason

    def search(self, best: Floats, rise: float, notes: list[str]) -> tuple[Floats, float]:
        """y with the largest weight whose rise from the best is allowed, by bisection of its logarithm; and the weight."""
        least, low = self.rise(best), WEIGHTS[0]
        if least > rise:
            notes.append(
                f"chi-squared rises by {100 * least:.1f} % because the parameters must be possible ones at all: the data"
                " contradict some condition, or the model lacks something"
            )
        allowed = least + rise * (1 + least)
        high = WEIGHTS[-1]
        for weight in WEIGHTS[1:]:
            y = self.attempt(weight)
            if y is not None and self.rise(y) > allowed:
                high = weight
                break
            low, best = (low, best) if y is None else (weight, y)
        while high > 1.2 * low and self.rise(best) < least + CLOSE * (allowed - least):
            middle = float(np.sqrt(low * high))
            y = self.attempt(middle)
            if y is not None and self.rise(y) <= allowed:
                low, best = middle, y
            else:
                high = middle
        return best, low


def _is_known(prior: Floats) -> bool:
    return bool(np.isfinite(prior).all() and prior[9] > 0)


def _cvxpy() -> Any:
    try:
        import clarabel  # noqa: F401
        import cvxpy
    except ImportError as reason:
        raise PhysicalError(
            "physically consistent parameters need cvxpy and clarabel: pip install robosym[convex]"
        ) from reason
    return cvxpy
