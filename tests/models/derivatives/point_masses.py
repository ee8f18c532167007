"""Masses carried by a joint, one by one: the independent reference of sums over them.

A mass m at r from the foot of the axis moves at rho and accelerates by sigma relative to its carrier. Everything here is written with
whole matrices and works on complex numbers, so that derivatives come by complex steps, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from models.small_matrices import skew
from numpy.typing import NDArray

from robosym.models.derivatives.beyond import Beyond
from robosym.models.derivatives.carriers import Moving
from robosym.models.tree.bodies import Body
from robosym.models.tree.joints import PRISMATIC, REVOLUTE
from robosym.spatial.inertia import Inertia
from robosym.spatial.rotations import Rotation

Matrix = NDArray[Any]
Z = np.array([0.0, 0.0, 1.0])
TINY = 1e-30


def matrix_of(rotation: Rotation) -> Matrix:
    """R, from the turned axes to those before."""
    found = np.eye(3)
    for turn in rotation:
        c, s = np.cos(turn.angle), np.sin(turn.angle)
        about_z = [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        found = found @ (about_z if turn.axis == "z" else [[1, 0, 0], [0, c, -s], [0, s, c]])
    return found


def columns(M: Matrix) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(column) for column in np.asarray(M).T)


@dataclass(frozen=True)
class Carrier:
    """Angular velocity and acceleration of the carrier, and the acceleration of the foot."""

    w: Matrix
    wd: Matrix
    vd: Matrix

    @property
    def U(self) -> Matrix:
        return skew(self.wd) + skew(self.w) @ skew(self.w)

    @property
    def moving(self) -> Moving:
        return Moving(tuple(self.w), tuple(self.wd), columns(self.U), tuple(self.vd))


def random_carrier(rng: np.random.Generator) -> Carrier:
    return Carrier(*rng.normal(size=(3, 3)))


@dataclass(frozen=True)
class Masses:
    """m, and r, rho and sigma by rows."""

    m: Matrix
    r: Matrix
    rho: Matrix
    sigma: Matrix

    @property
    def inertia(self) -> Inertia:
        S = np.einsum("k,ki,kj->ij", self.m, self.r, self.r)
        six = (S[0, 0], S[0, 1], S[0, 2], S[1, 1], S[1, 2], S[2, 2])
        return Inertia(six, tuple(self.m @ self.r), self.m.sum())

    @property
    def sums(self) -> Beyond:
        """By the definitions of ``beyond.py``."""
        return Beyond(
            self.inertia,
            columns(2 * np.einsum("k,ki,kj->ij", self.m, self.rho, self.r)),
            tuple(2 * self.m @ self.rho),
            tuple(self.m @ self.sigma),
            tuple(self.m @ np.cross(self.r, self.sigma)),
        )

    def mapped(self, A: Matrix) -> Masses:
        return Masses(self.m, self.r @ A.T, self.rho @ A.T, self.sigma @ A.T)

    def wrench(self, a: Carrier) -> Matrix:
        """Force and moment about the foot that move the masses with the carrier."""
        forces = self.m[:, None] * (a.vd + self.r @ a.U.T + 2 * np.cross(a.w, self.rho) + self.sigma)
        return np.concatenate([forces.sum(axis=0), np.cross(self.r, forces).sum(axis=0)])


def random_masses(rng: np.random.Generator, count: int = 5) -> Masses:
    r, rho, sigma = rng.normal(size=(3, count, 3))
    return Masses(rng.uniform(0.5, 2, count), r, rho, sigma)


def joint(prismatic: bool, **more: Any) -> Body:
    return Body(1, 0, PRISMATIC if prismatic else REVOLUTE, (), (0, 0, 0), 0, **{"speed": 0, "acceleration": 0} | more)


def displaced(masses: Masses, prismatic: bool, dq: complex) -> Masses:
    """After a small motion of the joint that carries them."""
    if prismatic:
        return replace(masses, r=masses.r + dq * Z)
    return masses.mapped(np.eye(3) + dq * skew(Z))


def faster(masses: Masses, prismatic: bool, dqd: complex) -> Masses:
    """With a small change of the joint's speed: every mass moves by z (x r) more, in axes that turn with z x rho twice."""
    if prismatic:
        return replace(masses, rho=masses.rho + dqd * Z)
    more = dqd * np.cross(Z, masses.r)
    return replace(masses, rho=masses.rho + more, sigma=masses.sigma + 2 * dqd * np.cross(Z, masses.rho))


def slope(f: Callable[[complex], Matrix]) -> Matrix:
    """f'(0) by a complex step."""
    return np.imag(f(1j * TINY)) / TINY


def flat(value: Any) -> list[float]:
    """All numbers of nested tuples and dataclasses, in order."""
    if hasattr(value, "__dataclass_fields__"):
        value = [getattr(value, name) for name in value.__dataclass_fields__]
    if isinstance(value, (tuple, list)):
        return [x for one in value for x in flat(one)]
    return [float(value)]
