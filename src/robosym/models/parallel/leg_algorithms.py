"""How each kind of leg is written: from which of its frames it is seen, and by which recursion its torques are found.

Legs alike are written alike. The first of them is written in every way by itself; the cheapest few as they stand go through
the passes, and the cheapest then is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...caches import Kept
from ...expr import expr
from ...program import Array, Graph, Scope, optimised
from ...program.choice import price
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.vectors import apply, plus, times
from ..tree import wrenches
from ..tree.bodies import Tree
from ..tree.joint_torques import (
    CLASSICAL,
    MODERN,
    Algorithm,
    Found,
    actuator_torque,
    augmented,
    two_axis_links_first,
)
from ..tree.motion import Recursion, motions
from ..tree.regrouping import regrouped
from .coordinates import PlatformCoordinates, coordinates_by
from .kinematics import solved_legs
from .rates import LegRates, on_platform, ways_of
from .trees import leg_tree

MOST_FRAMES = 2  # from which a leg is seen
MOST_PASSED = 2  # ways that go through the passes
PAPERS = Recursion(classical=True, add_angles=False, add_angles_back=False)
# The ways of writing the torques of a leg, by name; those from the seat are there where a link holds it.
ALGORITHMS: dict[str, Algorithm] = {
    "two-axis links": two_axis_links_first,
    "acceleration-matrix": MODERN,
    "newton-euler": CLASSICAL,
    "augmented-body": augmented,
}
FROM_SEAT = {"acceleration-matrix from the seat": Recursion(), "newton-euler from the seat": PAPERS}


@dataclass(frozen=True)
class Ways:
    """By kind of leg and its working mode: the place of the frame it is seen from, and the name of its recursion."""

    seen_from: Mapping[object, int]
    algorithms: Mapping[object, str]


_WAYS: Kept[Ways] = Kept()


def ways_for(
    robot: Robot,
    branches: Sequence[int],
    order: int,
    method: str = "auto",
    rotor: bool = True,
    legs_given: bool = False,
) -> Ways:
    """The cheapest of a robot in a working mode. ``order`` 2 with accelerations, 1 without, 0 at rest; ``rotor``: with the inertia
    of rotors; ``legs_given``: the positions of all leg joints are inputs."""
    key = (tuple(branches), order, method, rotor, legs_given)
    return _WAYS.of(robot, key, lambda: _chosen(robot, branches, order, names_for(robot, method), rotor, legs_given))


def names_for(robot: Robot, method: str) -> list[str]:
    """The recursions that a method stands for."""
    if method == "auto":
        return [*ALGORITHMS, *FROM_SEAT]
    if method in ALGORITHMS and method != "two-axis links":
        return [method]
    expected = "auto, newton-euler, acceleration-matrix or augmented-body"
    raise RobotError([Problem("method", f"got {method!r}, expected {expected}")], robot.name)


def algorithm_named(own: PlatformCoordinates, leg: LegRates, name: str) -> Algorithm | None:
    """None if the leg has no link that holds its seat."""
    return ALGORITHMS[name] if name in ALGORITHMS else _from_the_seat(own, leg, FROM_SEAT[name])


def _from_the_seat(own: PlatformCoordinates, leg: LegRates, recursion: Recursion) -> Algorithm | None:
    """The recursion with the acceleration of one link taken from the platform: of the link that holds the seat, by going back
    from there. What the joints before it make of it need not be computed again."""
    if not leg.frame or not leg.holds_seat:
        return None

    def found(bodies: Tree, scope: Scope) -> Found:
        moved = motions(bodies, scope, recursion)
        here = moved[leg.frame]
        seat = leg.seat_acceleration(own.seat_rate(leg), bodies.gravity)
        vd = plus(seat, times(-1, apply(here.U, leg.end)))
        moved[leg.frame] = replace(here, vd=scope.vector("VPS", leg.frame, vd))
        return {}, wrenches.on_axes(wrenches.torques(bodies, moved, scope, recursion))

    return found


def _chosen(
    robot: Robot, branches: Sequence[int], order: int, names: Sequence[str], rotor: bool, legs_given: bool
) -> Ways:
    scope = Scope()
    own = solved_legs(robot, branches, scope, order, legs_given)
    seen: dict[object, int] = {}
    algorithms: dict[object, str] = {}
    for leg in own.legs:
        key = (leg.path.kind, leg.branch)
        if key in seen:
            continue
        tried = []
        for one in ways_of(own.module, leg, own.samples, own.size, scope)[:MOST_FRAMES]:
            alone = coordinates_by(own, [one])
            bodies = regrouped(leg_tree(alone, one))
            for name in names:
                graph = _written(alone, bodies, name, order > 0, rotor)
                if graph is not None:
                    tried.append((price(graph.operations), one.place, name, graph))
        if not tried:
            problem = "its joints do not follow from the platform at the positions that were tried"
            raise RobotError([Problem(f"leg {leg.path.leg.name}", problem)], robot.name)
        best = sorted(tried, key=lambda one: one[0])[:MOST_PASSED]
        passed = [(price(optimised(graph).operations), place, name) for _, place, name, graph in best]
        _, seen[key], algorithms[key] = min(passed)
    return Ways(seen, algorithms)


def _written(own: PlatformCoordinates, bodies: Tree, name: str, moving: bool, rotor: bool) -> Graph | None:
    """One leg by itself: its wrench on the platform, the torques of its motors, and their rows."""
    (leg,) = own.legs
    algorithm = algorithm_named(own, leg, name)
    if algorithm is None:
        return None
    _, gammas = algorithm(bodies, own.scope)
    torques = {b.j: expr(gammas[b.j]) for b in bodies.bodies}
    if moving:
        torques = {b.j: torques[b.j] + actuator_torque(bodies, b, False, rotor) for b in bodies.bodies}
    on = on_platform(leg.wrench({j: x for j, x in torques.items() if j not in leg.path.motors}), leg.solved.arm)
    rows = [x for j in leg.path.motors for x in own.motor_rows[j]]
    entries = [*on, *(torques[j] for j in leg.path.motors), *rows]
    return own.graph("leg", (), (Array("leg", (len(entries),), tuple(map(expr, entries))),), named=False)
