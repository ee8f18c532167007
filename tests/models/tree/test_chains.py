"""Wrenches carried back and axes carried forth: rotations of the frames between, and the power where they meet."""

from __future__ import annotations

import numpy as np
import pytest
from models.tree.float_trees import SOURCES, FloatTree, float_tree

from robosym.models.tree.chains import Chains, Wrench, longest_chain
from robosym.models.tree.deferred import at_once
from robosym.program import Scope


@pytest.fixture(params=SOURCES)
def case(request: pytest.FixtureRequest) -> FloatTree:
    return float_tree(request.param)


def test_ancestors_and_the_longest_chain(case: FloatTree) -> None:
    chains = Chains(case.tree, Scope())
    for body in case.tree.bodies:
        way = [j for j in case.robot.path(body.j)[:-1] if j in chains.bodies]
        assert chains.ancestors(body.j) == way[::-1]
    assert longest_chain(case.tree) == max(len(chains.ancestors(body.j)) for body in case.tree.bodies) + 1


def test_directions_are_those_of_the_axes(case: FloatTree) -> None:
    chains = Chains(case.tree, Scope())
    for body in case.tree.bodies:
        for i in (body.j, *chains.ancestors(body.j)):
            expected = case.R(body.j).T @ case.R(i)[:, 2]
            np.testing.assert_allclose(chains.direction(i, body.j).vector, expected, atol=1e-12)


def test_a_vector_carried_back_is_in_the_antecedents_frame(case: FloatTree) -> None:
    chains, a = Chains(case.tree, Scope()), (0.3, -1.0, 2.0)
    for body in case.tree.bodies:
        found = chains.back(body, at_once(a), "F", body.j).vector
        np.testing.assert_allclose(found, case.R(body.parent).T @ case.R(body.j) @ a, atol=1e-12)
        assert chains.meeting(body.j) in (body.j, *chains.ancestors(body.j))


@pytest.mark.parametrize("meet", [False, True])
def test_the_power_of_a_wrench_on_every_axis(case: FloatTree, meet: bool) -> None:
    """m . e_i + f . v_i, with the columns of the Jacobian matrix of the origin of body j."""
    chains, force, moment = Chains(case.tree, Scope()), np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.7, -1.1])
    for body in case.tree.bodies:
        wrench = Wrench(at_once(tuple(force)), at_once(tuple(moment)))
        found = chains.powers(body.j, wrench, meet)
        assert found.keys() == set(chains.ancestors(body.j))
        for i, power in found.items():
            w, v = case.column(i, case.p(body.j))
            assert power == pytest.approx(w @ case.R(body.j) @ moment + v @ case.R(body.j) @ force, abs=1e-11)
