"""Solutions of seven quadrics in eight homogeneous unknowns, followed from those of another system (homotopy continuation).

    H(z, t) = (1 - t) F0(z) + t F1(z),   F(z)_i = z' A_i z

Along each path the predictor is Runge and Kutta's of order four, the corrector Newton's; z has length one and steps are
orthogonal to it, so no path goes to infinity (Sommese and Wampler, The Numerical Solution of Systems of Polynomials, 2005,
chapters 2 and 3). All paths go on at once, each with its own step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....reals import Floats
from .family import Complexes

FIRST, SMALLEST = 0.05, 1e-10  # steps of t
TRIES = 2000  # steps of the longest path, those that were refused too
CORRECTIONS = 3
GAIN = 3  # steps accepted in a row before the next one is twice as long


@dataclass(frozen=True)
class Ends:
    """Where paths end: z of length one, and t, which is 1 unless the end is singular and the path stopped before it."""

    z: Complexes
    t: Floats
    steps: int

    @property
    def reached(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.asarray(self.t == 1.0)


def follow(start: Complexes, target: Complexes, z: Complexes, tolerance: float) -> Ends:
    """The paths from solutions z (n, 8) of the system of matrices ``start`` (7, 8, 8) to those of ``target``."""
    z = _unit(z)
    t, h, row = np.zeros(len(z)), np.full(len(z), FIRST), np.zeros(len(z), int)
    both = np.concatenate([start.reshape(-1, 8), target.reshape(-1, 8)]).T
    going, steps = np.arange(len(z)), 0
    while len(going) and steps < TRIES:
        steps += 1
        at, now = z[going], t[going]
        ahead = np.minimum(h[going], 1.0 - now)
        then = np.where(h[going] >= 1.0 - now, 1.0, now + ahead)
        guess = _predicted(both, at, now, ahead)
        fits = np.zeros(len(going), bool)
        for _ in range(CORRECTIONS):
            step = _correction(both, guess, then)
            guess = guess + step
            fits = np.asarray(np.linalg.norm(step, axis=1) < tolerance)
            if fits.all():
                break
        taken, refused = going[fits], going[~fits]
        z[taken], t[taken] = _unit(guess[fits]), then[fits]
        h[refused] = ahead[~fits] / 2
        row[refused], row[taken] = 0, row[taken] + 1
        longer = taken[row[taken] >= GAIN]
        h[longer], row[longer] = h[longer] * 2, 0
        going = going[(t[going] < 1.0) & (h[going] > SMALLEST)]
    return Ends(z, t, steps)


def refined(matrices: Complexes, z: Complexes, times: int = 4) -> tuple[Complexes, Floats, Floats]:
    """z after some of Newton's steps, with the length of the last one and the smallest singular value of the Jacobian matrix."""
    z, last = _unit(z), np.zeros(len(z))
    twice = np.concatenate([matrices.reshape(-1, 8)] * 2).T
    for _ in range(times):
        step = _correction(twice, z, np.ones(len(z)))
        last = np.linalg.norm(step, axis=1)
        z = _unit(z + step)
    J = _jacobian(twice, z, np.ones(len(z)))[0]
    return z, np.asarray(last), np.asarray(np.linalg.svd(J, compute_uv=False)[:, -1], float)


def _predicted(both: Complexes, z: Complexes, t: Floats, h: Floats) -> Complexes:
    along = h[:, None]
    k1 = _tangent(both, z, t)
    k2 = _tangent(both, z + along / 2 * k1, t + h / 2)
    k3 = _tangent(both, z + along / 2 * k2, t + h / 2)
    k4 = _tangent(both, z + along * k3, t + h)
    return np.asarray(z + along / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def _jacobian(both: Complexes, z: Complexes, t: Floats) -> tuple[Complexes, Complexes]:
    """dH/dz with the row of steps orthogonal to z, and dH/dt."""
    halves = (z @ both).reshape(len(z), 2, 7, 8)
    s = t[:, None, None]
    J = np.empty((len(z), 8, 8), complex)
    J[:, :7] = 2 * ((1 - s) * halves[:, 0] + s * halves[:, 1])
    J[:, 7] = z.conj()
    return J, np.einsum("nia,na->ni", halves[:, 1] - halves[:, 0], z)


def _tangent(both: Complexes, z: Complexes, t: Floats) -> Complexes:
    J, rate = _jacobian(both, z, t)
    return _solved(J, -rate)


def _correction(both: Complexes, z: Complexes, t: Floats) -> Complexes:
    J, _ = _jacobian(both, z, t)
    return _solved(J, -np.einsum("nia,na->ni", J[:, :7], z) / 2)


def _solved(J: Complexes, seven: Complexes) -> Complexes:
    side = np.concatenate([seven, np.zeros((len(J), 1))], axis=1)[:, :, None]
    try:
        found = np.linalg.solve(J, side)
    except np.linalg.LinAlgError:  # one is singular to the last digit: its step is then refused, for it is long
        found = np.linalg.solve(J + 1e-14 * np.eye(8), side)
    return np.asarray(found[:, :, 0])


def _unit(z: Complexes) -> Complexes:
    return np.asarray(z / np.linalg.norm(z, axis=1)[:, None])
