"""Coriolis and centrifugal coefficients: with the speeds they are the torques at constant speed without gravity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.tree.float_trees import SOURCES, float_tree

from robosym.models.dynamic.coefficients.christoffel import quadratic, triples
from robosym.models.tree.chains import Chains
from robosym.models.tree.composite import composites
from robosym.models.tree.motion import motions
from robosym.models.tree.wrenches import torques
from robosym.program import Scope


@pytest.mark.parametrize("source", SOURCES)
def test_they_give_the_torques_of_speeds(source: int | str) -> None:
    tree = replace(float_tree(source).tree.at_constant_speed(), gravity=(0.0, 0.0, 0.0))
    chains, speed = Chains(tree, Scope()), {body.j: body.speed for body in tree.bodies}
    found = dict.fromkeys(speed, 0.0)
    for i, j, k, value in quadratic(triples(composites(tree, Scope()), chains), chains):
        found[i] += (1 if j == k else 2) * value * speed[j] * speed[k]
    expected = {j: gamma for j, (_, gamma) in torques(tree, motions(tree, Scope()), Scope()).items()}
    scale = max(1.0, max(map(abs, expected.values())))
    np.testing.assert_allclose([found[j] for j in expected], list(expected.values()), atol=1e-11 * scale)
