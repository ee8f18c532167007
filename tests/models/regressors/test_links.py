"""Units of the ten parameters of a link, against a cloud of points that moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from models.derivatives.point_masses import Carrier, columns, random_carrier
from models.small_matrices import skew

from robosym.models.regressors.links import energies, momenta, powers, weights, wrenches
from robosym.models.tree.motion import BeforeTurn, Motion
from robosym.models.tree.velocities import Speed
from robosym.robot import INERTIA


class Cloud:
    """Points of a link, and the motion of its frame."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.m, self.r = rng.uniform(0.5, 2, 5), rng.normal(size=(5, 3))
        self.a: Carrier = random_carrier(rng)
        self.v, self.g = rng.normal(size=(2, 3))
        S = np.einsum("k,ki,kj->ij", self.m, self.r, self.r)
        J = np.trace(S) * np.eye(3) - S
        ten = [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *(self.m @ self.r), self.m.sum()]
        self.values = dict(zip(INERTIA, ten, strict=True))

    @property
    def motion(self) -> Motion:
        a = self.a
        return Motion(tuple(a.w), tuple(a.wd), columns(a.U), tuple(a.vd), BeforeTurn((0, 0, 0), (0, 0, 0), 0))

    @property
    def speed(self) -> Speed:
        return Speed(tuple(self.a.w), tuple(self.v))

    def velocities(self) -> np.ndarray:
        return self.v + np.cross(self.a.w, self.r)

    def wrench(self, forces: np.ndarray) -> np.ndarray:
        return np.concatenate([forces.sum(axis=0), np.cross(self.r, forces).sum(axis=0)])

    def summed(self, units: Mapping[str, Any]) -> np.ndarray:
        """Over the parameters, numbers or pairs of vectors."""
        return sum(self.values[name] * np.ravel(unit) for name, unit in units.items())


def test_wrenches() -> None:
    cloud = Cloud(0)
    forces = cloud.m[:, None] * (cloud.a.vd + cloud.r @ cloud.a.U.T)
    units = wrenches(cloud.motion)
    assert set(units) == set(INERTIA)
    np.testing.assert_allclose(cloud.summed(units), cloud.wrench(forces), rtol=1e-12)


def test_momenta() -> None:
    cloud = Cloud(1)
    units = momenta(cloud.speed)
    assert set(units) == set(INERTIA)
    np.testing.assert_allclose(cloud.summed(units), cloud.wrench(cloud.m[:, None] * cloud.velocities()), rtol=1e-12)


def test_weights() -> None:
    cloud = Cloud(2)
    held = cloud.wrench(-cloud.m[:, None] * cloud.g)
    np.testing.assert_allclose(cloud.summed(weights(tuple(cloud.g))), held, rtol=1e-12)


def test_energies() -> None:
    cloud, height = Cloud(3), 0.7
    kinetic = float(cloud.m @ (cloud.velocities() ** 2).sum(axis=1)) / 2
    potential = float(cloud.m @ (height - cloud.r @ cloud.g))
    found = cloud.summed(energies(cloud.speed, tuple(cloud.g), height))
    np.testing.assert_allclose(found, kinetic + potential, rtol=1e-12)


def test_powers() -> None:
    cloud = Cloud(4)
    forces = cloud.m[:, None] * (cloud.a.vd + cloud.r @ cloud.a.U.T)
    power = float((forces * cloud.velocities()).sum())
    np.testing.assert_allclose(cloud.summed(powers(cloud.motion, cloud.speed)), power, rtol=1e-12)


def test_every_parameter_has_a_unit_of_its_own() -> None:
    """Symmetric in the products of inertia: what XY does is what a matrix with ones at (1, 2) and (2, 1) does."""
    cloud = Cloud(5)
    w, wd = cloud.a.w, cloud.a.wd
    units, moving, power = wrenches(cloud.motion), momenta(cloud.speed), powers(cloud.motion, cloud.speed)
    for name, (i, j) in zip(INERTIA[:6], ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)), strict=True):
        J = np.zeros((3, 3))
        J[i, j] = J[j, i] = 1
        np.testing.assert_allclose(units[name][1], J @ wd + skew(w) @ J @ w, atol=1e-12)
        np.testing.assert_allclose(moving[name][1], J @ w, atol=1e-12)
        np.testing.assert_allclose(power[name], w @ J @ wd, atol=1e-12)
