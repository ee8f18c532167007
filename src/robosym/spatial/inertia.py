"""Inertial parameters of a body, in the pseudo-inertia form: Sigma = int r r^T dm, MS = int r dm, M = int dm.

Sigma moves from frame to frame more simply than the inertia matrix J = tr(Sigma) - Sigma, and the moment of the inertial
forces needs only U Sigma - (U Sigma)^T, with U the matrix of the accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..expr import Expr
from . import symmetric
from .rotations import Rotation, back
from .scalar import Scalar, exactly
from .symmetric import Symmetric
from .vectors import ZERO, Vector, plus, times

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Inertia:
    """Second moments (XX, XY, XZ, YY, YZ, ZZ of Sigma), first moments and mass, about the origin of a frame."""

    sigma: Symmetric = symmetric.ZERO
    moment: Vector = ZERO
    mass: Scalar = 0

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(symmetric.plus(self.sigma, other.sigma), plus(self.moment, other.moment), self.mass + other.mass)

    def __sub__(self, other: Inertia) -> Inertia:
        return self + other.scaled(-1)

    def scaled(self, factor: Scalar) -> Inertia:
        return Inertia(symmetric.times(factor, self.sigma), times(factor, self.moment), factor * self.mass)

    @property
    def matrix(self) -> Symmetric:
        """J: XX, XY, XZ, YY, YZ, ZZ with XY = -int xy dm."""
        return symmetric.complement(self.sigma)


def from_matrix(J: Symmetric, moment: Vector, mass: Scalar) -> Inertia:
    """The body with inertia matrix J (XX, XY, XZ, YY, YZ, ZZ) about the origin.

    Numbers are taken as they are, exactly: ZZ of a thin link is the sum of two second moments that are differences of
    much larger numbers, and not a digit of it may be lost on the way.
    """
    xx, xy, xz, yy, yz, zz = J
    half = _HALF if isinstance(xx + yy + zz, Expr) else 0.5
    xx, yy, zz = exactly(xx), exactly(yy), exactly(zz)
    return Inertia((half * (yy - xx + zz), -xy, -xz, half * (xx - yy + zz), -yz, half * (xx + yy - zz)), moment, mass)


def moved_back(body: Inertia, rotation: Rotation, position: Vector) -> Inertia:
    """The same body about the origin and axes of the antecedent frame.

    With MS = R MS_j and MS' = MS + M P, Sigma' = R Sigma R^T + P MS'^T + MS P^T, which is symmetric.
    """
    turned = symmetric.back(rotation, body.sigma)
    before = back(rotation, body.moment)
    after = plus(before, times(body.mass, position))
    (px, py, pz), (bx, by, bz), (ax, ay, az) = position, before, after
    arm = (px * (ax + bx), px * ay + bx * py, px * az + bx * pz, py * (ay + by), py * az + by * pz, pz * (az + bz))
    return Inertia(symmetric.plus(turned, arm), after, body.mass)


def needle(body: Inertia) -> Inertia:
    """The part of a body that can be moved along a revolute axis: a needle on the z axis with its ZZ, MZ and M.

    A rotation about z leaves a needle alone, so it may as well belong to the antecedent link.
    """
    return Inertia((0, 0, 0, 0, 0, body.sigma[5]), (0, 0, body.moment[2]), body.mass)
