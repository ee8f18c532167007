"""How a motion in space goes on: its velocity and acceleration beside the pose, for laws that follow it.

With s the place on the path, V = X' ds/dt and A = X' d2s/dt2 + X'' (ds/dt)^2. X' and X'' are differences along the piece's own
formula, which goes on beyond its ends: of order four, so that they are exact to rounding on lines and rotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..reals import Floats, finite_array

if TYPE_CHECKING:
    from .task_space_time import TaskMotion

NEAR = 1e-3  # of a piece, between the places of a difference
PLACES = np.array([-2.0, -1.0, 1.0, 2.0])
FIRST = np.array([1.0, -8.0, 8.0, -1.0]) / 12
SECOND = np.array([-1.0, 16.0, 16.0, -1.0]) / 12  # beside -30/12 in the middle


def rates(motion: TaskMotion, t: Any) -> tuple[Floats, Floats, Floats]:
    """The poses (N, 4, 4), the velocities (N, 6) of the origin with the angular velocity, in world axes, and their rates (N, 6)."""
    times = np.atleast_1d(finite_array("t", t))
    path = motion.path
    s, sd, sdd = (x[:, 0] for x in motion.law(times))
    T = path(s)
    V, A = np.zeros((len(times), 6)), np.zeros((len(times), 6))
    which = np.clip(np.searchsorted(path.places, s, side="right") - 1, 0, len(path.pieces) - 1)
    for k in np.unique(which):
        here, piece = which == k, path.pieces[k]
        first, second = _along(piece, s[here] - path.places[k])
        V[here] = first * sd[here, None]
        A[here] = first * sdd[here, None] + second * sd[here, None] ** 2
    over = (times < 0) | (times > motion.duration)
    V[over], A[over] = 0.0, 0.0
    return T, V, A


def _along(piece: Any, r: Floats) -> tuple[Floats, Floats]:
    """The first and the second derivative of the pose by the parameter of a piece: positions, and rotations as vectors."""
    h = NEAR * piece.length
    P, R = piece.at(r)
    around = [piece.at(r + place * h) for place in PLACES]
    dP = sum(c * x[0] for c, x in zip(FIRST, around, strict=True)) / h
    ddP = (sum(c * x[0] for c, x in zip(SECOND, around, strict=True)) - 2.5 * P) / h**2
    dR = sum(c * x[1] for c, x in zip(FIRST, around, strict=True)) / h
    ddR = (sum(c * x[1] for c, x in zip(SECOND, around, strict=True)) - 2.5 * R) / h**2
    back = np.swapaxes(R, -1, -2)
    w = _vector(dR @ back)
    dw = _vector(ddR @ back + dR @ np.swapaxes(dR, -1, -2))
    return np.concatenate([dP, w], axis=1), np.concatenate([ddP, dw], axis=1)


def _vector(S: Floats) -> Floats:
    """Of skew-symmetric matrices (N, 3, 3)."""
    return np.stack([S[:, 2, 1] - S[:, 1, 2], S[:, 0, 2] - S[:, 2, 0], S[:, 1, 0] - S[:, 0, 1]], axis=1) / 2
