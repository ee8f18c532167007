"""Errors of a frame's pose in coordinates that may be added, scaled and differentiated, and what accelerations and
wrenches are in them.

e = (p_d - p, phi): what is missing of the position of the frame's origin, and the rotation vector of R_d R^T
(``orientation.py``), in the axes of the world. With the velocity V = (v, w) of the frame and that of the wanted one,
V_d,

    e' = E (V_r - V),    E = diag(1, Jr^-1),    V_r = (v_d, R_e^T w_d),

so that E J is the Jacobian matrix that belongs to X_d - X in [9.17] and [9.35] (Khalil, course 2014). A force x that
does the work x . e' is the wrench E^T x; an acceleration e'' takes the acceleration of the frame to V' = V_r' - E^-1
e'' - d(E^-1)/dt e'. Position and orientation are independent of each other in all of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import number
from .orientation import Array, RotationError, cross

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")  # of e, in the names of the gains
ZEROS = np.array([number(0)] * 3, dtype=object)
POSE = {"T": (4, 4), "V": (6,), "T_d": (4, 4), "V_d": (6,)}  # what an error is of, by the names of the arrays


class TaskError:
    """Of the components in ``rows`` (0 to 2 position, 3 to 5 orientation); what of the others is not needed is not
    made."""

    def __init__(self, rows: Sequence[int], T: Array, V: Array, T_d: Array, V_d: Array) -> None:
        self.rows, self.w = rows, V[3:]
        self.rotation = RotationError(T[:3, :3], T_d[:3, :3]) if any(i >= 3 for i in rows) else None
        phi, rate = ZEROS, ZEROS
        if self.rotation is not None:
            self.w_r = self.rotation.R_e.T @ V_d[3:]
            phi, rate = self.rotation.vector, self.rotation.rate(self.w_r - self.w)
        self.rate_of_phi = rate
        self.e = np.concatenate([T_d[:3, 3] - T[:3, 3], phi])[list(rows)]
        self.ed = np.concatenate([V_d[:3] - V[:3], rate])[list(rows)]

    def wrench(self, x: Sequence[Any]) -> Array:
        """E^T x of a force x, a component for each row: with it the frame does the work x . e'."""
        force, moment = self._halves(x)
        return np.concatenate([force, moment if self.rotation is None else self.rotation.moment(moment)])

    def force(self, wrench: Array) -> Array:
        """E^-T wrench in the rows: what a wrench on the frame is in the coordinates e."""
        moment = wrench[3:] if self.rotation is None else self.rotation.force(wrench[3:])
        return np.concatenate([wrench[:3], moment])[list(self.rows)]

    def acceleration(self, A_d: Array, edd: Sequence[Any]) -> Array:
        """The rows of V' with which e'' = edd."""
        linear, angular = self._halves(edd)
        turning = ZEROS
        if self.rotation is not None:
            wd_r = self.rotation.R_e.T @ A_d[3:] + cross(self.w, self.w_r)
            turning = wd_r - self.rotation.speed(angular) - self.rotation.drift(self.rate_of_phi)
        return np.concatenate([A_d[:3] - linear, turning])[list(self.rows)]

    def _halves(self, x: Sequence[Any]) -> tuple[Array, Array]:
        six = [number(0)] * 6
        for i, value in zip(self.rows, x, strict=True):
            six[i] = value
        return np.array(six[:3], dtype=object), np.array(six[3:], dtype=object)
