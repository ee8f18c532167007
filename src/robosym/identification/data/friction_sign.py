"""Friction that drives instead of braking: the sign of a torque or of a position is wrong, seen without a model of the robot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .signals import Array

BLOCK = 0.5  # s, blocks that are taken as independent
FEWEST = 10  # blocks
LITTLE = 0.02  # of the torque: so much a model of single joints may be wrong
SURE = 4.0  # standard deviations


@dataclass(frozen=True)
class Braking:
    """Friction of one joint at its typical speed, in N m, with a standard deviation."""

    torque: float
    sigma: float
    size: float = 0.0  # of the joint's torque, rms

    @property
    def is_backwards(self) -> bool:
        return self.torque < -max(SURE * self.sigma, LITTLE * self.size)


def estimate_braking(q: Array, qd: Array, qdd: Array, tau: Array, rate: float) -> Braking:
    """Fv |qd| + Fs of one joint, (N,) each, by a fit of [qdd, qd, sign qd, sin q, cos q, 1]."""
    X = np.stack((qdd, qd, np.sign(qd), np.sin(q), np.cos(q), np.ones_like(q)), axis=1)
    size = np.sqrt((X**2).mean(axis=0))
    length = max(1, round(BLOCK * rate))
    unknown = Braking(0.0, np.inf)
    if not (size > 0).all() or len(q) < FEWEST * length:
        return unknown
    Q, R = np.linalg.qr(X / size)
    if np.abs(np.diag(R)).min() < 1e-6 * np.abs(np.diag(R)).max():
        return unknown
    pull = Q @ np.linalg.solve(
        R.T, np.array([0.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    )  # its product with the torque is the estimate
    pushes = np.add.reduceat(pull * (tau - Q @ (Q.T @ tau)), np.arange(0, len(q), length))
    return Braking(float(pull @ tau), float(np.sqrt((pushes**2).sum())), float(np.sqrt((tau**2).mean())))
