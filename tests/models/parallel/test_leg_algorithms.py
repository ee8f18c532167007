"""How legs are written: the recursions that a method stands for, and the cheapest of all ways."""

from __future__ import annotations

from dataclasses import replace

import pytest

import robosym
from robosym.models.parallel import leg_algorithms
from robosym.models.parallel.coordinates import platform_coordinates
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.leg_algorithms import ALGORITHMS, FROM_SEAT
from robosym.models.parallel.rates import ways_of
from robosym.models.parallel.trees import leg_tree
from robosym.models.tree.regrouping import regrouped
from robosym.program import Scope, optimised
from robosym.program.choice import price
from robosym.robot import RobotError


def test_methods() -> None:
    robot = robosym.load("planar-3rrr")
    assert leg_algorithms.names_for(robot, "auto") == [*ALGORITHMS, *FROM_SEAT]
    assert leg_algorithms.names_for(robot, "newton-euler") == ["newton-euler"]
    for method in ("two-axis links", "magic"):
        with pytest.raises(RobotError, match=f"got '{method}', expected auto, newton-euler"):
            leg_algorithms.names_for(robot, method)


def test_the_cheapest_way_of_each_kind_of_leg() -> None:
    robot = robosym.load("planar-3rrr")
    branches = modes_of(robot).default
    ways = leg_algorithms.ways_for(robot, branches, 2, "newton-euler", rotor=False)
    assert leg_algorithms.ways_for(robot, branches, 2, "newton-euler", rotor=False) is ways
    assert set(ways.algorithms.values()) == {"newton-euler"}
    motion = platform_coordinates(robot, branches, Scope(), 2, ways.seen_from)
    kinds = {(leg.path.kind, leg.solved.branch): leg for leg in motion.legs}
    assert set(ways.seen_from) == set(kinds)
    for key, leg in kinds.items():
        assert leg.place == ways.seen_from[key]
        costs = {}
        for one in ways_of(motion.module, leg.solved, motion.samples, motion.size, motion.scope)[
            : leg_algorithms.MOST_FRAMES
        ]:
            alone = replace(motion, legs=(one,))
            bodies = regrouped(leg_tree(alone, one))
            graph = leg_algorithms._written(alone, bodies, "newton-euler", True, False)
            assert graph is not None
            costs[one.place] = price(optimised(graph).operations)
        assert costs[ways.seen_from[key]] == min(costs.values())
