"""Links that two axes move, in closed form: with the recursion over the others they give the torques of all."""

from __future__ import annotations

import numpy as np
import pytest
from models.tree.float_trees import float_tree

from robosym.models.tree.bodies import Tree
from robosym.models.tree.motion import motions
from robosym.models.tree.regrouping import regrouped
from robosym.models.tree.two_axis_links import taken_out, two_axis_links
from robosym.models.tree.wrenches import torques
from robosym.program import Scope

SOURCES = (*range(12), "rx90", "puma560", "ur5", "stanford")


def by_recursion(tree: Tree) -> dict[int, float]:
    return {j: gamma for j, (_, gamma) in torques(tree, motions(tree, Scope()), Scope()).items()}


@pytest.mark.parametrize("source", SOURCES)
def test_the_torques_of_all_links(source: int | str) -> None:
    tree = regrouped(float_tree(source).tree)
    others, extra = taken_out(tree, Scope())
    expected, rest = by_recursion(tree), by_recursion(others)
    scale = max(1.0, max(map(abs, expected.values())))
    for j, gamma in expected.items():
        assert rest[j] + extra.get(j, 0) == pytest.approx(gamma, abs=1e-11 * scale)
    assert {body.j for body in two_axis_links(tree)} <= extra.keys()


def test_there_are_such_links_and_they_are_emptied() -> None:
    found = [source for source in SOURCES if two_axis_links(regrouped(float_tree(source).tree))]
    assert "rx90" in found
    assert len(found) > 4
    tree = regrouped(float_tree("rx90").tree)
    others, _ = taken_out(tree, Scope())
    (link,) = two_axis_links(tree)
    assert link.j == 2
    assert not np.any(others.body(2).inertia.sigma)


def test_none_on_a_base_that_moves_or_with_its_mass() -> None:
    assert not two_axis_links(regrouped(float_tree(0, moving_base=True).tree))
    assert not two_axis_links(float_tree("rx90").tree)  # not regrouped
