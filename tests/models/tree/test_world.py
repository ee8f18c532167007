"""Vectors, origins and axes of the links in the axes of the world, by every route."""

from __future__ import annotations

import numpy as np
import pytest
from models.tree.float_trees import SOURCES, float_tree
from random_poses import random_rotation

from robosym.models.tree.deferred import at_once
from robosym.models.tree.world import World, WorldRoute
from robosym.program import Scope

ROUTES = [WorldRoute(add_angles, depth) for add_angles in (True, False) for depth in (None, 0, 1, 2)]


def base_placement() -> np.ndarray:
    return random_rotation(np.random.default_rng(3))


@pytest.mark.mostly_slow(fast=26)
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("source", SOURCES)
def test_every_route_gives_the_links_in_the_world(source: int | str, route: WorldRoute) -> None:
    case, Z = float_tree(source), base_placement()
    world = World(case.tree, tuple(tuple(column) for column in Z.T.tolist()), Scope(), route)  # type: ignore[arg-type]
    a = (0.3, -1.0, 2.0)
    for body in case.tree.bodies:
        j = body.j
        np.testing.assert_allclose(world.vector(j, at_once(a), "V", j), Z @ case.R(j) @ a, atol=1e-12)
        np.testing.assert_allclose(world.origin(j), Z @ case.p(j), atol=1e-12)
        angular, linear = world.axis(j)
        w, v = case.column(j, np.zeros(3))
        np.testing.assert_allclose(angular, Z @ w, atol=1e-12)
        np.testing.assert_allclose(linear, Z @ v, atol=1e-12)
