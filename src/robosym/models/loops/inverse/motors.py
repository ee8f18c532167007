"""How the motors beside a route follow from its joints.

Where a joint of the route is a sum of driven ones (a parallelogram), the sum is solved for the motor that is left. Other motors
are around loops of which the route has some joints: such a loop is opened where its unknown joints are, and solved as a chain
of its own, whose end the known joints put in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....expr import CONSTANT, Expr, derivative, expr, free_symbols, number, substitute
from ....robot import Robot
from ....robot.problems import Problem
from ...inverse_geometry.closed_form.plan import NoClosedFormError
from ...mechanism.chain import variable_of
from ..solutions import SolvedLoop, solved_loop
from ..structure import loop_over
from .route import Route


@dataclass(frozen=True)
class Following:
    """The motors that are sums of joints of the route, and the loops that give the others, in the order of solution."""

    sums: dict[int, Expr]
    loops: tuple[SolvedLoop, ...]


def following(route: Route) -> Following:
    """How the motors that are not on the route follow; NoClosedFormError where they do not."""
    wanted = [joint.frame for joint in route.motors.joints if joint.frame not in route.known]
    sums = _sums(route, wanted)
    return Following(sums, _solved(route, [j for j in wanted if j not in sums], {*route.known, *sums}))


def _sums(route: Route, wanted: Sequence[int]) -> dict[int, Expr]:
    """Motors that are sums of joints of the route: from each of its joints that is a sum with one motor not yet known."""
    robot, positions = route.robot, route.closure.positions
    found: dict[int, Expr] = {}
    waiting = [joint.frame for joint in route.chain.joints if joint.frame in positions]
    again = True
    while again:
        again = False
        for j in list(waiting):
            left = [i for i in wanted if i not in found and variable_of(robot, i) in free_symbols(positions[j])]
            if len(left) != 1:
                continue
            waiting.remove(j)
            solved = _solved_for(positions[j], variable_of(robot, j), variable_of(robot, left[0]))
            if solved is not None:
                known = {variable_of(robot, i): x for i, x in found.items()}
                (found[left[0]],) = substitute([solved], known)
                again = True
    return found


def _solved_for(total: Expr, value: Expr, unknown: Expr) -> Expr | None:
    """The unknown of ``total`` = ``value``, if the total is a sum that has it once."""
    slopes = [derivative(total, v) for v in free_symbols(total) if v.kind == "variable"]
    sign = derivative(total, unknown)
    if any(slope.level > CONSTANT for slope in slopes) or sign not in (number(1), number(-1)):
        return None
    (rest,) = substitute([total], {unknown: number(0)})
    return expr(sign * (value - rest))


def _solved(route: Route, wanted: Sequence[int], known: set[int]) -> tuple[SolvedLoop, ...]:
    """Loops in an order in which each is solved by those before it, until the motors are known."""
    robot = route.free
    waiting = [loop_over(robot, cut, twin) for cut, twin in route.closure.cuts]
    found: list[SolvedLoop] = []
    reasons: list[str] = []
    while set(wanted) - known:
        waiting = [loop for loop in waiting if set(loop.joints(robot)) - known]
        reasons = []
        for loop in sorted(waiting, key=lambda one: len(set(one.joints(robot)) - known)):
            try:
                made = solved_loop(robot, loop, known)
            except NoClosedFormError as error:
                reasons.append(str(error).removeprefix(f"{robot.name}: "))
                continue
            found.append(made)
            known |= set(made.frames)
            break
        else:
            names = ", ".join(robot.frame(j).joint.name for j in wanted if j not in known)
            why = f": {'; '.join(reasons)}" if reasons else ""
            problem = f"where {names} is does not follow in closed form from the joints on the way to the frame{why}"
            raise NoClosedFormError([Problem("loops", problem)], robot.name)
    return _needed(robot, found, wanted)


def _needed(robot: Robot, found: Sequence[SolvedLoop], wanted: Sequence[int]) -> tuple[SolvedLoop, ...]:
    """Without loops that give neither a motor nor what a later one is made of."""
    needed, kept = set(wanted), []
    for one in reversed(found):
        if needed & set(one.frames):
            kept.append(one)
            needed |= set(one.loop.joints(robot))
    return tuple(reversed(kept))
