"""How each kind of leg is written: from which of its frames it is seen, and by which recursion its torques are found.

Legs alike are written alike. The first of them is written in every way by itself; the cheapest few as they stand go through
the passes, and the cheapest then is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...expr import expr
from ...program import Array, Graph, Scope, optimised
from ...program.choice import price
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..tree.bodies import Tree
from .demand import Demand
from .dynamics import ALGORITHMS, FROM_SEAT, algorithm_named, leg_bodies, leg_torques
from .kinematics import Kinematics, kinematics, solved_legs
from .rates import on_platform, ways_of

MOST_FRAMES = 2  # from which a leg is seen
MOST_PASSED = 2  # ways that go through the passes


@dataclass(frozen=True)
class Ways:
    """By kind of leg and its working mode: the place of the frame it is seen from, and the name of its recursion."""

    seen_from: Mapping[object, int]
    algorithms: Mapping[object, str]


def ways_for(robot: Robot, branches: Sequence[int], demand: Demand) -> Ways:
    """The cheapest, found once for a robot, its mode and what is requested."""
    key = ("ways", tuple(branches), demand.order, demand.method, demand.legs_given)
    if key not in robot.remembered:
        robot.remembered[key] = _chosen(robot, branches, demand)
    found: Ways = robot.remembered[key]
    return found


def names_for(robot: Robot, method: str) -> list[str]:
    """The recursions that a method stands for."""
    if method == "auto":
        return [*ALGORITHMS, *FROM_SEAT]
    if method in ALGORITHMS and method != "two-axis links":
        return [method]
    expected = "auto, newton-euler, acceleration-matrix or augmented-body"
    raise RobotError([Problem("method", f"got {method!r}, expected {expected}")], robot.name)


def _chosen(robot: Robot, branches: Sequence[int], demand: Demand) -> Ways:
    names = names_for(robot, demand.method)
    scope = Scope()
    own = solved_legs(robot, branches, scope, demand.order, demand.legs_given)
    seen: dict[object, int] = {}
    algorithms: dict[object, str] = {}
    for leg in own.legs:
        key = (leg.path.kind, leg.branch)
        if key in seen:
            continue
        frames = ways_of(own.module, leg, own.places, own.size, scope)[:MOST_FRAMES]
        tried = []
        for one in frames:
            motion = Kinematics(own.module, own.space, own.state, (one,), own.mode, own.places, own.size)
            bodies = leg_bodies(motion, one)
            for name in names:
                graph = _written(motion, bodies, demand, name)
                if graph is not None:
                    tried.append((price(graph.operations), one.place, name, graph))
        if not tried:
            problem = "its joints do not follow from the platform at the positions that were tried"
            raise RobotError([Problem(f"leg {leg.path.leg.name}", problem)], robot.name)
        best = sorted(tried, key=lambda one: one[0])[:MOST_PASSED]
        passed = [(price(optimised(graph).operations), place, name) for _, place, name, graph in best]
        _, seen[key], algorithms[key] = min(passed)
    return Ways(seen, algorithms)


def _written(motion: Kinematics, bodies: Tree, demand: Demand, name: str) -> Graph | None:
    """One leg by itself: its wrench on the platform, the torques of its motors, and their rows."""
    (leg,) = motion.legs
    algorithm = algorithm_named(motion, leg, name)
    if algorithm is None:
        return None
    torques = leg_torques(bodies, algorithm, motion.scope, replace(demand, friction=False))
    on = on_platform(leg.wrench({j: x for j, x in torques.items() if j not in leg.path.motors}), leg.solved.arm)
    rows = [x for j in leg.path.motors for x in motion.motor_rows[j]]
    entries = [*on, *(torques[j] for j in leg.path.motors), *rows]
    return motion.graph("leg", (), (Array("leg", (len(entries),), tuple(map(expr, entries))),), named=False)


def motion_for(robot: Robot, branches: Sequence[int], demand: Demand) -> tuple[Kinematics, Mapping[object, str]]:
    """The platform as it is cheapest, and the recursions of its legs."""
    ways = ways_for(robot, branches, demand)
    motion = kinematics(robot, branches, Scope(), demand.order, ways.seen_from, demand.legs_given)
    return motion, ways.algorithms
