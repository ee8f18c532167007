"""Drive gains with a known payload (Gautier and Briot 2012, global identification of drive gains).

The gain g of a drive turns what is recorded (a current, a voltage) into a torque. It cannot be seen in torque errors:
doubling all gains doubles all parameters. A payload of known inertia fixes the scale. With the signals v,
unloaded D K - v g = 0, loaded D K + l - v g = 0, where l is the torque of the payload alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...reals import Floats
from .determined import TOLERANCE, check_determined
from .equations import Equations
from .estimation import EstimationError, solve
from .factors import Factors, triangle

LOAD = "known payload"
SETTLED = 1e-12
MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class DriveGains:
    """One gain a joint (torque per unit of the recorded signal) and the robot's parameters, with standard deviations."""

    joints: tuple[str, ...]
    gains: Floats
    sigma: Floats
    columns: tuple[str, ...]
    values: Floats
    values_sigma: Floats
    noise: Floats  # of each joint's signal


def drive_gains(
    unloaded: Equations, loaded: Equations, load: Sequence[Floats], method: str = "total", tolerance: float = TOLERANCE
) -> DriveGains:
    """The gains from recordings without and with the payload; ``torques`` of the equations are the recorded signals.

    ``load`` are for each joint the torques of the known payload in the loaded recording. "ordinary" solves the equations
    above by least squares: biased, as the noise is in v. "total" knows that only v has errors and minimises
    sum |v_j - (D_j K + l_j) / g_j|^2 / s_j^2, the most likely gains (total least squares with exact D and l).
    """
    if method not in ("ordinary", "total"):
        raise EstimationError(f"method: got {method!r}, expected 'ordinary' or 'total'")
    none = [np.zeros(rows) for rows in unloaded.rows]
    factors = Factors.of(_with_load(unloaded, none)) + Factors.of(replace(_with_load(loaded, load), recording="loaded"))
    problem = _Problem(factors, len(unloaded.columns))
    K, g = problem.ordinary(tolerance)
    if np.any(g <= 0):
        wrong = ", ".join(joint for joint, gain in zip(unloaded.joints, g, strict=True) if gain <= 0)
        raise EstimationError(
            f"drive gains: that of {wrong} is not positive: the sign of the signal or of the payload is wrong"
        )
    s = problem.noise(K, g)
    if method == "total":
        K, g, s = problem.total(K, g, s)
    covariance = problem.covariance(K, g, s)
    sigma = np.sqrt(np.diag(covariance))
    return DriveGains(unloaded.joints, g, sigma[len(K) :], unloaded.columns, K, sigma[: len(K)], s)


def _with_load(equations: Equations, load: Sequence[Floats]) -> Equations:
    """The load's torque as one more column."""
    if tuple(map(len, load)) != equations.rows:
        raise EstimationError(f"payload: expected torques of {equations.rows} rows, got {tuple(map(len, load))}")
    c = len(equations.columns)
    places = tuple((*own, c) for own in equations.places)
    values = tuple(np.column_stack([D, l]) for D, l in zip(equations.values, load, strict=True))
    return replace(equations, columns=(*equations.columns, LOAD), places=places, values=values)


class _Problem:
    """The triangles of [D | l | v] of each joint, with all columns."""

    def __init__(self, factors: Factors, c: int) -> None:
        self.factors, self.c, self.n = factors, c, len(factors.joints)
        self.rows = [triangle(T) for T in factors.spread(factors.whole, np.ones(self.n))]
        self.names = (*factors.columns[:c], *(f"gain of {joint}" for joint in factors.joints))

    def ordinary(self, tolerance: float) -> tuple[Floats, Floats]:
        """[D, -v] [K; g] = -l."""
        parts = []
        for j, T in enumerate(self.rows):
            rows = np.zeros((len(T), self.c + self.n + 1))
            rows[:, : self.c], rows[:, self.c + j], rows[:, -1] = T[:, : self.c], -T[:, -1], -T[:, -2]
            parts.append(rows)
        R = triangle(*parts)
        check_determined(R[:-1, :-1], self.names, int(self.factors.count.sum()), tolerance)
        x = solve(R).values
        return x[: self.c], x[self.c :]

    def left(self, K: Floats, g: Floats) -> list[Floats]:
        """v_j - (D_j K + l_j) / g_j, by triangles."""
        return [T[:, -1] - (T[:, : self.c] @ K + T[:, -2]) / g[j] for j, T in enumerate(self.rows)]

    def noise(self, K: Floats, g: Floats) -> Floats:
        """Of each joint's signal, from what is left."""
        squares = np.array([part @ part for part in self.left(K, g)])
        freedom = np.maximum(1.0, self.factors.count * (1 - (self.c + self.n) / max(1, self.factors.count.sum())))
        size = np.array([np.linalg.norm(T[:, -1]) for T in self.rows]) / np.sqrt(np.maximum(1, self.factors.count))
        found: Floats = np.maximum(np.sqrt(squares / freedom), np.maximum(1e-13 * size, 1e-300))
        return found

    def slopes(self, K: Floats, g: Floats, s: Floats) -> tuple[Floats, Floats]:
        """Derivatives of (D_j K + l_j) / g_j with respect to K and g, and what is left, in sigmas."""
        parts, left = [], self.left(K, g)
        for j, T in enumerate(self.rows):
            rows = np.zeros((len(T), self.c + self.n))
            rows[:, : self.c] = T[:, : self.c] / g[j]
            rows[:, self.c + j] = -(T[:, : self.c] @ K + T[:, -2]) / g[j] ** 2
            parts.append(rows / s[j])
        return np.concatenate(parts), np.concatenate([part / s[j] for j, part in enumerate(left)])

    def total(self, K: Floats, g: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
        """Newton and Gauss' iteration from the ordinary solution, with the sigmas of what is left."""
        for _ in range(MOST_ROUNDS):
            J, left = self.slopes(K, g, s)
            norms = np.linalg.norm(J, axis=0)
            step = np.linalg.lstsq(J / norms, left, rcond=None)[0] / norms
            length = 1.0
            while np.any(g + length * step[self.c :] <= 0):
                length /= 2
            K, g = K + length * step[: self.c], g + length * step[self.c :]
            s = self.noise(K, g)
            size = float(np.linalg.norm(np.append(K, g) * norms))
            if np.linalg.norm(step * norms) <= SETTLED * max(1.0, size):
                return K, g, s
        raise EstimationError("drive gains: the iteration did not settle; is the payload heavy enough to be seen?")

    def covariance(self, K: Floats, g: Floats, s: Floats) -> Floats:
        J, _ = self.slopes(K, g, s)
        norms = np.linalg.norm(J, axis=0)
        root = np.linalg.inv(triangle(J / norms)) / norms[:, None]
        found: Floats = root @ root.T
        return found
