"""Articulated bodies: the 6 x 6 inertia of a rigid one, and the accelerations that the inertia matrix gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.reference import numbers
from models.tree.float_trees import float_tree, symmetric_matrix

from robosym.expr import number
from robosym.models.dynamic.forward import articulated_bodies, factorised
from robosym.models.dynamic.forward.pivots import Pivots
from robosym.models.tree.inertia_entries import MatrixRoute
from robosym.program import Scope


def test_a_rigid_body_has_the_kinetic_energy_of_its_points() -> None:
    """1/2 twist . I twist, with I in blocks (J, C, M), of masses at random places."""
    rng = np.random.default_rng(4)
    body = float_tree("rx90").tree.bodies[1]
    blocks = articulated_bodies.rigid(body.inertia)
    J, C, M = symmetric_matrix(blocks.J), np.array(blocks.C), symmetric_matrix(blocks.M)
    w, v = rng.normal(size=(2, 3))
    J0, S, mass = symmetric_matrix(body.inertia.matrix), np.array(body.inertia.moment), body.inertia.mass
    energy = (w @ J0 @ w + mass * v @ v) / 2 + S @ np.cross(v, w)
    assert (w @ J @ w + v @ M @ v) / 2 + w @ C @ v == pytest.approx(energy)
    doubled = blocks + blocks
    np.testing.assert_allclose(symmetric_matrix(doubled.J), 2 * J)


@pytest.mark.parametrize("source", ["rx90", "scara", "ur5", "planar-3r", "stanford"])
def test_the_accelerations_are_those_through_the_inertia_matrix(source: str) -> None:
    case = float_tree(source)
    still = case.tree.at_constant_speed()
    paths = {}
    for j, path in articulated_bodies.paths(case.robot, still).items():
        paths[j] = []
        for screw in path:
            angle, shift = numbers(case.robot, (number(0) + screw.angle, number(0) + screw.shift), case.state["q"])
            paths[j].append(replace(screw, angle=angle, shift=shift))
    drive = np.random.default_rng(5).uniform(-5, 5, case.robot.nv).tolist()
    found = articulated_bodies.accelerations(still, paths, drive, Scope(), Pivots())
    expected = factorised.accelerations(still, drive, Scope(), MatrixRoute(), Pivots())
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)
