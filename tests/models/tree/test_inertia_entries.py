"""Entries of the inertia matrix of a tree: on floats by every route against Pinocchio, and those of a free base."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.dynamic.depth_first import random_tree
from models.pinocchio_states import Twin
from models.reference import random_states, tree_on_floats
from sweeps import many

import robosym
from robosym.models import limits
from robosym.models.tree.bodies import tree
from robosym.models.tree.coordinates import BASE_AXES
from robosym.models.tree.inertia_entries import MatrixRoute, base_entries, entries_in, forms
from robosym.program import Scope
from robosym.spatial.inertia import Inertia

WAYS = ((True, False), (False, False), (False, True))
ALL_FORMS = [MatrixRoute(add_angles, *way) for add_angles in (True, False) for way in WAYS]


@settings(max_examples=many(6), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8), form=st.sampled_from(ALL_FORMS))
def test_the_algorithm_runs_on_floats(seed: int, n: int, form: MatrixRoute) -> None:
    robot = random_tree(seed, n)
    state = {name: rows[0] for name, rows in random_states(np.random.default_rng(seed), robot, 1).items()}
    bodies = tree_on_floats(tree(robot), robot, state)
    found = entries_in(form, bodies, Scope())
    A = np.zeros((robot.nv, robot.nv))
    for (i, j), value in found.items():
        a, b = robot.moving.index(i), robot.moving.index(j)
        A[a, b] = A[b, a] = value
    expected = Twin.of_robot(robot).crba(state["q"])
    np.testing.assert_allclose(A, expected, atol=1e-10 * max(1.0, np.abs(expected).max()))


def test_the_entries_of_a_base_are_the_inertia_of_the_whole_robot() -> None:
    """[M, -S(MS); S(MS), J]: the momentum of a body about its origin for unit twists."""
    rng = np.random.default_rng(2)
    m, s = 3.0, rng.uniform(-1, 1, 3)
    XX, XY, XZ, YY, YZ, ZZ = rng.uniform(1, 2, 6)
    half = (XX + YY + ZZ) / 2
    sigma = (half - XX, -XY, -XZ, half - YY, -YZ, half - ZZ)
    found = base_entries(Inertia(sigma, tuple(s), m))
    J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
    S = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    expected = np.block([[m * np.eye(3), -S], [S, J]])
    for a, axis in enumerate(BASE_AXES):
        for b, other in enumerate(BASE_AXES):
            value = found.get((axis, other), found.get((other, axis), 0))
            assert value == pytest.approx(expected[a, b])


def test_routes_fit_the_robot() -> None:
    """Angles are added where axes are parallel; a long chain meets in no other frame than the base."""
    skew = [{"theta": "q1"}, {"alpha": "pi/2", "theta": "q2"}, {"alpha": "pi/2", "theta": "q3"}]
    plain = robosym.Robot.from_table("skew", skew)
    assert all(not form.add_angles for form in forms(tree(plain)))
    assert any(form.add_angles for form in forms(tree(robosym.load("rx90"))))
    long = tree(robosym.load("general-24r"))
    assert len(long.bodies) > limits.LONGEST_TO_MEET
    assert not any(form.meet for form in forms(long))
    assert any(form.in_base for form in forms(long))
