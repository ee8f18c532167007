"""The error of an orientation as a rotation vector, with its rates: coordinates in which errors of orientation are
added and scaled.

R_e = R_d R^T turns the frame into the orientation that is wanted, about a fixed axis of the world by the angle theta
<= pi. Its rotation vector is phi = theta axis, and with u = R_e^T w_d - w, the angular velocity that is missing (R_e'
= R_e u^),

    phi' = Jr^-1 u,    Jr = 1 - b phi^ + c phi^ phi^,    b = (1 - cos theta) / theta^2,    c = (theta - sin theta) / theta^3,

the right Jacobian matrix of SO(3) (Chirikjian 2012). Jr is regular for theta < 2 pi: half a turn is where phi jumps,
as there are two shortest ways. Everything is smooth at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np

from ..expr import Expr, atan2, maximum, number, select, sqrt, step

Array = Any  # of expressions
SMALL = Fraction(1, 4)  # theta^2 below which differences that cancel are written as series
TINY = 1e-100  # what is divided by at least, where the quotient does not matter or its limit is right
TERMS = 7  # of a series: the next one is below 1e-16 of the first
BERNOULLI = [
    Fraction(1, 6),
    Fraction(-1, 30),
    Fraction(1, 42),
    Fraction(-1, 30),
    Fraction(5, 66),
    Fraction(-691, 2730),
    Fraction(7, 6),
]


class RotationError:
    """Of the orientation R with respect to R_d, both (3, 3)."""

    def __init__(self, R: Array, R_d: Array) -> None:
        self.R_e = marked(R_d @ R.T)
        c, v = quaternion(self.R_e)  # cos(theta / 2), sin(theta / 2) axis
        s = step(maximum(sqrt(v @ v), TINY))
        half = step(atan2(s, c))
        self.vector = marked(v * step(2 * half / s))
        t = step(self.vector @ self.vector)
        over_t = step(1 / maximum(t, TINY))
        ratio = step(s / half)
        sinc = step(ratio * c)  # sin theta / theta
        self.b = ratio * ratio / 2
        self.c = _small(t, _series(3), (1 - sinc) * over_t)
        # b' / theta and c' / theta: what they change by is these times phi . phi'
        self.b_slope = _small(t, _slopes(2), (sinc - 2 * self.b) * over_t)
        self.c_slope = _small(t, _slopes(3), (self.b - 3 * self.c) * over_t)
        # Jr^-1 = 1 + phi^ / 2 + g phi^ phi^
        self.g = _small(t, [abs(B) / factorial(2 * k) for k, B in enumerate(BERNOULLI, 1)], (1 - c / ratio) * over_t)

    def rate(self, u: Array) -> Array:
        """phi' = Jr^-1 u."""
        phi = self.vector
        return u + cross(phi, u) / 2 + cross(phi, cross(phi, u)) * self.g

    def moment(self, x: Array) -> Array:
        """Jr^-T x: the moment that does the work x . phi' (of an elastic energy U(phi): x = dU/dphi)."""
        phi = self.vector
        return x - cross(phi, x) / 2 + cross(phi, cross(phi, x)) * self.g

    def speed(self, x: Array) -> Array:
        """Jr x: what u has to be for phi' = x."""
        phi = self.vector
        return x - cross(phi, x) * self.b + cross(phi, cross(phi, x)) * self.c

    def force(self, moment: Array) -> Array:
        """Jr^T m: what a moment is in the coordinates phi."""
        phi = self.vector
        return moment + cross(phi, moment) * self.b + cross(phi, cross(phi, moment)) * self.c

    def drift(self, rate: Array) -> Array:
        """dJr/dt phi', for phi' = rate."""
        phi, turned = self.vector, cross(self.vector, rate)
        along = phi @ rate
        return (
            cross(phi, turned) * (self.c_slope * along) + cross(rate, turned) * self.c - turned * (self.b_slope * along)
        )


def quaternion(R: Array) -> tuple[Expr, Array]:
    """Of a rotation matrix, with the scalar part not below zero: the column of 4 q q^T with the largest diagonal, so
    that nothing cancels at any angle (Shepperd 1978)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
    columns = [
        [1 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
        [zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx],
        [xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy],
        [yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz],
    ]
    best, largest = columns[0], columns[0][0]
    for k, column in enumerate(columns[1:], 1):
        larger = column[k] > largest
        best = [select(larger, x, y) for x, y in zip(column, best, strict=True)]
        largest = select(larger, column[k], largest)
    best = [step(x) for x in best]
    scale = step(select(best[0] < 0, -1, 1) / sqrt(sum((x * x for x in best), start=number(0))))
    return step(best[0] * scale), marked([x * scale for x in best[1:]])


def cross(a: Array, b: Array) -> Array:
    return marked([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def marked(entries: Any) -> Array:
    """Each computed once, and not multiplied out."""
    found = np.array(entries, dtype=object)
    return np.array([step(x) for x in found.ravel()], dtype=object).reshape(found.shape)


# --- series in t = theta^2 -----------------------------------------------------------------------------------------------


def _small(t: Expr, series: Sequence[Fraction], otherwise: Expr) -> Expr:
    """A sum of powers of t where t is small."""
    total: Expr = number(0)
    for coefficient in reversed(series):
        total = total * t + number(coefficient)
    return step(select(t < number(SMALL), total, otherwise))


def _series(n: int) -> list[Fraction]:
    """(1 - theta^2 / (n + 1)(n + 2) + ...) / n!: (1 - cos theta) / theta^2 for n = 2, (theta - sin theta) / theta^3
    for n = 3."""
    return [Fraction((-1) ** k, factorial(2 * k + n)) for k in range(TERMS)]


def _slopes(n: int) -> list[Fraction]:
    """The derivative of such a series by theta, over theta."""
    return [2 * k * x for k, x in enumerate(_series(n))][1:]
