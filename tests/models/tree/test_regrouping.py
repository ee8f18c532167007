"""Moving parameters towards the base: no torque changes, and a link keeps seven (or four) of its ten."""

from __future__ import annotations

import numpy as np
import pytest
from models.tree.float_trees import SOURCES, float_tree, symmetric_matrix

from robosym.models.tree.motion import motions
from robosym.models.tree.regrouping import movable, regrouped
from robosym.models.tree.wrenches import torques
from robosym.program import Scope


@pytest.mark.parametrize("moving_base", [False, True])
@pytest.mark.parametrize("source", SOURCES)
def test_torques_stay_and_links_are_emptied(source: int | str, moving_base: bool) -> None:
    case = float_tree(source, moving_base)
    after = regrouped(case.tree)
    before, again = (
        [gamma for _, gamma in torques(one, motions(one, Scope()), Scope()).values()] for one in (case.tree, after)
    )
    np.testing.assert_allclose(again, before, atol=1e-11 * max(1.0, np.abs(before).max()))
    for body in after.bodies:
        inertia = body.inertia
        if body.prismatic:
            assert not symmetric_matrix(inertia.sigma).any()
        else:
            assert inertia.mass == pytest.approx(0)
            assert inertia.moment[2] == pytest.approx(0)
            assert inertia.sigma[5] == pytest.approx(0)


def test_the_mass_of_a_chain_arrives_at_its_base() -> None:
    """Of revolute joints: every link's mass moves on."""
    case = float_tree("rx90")
    assert regrouped(case.tree).base.mass == pytest.approx(sum(body.inertia.mass for body in case.tree.bodies))


def test_a_needle_is_movable_and_the_rest_is_not() -> None:
    body = float_tree("rx90").tree.bodies[2]
    moving = movable(body, body.inertia)
    assert moving.mass == body.inertia.mass
    assert moving.moment == (0, 0, body.inertia.moment[2])
    assert moving.sigma == (0, 0, 0, 0, 0, body.inertia.sigma[5])
