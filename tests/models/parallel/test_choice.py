"""How legs are written: the recursions that a method stands for, and the cheapest of all ways."""

from __future__ import annotations

import pytest

import robosym
from robosym.models.parallel import choice
from robosym.models.parallel.demand import Demand
from robosym.models.parallel.dynamics import ALGORITHMS, FROM_SEAT, leg_bodies
from robosym.models.parallel.kinematics import Kinematics, modes_of
from robosym.models.parallel.rates import ways_of
from robosym.program import optimised
from robosym.program.choice import price
from robosym.robot import RobotError


def test_methods() -> None:
    robot = robosym.load("planar-3rrr")
    assert choice.names_for(robot, "auto") == [*ALGORITHMS, *FROM_SEAT]
    assert choice.names_for(robot, "newton-euler") == ["newton-euler"]
    for method in ("two-axis links", "magic"):
        with pytest.raises(RobotError, match=f"got '{method}', expected auto, newton-euler"):
            choice.names_for(robot, method)


def test_the_cheapest_way_of_each_kind_of_leg() -> None:
    robot = robosym.load("planar-3rrr")
    branches, demand = modes_of(robot).default, Demand(method="newton-euler", rotor=False)
    ways = choice.ways_for(robot, branches, demand)
    assert choice.ways_for(robot, branches, demand) is ways
    motion, algorithms = choice.motion_for(robot, branches, demand)
    assert algorithms == ways.algorithms
    assert set(algorithms.values()) == {"newton-euler"}
    kinds = {(leg.path.kind, leg.solved.branch): leg for leg in motion.legs}
    assert set(ways.seen_from) == set(kinds)
    for key, leg in kinds.items():
        assert leg.place == ways.seen_from[key]
        costs = {}
        for one in ways_of(motion.module, leg.solved, motion.places, motion.size, motion.scope)[: choice.MOST_FRAMES]:
            alone = Kinematics(
                motion.module, motion.space, motion.state, (one,), motion.mode, motion.places, motion.size
            )
            graph = choice._written(alone, leg_bodies(alone, one), demand, "newton-euler")
            assert graph is not None
            costs[one.place] = price(optimised(graph).operations)
        assert costs[ways.seen_from[key]] == min(costs.values())
