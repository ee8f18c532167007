"""How wrenches and torques change, against complex steps of the wrench on point masses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.derivatives.point_masses import (
    Carrier,
    displaced,
    faster,
    flat,
    joint,
    matrix_of,
    random_carrier,
    random_masses,
    slope,
)

from robosym.models.derivatives.changes import Row, along, own_row, position_column, speed_column, wrench_on
from robosym.spatial.rotations import Turn

BOTH = pytest.mark.parametrize("prismatic", [False, True])


def drawn(seed: int) -> tuple[Carrier, object, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return random_carrier(rng), random_masses(rng), rng


def test_wrench() -> None:
    a, masses, _ = drawn(0)
    np.testing.assert_allclose(flat(wrench_on(a.moving, masses.sums)), masses.wrench(a), rtol=1e-12)


@BOTH
def test_columns(prismatic: bool) -> None:
    a, masses, _ = drawn(1)
    body = joint(prismatic)
    found = position_column(body, a.moving, masses.sums)
    np.testing.assert_allclose(flat(found), slope(lambda h: displaced(masses, prismatic, h).wrench(a)), rtol=1e-11)
    found = speed_column(body, a.moving, masses.sums)
    np.testing.assert_allclose(flat(found), slope(lambda h: faster(masses, prismatic, h).wrench(a)), rtol=1e-11)


def changed(a: Carrier, dw: np.ndarray, e: np.ndarray, dvd: np.ndarray, h: complex) -> Carrier:
    return Carrier(a.w + h * dw, a.wd + h * (e - np.cross(a.w, dw)), a.vd + h * dvd)


def change(row: Row, dw: np.ndarray, e: np.ndarray, dvd: np.ndarray) -> float:
    return float(np.dot(row.b, dw) + np.dot(row.m, e) + np.dot(row.f, dvd))


@BOTH
def test_rows(prismatic: bool) -> None:
    """Of the torque, and about a point before the foot; in other axes they do the same."""
    a, masses, rng = drawn(2)
    body = joint(prismatic)
    row = own_row(body, a.moving, masses.sums)
    for _ in range(3):
        dw, e, dvd, r = rng.normal(size=(4, 3))
        expected = slope(lambda h, d=(dw, e, dvd): masses.wrench(changed(a, *d, h)))[2 if prismatic else 5]
        assert change(row, dw, e, dvd) == pytest.approx(expected, rel=1e-11)
        at_origin = dvd - np.cross(e, r) - 2 * np.cross(dw, np.cross(a.w, r))
        before = row.before(tuple(r), tuple(2 * np.cross(a.w, r)))
        assert change(before, dw, e, at_origin) == pytest.approx(expected, rel=1e-10)
        rotation = (Turn("z", 0.7), Turn("x", -0.4))
        R = matrix_of(rotation)
        assert change(row.turned(rotation), R @ dw, R @ e, R @ dvd) == pytest.approx(expected, rel=1e-11)
    assert row.turned(()) is row
    assert row.before((0, 0, 0), (1.0, 2.0, 3.0)) is row


@BOTH
def test_the_component_that_a_joint_takes(prismatic: bool) -> None:
    assert along(joint(prismatic), ((1, 2, 3), (4, 5, 6))) == (3 if prismatic else 6)


@BOTH
def test_rows_and_columns_meet_in_the_inertia_that_the_joint_moves(prismatic: bool) -> None:
    """m and f are what the unit acceleration of the joint does."""
    a, masses, _ = drawn(3)
    row = own_row(joint(prismatic), a.moving, masses.sums)
    still = Carrier(*np.zeros((3, 3)))
    unit = replace(still, vd=np.array([0.0, 0, 1])) if prismatic else replace(still, wd=np.array([0.0, 0, 1]))
    resting = replace(masses, rho=0 * masses.rho, sigma=0 * masses.sigma)
    np.testing.assert_allclose([*row.f, *row.m], resting.wrench(unit), atol=1e-12)
